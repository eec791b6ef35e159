// SPDX-License-Identifier: MIT
/*
 * smile advise: the node on which each page should lie, what that gains, and whether it does.
 *
 * What lives here: the options, and the way from recordings to what is shown.
 */
#include "tools/advise/advise.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/output.h"
#include "tools/common/recordings.h"
#include "tools/common/tool.h"

static const char advise_help[] =
	"usage: smile advise FILE... [OPTIONS] [-- PROGRAM ARGUMENTS]\n\n"
	"Tells on which node each page should lie: where its accesses cost least, by the latency\n"
	"model that the program was recorded with. Blocking reads weigh more than writes. Give "
	"the\n"
	"recordings of all nodes of a run.\n\n"
	"  -o, --output FILE    write a placement file, for `smile run --place FILE`\n"
	"      --verify         run the program again with its pages as advised, and tell what "
	"was\n"
	"                       predicted and what was measured; which program and which machine,\n"
	"                       the recordings know; another program comes behind --\n"
	"      --phase NAME     look at the program's phases of this name alone\n"
	"      --latency MODEL  other weights than the recordings': as `smile run --latency`\n"
	"      --shared PERCENT a page is truly shared if no node has so much of its cost (default "
	"50)\n"
	"      --min-gain N     leave pages where they are that gain fewer than N cycles (default "
	"1)\n"
	"  -n, --rows N         rows of a table (default 20)\n"
	"      --json           one JSON document, schema smile.advise/1\n"
	"      --csv            rows for other programs, one a page\n"
	"      --color WHEN     always, never, or auto: on a terminal, unless NO_COLOR is set\n"
	"      --help           this text\n\n"
	"example: smile run -- ./sor && smile advise sor-node*.rec -o sor.place --verify\n"
	"exit status: 0 ok; 1 --verify found the program's result wrong, or the program slower;\n"
	"2 usage or error\n";

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

static int option_parse(struct advise *advise, int code, const char *text)
{
	uint64_t number;

	switch (code) {
	case 'o':
		advise->output = text;
		return *text ? TOOL_OK : tool_usage("-o: the name is empty");
	case CODE_VERIFY:
		advise->verify = 1;
		return TOOL_OK;
	case CODE_PHASE:
		advise->phase = text;
		return TOOL_OK;
	case CODE_LATENCY:
		advise->latency = text;
		return TOOL_OK;
	case CODE_SHARED:
		if (tool_number("--shared", text, 0, 100, &number))
			return TOOL_ERROR;
		advise->shared_below = (double)number / 100;
		return TOOL_OK;
	case CODE_MIN_GAIN:
		return tool_number("--min-gain", text, 0, UINT64_MAX, &advise->min_gain);
	case 'n':
		return tool_number("-n", text, 1, 1000000, &advise->rows_shown);
	case CODE_JSON:
		advise->json = 1;
		return TOOL_OK;
	case CODE_CSV:
		advise->csv = 1;
		return TOOL_OK;
	case CODE_COLOR:
		return output_color_parse(text);
	}
	return tool_unknown_option();
}

static int advise_all(struct advise *advise)
{
	int status = advise_model_load(advise);

	if (status == TOOL_OK)
		status = advise_phases_load(advise);
	if (status == TOOL_OK)
		status = advise_rows_load(advise);
	if (status == TOOL_OK)
		status = advise_data_load(advise);
	if (status == TOOL_OK)
		status = advise_predict(advise);
	if (status == TOOL_OK && advise->output)
		status = advise_place_write(advise, advise->output);
	if (status == TOOL_OK && advise->verify)
		status = advise_verify(advise, advise->output);
	if (status != TOOL_OK)
		return status;
	if (advise->csv)
		status = advise_csv(advise);
	else if (advise->json)
		status = advise_json(advise);
	else
		advise_show(advise);
	return status == TOOL_OK ? advise_finding(advise) : status;
}

void advise_free(struct advise *advise)
{
	advise_model_free(&advise->model);
	free(advise->phases);
	free(advise->rows);
	free(advise->runs);
	advise_data_free(advise);
}

static int advise_run(struct advise *advise)
{
	int taken_in, status;

	advise->mon = recordings_open(advise->files, advise->file_count);
	if (!advise->mon)
		return TOOL_ERROR;
	taken_in = recordings_take_in(advise->mon);
	status = advise_all(advise);
	Monitor_close(advise->mon);
	advise_free(advise);
	return taken_in != TOOL_OK ? taken_in : status;
}

/* What follows "--" is the program. Return: how many arguments are ours. */
static int program_split(struct advise *advise, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--"))
			continue;
		advise->program = argv + i + 1;
		argv[i] = NULL;
		return i;
	}
	return argc;
}

int advise_main(int argc, char **argv)
{
	struct advise advise = {.shared_below = 0.5, .min_gain = 1, .rows_shown = 20};
	int option, ours = program_split(&advise, argc, argv);

	while ((option = getopt_long(ours, argv, "o:n:h", advise_options, NULL)) != -1) {
		if (option == 'h') {
			fputs(advise_help, stdout);
			return TOOL_OK;
		}
		if (option_parse(&advise, option, optarg) != TOOL_OK)
			return TOOL_ERROR;
	}
	if (advise.json && advise.csv)
		return tool_usage("--json and --csv: give one of them");
	if (optind == ours)
		return tool_usage("which recordings? Give those of all nodes of a run");
	if (advise.program && !advise.verify)
		return tool_usage("a program behind -- is what --verify runs; give that too");
	if (advise.program && !*advise.program)
		return tool_usage("which program? There is none behind --");
	if (advise.verify && advise.latency)
		return tool_usage("--verify runs on the recorded machine, --latency takes another: "
				  "give one of them");
	advise.files = argv + optind;
	advise.file_count = ours - optind;
	return advise_run(&advise);
}
