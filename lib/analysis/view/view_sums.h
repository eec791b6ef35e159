/* SPDX-License-Identifier: MIT */
/*
 * View sums: computes sums over pages, and finds the pages whose move saves cycles.
 *
 * What lives here: sums over all pages, and over the pages of each region. May use view_model.h.
 */
#ifndef LIB_ANALYSIS_VIEW_VIEW_SUMS_H
#define LIB_ANALYSIS_VIEW_VIEW_SUMS_H

#include "lib/analysis/view/view_model.h"

/**
 * struct view_counts - Numbers of accesses to some pages.
 * @accesses: number of all known accesses
 * @own: number of accesses that the home of a page made to the page
 * @reads: number of remote reads
 * @writes: number of remote writes
 * @locks: number of remote locks
 */
struct view_counts {
	uint64_t accesses;
	uint64_t own;
	uint64_t reads;
	uint64_t writes;
	uint64_t locks;
};

/**
 * struct view_sums - Sums over some pages.
 * @pages: number of pages
 * @misplaced: number of pages on the wrong node (view_page.misplaced)
 * @counts: exact numbers of accesses
 * @transactions: if the machine has coherent caches, the numbers of transactions that the caches
 *        did not serve
 * @lost: lost cycles. All costs are whole numbers of cycles, so the sum does not depend on the
 *        order of the pages
 * @gain: cycles that would be saved if all misplaced pages moved
 */
struct view_sums {
	uint64_t pages;
	uint64_t misplaced;
	struct view_counts counts;
	struct view_counts transactions;
	uint64_t lost;
	uint64_t gain;
};

/**
 * view_sums_all() - Compute the sums over all pages.
 */
struct view_sums view_sums_all(const struct view_model *model);

/**
 * view_sums_regions() - Compute the sums over the pages of each region.
 * @sums: caller-owned, all 0, shape [@model->region_count]
 */
void view_sums_regions(const struct view_model *model, struct view_sums *sums);

/**
 * view_sums_page() - Add the counts of a page to sums, or subtract them.
 * @sign: 1: add; -1: subtract
 */
void view_sums_page(const struct view_model *model, struct view_sums *sums,
		    const struct view_page *page, int sign);

/**
 * view_hot_pages() - Get the pages for which another home would save cycles, the page with the
 * largest gain first.
 * @hot: caller-owned, shape [@capacity]; receives the pages' indices in @model->pages
 *
 * Return: the number of pages, at most @capacity.
 */
size_t view_hot_pages(const struct view_model *model, size_t *hot, size_t capacity);

#endif /* LIB_ANALYSIS_VIEW_VIEW_SUMS_H */
