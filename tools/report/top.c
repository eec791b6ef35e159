// SPDX-License-Identifier: MIT
/*
 * smile report top: the pages with the most accesses.
 */
#include "tools/report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/csv.h"
#include "tools/rows.h"
#include "tools/output.h"
#include "tools/regions.h"
#include "tools/smile.h"

static int compare_accesses(const void *a, const void *b)
{
	const struct rows_page *x = a, *y = b;

	if (x->accesses != y->accesses)
		return x->accesses > y->accesses ? -1 : 1;
	/* Rows are in the order of page and home. */
	return x->rows < y->rows ? -1 : 1;
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static int top_json(const struct rows_page *pages, size_t count, uint64_t all)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < count; i++)
		json_array_append_new(
			array,
			json_pack("{s:I,s:I,s:I,s:f,s:I,s:I,s:I,s:I,s:f,s:f}", "page",
				  (json_int_t)pages[i].rows->page, "home",
				  (json_int_t)pages[i].rows->home, "accesses",
				  (json_int_t)pages[i].accesses, "share",
				  share(pages[i].accesses, all), "reads",
				  (json_int_t)pages[i].reads, "writes", (json_int_t)pages[i].writes,
				  "locks", (json_int_t)pages[i].locks, "dominant_node",
				  (json_int_t)pages[i].dominant, "dominant_share",
				  share(pages[i].dominant_accesses, pages[i].accesses),
				  "remote_share", share(pages[i].remote, pages[i].accesses)));
	return output_json(json_pack("{s:s,s:I,s:I,s:o}", "schema", "smile.top/1", "page_bytes",
				     (json_int_t)SMILE_PAGE_BYTES, "accesses", (json_int_t)all,
				     "pages", array));
}

static int top_csv(struct Monitor *mon, const struct rows_page *pages, size_t count, uint64_t all)
{
	csv_begin("page,home,accesses,share,reads,writes,locks,dominant_node,dominant_share,"
		  "remote_share," REGIONS_CSV);
	for (size_t i = 0; i < count; i++) {
		csv_count(pages[i].rows->page);
		csv_count(pages[i].rows->home);
		csv_count(pages[i].accesses);
		csv_real(share(pages[i].accesses, all));
		csv_count(pages[i].reads);
		csv_count(pages[i].writes);
		csv_count(pages[i].locks);
		csv_count(pages[i].dominant);
		csv_real(share(pages[i].dominant_accesses, pages[i].accesses));
		csv_real(share(pages[i].remote, pages[i].accesses));
		regions_page_csv(mon, pages[i].rows->page);
		if (!csv_end())
			break;
	}
	return TOOL_OK;
}

static void top_table(struct Monitor *mon, const struct rows_page *pages, size_t count, size_t of,
		      uint64_t all, int untyped)
{
	struct output_table *table = output_table_new();
	int where = regions_known(mon);
	char text[REGIONS_NAME_BYTES];
	size_t i;

	output_table_column(table, "PAGE", 'r');
	output_table_column(table, "HOME", 'r');
	output_table_column(table, "ACCESSES", 'r');
	output_table_column(table, "SHARE", 'r');
	if (!untyped) {
		output_table_extra(table, "READS", 'r');
		output_table_extra(table, "WRITES", 'r');
		output_table_extra(table, "LOCKS", 'r');
	}
	output_table_column(table, "DOMINANT NODE", 'r');
	output_table_column(table, "ITS SHARE", 'r');
	if (where)
		output_table_name(table, "WHERE");
	for (i = 0; i < count; i++) {
		output_table_cell(table, OUTPUT_STRONG, "%" PRIu64, pages[i].rows->page);
		output_table_cell(table, OUTPUT_PLAIN, "%" PRIu32, pages[i].rows->home);
		output_table_count(table, OUTPUT_STRONG, pages[i].accesses);
		output_table_cell(table, OUTPUT_PLAIN, "%.1f%%",
				  100 * share(pages[i].accesses, all));
		if (!untyped) {
			output_table_count(table, OUTPUT_PLAIN, pages[i].reads);
			output_table_count(table, OUTPUT_PLAIN, pages[i].writes);
			output_table_count(table, OUTPUT_PLAIN, pages[i].locks);
		}
		output_table_cell(table, OUTPUT_PLAIN, "%" PRIu32, pages[i].dominant);
		output_table_cell(table, OUTPUT_PLAIN, "%.1f%%",
				  100 * share(pages[i].dominant_accesses, pages[i].accesses));
		if (where)
			output_table_cell(table, OUTPUT_PLAIN, "%s",
					  regions_page(mon, pages[i].rows->page, text));
	}
	output_table_print(table);
	putchar('\n');
	output_text(
		"legend: %zu of %zu pages, by accesses of all nodes; share = of all accesses to "
		"all pages; dominant node = the one with the most accesses to the page, its "
		"share = of the page's accesses.",
		count, of);
	if (where)
		output_text("Where: the region of the program's memory, and the page's offset in "
			    "it.");
}

int report_top(const struct report *report)
{
	struct rows_page *pages;
	struct rows histogram;
	size_t at = 0, count = 0, shown;
	uint64_t all = 0;
	int status = TOOL_OK;

	if (rows_load(&histogram, report->mon) != TOOL_OK)
		return TOOL_ERROR;
	/* There are at most as many pages as rows. */
	pages = report_memory(histogram.count + 1, sizeof(*pages));
	while (rows_next(&histogram, &at, &pages[count]))
		all += pages[count++].accesses;
	qsort(pages, count, sizeof(*pages), compare_accesses);
	shown = count < report->rows ? count : (size_t)report->rows;
	if (report->csv)
		status = top_csv(report->mon, pages, shown, all);
	else if (report->json)
		status = top_json(pages, shown, all);
	else
		top_table(report->mon, pages, shown, count, all, histogram.untyped);
	free(pages);
	rows_free(&histogram);
	return status;
}
