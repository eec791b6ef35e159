// SPDX-License-Identifier: MIT
/*
 * smile report heat: pages by node, or over the phases, as a map. What lives here: the rows, which
 * are pages or groups of neighbours, and their sums; the document and the rows for other programs.
 */
#include "tools/report/heat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/csv.h"
#include "tools/common/output.h"
#include "lib/analysis/regions.h"
#include "lib/analysis/rows.h"
#include "tools/common/tool.h"
#include "tools/common/terminal.h"

/* Rows where there is no terminal; and lines of one that the map does not take. */
#define ROWS_DEFAULT 24U
#define ROWS_MIN 5U
#define LINES_AROUND 9U

/**
 * struct heat_page - A page, and the row that it is in.
 * @page: its number
 * @home: its home
 * @row: index of its row
 * @region: where its region begins; UINT64_MAX: it is in none
 */
struct heat_page {
	uint64_t page;
	uint32_t home;
	size_t row;
	uint64_t region;
};

static int compare_pages(const void *a, const void *b)
{
	const struct heat_page *x = a, *y = b;

	if (x->page != y->page)
		return x->page < y->page ? -1 : 1;
	return x->home < y->home ? -1 : x->home > y->home;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Rows if so many pages of a region are in each: no row has pages of two regions. */
static size_t rows_with(struct heat_page *pages, size_t count, size_t group)
{
	size_t rows = 0, in_row = 0;

	for (size_t i = 0; i < count; i++) {
		if (!i || in_row == group || pages[i].region != pages[i - 1].region) {
			rows++;
			in_row = 0;
		}
		in_row++;
		pages[i].row = rows - 1;
	}
	return rows;
}

/* The smallest groups that make @most rows. Return: how many rows there are. */
static size_t rows_divide(struct heat_page *pages, size_t count, size_t most)
{
	size_t low = 1, high = count ? count : 1;

	if (rows_with(pages, count, high) > most)
		/* More regions than rows: then they share some. */
		for (size_t i = 0; i < count; i++)
			pages[i].region = UINT64_MAX;
	while (low < high) {
		size_t group = low + (high - low) / 2;

		if (rows_with(pages, count, group) <= most)
			high = group;
		else
			low = group + 1;
	}
	return rows_with(pages, count, low);
}

static size_t rows_wanted(const struct report *report)
{
	size_t height;

	if (report->given & REPORT_ROWS)
		return (size_t)report->rows;
	if (report->json || report->csv)
		return SIZE_MAX;
	height = terminal_height(stdout);
	if (!height)
		return ROWS_DEFAULT;
	return height < LINES_AROUND + ROWS_MIN ? ROWS_MIN : height - LINES_AROUND;
}

static void rows_new(struct heat *heat, const struct heat_page *pages)
{
	size_t each = heat->columns + heat->nodes;

	heat->rows = tool_memory(heat->row_count, sizeof(*heat->rows));
	heat->memory = tool_memory(heat->row_count * each, sizeof(*heat->memory));
	for (size_t i = 0; i < heat->row_count; i++) {
		heat->rows[i].counts = heat->memory + i * each;
		heat->rows[i].homes = heat->rows[i].counts + heat->columns;
	}
	for (size_t i = 0; i < heat->pages; i++) {
		struct heat_row *row = &heat->rows[pages[i].row];

		if (!row->pages++)
			row->first_page = pages[i].page;
		row->last_page = pages[i].page;
		if (pages[i].home < heat->nodes)
			row->homes[pages[i].home]++;
	}
}

/* ---- counts ---------------------------------------------------------------------------------- */

static void row_add(struct heat *heat, size_t row, size_t column, uint64_t accesses)
{
	if (column >= heat->columns)
		return;
	heat->rows[row].counts[column] += accesses;
	heat->rows[row].all += accesses;
}

struct phase_walk {
	struct heat *heat;
	const struct heat_page *pages;
};

static int count_take(const struct Monitor_count *count, void *opaque)
{
	const struct phase_walk *walk = opaque;
	const struct heat_page key = {.page = count->page, .home = count->home};
	const struct heat_page *page =
		bsearch(&key, walk->pages, walk->heat->pages, sizeof(key), compare_pages);

	if (page)
		row_add(walk->heat, page->row, count->phase, count->accesses);
	return 0;
}

/**
 * struct heat_walk - On the way through all pages.
 * @heat: that they are of
 * @pages: room for [@size] of them
 * @size: room
 * @at: the next one
 */
struct heat_walk {
	struct heat *heat;
	struct heat_page *pages;
	size_t size;
	size_t at;
};

static int page_take(const struct rows_page *page, void *opaque)
{
	struct heat_walk *walk = opaque;
	struct Monitor_region region = {.start = UINT64_MAX};
	uint64_t offset;

	if (walk->at == walk->size) {
		walk->size = walk->size ? 2 * walk->size : 256;
		walk->pages = realloc(walk->pages, walk->size * sizeof(*walk->pages));
		if (!walk->pages) {
			tool_error("no memory for %zu pages", walk->size);
			exit(TOOL_ERROR);
		}
	}
	if (walk->heat->named)
		regions_of_page(walk->heat->mon, page->rows->page, &region, &offset);
	walk->pages[walk->at++] = (struct heat_page){
		.page = page->rows->page, .home = page->rows->home, .region = region.start};
	return 0;
}

static int counts_take(const struct rows_page *page, void *opaque)
{
	struct heat_walk *walk = opaque;
	const struct heat_page *of = &walk->pages[walk->at++];

	for (size_t i = 0; i < page->count; i++)
		row_add(walk->heat, of->row, page->rows[i].source, page->rows[i].accesses);
	return 0;
}

static int counts_load(struct heat *heat, struct heat_walk *pages)
{
	struct phase_walk walk = {.heat = heat, .pages = pages->pages};

	if (!heat->by_phase) {
		pages->at = 0;
		return tool_result(rows_walk(heat->mon, counts_take, pages));
	}
	if (Monitor_walk_phases(heat->mon, count_take, &walk) < 0)
		return tool_error("%s", Monitor_error_message());
	return TOOL_OK;
}

static int heat_load(struct heat *heat, const struct report *report)
{
	int phases = Monitor_phases(report->mon, NULL, 0), status;
	struct heat_walk walk = {.heat = heat};

	if (phases < 0)
		return tool_error("%s", Monitor_error_message());
	*heat = (struct heat){.mon = report->mon, .by_phase = report->by_phase};
	heat->named = regions_known(report->mon);
	heat->nodes = rows_nodes(report->mon);
	if (!heat->nodes)
		return tool_error("%s", Monitor_error_message());
	heat->columns = heat->by_phase ? (size_t)(phases ? phases : 1) : heat->nodes;
	status = tool_result(rows_walk(report->mon, page_take, &walk));
	if (status == TOOL_OK) {
		heat->pages = walk.at;
		heat->row_count = rows_divide(walk.pages, heat->pages, rows_wanted(report));
		rows_new(heat, walk.pages);
		status = counts_load(heat, &walk);
	}
	free(walk.pages);
	return status;
}

char *heat_name(const struct heat *heat, const struct heat_row *row, char *text)
{
	uint64_t start = row->first_page * SMILE_PAGE_BYTES, offset;
	struct Monitor_region region;
	struct Monitor_place place;

	*text = '\0';
	if (!heat->named || !regions_of_page(heat->mon, row->first_page, &region, &offset))
		return text;
	/* A region can begin within the page. */
	if (Monitor_variable_find(heat->mon, region.start > start ? region.start : start, &place) >=
	    0)
		snprintf(text, HEAT_NAME_BYTES, "%s", place.name);
	else
		regions_page(heat->mon, row->first_page, text);
	return text;
}

/* ---- for programs ---------------------------------------------------------------------------- */

static int heat_json(const struct heat *heat)
{
	char name[HEAT_NAME_BYTES];
	int status;

	putchar('{');
	status = output_json_members(json_pack(
		"{s:s,s:s,s:I,s:I,s:I}", "schema", "smile.heat/1", "by",
		heat->by_phase ? "time" : "node", "nodes", (json_int_t)heat->nodes, "columns",
		(json_int_t)heat->columns, "page_bytes", (json_int_t)SMILE_PAGE_BYTES));
	fputs(",\"rows\":[", stdout);
	for (size_t i = 0; i < heat->row_count && status == TOOL_OK && !output_stopped(); i++) {
		const struct heat_row *row = &heat->rows[i];

		status = output_json_item(
			json_pack("{s:I,s:I,s:I,s:o,s:o,s:o}", "first_page",
				  (json_int_t)row->first_page, "last_page",
				  (json_int_t)row->last_page, "pages", (json_int_t)row->pages,
				  "homes", document_counts(row->homes, heat->nodes), "name",
				  document_text(heat_name(heat, row, name)), "accesses",
				  document_counts(row->counts, heat->columns)),
			!i);
	}
	fputs("]}\n", stdout);
	return status;
}

/* The homes are a set: they are in one cell, with blanks between them. */
static void homes_csv(const struct heat *heat, const struct heat_row *row)
{
	char *text = tool_memory(heat->nodes + 1, 8), *end = text;

	for (size_t node = 0; node < heat->nodes; node++)
		if (row->homes[node])
			end += sprintf(end, "%s%zu", end == text ? "" : " ", node);
	csv_text(text);
	free(text);
}

/* A column without accesses has no row. */
static int heat_csv(const struct heat *heat)
{
	char name[HEAT_NAME_BYTES];

	csv_begin(heat->by_phase ? "first_page,last_page,pages,homes,name,phase,accesses"
				 : "first_page,last_page,pages,homes,name,node,accesses");
	for (size_t i = 0; i < heat->row_count && !output_stopped(); i++) {
		const struct heat_row *row = &heat->rows[i];

		heat_name(heat, row, name);
		for (size_t column = 0; column < heat->columns; column++) {
			if (!row->counts[column])
				continue;
			csv_count(row->first_page);
			csv_count(row->last_page);
			csv_count(row->pages);
			homes_csv(heat, row);
			csv_text(name);
			csv_count(column);
			csv_count(row->counts[column]);
			csv_end();
		}
	}
	return TOOL_OK;
}

int report_heat(const struct report *report)
{
	struct heat heat = {0};
	int status = heat_load(&heat, report);

	if (status == TOOL_OK && report->csv)
		status = heat_csv(&heat);
	else if (status == TOOL_OK && report->json)
		status = heat_json(&heat);
	else if (status == TOOL_OK && !heat.pages)
		output_text("no page was accessed");
	else if (status == TOOL_OK && report->given & REPORT_BARS)
		heat_bars(&heat);
	else if (status == TOOL_OK)
		heat_map(&heat);
	free(heat.rows);
	free(heat.memory);
	return status;
}
