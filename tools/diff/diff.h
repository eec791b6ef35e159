/* SPDX-License-Identifier: MIT */
/*
 * smile diff: the differences between two views.
 *
 * What lives here: the types and functions that its files share. Options are in diff.c, tables in
 * show.c, JSON in json.c, CSV in csv.c; for recordings of samples, all of these are in sampled.c.
 * The sums are in lib/analysis/difference.
 */
#ifndef TOOLS_DIFF_H
#define TOOLS_DIFF_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "lib/analysis/difference/comparison.h"

/**
 * struct diff - The views that are compared, and the user's options.
 * @files: files of the first and of the second view; shapes [@file_counts]
 * @file_counts: numbers of files
 * @comparison: comparison of the views
 * @both: both views have caches in front of all memory: @comparison compares the accesses in front
 *        of them, and
 * @behind: compares the transactions behind them
 * @sampled: marks of recordings of samples, of the first and the second; NULL: exact counts
 * @rows_shown: number of pages in the table
 * @threshold: pages that differ by fewer accesses are not shown
 * @fail_over: percent of the first view's accesses; negative: never
 * @json: print a JSON document instead of text
 * @csv: name of the table to print as CSV; NULL: none
 */
struct diff {
	char **files[2];
	int file_counts[2];
	struct comparison comparison;
	struct comparison behind;
	int both;
	json_t *sampled[2];
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
 * Can these recordings be compared in this way? At least one of them holds samples. Return:
 * TOOL_OK; TOOL_USAGE or TOOL_ERROR after a message.
 */
int diff_sampled_fits(const struct diff *diff);

/* Compare, and show. Return: an exit status. */
int diff_sampled(const struct diff *diff);

/* Is the text the name of a table of --csv? */
int diff_csv_known(const char *table);

#endif /* TOOLS_DIFF_H */
