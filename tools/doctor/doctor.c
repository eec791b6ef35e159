// SPDX-License-Identifier: MIT
/*
 * smile doctor: check whether this machine has everything that monitoring needs, and print the
 * remedies.
 *
 * What lives here: the command, the check of the PCI card, and the output. The other checks are in
 * module.c, device.c, emulator.c, nodes.c and counters.c. machine.c describes the machine in a
 * file. The checks change nothing: they load no module, they open files for writing only to check
 * permissions, and they remove their temporary files.
 */
#include "tools/common/option_table.h"
#include "tools/common/tool.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <smile/monitor.h>

#include "tools/doctor/doctor.h"
#include "tools/common/output.h"

static const char *const doctor_help[] = {
#include "tools/help/doctor.h"
	NULL,
};

static const char *const state_names[] = {"ok", "missing", "skipped", "optional"};

struct check *doctor_check(struct doctor *doctor, const char *name, enum check_state state)
{
	struct check *check = &doctor->checks[doctor->count++];

	check->name = name;
	check->state = state;
	return check;
}

void doctor_detail(struct check *check, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(check->detail, sizeof(check->detail), format, arguments);
	va_end(arguments);
}

void doctor_fix(struct check *check, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(check->fix, sizeof(check->fix), format, arguments);
	va_end(arguments);
}

void doctor_path(char path[PATH_MAX], const char *format, ...)
{
	const char *root = getenv(DOCTOR_ROOT);
	va_list arguments;
	int length;

	length = snprintf(path, PATH_MAX, "%s", root ? root : "");
	if (length >= PATH_MAX)
		length = PATH_MAX - 1;
	va_start(arguments, format);
	vsnprintf(path + length, PATH_MAX - (size_t)length, format, arguments);
	va_end(arguments);
}

int doctor_line(char *text, size_t size, const char *format, ...)
{
	char rest[PATH_MAX], path[PATH_MAX];
	va_list arguments;
	FILE *file;

	va_start(arguments, format);
	vsnprintf(rest, sizeof(rest), format, arguments);
	va_end(arguments);
	doctor_path(path, "%s", rest);
	*text = '\0';
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (!fgets(text, (int)size, file))
		*text = '\0';
	fclose(file);
	text[strcspn(text, "\n")] = '\0';
	return *text != '\0';
}

static void check_card(struct doctor *doctor)
{
	struct check *check = doctor_check(doctor, "PCI card", CHECK_OK);
	struct Monitor_card card;
	int count;

	memset(&card, 0, sizeof(card));
	count = Monitor_card_list(&card, 1);
	if (count > 0) {
		doctor->card = 1;
		snprintf(doctor->device, sizeof(doctor->device), "%s", card.device);
		doctor_detail(check, "%d found, the first at %s%s%s", count, card.address,
			      *card.driver ? ", driver " : ", no driver bound", card.driver);
		return;
	}
	check->state = CHECK_MISSING;
	if (count < 0)
		doctor_detail(check, "%s", Monitor_error_message());
	else
		doctor_detail(check, "no SMiLE Monitor on the PCI bus");
	doctor_fix(check, "insert a card, or work without one: `smile run`, `smile sim` and `smile "
			  "replay CAPTURE` use cards emulated in the process (source emu:), `make "
			  "demo` uses one in QEMU");
}

static int doctor_json(const struct doctor *doctor, int missing)
{
	json_t *array = json_array();
	int i;

	for (i = 0; i < doctor->count; i++) {
		const struct check *check = &doctor->checks[i];

		json_array_append_new(array, json_pack("{s:s,s:s,s:o,s:o}", "check", check->name,
						       "state", state_names[check->state], "detail",
						       document_text(check->detail), "fix",
						       document_text(check->fix)));
	}
	return output_json(json_pack("{s:s,s:b,s:o}", "schema", "smile.doctor/1", "ok", !missing,
				     "checks", array));
}

static void doctor_print(const struct doctor *doctor, int missing)
{
	static const enum output_style styles[] = {OUTPUT_GOOD, OUTPUT_BAD, OUTPUT_PLAIN,
						   OUTPUT_PLAIN};
	int i;

	for (i = 0; i < doctor->count; i++) {
		const struct check *check = &doctor->checks[i];

		printf("%s%-8s%s  %-13s  %s\n", output_begin(styles[check->state]),
		       state_names[check->state], output_end(styles[check->state]), check->name,
		       output_name(check->detail));
		if (*check->fix)
			printf("%-8s  %-13s  -> %s\n", "", "", output_name(check->fix));
	}
	if (missing)
		printf("\n%d missing. To try the tools without a card: `smile sim sor -o sor`, "
		       "`smile report pages "
		       "sor-node*.rec`.\n",
		       missing);
	else
		printf("\nnothing is missing: `smile record -- COMMAND`\n");
	printf("legend: skipped = cannot be checked before another is ok; optional = missing, but "
	       "not "
	       "needed for\nthe rest\n");
}

int doctor_main(int argc, char **argv)
{
	struct doctor doctor;
	int i, missing = 0, json = 0, machine = 0, latency = 0, status;
	const struct tool_option options[] = {
		OPTION_FLAG("json", 0, &json),
		OPTION_FLAG("machine", 0, &machine),
		OPTION_FLAG("latency", 0, &latency),
		OPTION_HELP(doctor_help),
		OPTION_END,
	};

	if (!option_table_parse(argc, argv, "", options, &status))
		return status;
	if (machine && json)
		return tool_usage("--machine writes JSON anyway: give --json without it");
	if (machine && latency)
		return tool_usage(
			"--latency FILE writes the same file as --machine FILE: give one of them");
	if (optind + (machine || latency) < argc)
		return tool_usage("'%s' is one argument too many",
				  argv[optind + (machine || latency)]);
	if (machine)
		return doctor_machine(argv[optind]);
	if (latency)
		return doctor_latency(argv[optind], json);

	memset(&doctor, 0, sizeof(doctor));
	check_card(&doctor);
	doctor_module(&doctor);
	doctor_device(&doctor);
	doctor_card_in_qemu(&doctor);
	doctor_run(&doctor);
	doctor_nodes(&doctor);
	doctor_sample(&doctor);
	doctor_counters(&doctor);
	for (i = 0; i < doctor.count; i++)
		missing += doctor.checks[i].state == CHECK_MISSING;
	if (!json)
		doctor_print(&doctor, missing);
	else if (doctor_json(&doctor, missing) != TOOL_OK)
		return TOOL_ERROR;
	return missing ? TOOL_FINDING : TOOL_OK;
}
