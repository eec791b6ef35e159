/* SPDX-License-Identifier: MIT */
/*
 * View kept: keeps a model for the next process that needs one. The time to make the next model of
 * the same Monitor then depends on the number of changes since the last model, and not on the
 * number of all pages.
 *
 * What lives here: the kept model. Its pages and its rows are in two unnamed files. Each process
 * that makes a model maps these files, one process at a time. The model's sums, its groups and the
 * texts of its pages are in a third file. A kept model has the same contents as a new model. May
 * use view_model.h, view_sums.h and view_groups.h.
 */
#ifndef LIB_ANALYSIS_VIEW_VIEW_KEPT_H
#define LIB_ANALYSIS_VIEW_VIEW_KEPT_H

#include "lib/analysis/view/view_groups.h"
#include "lib/analysis/view/view_model.h"
#include "lib/analysis/view/view_sums.h"

/**
 * struct view_chunk - A part of the last document. It has the text that describes some consecutive
 * pages.
 * @number: number of the first page
 * @home: home of the first page
 * @pages: number of pages
 * @rows: number of rows of these pages
 */
struct view_chunk {
	uint64_t number;
	uint32_t home;
	uint32_t pages;
	uint64_t rows;
};

/**
 * struct view_rest - All data of a kept model except its pages and rows. In the file, arrays follow
 * this struct.
 * @cost: cost of accesses
 * @sums: sums over all pages
 * @regions: a digest of the regions
 * @region_count: number of regions
 * @nodes: as in struct rows
 * @untyped: as in struct rows
 * @page_count: number of pages
 * @row_count: number of rows of all pages
 * @rows_used: number of elements of the array of rows that are in use. If a page needs more rows,
 *             its rows move to new elements at the end of the array; its old elements still count
 *             as used
 * @groups: groups, without their arrays
 * @chunk_count: number of struct view_chunk
 * @few: if a page has many rows, its text has only a few of them (view_rows_few())
 */
struct view_rest {
	struct view_cost cost;
	struct view_sums sums;
	uint64_t regions;
	size_t region_count;
	size_t nodes;
	int untyped;
	size_t page_count;
	size_t row_count;
	size_t rows_used;
	struct view_groups groups;
	size_t chunk_count;
	int few;
};

/**
 * struct view_kept - A model that is kept.
 * @pages: file with the array of struct view_page
 * @rows: file with the array of struct Monitor_histogram_row
 * @rest: file with struct view_rest and its arrays
 * @valid: the files have the model that was made from the counts at the last call of
 *         Monitor_changes_begin(). All members below are set only between view_kept_load() and
 *         view_kept_store()
 * @all: the data of @rest; at first the old data, and later the data after the changes
 * @page_list: the mapping of @pages
 * @page_bytes: size of the mapping @page_list
 * @row_list: the mapping of @rows
 * @row_bytes: size of the mapping @row_list
 * @region_sums: sums over the pages of each region; shape [@all.region_count]
 * @blocks: as in struct view_model
 * @chunks: texts of the last document; shape [@all.chunk_count]
 * @changed: indices of pages that have changed or are new, ascending; shape [@changed_count]
 * @changed_count: number of pages in @changed
 * @anew: all pages have changed
 */
struct view_kept {
	int pages;
	int rows;
	int rest;
	int valid;
	struct view_rest all;
	struct view_page *page_list;
	size_t page_bytes;
	struct Monitor_histogram_row *row_list;
	size_t row_bytes;
	struct view_sums *region_sums;
	struct view_block *blocks;
	struct view_chunk *chunks;
	size_t *changed;
	size_t changed_count;
	int anew;
};

/*
 * Create the files for a kept model. If the function fails, no model can be kept. Return: 0;
 * -errno.
 */
int view_kept_open(struct view_kept *kept);

/* Return whether a process has stored a model. */
int view_kept_is(const struct view_kept *kept);

void view_kept_close(struct view_kept *kept);

/**
 * view_kept_load() - Fill in @model, like view_model_load(), but from the kept model and the
 * changes since that model was made. If no valid model was kept, make a new model that can be kept.
 *
 * Return: 1; 0 if this kind of model cannot be kept, so that the caller must call view_model_load()
 * instead; -errno.
 */
int view_kept_load(struct view_kept *kept, struct view_model *model);

/**
 * view_kept_store() - Store the model for the next process.
 * @chunks: texts of the document; shape [@count]
 *
 * Return: 0; -errno. After an error, no valid model is stored.
 */
int view_kept_store(struct view_kept *kept, const struct view_chunk *chunks, size_t count);

#endif /* LIB_ANALYSIS_VIEW_VIEW_KEPT_H */
