// SPDX-License-Identifier: MIT
/*
 * smile diff: print the differences between the recordings of two runs. What lives here: the
 * options.
 */
#include "tools/diff/diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/histogram_rows.h"
#include "tools/common/option_form.h"
#include "tools/common/option_table.h"
#include "tools/common/output.h"
#include "tools/common/recordings.h"
#include "tools/common/tool.h"

static const char *const diff_help[] = {
#include "tools/help/diff.h"
	NULL,
};

/* JSON and CSV output is never coloured. */
static const struct option_form forms[] = {
	{"json", .idle = "color"},
	{"csv", .idle = "color"},
	{0},
};

static int fail_over_take(void *to, const char *text)
{
	struct diff *diff = to;

	if (tool_decimal(text, &diff->fail_over))
		return tool_usage("--fail-over: '%s' is no percentage, such as 2.5", text);
	return TOOL_OK;
}

static int csv_take(void *to, const char *text)
{
	struct diff *diff = to;

	diff->csv = text ? text : "pages";
	return diff_csv_known(diff->csv)
		       ? TOOL_OK
		       : tool_usage("--csv: '%s' is none of pages, regions and transfers", text);
}

static int view_open(struct diff *diff, int which)
{
	struct Monitor *mon = recordings_open(diff->files[which], diff->file_counts[which],
					      &diff->sampled[which]);

	diff->comparison.mon[which] = mon;
	return mon ? TOOL_OK : TOOL_ERROR;
}

/*
 * Read the records of both views. If the recordings contain samples, the caller must request the
 * variables before.
 */
static int views_take_in(struct diff *diff)
{
	int status = TOOL_OK;

	for (int i = 0; i < 2 && status == TOOL_OK; i++) {
		struct Monitor *mon = diff->comparison.mon[i];

		if (diff->sampled[i])
			status = tool_result(Monitor_variables_only(mon));
		if (status == TOOL_OK)
			status = recordings_take_in(mon);
	}
	return status;
}

/*
 * Select the accesses of the processors, including accesses that caches serve, if the recordings of
 * both views have them. Otherwise only transactions between nodes are compared.
 */
static int both_select(struct diff *diff)
{
	struct Monitor *const *mon = diff->comparison.mon;
	int status;

	diff->both = rows_accesses_known(mon[0]) && rows_accesses_known(mon[1]);
	if (!diff->both)
		return TOOL_OK;
	diff->behind.mon[0] = mon[0];
	diff->behind.mon[1] = mon[1];
	status = tool_result(comparison_load(&diff->behind));
	for (int i = 0; i < 2 && status == TOOL_OK; i++)
		status = tool_result(Monitor_accesses_show(mon[i], 1));
	return status;
}

/* Compare the exact counts of both views. */
static int counts_compare(struct diff *diff)
{
	int status = both_select(diff);

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
	return status;
}

static int diff_run(struct diff *diff)
{
	int status = view_open(diff, 0);
	bool sampled;

	if (status == TOOL_OK)
		status = view_open(diff, 1);
	sampled = diff->sampled[0] || diff->sampled[1];
	if (status == TOOL_OK && sampled)
		status = diff_sampled_fits(diff);
	if (status == TOOL_OK)
		status = views_take_in(diff);
	if (status == TOOL_OK)
		status = sampled ? diff_sampled(diff) : counts_compare(diff);
	comparison_free(&diff->comparison);
	comparison_free(&diff->behind);
	for (int i = 0; i < 2; i++) {
		run_facts_sampled_free(diff->sampled[i]);
		Monitor_close(diff->comparison.mon[i]);
	}
	return status;
}

/* Assign the files to the first view and to the second view. @split: "--" was given. */
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

/*
 * Parse the options and files on one side of "--". Return: whether the command continues; if it
 * does not, @status is its exit status.
 */
static bool side_parse(struct diff *diff, int which, int argc, char **argv, int *status)
{
	const struct tool_option options[] = {
		OPTION_NUMBER("rows", 'n', 1, 1000000, &diff->rows_shown),
		OPTION_NUMBER("threshold", 0, 0, UINT64_MAX, &diff->threshold),
		OPTION_TAKE("fail-over", 0, fail_over_take, diff),
		OPTION_FLAG("json", 0, &diff->json),
		OPTION_TAKE_ANY("csv", 0, csv_take, diff),
		OPTION_COLOR,
		OPTION_HELP(diff_help),
		OPTION_END,
	};

	/*
	 * Reset getopt_long(), because it may have parsed other arguments in this process before.
	 */
	optind = 0;
	if (!option_table_parse(argc, argv, "", options, status))
		return false;
	diff->files[which] = argv + optind;
	diff->file_counts[which] = argc - optind;
	return true;
}

int diff_main(int argc, char **argv)
{
	struct diff diff = {.rows_shown = 20, .fail_over = -1};
	int status, split = 1;

	/*
	 * Parse each side of "--" separately, because getopt_long() would mix the arguments of both
	 * sides.
	 */
	while (split < argc && strcmp(argv[split], "--"))
		split++;
	if (!side_parse(&diff, 0, split, argv, &status))
		return status;
	if (split < argc) {
		argv[split] = argv[0];
		if (!side_parse(&diff, 1, argc - split, argv + split, &status))
			return status;
	}
	status = files_set(&diff, split < argc);
	return status == TOOL_OK ? diff_run(&diff) : status;
}
