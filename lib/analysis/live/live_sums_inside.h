/* SPDX-License-Identifier: MIT */
/*
 * Live sums: declarations that two files share. The files are live_sums.c, which sums up the
 * counts, and hot_pages.c, which finds the hottest pages.
 */
#ifndef LIB_ANALYSIS_LIVE_LIVE_SUMS_INSIDE_H
#define LIB_ANALYSIS_LIVE_LIVE_SUMS_INSIDE_H

#include <base/hash_table.h>

#include "lib/analysis/live/live_sums.h"

/*
 * Indices of the sums of the last call of live_sums_look(), and of the sums of the call before it.
 */
enum look {
	SUMS_NOW,
	SUMS_BEFORE,
};

/**
 * struct sums_page - A page.
 * @page: page number
 * @home: the page's home node
 * @sums: accesses up to the last call of live_sums_look(), and up to the call before it; indexed by
 *        enum look
 */
struct sums_page {
	uint64_t page;
	uint32_t home;
	struct live_sum sums[2];
};

/**
 * struct live_sums - See live_sums.h.
 * @weights: cost of accesses
 * @hot: threshold of the hottest pages
 * @pages: pages in the order in which they were first seen. @count is their number, and @room is
 *         the number for which there is memory
 * @places: hash table of struct sums_place, which maps a page to its index in @pages
 * @active: number of pages that were accessed in the interval
 * @nodes: number of rows and columns of the matrices; 0: there are too many nodes for a matrix
 * @transfers: matrices of accesses by [source][home], up to the last call of live_sums_look(), and
 *             up to the call before it; indexed by enum look
 * @difference: matrix of the accesses in the interval
 */
struct live_sums {
	struct Monitor_weights weights;
	struct hot_threshold hot;
	struct sums_page *pages;
	size_t count;
	size_t room;
	struct hash_table places;
	size_t active;
	size_t nodes;
	uint64_t *transfers[2];
	uint64_t *difference;
};

#endif /* LIB_ANALYSIS_LIVE_LIVE_SUMS_INSIDE_H */
