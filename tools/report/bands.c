// SPDX-License-Identifier: MIT
/*
 * smile report pages --bands: print bands of pages. lib/analysis/bands.h defines bands.
 */
#include "tools/report/bands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/csv.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "tools/common/terminal.h"

/* Print a band as a line. On a terminal, a long list of nodes continues on the next line. */
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
	/* Start a new line if there is no room for a node number. */
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

static json_t *band_json(const struct band *band, int both)
{
	json_t *nodes = json_array(), *object;
	size_t i;

	for (i = 0; i < band->first.count; i++)
		json_array_append_new(nodes, json_integer(band->first.rows[i].source));
	object = json_pack("{s:I,s:I,s:I,s:I,s:o,s:I}", "home", (json_int_t)band->first.rows->home,
			   "first_page", (json_int_t)band->first.rows->page, "last_page",
			   (json_int_t)band->last, "pages", (json_int_t)band->pages, "nodes", nodes,
			   "accesses", document_int(band->accesses));
	if (both)
		json_object_set_new(
			object, "transactions",
			json_pack("{s:I}", "accesses", document_int(band->transactions)));
	return object;
}

/* Print a band as a CSV row. All its nodes are in one cell, separated by blanks. */
static void band_csv(const struct band *band, int both)
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
	if (both)
		csv_count(band->transactions);
	csv_end();
	free(nodes);
}

static void band_put(const struct band *band, json_t *array, const struct report *report)
{
	if (report->csv)
		band_csv(band, report->both);
	else if (array)
		json_array_append_new(array, band_json(band, report->both));
	else
		band_print(band);
}

int bands_report(struct rows *histogram, const struct rows *accesses, const struct report *report)
{
	json_t *array = report->json ? json_array() : NULL;
	uint64_t least, all = 0, cold = 0;
	struct band band;
	size_t at = 0;

	for (size_t i = 0; i < (accesses ? accesses : histogram)->count; i++)
		all += (accesses ? accesses : histogram)->rows[i].accesses;
	least = hot_threshold_least(&report->hot, all);
	bands_sort(histogram);
	if (report->csv)
		csv_begin(report->both
				  ? "home,first_page,last_page,pages,nodes,accesses,transactions"
				  : "home,first_page,last_page,pages,nodes,accesses");
	while (!output_stopped() && bands_next(histogram, accesses, &at, least, &band, &cold))
		band_put(&band, array, report);
	if (report->csv)
		return TOOL_OK;
	if (report->json)
		return output_json(
			report_head(json_pack("{s:s,s:I,s:I,s:o}", "schema", "smile.bands/1",
					      "nodes", (json_int_t)histogram->nodes, "page_bytes",
					      (json_int_t)SMILE_PAGE_BYTES, "bands", array)));
	putchar('\n');
	output_text(
		"legend: a band = accessed pages of one home, one after the other, that the same "
		"nodes access; pages = first-last (how many of them).");
	if (report->both)
		output_text("A node accesses a page if some of its accesses get through its "
			    "caches.");
	if (report->hot.text)
		output_text("Hot pages only: %" PRIu64 " accesses or more (--hot %s); %" PRIu64
			    " other page%s left out.",
			    least, report->hot.text, cold, cold == 1 ? "" : "s");
	return TOOL_OK;
}
