// SPDX-License-Identifier: MIT
/*
 * Comparison: sums up the differences by page. See lib/analysis/difference/comparison.h.
 */
#include "lib/analysis/difference/comparison.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/search.h>

#include "lib/analysis/memory.h"

static uint64_t distance(const uint64_t *counts)
{
	return counts[0] > counts[1] ? counts[0] - counts[1] : counts[1] - counts[0];
}

void comparison_counts_add(struct comparison_counts *to, const struct comparison_counts *from)
{
	for (int i = 0; i < 2; i++) {
		to->accesses[i] += from->accesses[i];
		to->reads[i] += from->reads[i];
		to->writes[i] += from->writes[i];
		to->locks[i] += from->locks[i];
	}
}

/* ---- pages ----------------------------------------------------------------------------------- */

static int same_page(const struct Monitor_difference *a, const struct Monitor_difference *b)
{
	return a->page == b->page && a->home[0] == b->home[0] && a->home[1] == b->home[1];
}

static struct comparison_counts counts_of(const struct Monitor_difference *row)
{
	struct comparison_counts counts;

	memcpy(counts.accesses, row->accesses, sizeof(counts.accesses));
	memcpy(counts.reads, row->reads, sizeof(counts.reads));
	memcpy(counts.writes, row->writes, sizeof(counts.writes));
	memcpy(counts.locks, row->locks, sizeof(counts.locks));
	return counts;
}

static void page_fill(struct comparison_page *page, const struct Monitor_difference *rows,
		      size_t count)
{
	*page = (struct comparison_page){.rows = rows};
	for (; page->count < count && same_page(rows, &rows[page->count]); page->count++) {
		const struct Monitor_difference *row = &rows[page->count];
		const struct comparison_counts counts = counts_of(row);

		comparison_counts_add(&page->counts, &counts);
		page->apart += distance(row->accesses);
	}
}

/*
 * Sum up the rows of a page. @source: sum up only the rows of this node; UINT32_MAX: sum up the
 * rows of all nodes
 */
static struct comparison_counts counts_find(const struct comparison *comparison, uint64_t page,
					    const uint32_t *homes, uint32_t source)
{
	const struct Monitor_difference *rows = comparison->rows;
	struct comparison_counts sums = {.accesses = {0}};
	size_t at;

	SEARCH_FIRST(at, comparison->row_count, i, rows[i].page >= page);
	for (; at < comparison->row_count && rows[at].page == page; at++) {
		const struct comparison_counts counts = counts_of(&rows[at]);
		const uint32_t *home = rows[at].home;

		if ((home[0] == homes[0] || home[0] == MONITOR_NO_HOME) &&
		    (home[1] == homes[1] || home[1] == MONITOR_NO_HOME) &&
		    (source == UINT32_MAX || rows[at].source == source))
			comparison_counts_add(&sums, &counts);
	}
	return sums;
}

struct comparison_counts comparison_page_counts(const struct comparison *comparison, uint64_t page,
						const uint32_t *homes)
{
	return counts_find(comparison, page, homes, UINT32_MAX);
}

struct comparison_counts comparison_node_counts(const struct comparison *comparison,
						const struct Monitor_difference *row)
{
	return counts_find(comparison, row->page, row->home, row->source);
}

int comparison_page_moved(const struct comparison_page *page)
{
	const uint32_t *home = page->rows->home;

	return home[0] != home[1] && home[0] != MONITOR_NO_HOME && home[1] != MONITOR_NO_HOME;
}

/*
 * The order of pages. Pages that differ most come first. If two pages differ equally, moved pages
 * come first, and then pages with lower numbers.
 */
static int by_distance(const void *left, const void *right)
{
	const struct comparison_page *a = left, *b = right;

	if (a->apart != b->apart)
		return a->apart > b->apart ? -1 : 1;
	if (comparison_page_moved(a) != comparison_page_moved(b))
		return comparison_page_moved(b) - comparison_page_moved(a);
	return (a->rows->page > b->rows->page) - (a->rows->page < b->rows->page);
}

static int pages_make(struct comparison *comparison)
{
	comparison->pages = analysis_memory(comparison->row_count, sizeof(*comparison->pages));
	if (!comparison->pages)
		return -ENOMEM;
	for (size_t i = 0; i < comparison->row_count;) {
		struct comparison_page *page = &comparison->pages[comparison->page_count++];

		page_fill(page, comparison->rows + i, comparison->row_count - i);
		i += page->count;
		comparison_counts_add(&comparison->counts, &page->counts);
		comparison->apart += page->apart;
		comparison->moved += (uint64_t)comparison_page_moved(page);
	}
	return 0;
}

/* ---- all ------------------------------------------------------------------------------------- */

static int rows_get(struct comparison *comparison)
{
	struct Monitor *const *mon = comparison->mon;
	int count;

	ANALYSIS_LIST(comparison->rows, count, Monitor_difference, mon[0], mon[1]);
	comparison->row_count = count > 0 ? (size_t)count : 0;
	return count < 0 ? count : 0;
}

int comparison_load(struct comparison *comparison)
{
	int nodes, failed = rows_get(comparison);

	if (failed)
		return failed;
	nodes = Monitor_nodes(comparison->mon[0]);
	if (Monitor_nodes(comparison->mon[1]) > nodes)
		nodes = Monitor_nodes(comparison->mon[1]);
	comparison->nodes = nodes > 0 ? (size_t)nodes : 1;
	failed = pages_make(comparison);
	if (!failed)
		failed = comparison_regions(comparison);
	if (failed)
		return failed;
	qsort(comparison->pages, comparison->page_count, sizeof(*comparison->pages), by_distance);
	return 0;
}

void comparison_free(struct comparison *comparison)
{
	free(comparison->rows);
	free(comparison->pages);
	free(comparison->regions);
}

size_t comparison_pages_apart(const struct comparison *comparison, uint64_t threshold)
{
	const struct comparison_page *pages = comparison->pages;
	size_t count = 0;

	while (count < comparison->page_count && pages[count].apart >= threshold &&
	       (pages[count].apart || comparison_page_moved(&pages[count])))
		count++;
	return count;
}

double comparison_percent(const struct comparison *comparison)
{
	uint64_t all = comparison->counts.accesses[0];

	if (!comparison->apart)
		return 0;
	return all ? 100.0 * (double)comparison->apart / (double)all : 100;
}
