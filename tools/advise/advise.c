// SPDX-License-Identifier: MIT
/*
 * smile advise: the node on which each page should be, the gain, and optionally a run that verifies
 * it.
 *
 * What lives here: the options, and the steps from recordings to output.
 */
#include "tools/advise/advise.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/latency_option.h"
#include "tools/common/option_form.h"
#include "tools/common/output.h"
#include "tools/common/recordings.h"
#include "tools/run/run_command.h"
#include "tools/common/tool.h"

static const char *const advise_help[] = {
#include "tools/help/advise.h"
	NULL,
};

enum advise_code {
	CODE_VERIFY = 0x100,
	CODE_PHASE,
	CODE_LATENCY,
	CODE_SHARED,
	CODE_MIN_GAIN,
	CODE_JSON,
	CODE_CSV,
	CODE_COLOR,
};

static const struct option advise_options[] = {
	{"output", required_argument, NULL, 'o'},
	{"verify", no_argument, NULL, CODE_VERIFY},
	{"phase", required_argument, NULL, CODE_PHASE},
	{"latency", required_argument, NULL, CODE_LATENCY},
	{"shared", required_argument, NULL, CODE_SHARED},
	{"min-gain", required_argument, NULL, CODE_MIN_GAIN},
	{"rows", required_argument, NULL, 'n'},
	{"json", no_argument, NULL, CODE_JSON},
	{"csv", no_argument, NULL, CODE_CSV},
	{"color", required_argument, NULL, CODE_COLOR},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

/* Neither has colours. */
static const struct option_form forms[] = {
	{"json", .idle = "color"},
	{"csv", .idle = "color"},
	{0},
};

static int option_parse(struct advise_command *command, int code, const char *text)
{
	uint64_t number;

	switch (code) {
	case 'o':
		command->output = text;
		return *text ? TOOL_OK : tool_usage("-o: the name is empty");
	case CODE_VERIFY:
		command->verify = 1;
		return TOOL_OK;
	case CODE_PHASE:
		command->options.phase = text;
		return TOOL_OK;
	case CODE_LATENCY:
		command->latency = text;
		return TOOL_OK;
	case CODE_SHARED:
		if (tool_number("--shared", text, 0, 100, &number))
			return TOOL_ERROR;
		command->options.shared_below = (double)number / 100;
		return TOOL_OK;
	case CODE_MIN_GAIN:
		return tool_number("--min-gain", text, 0, UINT64_MAX, &command->options.min_gain);
	case 'n':
		return tool_number("-n", text, 1, 1000000, &command->rows_shown);
	case CODE_JSON:
		command->json = 1;
		return TOOL_OK;
	case CODE_CSV:
		command->csv = 1;
		return TOOL_OK;
	case CODE_COLOR:
		return output_color_parse(text);
	}
	return tool_unknown_option();
}

static struct Monitor_advise_machine machine_of(const struct latency_model *latency)
{
	return (struct Monitor_advise_machine){
		.name = latency->name,
		.weights = {.local = latency->local_cycles,
			    .read = latency->remote_cycles[SMILE_TYPE_READ],
			    .write = latency->remote_cycles[SMILE_TYPE_WRITE],
			    .lock = latency->remote_cycles[SMILE_TYPE_LOCK]},
		.frequency_hz = latency->frequency_hz,
	};
}

struct Monitor_advise_machine advise_fallback(void)
{
	return machine_of(latency_find(LATENCY_DEFAULT));
}

static int advise_make(struct advise_command *command, struct Monitor *mon)
{
	struct Monitor_advise_machine machine, fallback = advise_fallback();
	struct latency_model latency;

	command->options.fallback = &fallback;
	if (command->latency) {
		if (latency_option_parse(&latency, command->latency) < 0)
			return TOOL_ERROR;
		machine = machine_of(&latency);
		command->options.machine = &machine;
	}
	if (tool_result(Monitor_advise(mon, &command->options, &command->advise)) != TOOL_OK)
		return TOOL_ERROR;
	if (!command->latency && !command->advise->machine_recorded)
		tool_message("note: the recording holds no latency model: %s is used; --latency "
			     "chooses another",
			     LATENCY_DEFAULT);
	return TOOL_OK;
}

int advise_place_write(const struct Monitor_advise *advise, const char *path)
{
	FILE *out = fopen(path, "we");
	int failed;

	if (!out)
		return tool_error("the placement file %s cannot be written: %s", path,
				  strerror(errno));
	failed = Monitor_advise_placement(advise, out);
	if (fclose(out) | (failed == -EIO))
		return tool_error("the placement file %s cannot be written: %s", path,
				  strerror(errno));
	return tool_result(failed);
}

static int advise_all(struct advise_command *command, struct Monitor *mon)
{
	int status = advise_make(command, mon);

	if (status == TOOL_OK && command->output)
		status = advise_place_write(command->advise, command->output);
	if (status == TOOL_OK && command->verify)
		status = advise_verify(command, command->output);
	if (status != TOOL_OK)
		return status;
	if (command->csv)
		status = advise_csv(command);
	else if (command->json)
		status = advise_json(command);
	else
		advise_show(command);
	return status == TOOL_OK ? advise_finding(command) : status;
}

static int advise_run(struct advise_command *command)
{
	struct Monitor *mon = recordings_open(command->files, command->file_count);
	int taken_in, status;

	if (!mon)
		return TOOL_ERROR;
	taken_in = recordings_take_in(mon);
	status = advise_all(command, mon);
	Monitor_advise_free(command->advise);
	Monitor_close(mon);
	return taken_in != TOOL_OK ? taken_in : status;
}

/* What follows "--" is the program. Return: how many arguments are ours. */
static int program_split(struct advise_command *command, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--"))
			continue;
		command->program = argv + i + 1;
		argv[i] = NULL;
		return i;
	}
	return argc;
}

int advise_main(int argc, char **argv)
{
	struct advise_command command = {.options = MONITOR_ADVISE_OPTIONS, .rows_shown = 20};
	int option, ours = program_split(&command, argc, argv);

	while ((option = option_next(ours, argv, "o:n:h", advise_options)) != -1) {
		if (option == 'h') {
			tool_help(advise_help);
			return TOOL_OK;
		}
		if (option_parse(&command, option, optarg) != TOOL_OK)
			return TOOL_ERROR;
	}
	if (command.json && command.csv)
		return tool_usage("--json and --csv: give one of them");
	if (option_forms_check(forms) != TOOL_OK)
		return TOOL_ERROR;
	if (optind == ours)
		return tool_usage("which recordings? Give those of all nodes of a run");
	if (command.program && !command.verify)
		return tool_usage("only --verify runs a program after --: give --verify, too");
	if (command.program && !*command.program)
		return tool_usage("which program? There is none after --");
	if (command.verify && command.latency)
		return tool_usage("--verify runs on the recorded machine, --latency takes another: "
				  "give one of them");
	command.files = argv + optind;
	command.file_count = ours - optind;
	return advise_run(&command);
}
