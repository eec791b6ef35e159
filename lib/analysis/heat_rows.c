// SPDX-License-Identifier: MIT
/*
 * Heat rows. See lib/analysis/heat_rows.h.
 */
#include "lib/analysis/heat_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <base/array.h>
#include <base/search.h>

#include "lib/analysis/memory.h"
#include "lib/analysis/regions.h"
#include "lib/analysis/histogram_rows.h"

/**
 * struct heat_page - A page, and the row that contains it.
 * @page: page number
 * @home: home node
 * @row: index of the row
 * @region: first address of the page's region; UINT64_MAX: no region
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

/*
 * Put @group pages of a region into each row. All pages of a row are in one region. Return: the
 * number of rows.
 */
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

/*
 * Find the smallest number of pages per row with which there are at most @most rows. Return: the
 * number of rows.
 */
static size_t rows_divide(struct heat_page *pages, size_t count, size_t most)
{
	size_t high = count ? count : 1, less;

	if (rows_with(pages, count, high) > most)
		/* There are more regions than rows, so let several regions share a row. */
		for (size_t i = 0; i < count; i++)
			pages[i].region = UINT64_MAX;
	/*
	 * Each trial assigns the pages to rows, so the rows must be assigned again with the number
	 * that was found.
	 */
	SEARCH_FIRST(less, high - 1, i, rows_with(pages, count, i + 1) <= most);
	return rows_with(pages, count, less + 1);
}

static int rows_new(struct heat *heat, const struct heat_page *pages)
{
	size_t each = heat->columns + heat->nodes;

	heat->rows = analysis_memory(heat->row_count, sizeof(*heat->rows));
	heat->memory = analysis_memory(heat->row_count * each, sizeof(*heat->memory));
	if (!heat->rows || !heat->memory)
		return -ENOMEM;
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
	return 0;
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
 * struct heat_walk - State of a walk over all pages.
 * @heat: the rows
 * @pages: the pages that were stored so far; shape [@at]
 * @size: number of pages for which there is memory
 * @at: index of the next page
 * @error: 0, or -errno
 */
struct heat_walk {
	struct heat *heat;
	struct heat_page *pages;
	size_t size;
	size_t at;
	int error;
};

static int page_take(const struct rows_page *page, void *opaque)
{
	struct heat_walk *walk = opaque;
	struct Monitor_region region = {.start = UINT64_MAX};
	uint64_t offset;

	if (array_reserve(&walk->pages, &walk->size, walk->at, sizeof(*walk->pages)) < 0) {
		walk->error = Monitor_error_set(ENOMEM, "no memory for %zu pages", walk->at + 1);
		return 1;
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
		return rows_walk(heat->mon, counts_take, pages);
	}
	return Monitor_walk_phases(heat->mon, count_take, &walk);
}

static int rows_load_all(struct heat *heat, struct heat_walk *walk, size_t most)
{
	int error = rows_walk(heat->mon, page_take, walk);

	if (error < 0 || walk->error)
		return error < 0 ? error : walk->error;
	heat->pages = walk->at;
	heat->row_count = rows_divide(walk->pages, heat->pages, most);
	error = rows_new(heat, walk->pages);
	return error < 0 ? error : counts_load(heat, walk);
}

int heat_load(struct heat *heat, struct Monitor *mon, int by_phase, size_t most)
{
	struct heat_walk walk = {.heat = heat};
	int phases, error;

	*heat = (struct heat){.mon = mon, .by_phase = by_phase};
	phases = Monitor_phases(mon, NULL, 0);
	if (phases < 0)
		return phases;
	heat->named = regions_known(mon);
	heat->nodes = rows_nodes(mon);
	if (!heat->nodes)
		return -ENOMEM;
	heat->columns = by_phase ? (size_t)(phases ? phases : 1) : heat->nodes;
	error = rows_load_all(heat, &walk, most);
	free(walk.pages);
	return error < 0 ? error : 0;
}

void heat_free(struct heat *heat)
{
	free(heat->rows);
	free(heat->memory);
	*heat = (struct heat){0};
}

char *heat_name(const struct heat *heat, const struct heat_row *row, char *text)
{
	uint64_t start = row->first_page * SMILE_PAGE_BYTES, offset;
	struct Monitor_region region;
	struct Monitor_place place;

	*text = '\0';
	if (!heat->named || !regions_of_page(heat->mon, row->first_page, &region, &offset))
		return text;
	/* If the region begins within the page, search at the region's first address. */
	if (Monitor_variable_find(heat->mon, region.start > start ? region.start : start, &place) >=
	    0)
		snprintf(text, HEAT_NAME_BYTES, "%s", place.name);
	else
		regions_page(heat->mon, row->first_page, text);
	return text;
}
