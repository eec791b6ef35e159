// SPDX-License-Identifier: MIT
/*
 * smile advise: print the node on which each page should lie, and the time that this placement
 * saves. Optionally run the program again with this placement, to verify both.
 *
 * What lives here: the options, and the steps from the recordings to the output.
 */
#include "tools/advise/advise.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/latency_option.h"
#include "tools/common/option_form.h"
#include "tools/common/option_table.h"
#include "tools/common/output.h"
#include "tools/common/recordings.h"
#include "tools/run/run_command.h"
#include "tools/common/output_file.h"
#include "tools/common/tool.h"

static const char *const advise_help[] = {
#include "tools/help/advise.h"
	NULL,
};

/* JSON and CSV output is never coloured. */
static const struct option_form forms[] = {
	{"json", .idle = "color"},
	{"csv", .idle = "color"},
	{0},
};

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
	struct latency_model latency;

	command->options.fallback = advise_fallback();
	if (command->latency) {
		if (latency_option_parse(&latency, command->latency) < 0)
			return TOOL_ERROR;
		command->options.machine = machine_of(&latency);
	}
	if (tool_result(Monitor_advise_new(mon, &command->options, &command->advise)) != TOOL_OK)
		return TOOL_ERROR;
	if (!command->latency && !command->advise->machine_recorded)
		tool_message("note: the recording holds no latency model: %s is used; --latency "
			     "chooses another",
			     LATENCY_DEFAULT);
	return TOOL_OK;
}

int advise_place_write(const struct Monitor_advise *advise, const struct sampled_advice *samples,
		       const char *path)
{
	FILE *out = output_file_create(path);
	int failed;

	if (!out)
		return TOOL_ERROR;
	failed = samples ? sampled_advise_placement(samples, out)
			 : Monitor_advise_placement(advise, out);
	if (fclose(out) | (failed == -EIO))
		return tool_error("the placement file %s cannot be written: %s", path,
				  strerror(errno));
	return tool_result(failed);
}

static int advise_all(struct advise_command *command, struct Monitor *mon)
{
	int status = advise_make(command, mon);

	if (status == TOOL_OK && command->output)
		status = advise_place_write(command->advise, NULL, command->output);
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
	struct run_facts *sampled;
	struct Monitor *mon = recordings_open(command->files, command->file_count, &sampled);
	int taken_in, status;

	if (!mon)
		return TOOL_ERROR;
	/* Read the names only of the variables that were accessed. */
	if (!sampled && tool_result(Monitor_variables_only(mon)) != TOOL_OK) {
		Monitor_close(mon);
		return TOOL_ERROR;
	}
	taken_in = recordings_take_in(mon);
	if (!sampled && option_given("runs"))
		status = tool_usage(
			"--runs is for recordings of samples: the times of other runs do not vary");
	else
		status = sampled ? advise_sampled(command, mon, sampled) : advise_all(command, mon);
	run_facts_sampled_free(sampled);
	Monitor_advise_free(command->advise);
	Monitor_close(mon);
	return taken_in != TOOL_OK ? taken_in : status;
}

/* Split off the program after "--". Return: the number of arguments before "--". */
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
	struct advise_command command = {.options = ADVISE_OPTIONS, .rows_shown = 20, .runs = 5};
	int ours = program_split(&command, argc, argv), status;
	uint32_t shared_percent = 0;
	const struct tool_option options[] = {
		OPTION_OUTPUT("output", 'o', &command.output),
		OPTION_FLAG("verify", 0, &command.verify),
		OPTION_NUMBER("runs", 0, 1, 1000, &command.runs),
		OPTION_TEXT("phase", 0, &command.options.phase),
		OPTION_TEXT("latency", 0, &command.latency),
		OPTION_NUMBER("shared", 0, 0, 100, &shared_percent),
		OPTION_NUMBER("min-gain", 0, 0, UINT64_MAX, &command.options.min_gain),
		OPTION_NUMBER("rows", 'n', 1, 1000000, &command.rows_shown),
		OPTION_FLAG("json", 0, &command.json),
		OPTION_FLAG("csv", 0, &command.csv),
		OPTION_COLOR,
		OPTION_HELP(advise_help),
		OPTION_END,
	};

	if (!option_table_parse(ours, argv, "", options, &status))
		return status;
	if (option_given("shared"))
		command.options.shared_below = (double)shared_percent / 100;
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
	if (option_given("runs") && !command.verify)
		return tool_usage("--runs is for --verify: give --verify, too");
	if (command.verify && command.latency)
		return tool_usage("--verify runs on the recorded machine, --latency uses another: "
				  "give one of them");
	command.files = argv + optind;
	command.file_count = ours - optind;
	return advise_run(&command);
}
