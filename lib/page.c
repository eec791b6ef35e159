/* SPDX-License-Identifier: MIT */
/*
 * Page: node x node transfers and accesses by page.
 *
 * What lives here: the views that are sums over the page table.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/copy.h"
#include "lib/error.h"
#include "lib/monitor.h"

int Monitor_nodes(struct Monitor *mon)
{
	return (int)mon->histogram.nodes;
}

int Monitor_get_packets(struct Monitor *mon, uint64_t *counts, size_t nodes)
{
	struct histogram_access access;
	struct histogram_walk walk = {0};

	memset(counts, 0, nodes * nodes * sizeof(*counts));
	while (smile_histogram_next(&mon->histogram, &walk, &access)) {
		if (access.source < nodes && access.home < nodes)
			counts[access.source * nodes + access.home] += access.count;
	}
	return (int)mon->histogram.nodes;
}

/* Pages between the one that is looked at and the one whose counts are fetched. */
#define WALK_AHEAD 8U

static int by_source(const void *left, const void *right)
{
	const struct histogram_access *a = left, *b = right;

	return a->source < b->source ? -1 : a->source > b->source;
}

static void add_access(struct Monitor_histogram_row *row, const struct histogram_access *access)
{
	row->accesses += access->count;
	if (access->type == SMILE_TYPE_READ)
		row->reads += access->count;
	if (access->type == SMILE_TYPE_WRITE)
		row->writes += access->count;
	if (access->type == SMILE_TYPE_LOCK)
		row->locks += access->count;
}

/**
 * struct page_rows - The rows of one page.
 * @accesses: its counts, room for [@size]
 * @rows: what they come to, the same
 * @size: room
 * @count: rows
 */
struct page_rows {
	struct histogram_access *accesses;
	struct Monitor_histogram_row *rows;
	size_t size;
	size_t count;
};

static int page_rows_reserve(struct page_rows *of, size_t size)
{
	struct Monitor_histogram_row *rows;
	struct histogram_access *accesses;

	if (size <= of->size)
		return 0;
	accesses = realloc(of->accesses, size * sizeof(*accesses));
	if (accesses)
		of->accesses = accesses;
	rows = realloc(of->rows, size * sizeof(*rows));
	if (rows)
		of->rows = rows;
	if (!accesses || !rows)
		return smile_error(ENOMEM, "no memory for %zu counts of a page", size);
	of->size = size;
	return 0;
}

/* Sum up the phases and types of a page, by source. */
static int page_rows_fill(struct page_rows *of, const struct pages_page *page)
{
	size_t count = 0, position = 0;
	int ordered = 1, error;
	uint64_t sum = 0;

	error = page_rows_reserve(of, (size_t)page->accesses.used * COUNTS_LANES + 1);
	if (error < 0)
		return error;
	while (smile_histogram_page_next(page, &position, &of->accesses[count])) {
		ordered &=
			!count || !(by_source(&of->accesses[count - 1], &of->accesses[count]) > 0);
		count++;
	}
	if (!ordered)
		qsort(of->accesses, count, sizeof(*of->accesses), by_source);
	of->count = 0;
	for (size_t i = 0; i < count; i++) {
		if (!i || by_source(&of->accesses[i - 1], &of->accesses[i]))
			of->rows[of->count++] = (struct Monitor_histogram_row){
				.page = of->accesses[i].page,
				.home = of->accesses[i].home,
				.source = of->accesses[i].source,
			};
		add_access(&of->rows[of->count - 1], &of->accesses[i]);
		sum += of->accesses[i].count;
	}
	for (size_t i = 0; i < of->count; i++)
		of->rows[i].ratio = (double)of->rows[i].accesses / (double)sum;
	return 0;
}

int Monitor_walk_pages(struct Monitor *mon, Monitor_page_function each, void *opaque)
{
	const size_t count = mon->histogram.pages.used;
	const struct pages_page **sorted;
	struct page_rows rows = {0};
	int result = smile_pages_known(mon);

	if (result < 0)
		return result;
	sorted = smile_pages_sorted(&mon->histogram.pages);
	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; !result && sorted[i]; i++) {
		if (i + 2 * WALK_AHEAD < count) {
			__builtin_prefetch(sorted[i + 2 * WALK_AHEAD]);
			__builtin_prefetch(sorted[i + WALK_AHEAD]->accesses.groups);
		}
		result = page_rows_fill(&rows, sorted[i]);
		if (!result && rows.count)
			result = each(rows.rows, rows.count, opaque);
	}
	free(rows.accesses);
	free(rows.rows);
	free(sorted);
	return result;
}

/**
 * struct collect - Rows on their way to the caller's array.
 * @rows: that
 * @capacity: room
 * @found: how many there are so far
 */
struct collect {
	struct Monitor_histogram_row *rows;
	size_t capacity;
	size_t found;
};

static int collect_page(const struct Monitor_histogram_row *rows, size_t count, void *opaque)
{
	struct collect *collect = opaque;
	size_t at = collect->found < collect->capacity ? collect->found : collect->capacity;

	smile_copy(collect->rows + at, collect->capacity - at, rows, count, sizeof(*rows));
	collect->found += count;
	return 0;
}

int Monitor_histogram_info(struct Monitor *mon, struct Monitor_histogram_row *rows, size_t capacity)
{
	struct collect collect = {.rows = rows, .capacity = capacity};
	int error = Monitor_walk_pages(mon, collect_page, &collect);

	return error < 0 ? error : (int)collect.found;
}

/* A page number can be there once for each node. */
int Monitor_page_home(struct Monitor *mon, uint64_t page)
{
	const struct pages_page *slot;
	size_t position = 0;
	int home = -1, error = smile_pages_known(mon);

	if (error < 0)
		return error;
	while ((slot = smile_pages_next(&mon->histogram.pages, &position))) {
		if (smile_pages_number(slot) != page || !slot->accesses.used)
			continue;
		if (home >= 0)
			return smile_error(EMLINK,
					   "several nodes have a page %llu: name its home node too",
					   (unsigned long long)page);
		home = (int)smile_pages_home(slot);
	}
	if (home < 0)
		home = smile_map_home(&mon->map, page);
	if (home < 0)
		return smile_error(ENOENT,
				   "page %llu was never accessed: smile report pages lists "
				   "those that were",
				   (unsigned long long)page);
	return home;
}
