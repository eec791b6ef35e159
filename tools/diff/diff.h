/* SPDX-License-Identifier: MIT */
/*
 * smile diff: the differences between two views.
 *
 * What lives here: what its files share. Options are in diff.c, tables in show.c, JSON in json.c,
 * CSV in csv.c; all of that for recordings of samples is in sampled.c. The sums are in
 * lib/analysis/difference.
 */
#ifndef TOOLS_DIFF_H
#define TOOLS_DIFF_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "lib/analysis/difference/comparison.h"

/**
 * struct diff - What is compared.
 * @files: of the first view and of the second; shapes [@file_counts]
 * @file_counts: how many
 * @comparison: the views, compared
 * @both: both views have caches in front of all memory: @comparison is of accesses in front of
 *        them, and
 * @behind: of the transactions behind them
 * @sampled: marks of recordings of samples, of the first and the second; NULL: exact counts
 * @rows_shown: pages in the table
 * @threshold: pages are shown that differ by at least this many accesses
 * @fail_over: percent of the first's accesses; negative: never
 * @json: a document instead of text
 * @csv: name of the table to print as rows for other programs; NULL: none
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

/* Is it the name of a table of --csv? */
int diff_csv_known(const char *table);

#endif /* TOOLS_DIFF_H */
