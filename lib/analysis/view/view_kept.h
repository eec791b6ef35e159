/* SPDX-License-Identifier: MIT */
/*
 * View kept: a model that outlives the process that made it, so that the next one of the same
 * Monitor costs what has changed since, and not all pages.
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
 * @number: its first page
 * @home: home of that
 * @pages: how many it has
 * @rows: rows that it has
 */
struct view_chunk {
	uint64_t number;
	uint32_t home;
	uint32_t pages;
	uint64_t rows;
};

/**
 * struct view_rest - What is kept besides pages and rows; arrays follow it in the file.
 * @cost: what accesses cost
 * @sums: over all pages
 * @regions: a digest of the regions
 * @region_count: how many
 * @nodes: of the rows
 * @untyped: of the rows
 * @page_count: pages
 * @row_count: their rows
 * @rows_used: with those that pages have left, since they had no room for more
 * @groups: without its arrays
 * @chunk_count: texts
 * @few: of pages with many rows they have few
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
 * @valid: they hold the model of the counts at the last Monitor_changes_begin(). The members below
 *         are set between view_kept_load() and view_kept_store() alone
 * @all: the model, before and after the changes
 * @page_list: @pages, mapped
 * @page_bytes: size of the mapping
 * @row_list: @rows, mapped
 * @row_bytes: size of the mapping
 * @region_sums: shape [@all.region_count]
 * @blocks: as of the model
 * @chunks: shape [@all.chunk_count]
 * @changed: indices of pages that have changed or are new, ascending; shape [@changed_count]
 * @changed_count: how many
 * @anew: all has changed
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

/* Has a process left a model? */
int view_kept_is(const struct view_kept *kept);

void view_kept_close(struct view_kept *kept);

/**
 * view_kept_load() - The same as view_model_load(), from the kept model and the changes since then,
 * or anew.
 *
 * Return: 1; 0 if a model of this kind is not kept: load it; -errno.
 */
int view_kept_load(struct view_kept *kept, struct view_model *model);

/**
 * view_kept_store() - Leave it for the next process.
 * @chunks: texts of the document; shape [@count]
 *
 * Return: 0; -errno: then it is not valid.
 */
int view_kept_store(struct view_kept *kept, const struct view_chunk *chunks, size_t count);

/* Free what is there after view_kept_load(). */
void view_kept_unmap(struct view_kept *kept);

#endif /* LIB_ANALYSIS_VIEW_VIEW_KEPT_H */
