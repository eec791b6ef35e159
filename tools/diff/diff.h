/* SPDX-License-Identifier: MIT */
/*
 * smile diff: print the differences between two views.
 *
 * What lives here: the types and functions that the files of this directory share. The options are
 * parsed in diff.c, tables are printed in difference_show.c, JSON in json.c, CSV in csv.c. For
 * recordings of samples, all of this is in sampled.c. The differences are computed in
 * lib/analysis/difference.
 */
#ifndef TOOLS_DIFF_H
#define TOOLS_DIFF_H

#include <stddef.h>
#include <stdint.h>

#include "lib/analysis/difference/comparison.h"
#include "lib/analysis/run_facts.h"

/**
 * struct diff - The two compared views, and the user's options.
 * @files: files of the first and of the second view; shapes [@file_counts]
 * @file_counts: numbers of files of the first and of the second view
 * @comparison: comparison of the accesses of both views
 * @both: both views have caches in front of all memory; @comparison then compares the accesses in
 *        front of the caches, and @behind compares the transactions behind them
 * @behind: comparison of the transactions behind the caches, if @both is set
 * @sampled: for each view, facts about recordings of samples; NULL: its counts are exact
 * @rows_shown: largest number of pages in the table
 * @threshold: a page is shown only if its counts differ by at least this number of accesses
 * @fail_over: fail if the difference exceeds this percentage of the first view's accesses;
 *             negative: do not fail
 * @json: print a JSON document instead of text
 * @csv: name of the table to print as CSV; NULL: do not print CSV
 */
struct diff {
	char **files[2];
	int file_counts[2];
	struct comparison comparison;
	struct comparison behind;
	int both;
	struct run_facts *sampled[2];
	uint64_t rows_shown;
	uint64_t threshold;
	double fail_over;
	int json;
	const char *csv;
};

void diff_show(const struct diff *diff);
int diff_json(const struct diff *diff);
void diff_csv(const struct diff *diff);

/*
 * Check whether the two views can be compared in the requested way, if at least one view is of
 * samples.
 * Return: TOOL_OK; TOOL_USAGE or TOOL_ERROR after a message.
 */
int diff_sampled_fits(const struct diff *diff);

/* Compare two views of samples, and print the differences. Return: an exit status. */
int diff_sampled(const struct diff *diff);

/* Check whether --csv has a table of this name. */
int diff_csv_known(const char *table);

#endif /* TOOLS_DIFF_H */
