/* SPDX-License-Identifier: MIT */
/*
 * View model: the data of views of the whole address space.
 *
 * What lives here: all rows of accesses, including those of nodes to their own memory, in
 * view_rows.c; the pages, and the cost of their accesses, in view_pages.c; the regions in which
 * they lie, in view_regions.c. May use the public API, rows.h and memory.h.
 */
#ifndef LIB_ANALYSIS_VIEW_VIEW_MODEL_H
#define LIB_ANALYSIS_VIEW_VIEW_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

#include "lib/analysis/rows.h"

/* A page's number in the model: pages that were accessed, by number and home, from 0. */
#define VIEW_NO_PAGE SIZE_MAX
#define VIEW_NO_REGION UINT32_MAX

/**
 * struct view_cost - The cost of an access, in cycles of the nodes' processors.
 * @remote: cost of a remote access, by SMILE_TYPE_*; type 0, which untyped tags count, costs as
 *          much as a read
 * @local: cost of an access to the node's own memory
 */
struct view_cost {
	double remote[SMILE_TYPE_COUNT];
	double local;
};

/**
 * struct view_page - A page that was accessed.
 * @number: page number
 * @home: node on which it lies
 * @region: index in the model's regions; VIEW_NO_REGION if none is known
 * @best: the remote node whose accesses cost the most cycles; @home if no other node has any
 * @row: its first row
 * @rows: number of rows
 * @exact_row: its first row of accesses in front of the caches, in @model->exact
 * @exact_rows: number of these rows
 * @accesses: all its accesses: of @exact if the model is of a machine with caches, else of its rows
 * @lost: cycles that its accesses cost more than if they were local
 * @gain: cycles that would not be lost if @best were its home; never below 0
 * @misplaced: @best has at least half of the cost that all accesses would have if they were remote,
 *             and more than the home
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

/* log2 of the pages of a block: see struct view_block. */
#define VIEW_BLOCK_SHIFT 10

/**
 * struct view_block - The maxima over some consecutive pages of the model.
 * @lost: largest view_page.lost
 * @gain: largest view_page.gain
 */
struct view_block {
	double lost;
	double gain;
};

struct view_kept;

/**
 * struct view_model - The model.
 * @mon: all records taken in
 * @cost: cost of accesses
 * @rows: all rows, including own accesses as far as they are known. With caches in front of all
 *        memory they count the transactions behind the caches, because only these have a cost; a
 *        page that the caches serve has an empty row
 * @exact: with such caches: the rows of accesses in front of them
 * @told: the machine has such caches
 * @locals: nodes' accesses to their own memory; shape [@local_count]
 * @local_count: number of these rows
 * @own_known: these accesses are known for every node
 * @pages: shape [@page_count], ascending by number and home
 * @page_count: number of pages
 * @regions: regions that can hold data; shape [@region_count]
 * @region_count: number of regions
 * @kept: the kept model that owns rows and pages, or NULL
 * @blocks: of a kept model: maxima of pages 0 to 2^VIEW_BLOCK_SHIFT - 1, and so on
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
 * view_model_free() - Free what view_model_load() allocated; @mon stays open.
 */
void view_model_free(struct view_model *model);

/* The first and the last step of view_model_load(). Return: 0; -errno. */
int view_rows_load(struct view_model *model);
int view_regions_load(struct view_model *model);

/* Whether the accesses of all nodes to their own memory are known. */
int view_own_known(const struct view_model *model);

/* List the regions; and find the regions of @model->pages. Return: 0; -errno. */
int view_regions_list(struct view_model *model);
int view_regions_match(struct view_model *model);

/* Compute @best, @lost, @gain and @misplaced from the rows of a page. */
void view_page_cost(const struct view_model *model, struct view_page *page);

/* Compute the maxima of a block of @model->pages. */
struct view_block view_block_of(const struct view_model *model, size_t block);

/**
 * view_page_find() - Index of a page in @model->pages.
 *
 * Return: index; VIEW_NO_PAGE.
 */
size_t view_page_find(const struct view_model *model, uint64_t number, uint32_t home);

/* Orders of pages: most cycles first; pages with equal cycles in their order in the model. */
enum view_order {
	VIEW_ORDER_LOST,
	VIEW_ORDER_GAIN,
};

/**
 * view_pages_first() - The first pages of an order, in this order.
 * @first: caller-owned, shape [@capacity]; receives their indices
 *
 * Return: the number of pages: @capacity, or all.
 */
size_t view_pages_first(const struct view_model *model, enum view_order order, size_t *first,
			size_t capacity);

/**
 * view_pages_dearest() - Indices of the pages that lose most cycles, in descending order.
 * @capacity: largest number of pages
 * @count: receives the number of pages
 *
 * Return: indices, shape [@count], which the caller must free; NULL without memory, with the
 * message set.
 */
size_t *view_pages_dearest(const struct view_model *model, size_t capacity, size_t *count);

/**
 * view_row_cost() - Cycles that the accesses of a row would cost more than local accesses if they
 * were remote.
 */
double view_row_cost(const struct view_model *model, const struct Monitor_histogram_row *row);

/* The largest number of rows that view_rows_few() fills in. */
#define VIEW_ROWS_FEW 5

/**
 * view_rows_few() - The rows of a page, most of them summed up: the row of its home, the three rows
 * that cost most, and the sum of the other rows, whose source is @model->rows.nodes.
 * @page: a page with more rows than VIEW_ROWS_FEW
 * @rows: caller-owned, shape [VIEW_ROWS_FEW]
 *
 * Return: the number of rows filled in; -ENOMEM.
 */
int view_rows_few(const struct view_model *model, const struct view_page *page,
		  struct Monitor_histogram_row *rows);

/**
 * view_locals_walk() - Walk nodes' accesses to their own memory, as far as they are known by phase.
 * Monitor_walk_phases() does not include these accesses.
 */
void view_locals_walk(const struct view_model *model, Monitor_walk_function each, void *opaque);

#endif /* LIB_ANALYSIS_VIEW_VIEW_MODEL_H */
