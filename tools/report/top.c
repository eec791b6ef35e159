// SPDX-License-Identifier: MIT
/*
 * smile report top: print the pages with the most accesses.
 *
 * What lives here: a heap with room for the requested number of pages, into which all pages are
 * inserted one by one.
 */
#include "tools/report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/csv.h"
#include "lib/analysis/histogram_rows.h"
#include "tools/common/output.h"
#include "lib/analysis/regions.h"
#include "tools/common/page_name.h"
#include "tools/common/tool.h"

/**
 * struct top_page - A page.
 * @page: page number
 * @home: home node of the page
 * @sums: counts of the page, summed over all nodes
 * @behind: transactions with the page, if they are counted separately from accesses
 */
struct top_page {
	uint64_t page;
	uint32_t home;
	struct rows_page sums;
	struct rows_page behind;
};

/*
 * Remove the pages below the threshold, which are at the end of the list. Return: the number of
 * remaining pages.
 */
static size_t top_hot(const struct top_page *pages, size_t count, uint64_t least)
{
	while (count && pages[count - 1].sums.accesses < least)
		count--;
	return count;
}

/**
 * struct top - The pages with the most accesses so far.
 * @pages: a heap whose first page has the fewest accesses; shape [@room]
 * @room: capacity of the heap
 * @count: number of pages in the heap
 * @limit: largest number of pages in the heap
 * @of: number of all accessed pages
 * @all: accesses to all pages
 * @untyped: some accesses are not known to be reads, writes or locks, since the card's tags were
 *           untyped
 */
struct top {
	struct top_page *pages;
	size_t room;
	size_t count;
	size_t limit;
	size_t of;
	uint64_t all;
	int untyped;
};

/* Compare two pages by the order of rows in the table. */
static int compare_accesses(const void *a, const void *b)
{
	const struct top_page *x = a, *y = b;

	if (x->sums.accesses != y->sums.accesses)
		return x->sums.accesses > y->sums.accesses ? -1 : 1;
	if (x->page != y->page)
		return x->page < y->page ? -1 : 1;
	return x->home < y->home ? -1 : x->home > y->home;
}

static void top_swap(struct top_page *a, struct top_page *b)
{
	struct top_page kept = *a;

	*a = *b;
	*b = kept;
}

static void top_down(struct top *top)
{
	for (size_t at = 0;;) {
		size_t least = at;

		for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < top->count; child++)
			if (compare_accesses(&top->pages[child], &top->pages[least]) > 0)
				least = child;
		if (least == at)
			return;
		top_swap(&top->pages[at], &top->pages[least]);
		at = least;
	}
}

static void top_up(struct top *top, size_t at)
{
	for (; at && compare_accesses(&top->pages[at], &top->pages[(at - 1) / 2]) > 0;
	     at = (at - 1) / 2)
		top_swap(&top->pages[at], &top->pages[(at - 1) / 2]);
}

static int top_take(const struct rows_page *sums, void *opaque)
{
	struct top *top = opaque;
	const struct top_page page = {
		.page = sums->rows->page, .home = sums->rows->home, .sums = *sums};

	top->of++;
	top->all += sums->accesses;
	top->untyped |= rows_untyped(sums);
	if (top->count == top->limit) {
		if (compare_accesses(&page, &top->pages[0]) < 0) {
			top->pages[0] = page;
			top_down(top);
		}
		return 0;
	}
	tool_reserve(&top->pages, &top->room, top->count, sizeof(*top->pages));
	top->pages[top->count] = page;
	top_up(top, top->count++);
	return 0;
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static json_t *top_page_json(const struct top_page *page, uint64_t all, int both)
{
	const struct rows_page *sums = &page->sums, *behind = &page->behind;
	json_t *object =
		json_pack("{s:I,s:I,s:I,s:f,s:I,s:I,s:I,s:I,s:f,s:f}", "page",
			  (json_int_t)page->page, "home", (json_int_t)page->home, "accesses",
			  (json_int_t)sums->accesses, "share", share(sums->accesses, all), "reads",
			  (json_int_t)sums->reads, "writes", (json_int_t)sums->writes, "locks",
			  (json_int_t)sums->locks, "dominant_node", (json_int_t)sums->dominant,
			  "dominant_share", share(sums->dominant_accesses, sums->accesses),
			  "remote_share", share(sums->remote, sums->accesses));

	if (both)
		json_object_set_new(
			object, "transactions",
			json_pack("{s:I,s:I,s:I,s:I}", "accesses", (json_int_t)behind->accesses,
				  "reads", (json_int_t)behind->reads, "writes",
				  (json_int_t)behind->writes, "locks", (json_int_t)behind->locks));
	return object;
}

static int top_json(const struct top_page *pages, size_t count, uint64_t all, int both)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, top_page_json(&pages[i], all, both));
	return output_json(report_head(json_pack("{s:s,s:I,s:I,s:o}", "schema", "smile.top/1",
						 "page_bytes", (json_int_t)SMILE_PAGE_BYTES,
						 "accesses", (json_int_t)all, "pages", array)));
}

#define TOP_CSV                                                                                    \
	"page,home,accesses,share,reads,writes,locks,dominant_node,dominant_share,remote_"         \
	"share," REGIONS_CSV

static int top_csv(const struct report *report, const struct top_page *pages, size_t count,
		   uint64_t all)
{
	csv_begin(report->both ? TOP_CSV REPORT_BEHIND_CSV : TOP_CSV);
	for (size_t i = 0; i < count; i++) {
		csv_count(pages[i].page);
		csv_count(pages[i].home);
		csv_count(pages[i].sums.accesses);
		csv_real(share(pages[i].sums.accesses, all));
		csv_count(pages[i].sums.reads);
		csv_count(pages[i].sums.writes);
		csv_count(pages[i].sums.locks);
		csv_count(pages[i].sums.dominant);
		csv_real(share(pages[i].sums.dominant_accesses, pages[i].sums.accesses));
		csv_real(share(pages[i].sums.remote, pages[i].sums.accesses));
		page_name_csv(report->mon, pages[i].page);
		if (report->both) {
			csv_count(pages[i].behind.accesses);
			csv_count(pages[i].behind.reads);
			csv_count(pages[i].behind.writes);
			csv_count(pages[i].behind.locks);
		}
		if (!csv_end())
			break;
	}
	return TOOL_OK;
}

static void top_table(const struct report *report, const struct top *top)
{
	const struct top_page *pages = top->pages;
	struct Monitor *mon = report->mon;
	const uint64_t all = top->all;
	const int untyped = top->untyped;
	const size_t count = top->count;
	struct output_table *table = output_table_new();
	int where = regions_known(mon);
	char text[REGIONS_NAME_BYTES];
	size_t i;

	output_table_columns(table, ">PAGE|>HOME|>ACCESSES|>SHARE");
	if (!untyped)
		output_table_columns(table, "?READS|?WRITES|?LOCKS");
	if (report->both)
		output_table_columns(table, ">REMOTE TRANSACTIONS");
	output_table_columns(table, where ? ">DOMINANT NODE|>ITS SHARE|~WHERE"
					  : ">DOMINANT NODE|>ITS SHARE");
	for (i = 0; i < count; i++) {
		output_table_cell(table, OUTPUT_STRONG, "%" PRIu64, pages[i].page);
		output_table_cell(table, OUTPUT_PLAIN, "%" PRIu32, pages[i].home);
		output_table_count(table, OUTPUT_STRONG, pages[i].sums.accesses);
		output_table_cell(table, OUTPUT_PLAIN, "%.1f%%",
				  100 * share(pages[i].sums.accesses, all));
		if (!untyped) {
			output_table_count(table, OUTPUT_PLAIN, pages[i].sums.reads);
			output_table_count(table, OUTPUT_PLAIN, pages[i].sums.writes);
			output_table_count(table, OUTPUT_PLAIN, pages[i].sums.locks);
		}
		if (report->both)
			output_table_count(table, OUTPUT_STRONG, pages[i].behind.accesses);
		output_table_cell(table, OUTPUT_PLAIN, "%" PRIu32, pages[i].sums.dominant);
		output_table_cell(
			table, OUTPUT_PLAIN, "%.1f%%",
			100 * share(pages[i].sums.dominant_accesses, pages[i].sums.accesses));
		if (where)
			output_table_cell(table, OUTPUT_PLAIN, "%s",
					  regions_page(mon, pages[i].page, text));
	}
	output_table_print(table);
	putchar('\n');
	output_text(
		"legend: %zu of %zu pages, by accesses of all nodes; share = of all accesses to "
		"all pages; dominant node = the one with the most accesses to the page, its "
		"share = of the page's accesses.",
		count, top->of);
	if (report->both)
		output_text("%s", report_both_sentence);
	if (report->hot.text)
		output_text("Hot pages only: %" PRIu64 " accesses or more (--hot %s).",
			    hot_threshold_least(&report->hot, all), report->hot.text);
	if (where)
		output_text("Where: the region of the program's memory, and the page's offset in "
			    "it.");
}

/*
 * Add the transactions between nodes to the pages. Only the sums of each page are stored, because
 * this function frees the rows at its end.
 */
static int top_behind(struct top *top, struct Monitor *mon)
{
	struct rows behind;
	int status = tool_result(rows_load_other(&behind, mon, 0));

	for (size_t i = 0; i < top->count && status == TOOL_OK; i++)
		rows_find(&behind, top->pages[i].page, top->pages[i].home, &top->pages[i].behind);
	rows_free(&behind);
	return status;
}

int report_top(const struct report *report)
{
	struct top top = {.limit = (size_t)report->rows};
	int status = tool_result(rows_walk(report->mon, top_take, &top));

	if (status == TOOL_OK) {
		/* If there are no pages, no memory was allocated for them. */
		if (top.count)
			qsort(top.pages, top.count, sizeof(*top.pages), compare_accesses);
		top.count =
			top_hot(top.pages, top.count, hot_threshold_least(&report->hot, top.all));
		if (report->both)
			status = top_behind(&top, report->mon);
	}
	if (status == TOOL_OK) {
		if (report->csv)
			status = top_csv(report, top.pages, top.count, top.all);
		else if (report->json)
			status = top_json(top.pages, top.count, top.all, report->both);
		else
			top_table(report, &top);
	}
	free(top.pages);
	return status;
}
