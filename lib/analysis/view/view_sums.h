/* SPDX-License-Identifier: MIT */
/*
 * View sums: sums over pages, and the pages worth moving.
 *
 * What lives here: sums over all pages and over the pages of a region. May use view_model.h.
 */
#ifndef LIB_ANALYSIS_VIEW_VIEW_SUMS_H
#define LIB_ANALYSIS_VIEW_VIEW_SUMS_H

#include "lib/analysis/view/view_model.h"

/**
 * struct view_counts - Counts of some pages.
 * @accesses: all known accesses
 * @own: those of @accesses by the pages' homes
 * @reads: remote reads
 * @writes: remote writes
 * @locks: remote locks
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
 * @misplaced: number of pages that should lie on a node other than their home
 * @counts: accesses, exact
 * @transactions: with caches in front of all memory: the transactions behind them
 * @lost: cycles; whole numbers, like costs, so that the order of the pages does not matter
 * @gain: cycles that moving all misplaced pages would save
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
 * view_sums_all() - Sums over all pages.
 */
struct view_sums view_sums_all(const struct view_model *model);

/**
 * view_sums_regions() - Sums by region.
 * @sums: caller-owned, all 0, shape [@model->region_count]
 */
void view_sums_regions(const struct view_model *model, struct view_sums *sums);

/**
 * view_sums_page() - Add a page to sums, or subtract it.
 * @sign: 1 or -1
 */
void view_sums_page(const struct view_model *model, struct view_sums *sums,
		    const struct view_page *page, int sign);

/**
 * view_hot_pages() - Pages that gain by another home, the largest gain first.
 * @hot: caller-owned, shape [@capacity]; receives their indices in @model->pages
 *
 * Return: the number of pages, at most @capacity.
 */
size_t view_hot_pages(const struct view_model *model, size_t *hot, size_t capacity);

#endif /* LIB_ANALYSIS_VIEW_VIEW_SUMS_H */
