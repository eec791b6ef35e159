/* SPDX-License-Identifier: MIT */
/*
 * View: what the parts of `smile view` share.
 *
 * The document smile.view/1 is all that the page knows. Its keys are in docs/view.md; numbers of
 * which there are many are packed (tools/view/pack.h).
 */
#ifndef TOOLS_VIEW_H
#define TOOLS_VIEW_H

#include <stdio.h>

#include <smile/monitor.h>

#include "lib/analysis/rows.h"
#include "tools/view/pack.h"

/* A page's number in the document: pages that were accessed, by number and home, from 0. */
#define VIEW_NO_PAGE SIZE_MAX
#define VIEW_NO_REGION UINT32_MAX

/**
 * struct view_cost - What an access costs, in cycles of the nodes' processors.
 * @remote: of a remote one, by SMILE_TYPE_*; of type 0, which untyped tags count, as of a read
 * @local: of one to the node's own memory
 */
struct view_cost {
	double remote[SMILE_TYPE_COUNT];
	double local;
};

/**
 * struct view_page - A page that was accessed.
 * @number: page number
 * @home: node where it lies
 * @region: index in the document's "regions"; VIEW_NO_REGION if none is known
 * @best: the remote node whose accesses cost the most cycles; @home if no other node has any
 * @row: its first row
 * @rows: how many
 * @lost: cycles beyond what the same accesses would cost were they local
 * @gain: how many fewer they were if @best were its home; never below 0
 * @misplaced: @best has at least half of what all accesses would cost were they remote, and more
 *             than the home
 */
struct view_page {
	uint64_t number;
	uint32_t home;
	uint32_t region;
	uint32_t best;
	uint32_t rows;
	size_t row;
	double lost;
	double gain;
	int misplaced;
};

/**
 * struct view - What a document is made of.
 * @mon: all records taken in
 * @rows: all rows, own accesses among them as far as they are known
 * @locals: nodes' accesses to their own memory; shape [@local_count]
 * @local_count: how many
 * @own_known: they are known of every node
 * @pages: shape [@page_count], ascending by number and home
 * @page_count: how many
 * @regions: those that can hold data; shape [@region_count]
 * @region_count: how many
 * @cost: what accesses cost
 * @details: pages of which sections and phases are kept at most
 * @files: names of the recordings; shape [@file_count]
 * @file_count: how many
 */
struct view {
	struct Monitor *mon;
	struct rows rows;
	struct Monitor_local *locals;
	size_t local_count;
	int own_known;
	struct view_page *pages;
	size_t page_count;
	struct Monitor_region *regions;
	size_t region_count;
	struct view_cost cost;
	size_t details;
	char **files;
	int file_count;
};

/* Pages of which sections and phases are kept, by default. */
#define VIEW_DETAILS 1024

/**
 * view_document() - Make the document.
 * @mon: all records taken in
 * @files: names of the recordings
 * @details: pages of which sections and phases are kept, those with the most lost cycles
 *
 * Return: a new reference; NULL after saying why not.
 */
json_t *view_document(struct Monitor *mon, char **files, int file_count, size_t details);

/* Its parts. Return: a new reference, NULL without memory. */
json_t *view_pages_json(const struct view *view);
json_t *view_groups_json(const struct view *view);
json_t *view_details_json(const struct view *view);
json_t *view_hot_json(const struct view *view);
json_t *view_regions_json(const struct view *view);
json_t *view_summary_json(const struct view *view);
json_t *view_transfers_json(const struct view *view);
json_t *view_transfer_bytes_json(const struct view *view);

/* By phase; null if there is but one. */
json_t *view_transfer_phases_json(const struct view *view);

/* What `smile advise` says; null if nothing was accessed, or without memory. */
json_t *view_advice_json(const struct view *view);

/**
 * view_variables_json() - The program's variables.
 *
 * Return: a new reference; NULL if none is known.
 */
json_t *view_variables_json(const struct view *view);

/**
 * view_types_json() - What their types are made of.
 * @variables: of view_variables_json()
 *
 * Return: a new reference: an array, by number of the type.
 */
json_t *view_types_json(const struct view *view, const json_t *variables);

/**
 * view_rows_load() - Fill in rows.
 *
 * Return: TOOL_OK; TOOL_ERROR after saying why not.
 */
int view_rows_load(struct view *view);

/**
 * view_pages_load() - Fill in pages, and what they cost.
 *
 * Return: TOOL_OK; TOOL_ERROR after saying why not.
 */
int view_pages_load(struct view *view);

/**
 * view_regions_load() - Fill in regions, and which page lies in which.
 */
int view_regions_load(struct view *view);

/**
 * view_page_find() - Where a page is in @view->pages.
 *
 * Return: index; VIEW_NO_PAGE.
 */
size_t view_page_find(const struct view *view, uint64_t number, uint32_t home);

/**
 * view_page_order() - Indices of all pages, the most lost cycles first.
 *
 * Return: to be freed; shape [@view->page_count].
 */
size_t *view_page_order(const struct view *view);

/**
 * view_row_cost() - Cycles that the accesses of a row cost beyond local ones, were they remote.
 */
double view_row_cost(const struct view *view, const struct Monitor_histogram_row *row);

/**
 * view_page_write() - Write the web page with a document in it.
 * @document: smile.view/1
 *
 * Return: 0; -1 if @out cannot be written.
 */
int view_page_write(FILE *out, json_t *document);

#endif /* TOOLS_VIEW_H */
