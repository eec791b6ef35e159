/* SPDX-License-Identifier: MIT */
/*
 * View: the types and functions that the files of `smile view` share.
 *
 * The document smile.view/1 contains all data of the web page. It is made from the model in
 * lib/analysis/view. docs/view.md describes its keys. Long lists of numbers are packed
 * (lib/analysis/view/view_pack.h).
 */
#ifndef TOOLS_VIEW_H
#define TOOLS_VIEW_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/analysis/hot_threshold.h"
#include "lib/analysis/run_facts.h"
#include "lib/analysis/state/state_file.h"
#include "lib/analysis/view/view_model.h"
#include "lib/analysis/view/view_pack.h"
#include "lib/analysis/view/view_variables.h"

/**
 * struct view - The data from which a document is made.
 * @model: the pages, the accesses to them, and their regions
 * @run: facts about the run from the recordings
 * @details: largest number of pages for which sections and phases are included
 * @files: names of the recordings; shape [@file_count]
 * @file_count: number of @files
 * @missing: for samples: number of recordings of the run that the user did not give
 */
struct view {
	struct view_model model;
	struct run_facts run;
	size_t details;
	char **files;
	int file_count;
	size_t missing;
};

/* The default of the number of pages for which sections and phases are included. */
#define VIEW_DETAILS 1024

/* A function that makes the advice for a document. Return: a new reference. */
typedef json_t *(*view_advice_function)(const struct view *view, void *opaque);

/**
 * struct view_options - The options for a document.
 * @details: number of pages for which sections and phases are included; the document includes the
 *           pages that lose the most cycles
 * @ranges_later: when the recordings were read, ranges within pages were not counted; they are
 *                counted afterwards, only for the pages of @details
 * @hot: threshold of hot pages that the web page uses at first
 * @kept: the model of the last document of @mon; it is updated for the next document. If a text has
 *        not changed since the last document, "chunks" contains the number of the text in that
 *        document. NULL: make a new model
 * @recordings: number of recordings; 0: the number of names
 * @advice: called to make the advice; NULL: call view_advice_json()
 * @opaque: passed to @advice
 */
struct view_options {
	size_t details;
	bool ranges_later;
	struct hot_threshold hot;
	struct view_kept *kept;
	size_t recordings;
	view_advice_function advice;
	void *opaque;
};

/**
 * view_document() - Make the document.
 * @mon: a Monitor that has read all records
 * @files: names of the recordings, or the name of a state file if there are no recordings
 * @states: a state file that was read to its end; or NULL
 * @options: the user's options
 *
 * Return: a new reference; NULL after a message.
 */
json_t *view_document(struct Monitor *mon, char **files, int file_count,
		      const struct state_file *states, const struct view_options *options);

/* Functions that make parts of the document. Return: a new reference; NULL if memory ran out. */
json_t *view_pages_json(const struct view_model *model, struct view_kept *kept);
json_t *view_groups_json(const struct view_model *model);
json_t *view_hot_json(const struct view_model *model);
json_t *view_regions_json(const struct view_model *model);
json_t *view_summary_json(const struct view_model *model);
json_t *view_transfers_json(const struct view_model *model);
json_t *view_transfer_bytes_json(const struct view_model *model);

/**
 * view_details_json() - Make the sections and phases of pages.
 * @most: largest number of pages
 */
json_t *view_details_json(const struct view_model *model, size_t most);

/* Make the transfers by phase. Return: JSON null if there is only one phase. */
json_t *view_transfer_phases_json(const struct view_model *model);

/**
 * view_sampled_load() - For samples: find the pages on the wrong node, by the rule of `smile
 * advise` for samples.
 * @view: a view with a loaded model. The function removes the mark of the pages that were marked as
 *        misplaced by their cost, and marks the pages that it finds. It sets the gain of all other
 *        pages to 0
 *
 * Return: 0; -errno.
 */
int view_sampled_load(struct view *view);

/*
 * Make the key "sampled": the mark of samples, the confidence intervals of counts, and the list of
 * misplaced pages.
 */
json_t *view_sampled_json(const struct view *view);

/*
 * Check whether this machine can read the files. The name of a recording on another machine is an
 * address, and not a file.
 */
bool view_files_are_here(const struct view *view);

/*
 * Make the advice of `smile advise`. Return: JSON null if nothing was accessed, or if memory ran
 * out.
 */
json_t *view_advice_json(const struct view *view);

/* Make the array of the program's variables. */
json_t *view_variables_json(const struct view_model *model, const struct view_variables *variables);

/*
 * Make the array of the variables' types with their parts. A type's number is its index in this
 * array.
 */
json_t *view_types_json(const struct view_model *model, const struct view_variables *variables);

/**
 * view_need() - If @result is negative, end the program with a message, as tool_memory() does.
 * @result: result of a function of the model; if it is negative, Monitor_error_message() is printed
 */
void view_need(int result);

/**
 * view_packed() - Call view_pack_text(). If memory ran out, end the program with a message, as
 * tool_memory() does.
 */
json_t *view_packed(struct view_pack *pack);

/* Like view_packed(), for @count numbers that are packed one after another. */
json_t *view_packed_counts(const uint64_t *counts, size_t count);

/**
 * view_page_write() - Write the web page with a document in it.
 * @document: smile.view/1
 *
 * Return: 0; -1 if a write to @out has failed.
 */
int view_page_write(FILE *out, json_t *document);

#endif /* TOOLS_VIEW_H */
