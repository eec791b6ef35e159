/* SPDX-License-Identifier: MIT */
/*
 * smile diff: what differs between two views.
 *
 * What lives here: what its parts share. Options in diff.c, sums by page and region in pages.c,
 * tables in show.c, the document in json.c, rows for other programs in csv.c.
 */
#ifndef TOOLS_DIFF_H
#define TOOLS_DIFF_H

#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

/* What is summed: [0] of the first view, [1] of the second. */
struct diff_counts {
	uint64_t accesses[2];
	uint64_t reads[2];
	uint64_t writes[2];
	uint64_t locks[2];
};

/**
 * struct diff_page - A page.
 * @rows: first of its rows
 * @count: how many
 * @counts: their sums
 * @apart: differences of nodes' accesses, summed without signs
 */
struct diff_page {
	const struct Monitor_difference *rows;
	size_t count;
	struct diff_counts counts;
	uint64_t apart;
};

/**
 * struct diff_region - A region of either program's memory; pages of none are in one of their own.
 * @name: as regions_name() calls it; "-"
 * @kind: as regions_kind() calls it
 * @start: its first address, where it was first met
 * @pages: how many were accessed
 * @moved: of them have another home
 * @counts: sums
 * @apart: as of a page
 */
struct diff_region {
	char name[64];
	const char *kind;
	uint64_t start;
	uint64_t pages;
	uint64_t moved;
	struct diff_counts counts;
	uint64_t apart;
};

/**
 * struct diff - What is compared.
 * @files: of the first view and of the second; shapes [@file_counts]
 * @file_counts: how many
 * @mon: the views
 * @rows: shape [@row_count]
 * @row_count: how many
 * @pages: by @apart, the largest first; shape [@page_count]
 * @page_count: how many
 * @regions: likewise; shape [@region_count]
 * @region_count: how many
 * @counts: of all
 * @apart: of all
 * @moved: pages with another home
 * @nodes: nodes seen
 * @rows_shown: pages in the table
 * @threshold: pages are shown that are so many accesses apart
 * @fail_over: percent of the first's accesses; negative: never
 * @json: a document instead of text
 * @csv: this table as rows for other programs instead; NULL: no
 */
struct diff {
	char **files[2];
	int file_counts[2];
	struct Monitor *mon[2];
	struct Monitor_difference *rows;
	size_t row_count;
	struct diff_page *pages;
	size_t page_count;
	struct diff_region *regions;
	size_t region_count;
	struct diff_counts counts;
	uint64_t apart;
	uint64_t moved;
	size_t nodes;
	uint64_t rows_shown;
	uint64_t threshold;
	double fail_over;
	int json;
	const char *csv;
};

/* Return: TOOL_OK; TOOL_ERROR after saying why the two cannot be compared. */
int diff_load(struct diff *diff);
void diff_free(struct diff *diff);

/* Does a page lie on another node in the second view? */
int diff_page_moved(const struct diff_page *page);

/* How far apart the two are, in percent of the first's accesses. */
double diff_percent(const struct diff *diff);

void diff_show(const struct diff *diff);
int diff_json(const struct diff *diff);
void diff_csv(const struct diff *diff);

/* Is it the name of a table of --csv? */
int diff_csv_known(const char *table);

#endif /* TOOLS_DIFF_H */
