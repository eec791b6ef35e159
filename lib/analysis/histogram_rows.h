/* SPDX-License-Identifier: MIT */
/*
 * Histogram rows: all rows of Monitor_histogram_info(), page by page. The views that list pages use
 * them.
 */
#ifndef LIB_ANALYSIS_HISTOGRAM_ROWS_H
#define LIB_ANALYSIS_HISTOGRAM_ROWS_H

#include <smile/monitor.h>

/**
 * struct rows - All rows of a histogram.
 * @rows: ascending by page, home and source
 * @count: number of rows
 * @size: number of rows for which @rows has memory
 * @nodes: number of nodes, at least 1
 * @untyped: some accesses are neither reads nor writes nor locks, because their tags were untyped
 */
struct rows {
	struct Monitor_histogram_row *rows;
	size_t count;
	size_t size;
	size_t nodes;
	int untyped;
};

/**
 * struct rows_page - The rows of a page with one home, and their sums.
 * @rows: the first row; all rows have the same page and the same home
 * @count: number of rows
 * @accesses: number of accesses by all nodes
 * @reads: number of reads by all nodes
 * @writes: number of writes by all nodes
 * @locks: number of locks by all nodes
 * @remote: number of accesses by nodes other than the home
 * @dominant: the node with the most accesses; if several nodes have the same number, the lowest of
 *            them
 * @dominant_accesses: number of accesses by the node @dominant
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
 * typedef rows_function - A function that receives a page. The rows of the page are valid until the
 * function returns.
 *
 * Return: 0; any other value ends the walk.
 */
typedef int (*rows_function)(const struct rows_page *page, void *opaque);

/**
 * rows_walk() - Visit all pages, in ascending order of page and home, without storing them. This
 * function is for views that need few pages, or that print the pages one by one.
 *
 * Return: 0, even if @each has ended the walk; -errno.
 */
int rows_walk(struct Monitor *mon, rows_function each, void *opaque);

/**
 * rows_nodes() - Get the result of Monitor_nodes(), but at least 1.
 *
 * Return: the number of nodes; 0 after an error, with Monitor_error_message() set.
 */
size_t rows_nodes(struct Monitor *mon);

/**
 * rows_untyped() - Return whether some accesses to a page are neither reads nor writes nor locks.
 */
static inline int rows_untyped(const struct rows_page *page)
{
	return page->accesses > page->reads + page->writes + page->locks;
}

/**
 * rows_load() - Get all rows.
 *
 * Return: 0; -errno.
 */
int rows_load(struct rows *histogram, struct Monitor *mon);

/**
 * rows_accesses_known() - Return whether two kinds of counts are known: the processors' accesses,
 * and the transactions that remain after the caches have served a part of the accesses.
 */
int rows_accesses_known(struct Monitor *mon);

/**
 * rows_load_other() - If the machine has coherent caches, a view shows either the processors'
 * accesses or the transactions that the caches do not serve. Get the rows of the kind that the view
 * does not show.
 * @show: the kind that the view shows, as for Monitor_accesses_show(): 1: accesses; 0:
 *        transactions. After the call, the view shows the same kind as before
 *
 * Return: 0; -errno.
 */
int rows_load_other(struct rows *histogram, struct Monitor *mon, int show);

/**
 * rows_find() - Sum up the rows of a page with one home.
 *
 * Return: 1; 0 if the page has no row. In this case, all members of @page are 0.
 */
int rows_find(const struct rows *histogram, uint64_t number, uint32_t home, struct rows_page *page);

/**
 * rows_next() - Sum up the next page.
 * @at: index of the page's first row; 0 before the first call; the function advances it
 *
 * Return: 1; 0 at the end.
 */
int rows_next(const struct rows *histogram, size_t *at, struct rows_page *page);

/**
 * rows_free() - Free the rows.
 */
void rows_free(struct rows *histogram);

#endif /* LIB_ANALYSIS_HISTOGRAM_ROWS_H */
