/* SPDX-License-Identifier: MIT */
/*
 * View kept: a model that outlives the process that made it, so that the cost of the next model of
 * the same Monitor depends on the changes since then, and not on all pages.
 *
 * What lives here: pages and rows in files without names, which processes map one after the other;
 * sums, groups and texts of pages, kept beside them. A kept model shows the same as a new one. May
 * use view_model.h, view_sums.h, view_groups.h.
 */
#ifndef LIB_ANALYSIS_VIEW_VIEW_KEPT_H
#define LIB_ANALYSIS_VIEW_VIEW_KEPT_H

#include "lib/analysis/view/view_groups.h"
#include "lib/analysis/view/view_model.h"
#include "lib/analysis/view/view_sums.h"

/**
 * struct view_chunk - A text of pages in the last document.
 * @number: number of its first page
 * @home: home of its first page
 * @pages: number of its pages
 * @rows: number of its rows
 */
struct view_chunk {
	uint64_t number;
	uint32_t home;
	uint32_t pages;
	uint64_t rows;
};

/**
 * struct view_rest - The kept data besides pages and rows; arrays follow it in the file.
 * @cost: cost of accesses
 * @sums: sums over all pages
 * @regions: a digest of the regions
 * @region_count: number of regions
 * @nodes: as in struct rows
 * @untyped: as in struct rows
 * @page_count: number of pages
 * @row_count: number of their rows
 * @rows_used: number of rows including those that pages have left, because they had no room for
 *             more
 * @groups: groups without their arrays
 * @chunk_count: number of texts
 * @few: the texts have only few rows of pages with many rows
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
 * @pages: file of struct view_page
 * @rows: file of struct Monitor_histogram_row
 * @rest: file of the rest
 * @valid: the files hold the model of the counts at the last Monitor_changes_begin(). The members
 *         below are set only between view_kept_load() and view_kept_store()
 * @all: the model, before and after the changes
 * @page_list: @pages, mapped
 * @page_bytes: size of the mapping
 * @row_list: @rows, mapped
 * @row_bytes: size of the mapping
 * @region_sums: shape [@all.region_count]
 * @blocks: as in the model
 * @chunks: shape [@all.chunk_count]
 * @changed: indices of pages that have changed or are new, ascending; shape [@changed_count]
 * @changed_count: number of these pages
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

/* Without a file nothing is kept. Return: 0; -errno. */
int view_kept_open(struct view_kept *kept);

/* Whether a process has stored a model. */
int view_kept_is(const struct view_kept *kept);

void view_kept_close(struct view_kept *kept);

/**
 * view_kept_load() - The same as view_model_load(), from the kept model and the changes since then,
 * or as a new model.
 *
 * Return: 1; 0 if a model of this kind is not kept: load it; -errno.
 */
int view_kept_load(struct view_kept *kept, struct view_model *model);

/**
 * view_kept_store() - Store the model for the next process.
 * @chunks: texts of the document; shape [@count]
 *
 * Return: 0; -errno: the stored model is then not valid.
 */
int view_kept_store(struct view_kept *kept, const struct view_chunk *chunks, size_t count);

#endif /* LIB_ANALYSIS_VIEW_VIEW_KEPT_H */
