/* SPDX-License-Identifier: MIT */
/*
 * Advise: declarations for the parts of Monitor_advise_new(), and for the command.
 *
 * What lives here: the machine and the time of the recording in model.c; the advice by page and
 * runs of pages in page_runs.c; pages that cannot be placed in constants.c; loads of nodes in
 * load.c, their waits in the network in network.c and load_network.c; homes by run time in
 * balance.c, simple placements in candidates.c, the predicted time in predict.c, the reason for a
 * different measured time in explain.c; pages by variable in variable_pages.c, their layout in
 * layout.c; a layout in words in sentence.c, limits in notes.c; locks that assign work to threads
 * in roles.c, waits for locks in lock_waits.c; the placement file in placement_file.c and
 * placement_regions.c; parts of JSON documents in advise_document.c; advice from samples in
 * sampled_pages.c. May use the public API, jansson and the rest of lib/analysis.
 */
#ifndef LIB_ANALYSIS_ADVISE_ADVISE_H
#define LIB_ANALYSIS_ADVISE_ADVISE_H

#include <jansson.h>

#include <smile/advise.h>

#include "lib/analysis/advise/network.h"
#include "lib/analysis/run_facts.h"

/* Reasons why no placement moves a page. */
enum advise_fixed {
	ADVISE_NOT_FIXED,
	/* A constant of a file, of which the kernel has one copy for all programs. */
	ADVISE_CONSTANT,
	/* Freed and allocated again: first touch has put the page on several nodes, in turn. */
	ADVISE_SEVERAL_HOMES,
};

/**
 * struct Monitor_advise_options - Options of an advice. All 0: all phases, by the recorded machine.
 * @machine: use this machine; without a name: the recorded one. With another machine the recorded
 *           run time has no meaning, and no run time is predicted
 * @fallback: the machine if none was recorded; without a name, a missing machine is an error
 * @phase: consider only the phases of this name; NULL: all
 * @shared_below: a page is truly shared if no node has this share of its cost; 0 to 1; 0: never
 * @min_gain: a page that saves fewer cycles stays
 * @expected_pages: a hint: the number of pages with advice; 0: unknown
 */
struct Monitor_advise_options {
	struct Monitor_advise_machine machine;
	struct Monitor_advise_machine fallback;
	const char *phase;
	double shared_below;
	uint64_t min_gain;
	size_t expected_pages;
};

/* The options that `smile advise` starts from. */
#define ADVISE_OPTIONS ((struct Monitor_advise_options){.shared_below = 0.5, .min_gain = 1})

/**
 * struct Monitor_advise_run - Neighbouring pages of one region with the same advice.
 * @first: index of the first of its rows
 * @count: number of rows
 * @in_region: @region is known
 * @region: the region
 * @offset: page of the region at which the run begins, from 0
 * @cycles: cost now
 * @advised_cycles: cost on the advised node
 * @accesses: accesses
 * @share: share of the advised node in all cost, weighted by cost
 */
struct Monitor_advise_run {
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

/**
 * struct Monitor_advise_part - Neighbouring pages of a variable that should lie on one node.
 * @first: first item, in the @unit of the variable
 * @last: last item
 * @pages: number of accessed pages
 * @node: the node
 */
struct Monitor_advise_part {
	int64_t first;
	int64_t last;
	uint64_t pages;
	uint32_t node;
};

/**
 * struct Monitor_advise_sums - Sums over the pages of a variable, or over all pages.
 * @moved: pages to move: pages on the wrong node, and truly shared pages that save cycles
 * @shared: truly shared pages
 * @wrong: pages on the wrong node: another node has half or more of the cost
 * @accesses: accesses
 * @cycles: cost now
 * @advised_cycles: cost with each page on its advised node
 */
struct Monitor_advise_sums {
	size_t moved;
	size_t shared;
	size_t wrong;
	uint64_t accesses;
	uint64_t cycles;
	uint64_t advised_cycles;
};

/**
 * struct Monitor_advise_data - The pages of one variable, or of the rest of a region.
 * @variable: NULL: nothing is known about the pages
 * @start: address of the variable; without one, of its first page
 * @rows: indices of its rows, ascending; shape [@count]
 * @count: number of pages
 * @sums: sums over these pages
 * @bounds: the home's own accesses are not known for some pages: savings are upper bounds
 * @layout: the recognised layout
 * @unit: unit of the parts: "rows", "columns", "items", "pages"
 * @parts: shape [@part_count]; none if @layout is _MIXED or _SHARED; the parts of the first turn if
 *         _CYCLIC
 * @part_count: number of parts
 * @exceptions: pages that do not fit the parts, not counting truly shared pages
 * @choice: why the pages lie as advised
 * @choice_phase: for MONITOR_CHOICE_PHASE, the index of the phase
 * @handed: the variable is accessed in parts of the run in which work is handed out, or may be
 * @copies_gain: cycles of run time that a copy on each node would save, the cost of copying
 *               subtracted; 0: copies save nothing, or the variable is written too often
 * @copies_bytes: memory of those copies
 */
struct Monitor_advise_data {
	const struct Monitor_variable *variable;
	uint64_t start;
	const size_t *rows;
	size_t count;
	struct Monitor_advise_sums sums;
	int bounds;
	enum Monitor_layout layout;
	const char *unit;
	struct Monitor_advise_part *parts;
	size_t part_count;
	size_t exceptions;
	enum Monitor_advise_choice choice;
	size_t choice_phase;
	int handed;
	uint64_t copies_gain;
	uint64_t copies_bytes;
};

/**
 * struct Monitor_advise_role - A lock that two or more threads on several nodes took before any
 * other lock and before any barrier, and under which they take their part of the work. Or an atomic
 * instruction that divides the work. If pages have other homes, threads reach the lock in another
 * order, but a placement is only right with the recorded order.
 * @lock: address of the lock
 * @atomic: the role is an atomic instruction, whose address is @lock
 * @loop: the role gives threads the chunks of OpenMP's loops; @lock belongs to libgomp
 * @name: name of the data at the address, "global_lock"; "0x7f1000" if nothing is known
 * @call: place where the lock is taken, "main.c:20 (work)"
 * @threads: threads in the order in which they first took the lock; shape [@count]
 * @count: number of threads
 * @turns: number of times that all threads together took the lock
 * @even: all threads took the lock equally often
 * @later: threads took other locks, or met, before they took this one. It may hand out work: it is
 *         one of several locks at one place in the program that some threads take more often than
 *         others
 */
struct Monitor_advise_role {
	uint64_t lock;
	int atomic;
	int loop;
	char name[MONITOR_NAME_BYTES];
	char call[MONITOR_NAME_BYTES];
	uint32_t *threads;
	size_t count;
	uint64_t turns;
	int even;
	int later;
};

/**
 * struct Monitor_advise_time - Run time of the considered phases, in cycles.
 * @known: the recordings hold a run time; otherwise all other members are 0
 * @estimated: the nodes' work is estimated from accesses, not recorded
 * @now: as recorded
 * @then: predicted, if waits for locks do not change, and other waiting shrinks with the time of
 *        the busiest node
 * @most: predicted, if nodes wait for each other as long as now, and waits for locks grow by the
 *        largest factor by which any node slows down; if threads take work from a queue, at least
 *        the time with all pages remote that several nodes access
 * @least: predicted, if waits for locks shrink with the time of the busiest node, too; if threads
 *         take work from a queue, at most the time with evenly divided work and only local accesses
 * @single: on one processor, with all data local; 0: unknown
 * @access_cycles: predicted cycles of all accesses
 */
struct Monitor_advise_time {
	int known;
	int estimated;
	uint64_t now;
	uint64_t then;
	uint64_t most;
	uint64_t least;
	uint64_t single;
	uint64_t access_cycles;
};

/**
 * struct Monitor_advise - An advice. lib/analysis/advise fills it in, and the command reads it.
 * @mon: the Monitor
 * @machine: the machine that the advice is for
 * @machine_recorded: @machine is the recorded machine
 * @nodes: nodes of the machine
 * @rows: advice by page, ascending; shape [@count]
 * @count: number of pages
 * @runs: the advice as runs of pages; shape [@run_count]
 * @run_count: number of runs
 * @variables: Monitor_variables(); shape [@variable_count]
 * @variable_count: number of variables
 * @data: the advice by variable, the largest saving first; shape [@data_count]
 * @data_count: number of variables with pages
 * @roles: locks that give threads their part of the work; shape [@role_count]
 * @role_count: number of roles
 * @sums: sums over all pages
 * @time: run time
 * @first_touch: the placement file does not place the pages that only their advised node accesses;
 *               the node that accesses them first gets them. If threads take their work from a
 *               queue, other threads may use these pages in the next run
 * @options: options passed by the caller
 * @run: the recorded run
 * @cycles: recorded run time; 0: unknown, or of another machine than @machine
 * @single_cycles: recorded run time on one processor; 0: unknown
 * @cached: cycles of accesses that caches served, in the considered phases
 * @fixed: for rows that stay, the reason: enum advise_fixed; shape [@count]
 * @threads: number of threads of each node, at least 1; shape [@nodes]
 * @phases: flags of the considered phases; shape [@phase_count]
 * @phase_count: phases of the recording
 * @data_rows: the rows of all data; shape [@count]
 * @topology: topology of the network; NULL: no network, or the run time is not known
 * @link_now: the busiest link of the considered phases, with pages on their present homes
 * @link_then: the busiest link with pages as advised
 * @too_little: share of the predicted run time that the best placement would have saved, if the
 *              share was too small to move pages; else 0
 */
struct Monitor_advise {
	struct Monitor *mon;
	struct Monitor_advise_machine machine;
	int machine_recorded;
	size_t nodes;
	struct Monitor_advice *rows;
	size_t count;
	struct Monitor_advise_run *runs;
	size_t run_count;
	struct Monitor_variable *variables;
	size_t variable_count;
	struct Monitor_advise_data *data;
	size_t data_count;
	struct Monitor_advise_role *roles;
	size_t role_count;
	struct Monitor_advise_sums sums;
	struct Monitor_advise_time time;
	int first_touch;
	struct Monitor_advise_options options;
	struct run_facts run;
	uint64_t cycles;
	uint64_t single_cycles;
	uint64_t cached;
	unsigned char *fixed;
	uint64_t *threads;
	unsigned char *phases;
	size_t phase_count;
	size_t *data_rows;
	const char *topology;
	struct advise_link link_now;
	struct advise_link link_then;
	double too_little;
};

/* Fill in @fixed for constants. Return: 0; -ENOMEM. */
int advise_constants_load(struct Monitor_advise *advise);

/* The steps of Monitor_advise_new(), in this order. Each returns 0 or -errno. */
int advise_model_load(struct Monitor_advise *advise);
int advise_phases_load(struct Monitor_advise *advise);
int advise_rows_load(struct Monitor_advise *advise);
int advise_data_group(struct Monitor_advise *advise);
int advise_roles_load(struct Monitor_advise *advise);
int advise_runs_make(struct Monitor_advise *advise);
int advise_data_settle(struct Monitor_advise *advise);

/* Add a page to sums. */
void advise_row_sum(struct Monitor_advise_sums *sums, const struct Monitor_advice *row);

struct load;

/* Find homes by run time and simple placements, and predict the time. Return: 0; -ENOMEM. */
int advise_balance(struct Monitor_advise *advise, struct load *load);
int advise_candidates(struct Monitor_advise *advise, struct load *load);
int advise_predict(struct Monitor_advise *advise, const struct load *load);

/* Fill in how the pages of @data should lie. Return: 0; -ENOMEM. */
int advise_layout_find(const struct Monitor_advise *advise, struct Monitor_advise_data *data);

/* ---- shown by the command ------------------------------------------------------------------ */

#define ADVISE_HOMES_BYTES 40

/* Cycles that a move saves; 0 if the move costs cycles but saves run time. */
static inline uint64_t advise_gain(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}

/* Whether two runs lie in one region, or both in no region. */
int advise_runs_together(const struct Monitor_advise_run *a, const struct Monitor_advise_run *b);

/*
 * Whether the advised node makes all accesses to a page. Then first touch also places the page
 * there.
 */
static inline int advise_is_own(const struct Monitor_advice *row)
{
	return row->own == row->accesses;
}

/* Make a separate run of @count pages of a run, starting at its page @from. */
void advise_run_part(const struct Monitor_advise *advise, const struct Monitor_advise_run *run,
		     size_t from, size_t count, struct Monitor_advise_run *part);

/* Name of a run's region; "-" if it has none. */
const char *advise_run_name(const struct Monitor_advise_run *run);

/* The number of pages of a run to move. */
size_t advise_run_moved(const struct Monitor_advise *advise, const struct Monitor_advise_run *run);

/* The nodes on which a run's pages lie now: "0", "0-3", "0,2". Return: @text. */
char *advise_run_homes(const struct Monitor_advise *advise, const struct Monitor_advise_run *run,
		       char *text);

/* The @most variables with the largest savings. Return: a new reference; NULL without memory. */
json_t *advise_data_json(const struct Monitor_advise *advise, size_t most);

/*
 * Whether a lock, an atomic instruction or a loop hands out work repeatedly, like a queue. A lock
 * that all threads take equally often can be the lock of a condition on which they meet.
 */
static inline int advise_is_queue(const struct Monitor_advise_role *role)
{
	return role->turns > 2 * role->count && (role->atomic || role->loop || !role->even);
}

/*
 * The role with the most turns that hands out work; if none does, the role with the most turns that
 * may. Return: NULL: none.
 */
const struct Monitor_advise_role *advise_queue(const struct Monitor_advise *advise);

/* The words for a queue: the work "is handed out" or "may be handed out". */
const char *advise_queue_is(const struct Monitor_advise_role *role);

/* The place of a queue, "roles.c:60 (take)". */
const char *advise_queue_place(const struct Monitor_advise_role *role);

/*
 * If threads wait for locks for a significant part of their time, and pages move, write a sentence
 * about it to @text. Return: whether a sentence was written.
 */
int advise_lock_waits(const struct Monitor_advise *advise, char *text, size_t bytes);

/* Return: a new reference; NULL without memory. */
json_t *advise_roles_json(const struct Monitor_advise *advise);
json_t *advise_notes_json(const struct Monitor_advise *advise);

/* Write a word of a placement file's line: blanks, control characters, # and % as %XX. */
void advise_word_put(FILE *out, const char *word);

/* Write lines with the names of the data at a placement file's addresses. Return: 0; -errno. */
int advise_placement_regions(const struct Monitor_advise *advise, FILE *out);

/*
 * The word for the counted events that have a cost: "accesses"; behind caches in front of all
 * memory, "transactions".
 */
const char *advise_counted(const struct Monitor_advise *advise);

/*
 * If no page must be moved, the reason. Return: @text, 512 bytes long; NULL if pages must be moved.
 */
const char *advise_nothing(const struct Monitor_advise *advise, char *text);

/*
 * The words for a phase: "phase sort"; "the part before the first phase". Return: @text,
 * ADVISE_PHASE_BYTES long.
 */
char *advise_phase_text(const struct Monitor_advise *advise, size_t phase, char *text);

#define ADVISE_PHASE_BYTES 256

/* Whether first touch was the recorded run's policy. */
int advise_recorded_first_touch(const struct Monitor_advise *advise);

#endif /* LIB_ANALYSIS_ADVISE_ADVISE_H */
