// SPDX-License-Identifier: MIT
/*
 * smile diff: the differences between the recordings of two runs. What lives here: the options.
 */
#include "tools/diff/diff.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/option_form.h"
#include "tools/common/output.h"
#include "tools/common/recordings.h"
#include "tools/common/tool.h"

static const char *const diff_help[] = {
#include "tools/help/diff.h"
	NULL,
};

enum diff_code {
	CODE_THRESHOLD = 0x100,
	CODE_FAIL_OVER,
	CODE_JSON,
	CODE_CSV,
	CODE_COLOR,
};

static const struct option diff_options[] = {
	{"rows", required_argument, NULL, 'n'},
	{"threshold", required_argument, NULL, CODE_THRESHOLD},
	{"fail-over", required_argument, NULL, CODE_FAIL_OVER},
	{"json", no_argument, NULL, CODE_JSON},
	{"csv", optional_argument, NULL, CODE_CSV},
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

static int percent_parse(struct diff *diff, const char *text)
{
	char *end;

	diff->fail_over = strtod(text, &end);
	if (!isdigit((unsigned char)text[0]) || *end || !isfinite(diff->fail_over))
		return tool_usage("--fail-over: '%s' is no percentage, such as 2.5", text);
	return TOOL_OK;
}

static int option_parse(struct diff *diff, int code, const char *text)
{
	switch (code) {
	case 'n':
		return tool_number("-n", text, 1, 1000000, &diff->rows_shown);
	case CODE_THRESHOLD:
		return tool_number("--threshold", text, 0, UINT64_MAX, &diff->threshold);
	case CODE_FAIL_OVER:
		return percent_parse(diff, text);
	case CODE_JSON:
		diff->json = 1;
		return TOOL_OK;
	case CODE_CSV:
		diff->csv = text ? text : "pages";
		return diff_csv_known(diff->csv)
			       ? TOOL_OK
			       : tool_usage("--csv: '%s' is none of pages, regions and transfers",
					    text);
	case CODE_COLOR:
		return output_color_parse(text);
	}
	return tool_unknown_option();
}

static int view_open(struct diff *diff, int which)
{
	struct Monitor *mon = recordings_open(diff->files[which], diff->file_counts[which]);

	diff->comparison.mon[which] = mon;
	return mon ? recordings_take_in(mon) : TOOL_ERROR;
}

static int diff_run(struct diff *diff)
{
	int status = view_open(diff, 0);

	if (status == TOOL_OK)
		status = view_open(diff, 1);
	if (status == TOOL_OK)
		status = tool_result(comparison_load(&diff->comparison));
	if (status == TOOL_OK && diff->csv)
		diff_csv(diff);
	else if (status == TOOL_OK && diff->json)
		status = diff_json(diff);
	else if (status == TOOL_OK)
		diff_show(diff);
	if (status == TOOL_OK && diff->fail_over >= 0 &&
	    comparison_percent(&diff->comparison) > diff->fail_over)
		status = TOOL_FINDING;
	comparison_free(&diff->comparison);
	Monitor_close(diff->comparison.mon[0]);
	Monitor_close(diff->comparison.mon[1]);
	return status;
}

/* Which files are of the first, which of the second? @split: there was a "--". */
static int files_set(struct diff *diff, int split)
{
	if (diff->json && diff->csv)
		return tool_usage("--json and --csv: give one of them");
	if (option_forms_check(forms) != TOOL_OK)
		return TOOL_ERROR;
	if (diff->csv && strcmp(diff->csv, "pages") &&
	    option_form_idle("a table of regions or transfers", "threshold") != TOOL_OK)
		return TOOL_ERROR;
	if (!split && diff->file_counts[0] != 2)
		return tool_usage("which recordings are of the first run, which of the second? "
				  "FIRST... -- SECOND...");
	if (!split) {
		diff->files[1] = diff->files[0] + 1;
		diff->file_counts[0] = diff->file_counts[1] = 1;
	}
	if (!diff->file_counts[0] || !diff->file_counts[1])
		return tool_usage("there is no recording %s --",
				  diff->file_counts[0] ? "behind" : "in front of");
	return TOOL_OK;
}

/* Options and files of one side of "--". Return: TOOL_OK; TOOL_ERROR; -1: help was asked for. */
static int side_parse(struct diff *diff, int which, int argc, char **argv)
{
	int option;

	/* Not always the first walk over arguments in this process. */
	optind = 0;
	while ((option = option_next(argc, argv, "n:h", diff_options)) != -1) {
		if (option == 'h')
			return -1;
		if (option_parse(diff, option, optarg) != TOOL_OK)
			return TOOL_ERROR;
	}
	diff->files[which] = argv + optind;
	diff->file_counts[which] = argc - optind;
	return TOOL_OK;
}

int diff_main(int argc, char **argv)
{
	struct diff diff = {.rows_shown = 20, .fail_over = -1};
	int status, split = 1;

	/* getopt_long() would put what is on both sides of -- together. */
	while (split < argc && strcmp(argv[split], "--"))
		split++;
	status = side_parse(&diff, 0, split, argv);
	if (status == TOOL_OK && split < argc) {
		argv[split] = argv[0];
		status = side_parse(&diff, 1, argc - split, argv + split);
	}
	if (status < 0) {
		tool_help(diff_help);
		return TOOL_OK;
	}
	if (status == TOOL_OK)
		status = files_set(&diff, split < argc);
	return status == TOOL_OK ? diff_run(&diff) : status;
}
