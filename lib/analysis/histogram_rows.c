// SPDX-License-Identifier: MIT
/*
 * Histogram rows. See lib/analysis/histogram_rows.h. No array is indexed by node, because node ids
 * may be large and far apart.
 */
#include "lib/analysis/histogram_rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>
#include <base/search.h>

static int rows_add(const struct Monitor_histogram_row *rows, size_t count, void *opaque)
{
	struct rows *histogram = opaque;
	size_t i;

	if (array_reserve(&histogram->rows, &histogram->size, histogram->count + count,
			  sizeof(*rows)) < 0)
		return Monitor_error_set(ENOMEM, "no memory for %zu rows",
					 histogram->count + count);
	memcpy(histogram->rows + histogram->count, rows, count * sizeof(*rows));
	histogram->count += count;
	for (i = 0; i < count; i++)
		if (rows[i].accesses > rows[i].reads + rows[i].writes + rows[i].locks)
			histogram->untyped = 1;
	return 0;
}

size_t rows_nodes(struct Monitor *mon)
{
	int nodes = Monitor_nodes(mon);

	if (nodes < 0)
		return 0;
	return nodes ? (size_t)nodes : 1;
}

int rows_load(struct rows *histogram, struct Monitor *mon)
{
	int nodes = Monitor_nodes(mon), result;

	memset(histogram, 0, sizeof(*histogram));
	if (nodes < 0)
		return nodes;
	histogram->nodes = nodes ? (size_t)nodes : 1;
	result = Monitor_walk_pages(mon, rows_add, histogram);
	if (result)
		rows_free(histogram);
	return result;
}

int rows_accesses_known(struct Monitor *mon)
{
	int nodes = Monitor_nodes(mon);

	for (int node = 0; node < nodes; node++)
		if (Monitor_accesses_known(mon, (unsigned int)node))
			return 1;
	return 0;
}

int rows_load_other(struct rows *histogram, struct Monitor *mon, int show)
{
	int result = Monitor_accesses_show(mon, show);

	*histogram = (struct rows){.nodes = 1};
	if (!result)
		result = rows_load(histogram, mon);
	Monitor_accesses_show(mon, !show);
	return result;
}

static void page_sum(const struct Monitor_histogram_row *rows, size_t count, struct rows_page *page)
{
	memset(page, 0, sizeof(*page));
	page->rows = rows;
	page->count = count;
	for (const struct Monitor_histogram_row *row = rows; row < rows + count; row++) {
		page->accesses += row->accesses;
		page->reads += row->reads;
		page->writes += row->writes;
		page->locks += row->locks;
		if (row->source != row->home)
			page->remote += row->accesses;
		if (row->accesses > page->dominant_accesses) {
			page->dominant = row->source;
			page->dominant_accesses = row->accesses;
		}
	}
}

int rows_next(const struct rows *histogram, size_t *at, struct rows_page *page)
{
	const struct Monitor_histogram_row *first = histogram->rows + *at;
	const struct Monitor_histogram_row *end = histogram->rows + histogram->count;
	const struct Monitor_histogram_row *row = first;

	if (first == end)
		return 0;
	while (row < end && row->page == first->page && row->home == first->home)
		row++;
	page_sum(first, (size_t)(row - first), page);
	*at += page->count;
	return 1;
}

int rows_find(const struct rows *histogram, uint64_t number, uint32_t home, struct rows_page *page)
{
	const struct Monitor_histogram_row *rows = histogram->rows;
	size_t at;

	SEARCH_FIRST(at, histogram->count, i,
		     rows[i].page > number || (rows[i].page == number && rows[i].home >= home));
	*page = (struct rows_page){0};
	if (at == histogram->count || rows[at].page != number || rows[at].home != home)
		return 0;
	return rows_next(histogram, &at, page);
}

/**
 * struct walk - A walk over all pages.
 * @each: called for each page
 * @opaque: passed to @each
 */
struct walk {
	rows_function each;
	void *opaque;
};

static int walk_page(const struct Monitor_histogram_row *rows, size_t count, void *opaque)
{
	const struct walk *walk = opaque;
	struct rows_page page;

	page_sum(rows, count, &page);
	return walk->each(&page, walk->opaque) ? 1 : 0;
}

int rows_walk(struct Monitor *mon, rows_function each, void *opaque)
{
	struct walk walk = {.each = each, .opaque = opaque};
	int result = Monitor_walk_pages(mon, walk_page, &walk);

	return result < 0 ? result : 0;
}

void rows_free(struct rows *histogram)
{
	free(histogram->rows);
	histogram->rows = NULL;
}
