/* SPDX-License-Identifier: MIT */
/*
 * View: the types and functions that the parts of `smile view` share.
 *
 * The document smile.view/1 holds all data of the web page. Its keys are in docs/view.md; long
 * lists of numbers are packed (lib/analysis/view/view_pack.h). It is made from the model in
 * lib/analysis/view.
 */
#ifndef TOOLS_VIEW_H
#define TOOLS_VIEW_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/analysis/hot.h"
#include "lib/analysis/run_facts.h"
#include "lib/analysis/state/state_file.h"
#include "lib/analysis/view/view_model.h"
#include "lib/analysis/view/view_pack.h"
#include "lib/analysis/view/view_variables.h"

/**
 * struct view - The contents of a document.
 * @model: pages, their accesses and regions
 * @run: the facts about the run in the recordings
 * @details: largest number of pages that keep sections and phases
 * @files: names of the recordings; shape [@file_count]
 * @file_count: number of @files
 * @missing: of samples: number of missing recordings of the run
 */
struct view {
	struct view_model model;
	struct run_facts run;
	size_t details;
	char **files;
	int file_count;
	size_t missing;
};

/* Default number of pages that keep sections and phases. */
#define VIEW_DETAILS 1024

/* Makes the advice of a document. Return: a new reference. */
typedef json_t *(*view_advice_function)(const struct view *view, void *opaque);

/**
 * struct view_options - The options of a document.
 * @details: the number of pages that keep sections and phases: the pages with the most lost cycles
 * @ranges_later: ranges within pages were left out; for these pages they must still be counted
 * @hot: threshold of hot pages when the web page is opened
 * @kept: the model that the last document of @mon has left, and that this document leaves for the
 *        next. If a text is the same as in the last document, "chunks" has its number in that
 *        document. NULL: a new model
 * @recordings: number of recordings; 0: as many as names
 * @advice: is called instead of view_advice_json(); NULL: view_advice_json()
 * @opaque: passed to @advice
 */
struct view_options {
	size_t details;
	bool ranges_later;
	struct hot hot;
	struct view_kept *kept;
	size_t recordings;
	view_advice_function advice;
	void *opaque;
};

/**
 * view_document() - Make the document.
 * @mon: all records taken in
 * @files: names of the recordings, or of a state file that is viewed alone
 * @states: a state file that was taken in to its end; or NULL
 * @options: the user's options
 *
 * Return: a new reference; NULL after a message.
 */
json_t *view_document(struct Monitor *mon, char **files, int file_count,
		      const struct state_file *states, const struct view_options *options);

/* Parts of the document. Return: a new reference, NULL without memory. */
json_t *view_pages_json(const struct view_model *model, struct view_kept *kept);
json_t *view_groups_json(const struct view_model *model);
json_t *view_hot_json(const struct view_model *model);
json_t *view_regions_json(const struct view_model *model);
json_t *view_summary_json(const struct view_model *model);
json_t *view_transfers_json(const struct view_model *model);
json_t *view_transfer_bytes_json(const struct view_model *model);

/**
 * view_details_json() - Sections and phases of pages.
 * @most: largest number of pages
 */
json_t *view_details_json(const struct view_model *model, size_t most);

/* Transfers by phase; null if there is only one phase. */
json_t *view_transfer_phases_json(const struct view_model *model);

/**
 * view_sampled_load() - For recordings of samples: find the pages on the wrong node, by the rule of
 * `smile advise` for samples.
 * @view: its model is loaded; its misplaced pages by cost are replaced, and other pages get no gain
 *
 * Return: 0; -errno.
 */
int view_sampled_load(struct view *view);

/* The key "sampled": the mark, bands of counts, and the misplaced pages. */
json_t *view_sampled_json(const struct view *view);

/* Can the files be read on this machine? Those of another machine are named by its address. */
bool view_files_are_here(const struct view *view);

/* The advice of `smile advise`; null if nothing was accessed, or without memory. */
json_t *view_advice_json(const struct view *view);

/* The program's variables, an array. */
json_t *view_variables_json(const struct view_model *model, const struct view_variables *variables);

/* The types of the variables with their parts, an array by number of the type. */
json_t *view_types_json(const struct view_model *model, const struct view_variables *variables);

/**
 * view_need() - Without memory, end the program with a message, as in tool_memory().
 * @result: result of a function of the model; negative: Monitor_error_message() is printed
 */
void view_need(int result);

/**
 * view_packed() - view_pack_text(); without memory the program ends with a message, as in
 * tool_memory().
 */
json_t *view_packed(struct view_pack *pack);

/* Like view_packed(), for @count counts, one after another. */
json_t *view_packed_counts(const uint64_t *counts, size_t count);

/**
 * view_page_write() - Write the web page with a document in it.
 * @document: smile.view/1
 *
 * Return: 0; -1 if @out cannot be written.
 */
int view_page_write(FILE *out, json_t *document);

#endif /* TOOLS_VIEW_H */
