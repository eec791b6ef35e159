/* SPDX-License-Identifier: MIT */
/*
 * Rows: all rows of Monitor_histogram_info(), page by page, for the views that list pages.
 */
#ifndef LIB_ANALYSIS_ROWS_H
#define LIB_ANALYSIS_ROWS_H

#include <smile/monitor.h>

/**
 * struct rows - The rows.
 * @rows: ascending by page, home and source
 * @count: number of rows
 * @size: number of rows that there is room for
 * @nodes: Monitor_nodes(), at least 1
 * @untyped: some accesses are neither reads nor writes nor locks: tags were untyped
 */
struct rows {
	struct Monitor_histogram_row *rows;
	size_t count;
	size_t size;
	size_t nodes;
	int untyped;
};

/**
 * struct rows_page - The rows of one page of one home, and their sums.
 * @rows: the first row; each row has the page and the home
 * @count: number of rows
 * @accesses: accesses by all nodes
 * @reads: the reads among them
 * @writes: the writes
 * @locks: the locks
 * @remote: accesses by other nodes than the home
 * @dominant: the node with the most accesses; of several such nodes the lowest
 * @dominant_accesses: its accesses
 */
struct rows_page {
	const struct Monitor_histogram_row *rows;
	size_t count;
	uint64_t accesses;
	uint64_t reads;
	uint64_t writes;
	uint64_t locks;
	uint64_t remote;
	uint32_t dominant;
	uint64_t dominant_accesses;
};

/**
 * typedef rows_function - Called for a page; its rows are valid until it returns.
 *
 * Return: 0; any other value ends the walk.
 */
typedef int (*rows_function)(const struct rows_page *page, void *opaque);

/**
 * rows_walk() - Visit all pages, ascending by page and home, without storing them: for views that
 * need few pages, or print them one by one.
 *
 * Return: 0, even if @each ended it; -errno.
 */
int rows_walk(struct Monitor *mon, rows_function each, void *opaque);

/**
 * rows_nodes() - Monitor_nodes(), at least 1.
 *
 * Return: the number; 0: see Monitor_error_message().
 */
size_t rows_nodes(struct Monitor *mon);

/**
 * rows_untyped() - Whether some of these accesses are neither reads nor writes nor locks.
 */
static inline int rows_untyped(const struct rows_page *page)
{
	return page->accesses > page->reads + page->writes + page->locks;
}

/**
 * rows_load() - Get the rows.
 *
 * Return: 0; -errno.
 */
int rows_load(struct rows *histogram, struct Monitor *mon);

/**
 * rows_fronts_known() - Whether accesses in front of the caches are known, in addition to
 * transactions.
 */
int rows_fronts_known(struct Monitor *mon);

/**
 * rows_load_other() - Get the rows of the kind that is not selected, accesses or transactions, on a
 * machine with caches in front of all memory.
 * @show: as for Monitor_accesses_show(): 1: accesses, 0: transactions; the other kind is selected
 *        before and after the call
 *
 * Return: 0; -errno.
 */
int rows_load_other(struct rows *histogram, struct Monitor *mon, int show);

/**
 * rows_find() - Sum up a page of one home.
 *
 * Return: 1; 0 if the page has no row, and @page is then all 0.
 */
int rows_find(const struct rows *histogram, uint64_t number, uint32_t home, struct rows_page *page);

/**
 * rows_next() - Sum up the next page.
 * @at: row to start with, initially 0; advanced
 *
 * Return: 1; 0 at the end.
 */
int rows_next(const struct rows *histogram, size_t *at, struct rows_page *page);

/**
 * rows_free() - Free the rows.
 */
void rows_free(struct rows *histogram);

#endif /* LIB_ANALYSIS_ROWS_H */
