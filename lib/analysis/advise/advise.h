/* SPDX-License-Identifier: MIT */
/*
 * Advise: shared by the parts of Monitor_advise(), and used by the command.
 *
 * What lives here: the machine and the time of the recording in model.c; the advice by page and
 * runs of pages in page_runs.c; pages that cannot be placed in constants.c; loads of nodes in
 * load.c, homes by run time in balance.c, simple placements in candidates.c, the predicted time in
 * predict.c, the reason for another measured time in explain.c; pages by variable in
 * variable_pages.c, their layout in layout.c; a layout in words in sentence.c, limits in notes.c;
 * locks that decide which thread does what in roles.c; the placement file in placement_file.c and
 * placement_regions.c; parts of JSON documents in advise_document.c; advice from samples in
 * sampled_pages.c. May use the public API,
 * jansson and the rest of lib/analysis.
 */
#ifndef LIB_ANALYSIS_ADVISE_ADVISE_H
#define LIB_ANALYSIS_ADVISE_ADVISE_H

#include <jansson.h>

#include <smile/advise.h>

/* Why no placement moves a page. */
enum advise_fixed {
	ADVISE_NOT_FIXED,
	/* A constant of a file, of which the kernel has one copy for all programs. */
	ADVISE_CONSTANT,
	/* Given back and taken again: first touch has put it on several nodes, in turn. */
	ADVISE_SEVERAL_HOMES,
};

/**
 * struct advise - An advice, with the data that is needed only to make it.
 * @result: the advice; first, so that it can be converted back
 * @options: as given
 * @run: the recording's smile.run/2; NULL: none
 * @cycles: recorded run time; 0: unknown
 * @single_cycles: the same on one processor; 0: unknown
 * @cached: cycles of accesses that caches served, in the considered phases
 * @fixed: rows that stay, and why: enum advise_fixed; shape [count of rows]
 * @threads: threads of each node, at least 1; shape [nodes]
 * @phases: flags of the considered phases; shape [@phase_count]
 * @phase_count: phases of the recording
 * @data_rows: the rows of all data; shape [count of rows]
 * @too_little: share of the predicted run time that the best placement found would have saved, if
 *              it was too little to move pages; else 0
 */
struct advise {
	struct Monitor_advise result;
	struct Monitor_advise_options options;
	json_t *run;
	uint64_t cycles;
	uint64_t single_cycles;
	uint64_t cached;
	unsigned char *fixed;
	uint64_t *threads;
	unsigned char *phases;
	size_t phase_count;
	size_t *data_rows;
	double too_little;
};

/* Make @fixed, with the constants. Return: 0; -ENOMEM. */
int advise_constants_load(struct advise *advise);

/* The steps of Monitor_advise(), in this order. Each returns 0 or -errno. */
int advise_model_load(struct advise *advise);
int advise_phases_load(struct advise *advise);
int advise_rows_load(struct advise *advise);
int advise_data_group(struct advise *advise);
int advise_roles_load(struct advise *advise);
int advise_homes_find(struct advise *advise);
int advise_runs_make(struct advise *advise);
int advise_data_settle(struct advise *advise);

/*
 * The parts of advise_homes_find(): homes by run time, simple placements, and the predicted time.
 */
struct load;

/* Return: 0; -ENOMEM. */
int advise_balance(struct advise *advise, struct load *load);
int advise_candidates(struct advise *advise, struct load *load);
int advise_predict(struct advise *advise, const struct load *load);

/* Fill in how the pages of @data should lie. Return: 0; -ENOMEM. */
int advise_layout_find(const struct Monitor_advise *advise, struct Monitor_advise_data *data);

/* ---- shown by the command ------------------------------------------------------------------ */

#define ADVISE_HOMES_BYTES 40

/* Cycles that moving saves; 0 if it costs cycles and saves run time nevertheless. */
static inline uint64_t advise_gain(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}

/* Do two runs lie in one region, or both in none? */
int advise_runs_together(const struct Monitor_advise_run *a, const struct Monitor_advise_run *b);

/* Does the advised node make all accesses to a page? Then first touch places it there, too. */
static inline int advise_is_own(const struct Monitor_advice *row)
{
	return row->own == row->accesses;
}

/* @count pages of a run, beginning with its page @from, as a run of their own. */
void advise_run_part(const struct Monitor_advise *advise, const struct Monitor_advise_run *run,
		     size_t from, size_t count, struct Monitor_advise_run *part);

/* Name of a run's region; "-". */
const char *advise_run_name(const struct Monitor_advise_run *run);

/* Pages of a run that are to be moved. */
size_t advise_run_moved(const struct Monitor_advise *advise, const struct Monitor_advise_run *run);

/* The nodes on which a run's pages lie now: "0", "0-3", "0,2". Return: @text. */
char *advise_run_homes(const struct Monitor_advise *advise, const struct Monitor_advise_run *run,
		       char *text);

/* The @most variables with the largest savings. Return: a new reference; NULL without memory. */
json_t *advise_data_json(const struct Monitor_advise *advise, size_t most);

/*
 * Does a lock, an atomic instruction or a loop hand out work again and again, as a queue does? A
 * lock that all threads take equally often can be that of a condition on which they meet.
 */
static inline int advise_is_queue(const struct Monitor_advise_role *role)
{
	return role->turns > 2 * role->count && (role->atomic || role->loop || !role->even);
}

/* The first that does; if none does, one that may. Return: NULL: none. */
const struct Monitor_advise_role *advise_queue(const struct Monitor_advise *advise);

/* The work "is handed out" there, or "may be handed out". */
const char *advise_queue_is(const struct Monitor_advise_role *role);

/* Where it is, "roles.c:60 (take)". */
const char *advise_queue_place(const struct Monitor_advise_role *role);

/* Return: a new reference; NULL without memory. */
json_t *advise_roles_json(const struct Monitor_advise *advise);
json_t *advise_notes_json(const struct Monitor_advise *advise);

/* Write a word of a placement file's line: blanks, control characters, # and % as %XX. */
void advise_word_put(FILE *out, const char *word);

/* Write the lines that name what lies at the addresses of a placement file. Return: 0; -errno. */
int advise_placement_regions(const struct Monitor_advise *advise, FILE *out);

/* Has the recorded machine the papers' cache of remote memory? */
int advise_has_cache(const struct Monitor_advise *advise);

/* Has it caches in front of all memory? */
int advise_has_caches(const struct Monitor_advise *advise);

/* What is counted, and what costs: accesses; behind such caches, transactions. */
const char *advise_counted(const struct Monitor_advise *advise);

/* The status that the recorded program ended with; 0 if the recording does not say. */
int advise_recorded_status(const struct Monitor_advise *advise);

/*
 * Where the recorded program's standard input came from. Return: the path of a file; "" if it was
 * a pipe; NULL: neither, or the recording does not say.
 */
const char *advise_recorded_input(const struct Monitor_advise *advise);

/*
 * If no page is to be moved, why nothing is to be done. Return: @text, 512 bytes long; NULL if
 * there is something to do.
 */
const char *advise_nothing(const struct Monitor_advise *advise, char *text);

/* "phase sort"; "what comes before the first phase". Return: @text, ADVISE_PHASE_BYTES long. */
char *advise_phase_text(const struct Monitor_advise *advise, size_t phase, char *text);

#define ADVISE_PHASE_BYTES 256

/* The recorded smile.run/2; NULL: none. It belongs to @advise. */
const json_t *advise_recorded_run(const struct Monitor_advise *advise);

/* Was first touch the recorded run's policy? */
int advise_recorded_first_touch(const struct Monitor_advise *advise);

#endif /* LIB_ANALYSIS_ADVISE_ADVISE_H */
