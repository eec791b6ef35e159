// SPDX-License-Identifier: MIT
/*
 * smile report pages: accesses to each page by node.
 */
#include "tools/report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/bands.h"
#include "tools/csv.h"
#include "tools/regions.h"
#include "tools/rows.h"
#include "tools/output.h"
#include "tools/smile.h"

/* One of the four arrays of a page; @scratch is [nodes], and all zero between calls. */
static json_t *pages_array(const struct rows_page *page, size_t offset, uint64_t *scratch,
			   size_t nodes)
{
	json_t *array;
	size_t i;

	for (i = 0; i < page->count; i++)
		if (page->rows[i].source < nodes)
			memcpy(&scratch[page->rows[i].source],
			       (const char *)&page->rows[i] + offset, sizeof(*scratch));
	array = output_json_counts(scratch, nodes);
	for (i = 0; i < page->count; i++)
		if (page->rows[i].source < nodes)
			scratch[page->rows[i].source] = 0;
	return array;
}

#define PAGES_ARRAY(member)                                                                        \
	pages_array(page, offsetof(struct Monitor_histogram_row, member), scratch, nodes)

static json_t *pages_object(struct Monitor *mon, const struct rows_page *page, uint64_t *scratch,
			    size_t nodes)
{
	json_t *object;

	object = json_pack("{s:I,s:I,s:o,s:o,s:o,s:o}", "page", (json_int_t)page->rows->page,
			   "home", (json_int_t)page->rows->home, "accesses", PAGES_ARRAY(accesses),
			   "reads", PAGES_ARRAY(reads), "writes", PAGES_ARRAY(writes), "locks",
			   PAGES_ARRAY(locks));
	if (mon)
		regions_page_json(mon, page->rows->page, object);
	return object;
}

/* Page by page, so that memory does not grow with pages x nodes. */
static int pages_json(const struct rows *histogram, struct Monitor *mon)
{
	uint64_t *scratch = report_memory(histogram->nodes, sizeof(*scratch));
	struct rows_page page;
	int status = TOOL_OK;
	size_t at = 0;

	printf("{\"schema\":\"smile.pages/1\",\"nodes\":%zu,\"page_bytes\":%u,\"pages\":[",
	       histogram->nodes, SMILE_PAGE_BYTES);
	while (!output_stopped() && status == TOOL_OK) {
		size_t first = at;

		if (!rows_next(histogram, &at, &page))
			break;
		status = output_json_item(pages_object(mon, &page, scratch, histogram->nodes),
					  !first);
	}
	fputs("]}\n", stdout);
	free(scratch);
	return status;
}

static int pages_csv(const struct rows *histogram, struct Monitor *mon)
{
	csv_begin("page,home,source,accesses,reads,writes,locks," REGIONS_CSV);
	for (size_t i = 0; i < histogram->count; i++) {
		const struct Monitor_histogram_row *row = &histogram->rows[i];

		csv_count(row->page);
		csv_count(row->home);
		csv_count(row->source);
		csv_count(row->accesses);
		csv_count(row->reads);
		csv_count(row->writes);
		csv_count(row->locks);
		regions_page_csv(mon, row->page);
		if (!csv_end())
			break;
	}
	return TOOL_OK;
}

static void pages_row(struct output_table *table, const struct rows *histogram, struct Monitor *mon,
		      const struct rows_page *page, const unsigned int *columns, size_t count)
{
	char where[REGIONS_NAME_BYTES];
	size_t i, row = 0;

	output_table_cell(table, OUTPUT_STRONG, "%" PRIu64, page->rows->page);
	output_table_cell(table, OUTPUT_PLAIN, "%" PRIu32, page->rows->home);
	for (i = 0; i < count; i++) {
		while (row < page->count && page->rows[row].source < columns[i])
			row++;
		if (row < page->count && page->rows[row].source == columns[i])
			output_table_count(table, OUTPUT_PLAIN, page->rows[row].accesses);
		else
			output_table_none(table);
	}
	output_table_count(table, OUTPUT_STRONG, page->accesses);
	if (!histogram->untyped) {
		output_table_count(table, OUTPUT_PLAIN, page->reads);
		output_table_count(table, OUTPUT_PLAIN, page->writes);
		output_table_count(table, OUTPUT_PLAIN, page->locks);
	}
	output_table_cell(table, OUTPUT_PLAIN, "%.1f%%",
			  page->accesses ? 100.0 * (double)page->remote / (double)page->accesses
					 : 0.0);
	if (mon)
		output_table_cell(table, OUTPUT_PLAIN, "%s",
				  regions_page(mon, page->rows->page, where));
}

static void pages_columns(struct output_table *table, const struct rows *histogram,
			  const unsigned int *columns, size_t count)
{
	size_t i;

	output_table_column(table, "PAGE", 'r');
	output_table_column(table, "HOME", 'r');
	for (i = 0; i < count; i++)
		output_table_node(table, "node", "others", columns[i]);
	output_table_column(table, "ALL", 'r');
	if (!histogram->untyped) {
		output_table_extra(table, "READS", 'r');
		output_table_extra(table, "WRITES", 'r');
		output_table_extra(table, "LOCKS", 'r');
	}
	output_table_column(table, "REMOTE", 'r');
}

static void pages_table(const struct rows *histogram, struct Monitor *mon)
{
	uint64_t *sums = report_memory(histogram->nodes, sizeof(*sums));
	unsigned int *columns = report_memory(histogram->nodes, sizeof(*columns));
	struct output_table *table = output_table_new();
	size_t i, count, at = 0, pages = 0;
	struct rows_page page;

	for (i = 0; i < histogram->count; i++)
		if (histogram->rows[i].source < histogram->nodes)
			sums[histogram->rows[i].source] += histogram->rows[i].accesses;
	count = report_columns(sums, histogram->nodes, columns);
	pages_columns(table, histogram, columns, count);
	if (mon)
		output_table_name(table, "WHERE");
	for (; rows_next(histogram, &at, &page); pages++)
		pages_row(table, histogram, mon, &page, columns, count);
	output_table_print(table);
	putchar('\n');
	output_text(
		"legend: %zu page%s of %u bytes; page = address / %u, home = node that holds it, "
		"node N = accesses by node N, - = none, remote = share of the accesses by other "
		"nodes than the home.",
		pages, pages == 1 ? "" : "s", SMILE_PAGE_BYTES, SMILE_PAGE_BYTES);
	if (histogram->untyped)
		output_text("Reads, writes and locks were counted together (untyped tags).");
	if (mon)
		output_text("Where: the region of the program's memory, and the page's offset in "
			    "it.");
	if (count < histogram->nodes)
		output_text("Nodes without accesses are left out.");
	free(sums);
	free(columns);
}

int report_pages(const struct report *report)
{
	/* NULL where nothing is known of regions. */
	struct Monitor *mon = regions_known(report->mon) ? report->mon : NULL;
	struct rows histogram;
	int status = TOOL_OK;

	if (rows_load(&histogram, report->mon) != TOOL_OK)
		return TOOL_ERROR;
	if (report->given & REPORT_BANDS)
		status = bands_report(&histogram, report);
	else if (report->csv)
		status = pages_csv(&histogram, mon);
	else if (report->json)
		status = pages_json(&histogram, mon);
	else
		pages_table(&histogram, mon);
	rows_free(&histogram);
	return status;
}
