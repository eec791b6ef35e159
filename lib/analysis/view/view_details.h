/* SPDX-License-Identifier: MIT */
/*
 * View details: lists the accesses by section and by phase to the pages that lose the most cycles.
 *
 * What lives here: the choice of the pages, and the counts of accesses to the sections of each
 * chosen page, and in each phase. May use view_model.h.
 */
#ifndef LIB_ANALYSIS_VIEW_VIEW_DETAILS_H
#define LIB_ANALYSIS_VIEW_VIEW_DETAILS_H

#include "lib/analysis/view/view_model.h"

/*
 * The largest number of counts of one kind for all chosen pages. A document with this number of
 * counts has a few megabytes.
 */
#define VIEW_DETAIL_COUNTS_MAX 2000000

/* The kinds of counts that a list can have. */
enum view_detail_kind {
	VIEW_DETAIL_RANGES,
	VIEW_DETAIL_PHASES,
};

/**
 * struct view_detail - One count of a chosen page.
 * @slot: number of the page among the chosen pages
 * @where: for counts by section, the number of a block of the page. Blocks are numbered as in a
 *         binary heap: block 1 is the page, blocks 2 and 3 are its halves, and so on. For counts by
 *         phase, the phase
 * @accessor: the source node and the type of the accesses, as node << 2 | type
 * @accesses: number of accesses
 */
struct view_detail {
	uint32_t slot;
	uint32_t where;
	uint32_t accessor;
	uint64_t accesses;
};

/**
 * struct view_details - The chosen pages.
 * @model: the model of the pages
 * @order: indices of pages in @model->pages, in descending order of lost cycles. The first @slots
 *         pages are the chosen pages
 * @slots: number of chosen pages
 * @pages: the chosen pages, ordered by number and home; shape [@slots]
 * @found: number of counts that each chosen page has
 * @counted: the kind of the counts in @found
 */
struct view_details {
	const struct view_model *model;
	size_t *order;
	size_t slots;
	struct view_detail_page *pages;
	size_t *found;
	enum view_detail_kind counted;
};

/**
 * view_details_load() - Choose the pages.
 * @details: all 0
 * @most: largest number of pages. Fewer pages are chosen if they would have more counts than
 *        VIEW_DETAIL_COUNTS_MAX
 *
 * Return: 0; -errno. Call view_details_free() in either case.
 */
int view_details_load(struct view_details *details, const struct view_model *model, size_t most);

/**
 * view_details_list() - List the counts of the chosen pages.
 * @list: receives the counts, ascending by slot, where and accessor; the caller must free it
 * @count: receives the number of counts
 *
 * Return: 0; -errno.
 */
int view_details_list(struct view_details *details, enum view_detail_kind kind,
		      struct view_detail **list, size_t *count);

void view_details_free(struct view_details *details);

#endif /* LIB_ANALYSIS_VIEW_VIEW_DETAILS_H */
