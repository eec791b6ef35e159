/* SPDX-License-Identifier: MIT */
/*
 * smile advise: the node on which each page should lie.
 *
 * What lives here: what its parts share. Options in advise.c; what the recording says of machine and
 * time in model.c; runs of pages in runs.c; data, which is pages of one variable, in
 * data.c, how they should be spread in layout.c, and both in words in words.c;
 * the prediction in predict.c; tables, notes, document and rows in show.c,
 * json.c and csv.c; the placement file in place.c; the recorded command in
 * command.c; the run that verifies the advice in verify.c.
 */
#ifndef TOOLS_ADVISE_H
#define TOOLS_ADVISE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include <smile/monitor.h>

#define ADVISE_HOMES_BYTES 40

/**
 * struct advise_model - What the machine is taken to be.
 * @name: of the latency model
 * @weights: cycles of accesses
 * @frequency_hz: clock
 * @run: the recording's smile.run/1; NULL: none
 * @cycles: run time; 0: not known
 * @single_cycles: on one processor; 0: not known
 * @threads: by node, at least 1; shape [@nodes]
 * @nodes: how many
 */
struct advise_model {
	const char *name;
	struct Monitor_weights weights;
	uint64_t frequency_hz;
	json_t *run;
	uint64_t cycles;
	uint64_t single_cycles;
	uint64_t *threads;
	size_t nodes;
};

/**
 * struct advise_time - Run times of the phases that are looked at, in cycles.
 * @known: they are known at all
 * @estimated: the nodes' work is estimated, not recorded
 * @now: as recorded
 * @then: as predicted, if waiting changes with the rest
 * @most: if nodes wait for each other as long as they do now
 * @single: on one processor, all data local; 0: not known
 */
struct advise_time {
	int known;
	int estimated;
	uint64_t now;
	uint64_t then;
	uint64_t most;
	uint64_t single;
};

/**
 * struct advise_run - Neighbouring pages of a region with one advice.
 * @first: of the rows
 * @count: how many
 * @in_region: a region is known
 * @region: which
 * @offset: page of the region that the first one is, from 0
 * @cycles: sum
 * @advised_cycles: sum
 * @accesses: sum
 * @share: of the node in all cost, weighted by it
 */
struct advise_run {
	size_t first;
	size_t count;
	int in_region;
	struct Monitor_region region;
	uint64_t offset;
	uint64_t cycles;
	uint64_t advised_cycles;
	uint64_t accesses;
	double share;
};

/* How the pages of one variable should lie. */
enum advise_layout {
	ADVISE_STAYS, /* all where they are, on one node */
	ADVISE_NODE, /* all on one node */
	ADVISE_BLOCKS, /* in blocks, one a node */
	ADVISE_CYCLIC, /* in blocks of one size, over the nodes in turn */
	ADVISE_SHARED, /* most are truly shared: no node is right */
	ADVISE_MIXED, /* each on its own best node */
};

/**
 * struct advise_part - Neighbouring pages of a variable that one node should have.
 * @first: of @unit of the variable
 * @last: of them
 * @pages: that were accessed
 * @node: the node
 */
struct advise_part {
	int64_t first;
	int64_t last;
	uint64_t pages;
	uint32_t node;
};

/**
 * struct advise_data - The pages of one variable, or of what is left of a region.
 * @variable: NULL: of nothing that is known
 * @start: its address; of its first page, if nothing is known
 * @rows: indices of its rows, ascending; shape [@count]
 * @count: how many
 * @wrong: pages on the wrong node: another has half or more of the cost
 * @moved: that are to be moved; those and truly shared ones that gain
 * @shared: truly shared
 * @bounds: of some what their home does is not known: gains are at most so
 * @accesses: sum
 * @cycles: sum
 * @advised_cycles: sum
 * @layout: how they should lie
 * @unit: of the parts: "rows", "columns", "items", "pages"
 * @parts: shape [@part_count]; none if they are @layout ADVISE_MIXED or _SHARED; if ADVISE_CYCLIC,
 *         of the first turn
 * @part_count: how many
 * @exceptions: pages that do not fit into the parts, truly shared ones not counted
 */
struct advise_data {
	const struct Monitor_variable *variable;
	uint64_t start;
	const size_t *rows;
	size_t count;
	size_t wrong;
	size_t moved;
	size_t shared;
	int bounds;
	uint64_t accesses;
	uint64_t cycles;
	uint64_t advised_cycles;
	enum advise_layout layout;
	const char *unit;
	struct advise_part *parts;
	size_t part_count;
	size_t exceptions;
};

/**
 * struct advise_words - A command line.
 * @list: ended by NULL; all to be freed; shape [@room]
 * @count: how many
 * @room: for them
 */
struct advise_words {
	char **list;
	size_t count;
	size_t room;
};

/**
 * struct advise_verified - What the run with the placement has shown.
 * @done: there was one
 * @status: the program's exit status
 * @cycles: run time of the phases that are looked at
 * @access_cycles: cycles of all accesses in them
 * @predicted_access_cycles: of the same phases
 */
struct advise_verified {
	int done;
	int status;
	uint64_t cycles;
	uint64_t access_cycles;
	uint64_t predicted_access_cycles;
};

/**
 * struct advise - One advice.
 * @files: recordings; shape [@file_count]
 * @output: placement file; NULL: none
 * @latency: as given; NULL: the recording's
 * @phase: name of the phases that are looked at; NULL: all
 * @shared_below: share below which a page is truly shared
 * @min_gain: cycles that a page has to gain to be moved
 * @rows_shown: runs in the table
 * @json: a document instead of text
 * @csv: rows for other programs instead of text
 * @verify: run again
 * @program: to run; NULL: the recording's
 * @mon: all records taken in
 * @model: the machine
 * @phases: shape [@phase_count], which are looked at
 * @phase_count: how many there are
 * @rows: the advice; shape [@count]
 * @count: how many
 * @runs: of them; shape [@run_count]
 * @run_count: how many
 * @variables: all there are; shape [@variable_count]
 * @variable_count: how many
 * @data: the pages by variable, what gains most first; shape [@data_count]
 * @data_count: how many
 * @data_rows: what @data's rows point to; shape [@count]
 * @expected: pages that have advice, as far as the caller knows; 0: it does not
 * @quiet: say nothing on standard error but errors
 * @time: run times
 * @verified: what --verify has shown
 */
struct advise {
	char **files;
	int file_count;
	const char *output;
	const char *latency;
	const char *phase;
	double shared_below;
	uint64_t min_gain;
	uint64_t rows_shown;
	int json;
	int csv;
	int verify;
	char **program;
	struct Monitor *mon;
	struct advise_model model;
	unsigned char *phases;
	size_t phase_count;
	struct Monitor_advice *rows;
	size_t count;
	struct advise_run *runs;
	size_t run_count;
	struct Monitor_variable *variables;
	size_t variable_count;
	struct advise_data *data;
	size_t data_count;
	size_t *data_rows;
	size_t expected;
	int quiet;
	struct advise_time time;
	struct advise_verified verified;
};

/* Free what was loaded. */
void advise_free(struct advise *advise);

/* ---- model.c: each returns TOOL_OK, or TOOL_ERROR after saying what is wrong -------------------- */

int advise_model_load(struct advise *advise);
void advise_model_free(struct advise_model *model);

/* Which phases are looked at. */
int advise_phases_load(struct advise *advise);

/* ---- runs.c ----------------------------------------------------------------------------------- */

/* The rows, and runs of them. Return: TOOL_OK; TOOL_ERROR after saying why not. */
int advise_rows_load(struct advise *advise);

/* Do two runs lie in one region, or both in none? */
int advise_runs_together(const struct advise_run *a, const struct advise_run *b);

/* What a run lies in. */
const char *advise_run_name(const struct advise_run *run);

/* Pages of a run that are to be moved. */
size_t advise_run_moved(const struct advise *advise, const struct advise_run *run);

/* The nodes on which a run's pages lie now: "0", "0-3", "0,2". Return: @text. */
char *advise_run_homes(const struct advise *advise, const struct advise_run *run, char *text);

/* Homes of all pages as advised, for Monitor_cycles(). Return: to be freed. */
struct Monitor_home *advise_homes(const struct advise *advise);

/* Is it so that a flag is set for some page? Return: for how many. */
size_t advise_flagged(const struct advise *advise, uint32_t flag);

/* ---- data.c, layout.c, words.c ------------------------------------------------------------------ */

/* The rows by variable. Return: TOOL_OK; TOOL_ERROR after saying why not. */
int advise_data_load(struct advise *advise);
void advise_data_free(struct advise *advise);

/* Fill in how the pages of @data should lie. */
void advise_layout_find(const struct advise *advise, struct advise_data *data);

const char *advise_layout_name(enum advise_layout layout);

/* What it is: a variable's name; "-" of pages of which nothing is known. */
const char *advise_data_name(const struct advise_data *data);

#define ADVISE_WORDS_BYTES 1024

/* What lies wrong, and how it should: "240 of 256 pages lie on the wrong node; ...". Return: @text. */
char *advise_data_words(const struct advise *advise, const struct advise_data *data, char *text);

/* ---- predict.c -------------------------------------------------------------------------------- */

int advise_predict(struct advise *advise);

/* ---- place.c ---------------------------------------------------------------------------------- */

/* Write the placement file. Return: TOOL_OK; TOOL_ERROR after saying why not. */
int advise_place_write(const struct advise *advise, const char *path);

/* The same, to a file that is open. Return: 0: it cannot be, since a page is there twice. */
int advise_place_put(const struct advise *advise, FILE *out);

/* ---- command.c --------------------------------------------------------------------------------- */

/*
 * The command that was recorded, or of advise->program; @results: options that say where its results
 * go. Return: 1; 0: the recordings do not tell which program it was.
 */
int advise_command_make(const struct advise *advise, struct advise_words *words,
			const char *const *results, size_t count);
void advise_words_free(struct advise_words *words);

/* As a shell takes it, with pages as in a placement file. Return: to be freed; NULL: not known. */
char *advise_command(const struct advise *advise, const char *placement);

/*
 * Were the recordings written into the directory that is the current one? As far as their names and
 * the recorded command tell: both have no directory.
 */
int advise_recorded_here(const struct advise *advise);

/* `smile advise` of the same recordings, which writes a placement file. Return: to be freed. */
char *advise_own_command(const struct advise *advise, const char *placement);

/* ---- verify.c --------------------------------------------------------------------------------- */

/* Run with the placement file. Return: TOOL_OK; TOOL_ERROR after saying why it could not be. */
int advise_verify(struct advise *advise, const char *placement);

/* ---- show.c, json.c, csv.c -------------------------------------------------------------------- */

/**
 * struct advise_sums - Of all pages.
 */
struct advise_sums {
	uint64_t pages;
	uint64_t moved;
	uint64_t shared;
	uint64_t accesses;
	uint64_t cycles;
	uint64_t advised_cycles;
};

void advise_sums(const struct advise *advise, struct advise_sums *sums);

/* What is to be known besides. @index: from 0. Return: @text; NULL if there is no more. */
const char *advise_note(const struct advise *advise, size_t index, char *text, size_t bytes);

/* Return: the exit status of what was found: TOOL_FINDING if a run has shown it to be no good. */
int advise_finding(const struct advise *advise);

/* The data as JSON. @most: of that which gains most. Return: a new reference. */
json_t *advise_data_json(const struct advise *advise, size_t most);
json_t *advise_notes_json(const struct advise *advise);

void advise_show(const struct advise *advise);
int advise_json(const struct advise *advise);
int advise_csv(const struct advise *advise);

#endif /* TOOLS_ADVISE_H */
