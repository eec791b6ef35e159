// SPDX-License-Identifier: MIT
/*
 * Bands. A run goes through the pages of its home that were accessed at all: with pages dealt out
 * round-robin, those are every n-th, and pages without accesses do not interrupt it.
 */
#include "tools/report/bands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/csv.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "tools/common/terminal.h"

/**
 * struct band - One run.
 * @first: its first page, with the nodes
 * @last: number of its last page
 * @pages: pages in it
 * @accesses: to all of them
 */
struct band {
	struct rows_page first;
	uint64_t last;
	uint64_t pages;
	uint64_t accesses;
};

static int compare_by_home(const void *a, const void *b)
{
	const struct Monitor_histogram_row *x = a, *y = b;

	if (x->home != y->home)
		return x->home < y->home ? -1 : 1;
	if (x->page != y->page)
		return x->page < y->page ? -1 : 1;
	return x->source < y->source ? -1 : x->source > y->source;
}

static int band_takes(const struct band *band, const struct rows_page *page)
{
	size_t i;

	if (page->rows->home != band->first.rows->home || page->count != band->first.count)
		return 0;
	for (i = 0; i < page->count; i++)
		if (page->rows[i].source != band->first.rows[i].source)
			return 0;
	return 1;
}

/* On a terminal long lists of nodes go on in the next line. */
static void band_print(const struct band *band)
{
	size_t width = terminal_width(stdout), column;
	char node[16];
	int length;

	length = printf("home %" PRIu32 ": ", band->first.rows->home);
	if (band->pages == 1)
		length += printf("page %" PRIu64 " (1 page): ", band->last);
	else
		length += printf("pages %" PRIu64 "-%" PRIu64 " (%" PRIu64 " pages): ",
				 band->first.rows->page, band->last, band->pages);
	column = length < 0 ? 0 : (size_t)length;
	/* With room for a number behind it. */
	if (width && column + 12 > width)
		column = (size_t)printf("\n    ") - 1;
	column += (size_t)printf("nodes ");
	for (size_t i = 0; i < band->first.count; i++) {
		length = snprintf(node, sizeof(node), "%" PRIu32 "%s", band->first.rows[i].source,
				  i + 1 < band->first.count ? "," : "");
		if (width && column + (size_t)length > width) {
			fputs("\n    ", stdout);
			column = 4;
		}
		fputs(node, stdout);
		column += (size_t)length;
	}
	putchar('\n');
}

static json_t *band_json(const struct band *band)
{
	json_t *nodes = json_array();
	size_t i;

	for (i = 0; i < band->first.count; i++)
		json_array_append_new(nodes, json_integer(band->first.rows[i].source));
	return json_pack("{s:I,s:I,s:I,s:I,s:o,s:I}", "home", (json_int_t)band->first.rows->home,
			 "first_page", (json_int_t)band->first.rows->page, "last_page",
			 (json_int_t)band->last, "pages", (json_int_t)band->pages, "nodes", nodes,
			 "accesses", (json_int_t)band->accesses);
}

/* The nodes are a set, and the fact: they are in one cell, with blanks between them. */
static void band_csv(const struct band *band)
{
	char *nodes = tool_memory(band->first.count, 12), *end = nodes;

	for (size_t i = 0; i < band->first.count; i++)
		end += sprintf(end, "%s%" PRIu32, i ? " " : "", band->first.rows[i].source);
	csv_count(band->first.rows->home);
	csv_count(band->first.rows->page);
	csv_count(band->last);
	csv_count(band->pages);
	csv_text(nodes);
	csv_count(band->accesses);
	csv_end();
	free(nodes);
}

static void band_finish(const struct band *band, json_t *array, int csv)
{
	if (!band->pages)
		return;
	if (csv)
		band_csv(band);
	else if (array)
		json_array_append_new(array, band_json(band));
	else
		band_print(band);
}

int bands_report(struct rows *histogram, const struct report *report)
{
	json_t *array = report->json ? json_array() : NULL;
	struct band band = {.pages = 0};
	struct rows_page page;
	size_t at = 0;

	qsort(histogram->rows, histogram->count, sizeof(*histogram->rows), compare_by_home);
	if (report->csv)
		csv_begin("home,first_page,last_page,pages,nodes,accesses");
	while (!output_stopped() && rows_next(histogram, &at, &page)) {
		if (!band.pages || !band_takes(&band, &page)) {
			band_finish(&band, array, report->csv);
			band = (struct band){.first = page};
		}
		band.last = page.rows->page;
		band.pages++;
		band.accesses += page.accesses;
	}
	band_finish(&band, array, report->csv);
	if (report->csv)
		return TOOL_OK;
	if (report->json)
		return output_json(json_pack("{s:s,s:I,s:I,s:o}", "schema", "smile.bands/1",
					     "nodes", (json_int_t)histogram->nodes, "page_bytes",
					     (json_int_t)SMILE_PAGE_BYTES, "bands", array));
	putchar('\n');
	output_text(
		"legend: a band = accessed pages of one home, one after the other, that the same "
		"nodes access; pages = first-last (how many of them).");
	return TOOL_OK;
}
