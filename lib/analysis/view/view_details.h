/* SPDX-License-Identifier: MIT */
/*
 * View details: sections and phases of the pages with the most lost cycles.
 *
 * What lives here: the choice of the pages that are kept, and their counts. May use view_model.h.
 */
#ifndef LIB_ANALYSIS_VIEW_VIEW_DETAILS_H
#define LIB_ANALYSIS_VIEW_VIEW_DETAILS_H

#include "lib/analysis/view/view_model.h"

/*
 * The largest number of counts of sections, and of phases, for all pages: a few megabytes of a
 * document.
 */
#define VIEW_DETAIL_COUNTS_MAX 2000000

/* The kind of counts of a list. */
enum view_detail_kind {
	VIEW_DETAIL_RANGES,
	VIEW_DETAIL_PHASES,
};

/**
 * struct view_detail - One count of a page whose details are kept.
 * @slot: slot of the page among the kept pages
 * @where: block as in a binary heap (1: the page, 2 and 3: its halves...), or phase
 * @accessor: source node and type: node << 2 | type
 * @accesses: number of accesses
 */
struct view_detail {
	uint32_t slot;
	uint32_t where;
	uint32_t accessor;
	uint64_t accesses;
};

/**
 * struct view_details - Pages whose details are kept.
 * @model: the model of the pages
 * @order: indices in @model->pages, the most lost cycles first; of these, the first @slots are kept
 * @slots: number of kept pages
 * @pages: the kept pages by number and home; shape [@slots]
 * @found: number of counts, by slot
 * @counted: the kind of these counts
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
 * view_details_load() - Choose the pages that are kept.
 * @details: all 0
 * @most: largest number of pages; fewer are kept if they have more counts than
 *        VIEW_DETAIL_COUNTS_MAX
 *
 * Return: 0; -errno. Call view_details_free() in either case.
 */
int view_details_load(struct view_details *details, const struct view_model *model, size_t most);

/**
 * view_details_list() - Counts of the pages that are kept.
 * @list: receives the counts, ascending by slot, where and accessor; the caller must free it
 * @count: receives the number of counts
 *
 * Return: 0; -errno.
 */
int view_details_list(struct view_details *details, enum view_detail_kind kind,
		      struct view_detail **list, size_t *count);

void view_details_free(struct view_details *details);

#endif /* LIB_ANALYSIS_VIEW_VIEW_DETAILS_H */
