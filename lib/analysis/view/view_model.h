/* SPDX-License-Identifier: MIT */
/*
 * View model: the data from which views of the whole address space are made.
 *
 * What lives here: the model. Three files fill it in. view_rows.c loads all rows of accesses,
 * including the accesses of nodes to their own memory. view_pages.c makes the pages, and computes
 * the cost of the accesses to each page. view_regions.c finds the region of each page. May use the
 * public API, histogram_rows.h and memory.h.
 */
#ifndef LIB_ANALYSIS_VIEW_VIEW_MODEL_H
#define LIB_ANALYSIS_VIEW_VIEW_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

#include "lib/analysis/histogram_rows.h"

/*
 * A page of the model is identified by its index from 0. The model has only accessed pages, ordered
 * by page number and home.
 */
#define VIEW_NO_PAGE SIZE_MAX
#define VIEW_NO_REGION UINT32_MAX

/**
 * struct view_cost - The cost of an access, in cycles of the nodes' processors.
 * @remote: cost of a remote access, by SMILE_TYPE_*. An access of type 0, whose type was not
 *          recorded, costs as much as a read
 * @local: cost of an access of a node to its own memory
 */
struct view_cost {
	double remote[SMILE_TYPE_COUNT];
	double local;
};

/**
 * struct view_page - A page that was accessed.
 * @number: page number
 * @home: home node of the page
 * @region: index in the model's regions; VIEW_NO_REGION if the page is in no known region
 * @best: the node other than @home whose accesses cost the most cycles; @home if no other node has
 *            accesses
 * @row: first row of the page
 * @rows: number of rows of the page
 * @exact_row: index in @model->exact of the first row of the page. Those rows count the processors'
 *            accesses before any cache
 * @exact_rows: number of the page's rows in @model->exact
 * @accesses: number of all accesses to the page. It is computed from @model->exact if the machine
 *            has caches, and otherwise from the rows of the page
 * @lost: number of cycles that the accesses cost in addition to the cost if all of them were local
 * @gain: number of lost cycles that would be saved if @best were the home; at least 0
 * @misplaced: the page is on the wrong node. This means: if all accesses were remote, the accesses
 *             of @best would cost at least half of the cycles of all accesses, and more than the
 *             accesses of the home
 */
struct view_page {
	uint64_t number;
	uint32_t home;
	uint32_t region;
	uint32_t best;
	uint32_t rows;
	size_t row;
	uint32_t exact_rows;
	size_t exact_row;
	uint64_t accesses;
	double lost;
	double gain;
	int misplaced;
};

/* log2 of the number of pages in a block: see struct view_block. */
#define VIEW_BLOCK_SHIFT 10

/**
 * struct view_block - Maxima over a block of consecutive pages of the model.
 * @lost: the largest view_page.lost
 * @gain: the largest view_page.gain
 */
struct view_block {
	double lost;
	double gain;
};

struct view_kept;

/**
 * struct view_model - The model.
 * @mon: the Monitor; it has read all records
 * @cost: cost of accesses
 * @rows: all rows, including the known accesses of nodes to their own memory. If the machine has
 *        coherent caches, the rows count the transactions that the caches did not serve, because
 *        only transactions have a cost. If the caches have served all accesses to a page, the page
 *        has an empty row
 * @exact: if the machine has coherent caches, the rows of the processors' accesses, including those
 *        that the caches served
 * @told: the machine has coherent caches for all memory
 * @locals: accesses of nodes to their own memory; shape [@local_count]
 * @local_count: number of rows in @locals
 * @own_known: the accesses of each node to its own memory are known
 * @pages: shape [@page_count], ascending by number and home
 * @page_count: number of pages
 * @regions: regions that can contain data; shape [@region_count]
 * @region_count: number of regions
 * @kept: the kept model that owns @rows and @pages; NULL: this model owns them
 * @blocks: if @kept is set, the maxima over each 2^VIEW_BLOCK_SHIFT consecutive pages
 */
struct view_model {
	struct Monitor *mon;
	struct view_cost cost;
	struct rows rows;
	struct rows exact;
	int told;
	struct Monitor_local *locals;
	size_t local_count;
	int own_known;
	struct view_page *pages;
	size_t page_count;
	struct Monitor_region *regions;
	size_t region_count;
	const struct view_kept *kept;
	const struct view_block *blocks;
};

/**
 * view_model_load() - Fill in all members except @mon and @cost, which the caller sets.
 *
 * Return: 0; -errno. Call view_model_free() in either case.
 */
int view_model_load(struct view_model *model);

/**
 * view_model_free() - Free the memory that view_model_load() has allocated. @mon stays open.
 */
void view_model_free(struct view_model *model);

/*
 * view_rows_load() is the first step of view_model_load(). view_regions_load() is its last step.
 * Return: 0; -errno.
 */
int view_rows_load(struct view_model *model);
int view_regions_load(struct view_model *model);

/* Return whether the accesses of all nodes to their own memory are known. */
int view_own_known(const struct view_model *model);

/*
 * view_regions_list() lists the regions. view_regions_match() finds the region of each page.
 * Return: 0; -errno.
 */
int view_regions_list(struct view_model *model);
int view_regions_match(struct view_model *model);

/* Compute the members @best, @lost, @gain and @misplaced of a page from its rows. */
void view_page_cost(const struct view_model *model, struct view_page *page);

/* Get the maxima of a block of @model->pages. */
struct view_block view_block_of(const struct view_model *model, size_t block);

/**
 * view_page_find() - Find a page in @model->pages.
 *
 * Return: the index of the page; VIEW_NO_PAGE if the model does not have the page.
 */
size_t view_page_find(const struct view_model *model, uint64_t number, uint32_t home);

/*
 * Orders of pages: by lost cycles or by gain. The pages with the most cycles are first. Pages with
 * equal cycles stay in the order of the model.
 */
enum view_order {
	VIEW_ORDER_LOST,
	VIEW_ORDER_GAIN,
};

/**
 * view_pages_first() - Get the first pages of an order.
 * @first: caller-owned, shape [@capacity]; receives the indices of the pages
 *
 * Return: the number of pages, which is @capacity, or the number of all pages if the model has
 * fewer.
 */
size_t view_pages_first(const struct view_model *model, enum view_order order, size_t *first,
			size_t capacity);

/**
 * view_pages_dearest() - Get the indices of the pages that lose the most cycles, in descending
 * order of these cycles.
 * @capacity: largest number of pages
 * @count: receives the number of pages
 *
 * Return: indices, shape [@count], which the caller must free; NULL if memory is missing, with
 * Monitor_error_message() set.
 */
size_t *view_pages_dearest(const struct view_model *model, size_t capacity, size_t *count);

/**
 * view_row_cost() - Get the additional cycles that the accesses of a row would cost if they were
 * remote, compared with local accesses.
 */
double view_row_cost(const struct view_model *model, const struct Monitor_histogram_row *row);

/* The largest number of rows that view_rows_few() fills in. */
#define VIEW_ROWS_FEW 5

/**
 * view_rows_few() - Reduce the rows of a page to a few rows: the row of the home, the three other
 * rows that cost the most, and a row with the sum of all other rows. In the row with the sum, the
 * source is @model->rows.nodes.
 * @page: a page with more rows than VIEW_ROWS_FEW
 * @rows: caller-owned, shape [VIEW_ROWS_FEW]
 *
 * Return: the number of rows filled in; -ENOMEM.
 */
int view_rows_few(const struct view_model *model, const struct view_page *page,
		  struct Monitor_histogram_row *rows);

/**
 * view_locals_walk() - Visit the accesses of nodes to their own memory by phase, if their phases
 * are known. Monitor_walk_phases() does not visit these accesses.
 */
void view_locals_walk(const struct view_model *model, Monitor_walk_function each, void *opaque);

#endif /* LIB_ANALYSIS_VIEW_VIEW_MODEL_H */
