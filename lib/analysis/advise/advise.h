/* SPDX-License-Identifier: MIT */
/*
 * Advise: the declarations that the parts of Monitor_advise_new() share with each other and with
 * the command.
 *
 * What lives here: the declarations for these files. model.c: the machine, and the run time of the
 * recording. page_runs.c: the advice for each page, and runs of pages. constants.c: pages that
 * cannot be placed. load.c: the load of each node; network.c and load_network.c: how long accesses
 * wait in the network. balance.c: the search for home nodes of pages that shorten the run time;
 * candidates.c: simple placements. prediction.c: the predicted time; explanation.c: the reason why
 * a measured time differs from the prediction. variable_pages.c: the pages of each variable;
 * layout.c: the layout of the pages' homes; sentence.c: the text that describes a layout. notes.c:
 * the limits of the advice. roles.c: locks that assign work to threads; lock_waits.c: the time for
 * which threads wait for locks. placement_file.c and placement_regions.c: the placement file.
 * advise_document.c: parts of JSON documents. sampled_pages.c: advice from samples. May use the
 * public API, jansson and the rest of lib/analysis.
 */
#ifndef LIB_ANALYSIS_ADVISE_ADVISE_H
#define LIB_ANALYSIS_ADVISE_ADVISE_H

#include <jansson.h>

#include <smile/advise.h>

#include "lib/analysis/advise/network.h"
#include "lib/analysis/run_facts.h"

/* Reasons why no placement can move a page. */
enum advise_fixed {
	ADVISE_NOT_FIXED,
	/* The page is a constant of a file. The kernel has one copy of it for all programs. */
	ADVISE_CONSTANT,
	/*
	 * The page was freed and allocated again, and first touch chose a different node each time.
	 */
	ADVISE_SEVERAL_HOMES,
};

/**
 * struct Monitor_advise_options - The options of an advice. If all options are 0, the advice
 * considers all phases, on the recorded machine.
 * @machine: the machine to advise for; if it has no name, the advice is for the recorded machine.
 *           The recorded run time does not apply to another machine, so no run time is predicted
 *           for it
 * @fallback: the machine to use if the recording names no machine. If @fallback has no name, a
 *            recording without a machine is an error
 * @phase: consider only phases with this name; NULL: all phases
 * @shared_below: a page is truly shared if no node has at least this share of the page's cost; from
 *                0 to 1; 0: no page is truly shared
 * @min_gain: a page moves only if the move saves at least this number of cycles
 * @expected_pages: the expected number of pages with advice; 0: not known. It determines only how
 *           much memory is allocated first
 */
struct Monitor_advise_options {
	struct Monitor_advise_machine machine;
	struct Monitor_advise_machine fallback;
	const char *phase;
	double shared_below;
	uint64_t min_gain;
	size_t expected_pages;
};

/* The default options of `smile advise`. */
#define ADVISE_OPTIONS ((struct Monitor_advise_options){.shared_below = 0.5, .min_gain = 1})

/**
 * struct Monitor_advise_run - Neighbouring pages of one region with the same advice.
 * @first: index of the run's first row
 * @count: number of rows
 * @in_region: @region is known
 * @region: the region
 * @offset: number of the first page of the run within the region, counted from 0
 * @cycles: cost of the accesses if the pages stay on their present homes
 * @advised_cycles: cost of the accesses if the pages are on the advised node
 * @accesses: number of accesses
 * @share: the advised node's share of the cost of all accesses to the run
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
 * struct Monitor_advise_part - Neighbouring pages of a variable that should all be on one node.
 * @first: first item of the part, in the @unit of the variable
 * @last: last item of the part
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
 * @moved: number of pages to move: pages on the wrong node, and truly shared pages whose move saves
 *         cycles
 * @shared: number of truly shared pages
 * @wrong: number of pages on the wrong node. A page is on the wrong node if another node causes
 *         half or more of the cost of the page's accesses
 * @accesses: number of accesses
 * @cycles: cost of the accesses if each page stays on its present home
 * @advised_cycles: cost of the accesses if each page is on its advised node
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
 * struct Monitor_advise_data - The pages of one variable, or the pages of a region that belong to
 * no variable.
 * @variable: the variable; NULL: the pages are in no known variable
 * @start: address of the variable; if there is no variable, the address of the first page
 * @rows: indices of the pages' rows, ascending; shape [@count]
 * @count: number of pages
 * @sums: sums over these pages
 * @bounds: for some pages, the number of the home node's own accesses is not known, so the savings
 *          are only upper bounds
 * @layout: the recognised layout
 * @unit: unit of the parts: "rows", "columns", "items", "pages"
 * @parts: the parts of the layout, one for each node; shape [@part_count]; empty if @layout is
 *         _MIXED or _SHARED. If @layout is _CYCLIC, @parts has only the first part of each node
 * @part_count: number of parts
 * @exceptions: number of pages in a part whose advised node is not the node of the part; truly
 *              shared pages are not counted
 * @choice: the reason for the advised homes
 * @choice_phase: the index of the phase, if @choice is MONITOR_CHOICE_PHASE
 * @handed: the program accesses the variable in parts of the run in which threads take their work
 *          from a queue, or may do so
 * @copies_gain: cycles of run time that a copy of the variable on each node would save, minus the
 *               cost of copying. It is 0 if copies save nothing, or if the program writes the
 *               variable too often
 * @copies_bytes: memory that a copy of the variable on each node would need
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
 * struct Monitor_advise_role - A lock, or an atomic instruction, by which threads take their part
 * of the work.
 *
 * A lock is a role if at least two threads, on different nodes, took it before any other lock and
 * before any barrier. The advice assumes that threads take their parts in the recorded order. But
 * if pages have other homes, threads can reach the lock in another order.
 * @lock: address of the lock
 * @atomic: the role is an atomic instruction, which accesses the address @lock
 * @loop: the role gives threads the chunks of OpenMP's loops; @lock is a lock of libgomp
 * @name: name of the data at the address, such as "global_lock"; "0x7f1000" if the data has no
 *        known name
 * @call: the call that takes the lock, such as "main.c:20 (work)"
 * @threads: threads in the order in which they first took the lock; shape [@count]
 * @count: number of threads
 * @turns: how often the lock was taken, by all threads together
 * @even: all threads took the lock equally often
 * @later: threads took other locks, or met at a barrier, before they took this lock. The lock may
 *         nevertheless be a role, if one call in the program takes several locks and some threads
 *         take more of these locks than other threads do
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
 * @known: the recordings have a run time; otherwise all other members are 0
 * @estimated: the nodes' work is estimated from accesses, not recorded
 * @now: the recorded run time
 * @then: the predicted run time. The prediction assumes that waits for locks do not change, and
 *        that all other waits change in proportion to the time of the busiest node
 * @most: the longest predicted run time. It assumes that nodes wait for each other as long as in
 *        the recorded run, and that waits for locks grow by the same factor as the time of the node
 *        that slows down most. If threads take work from a queue, @most is at least the time of a
 *        run in which all pages that several nodes access are remote
 * @least: the shortest predicted run time. It assumes that all waits, including waits for locks,
 *         change in proportion to the time of the busiest node. If threads take work from a queue,
 *         @least is at most the time of a run in which the work is evenly divided and all accesses
 *         are local
 * @single: the run time on one processor, with all data local; 0: unknown
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
 * struct Monitor_advise - An advice. Only lib/analysis/advise writes to it; `smile advise` reads
 * it.
 * @mon: the Monitor
 * @machine: the machine that the advice is for
 * @machine_recorded: @machine is the recorded machine
 * @nodes: number of nodes of the machine
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
 * @first_touch: the placement file does not fix the homes of pages that only their advised node
 *               accesses. Such a page is placed on the node that accesses it first. If threads take
 *               their work from a queue, other threads may use these pages in the next run
 * @options: options passed by the caller
 * @run: the recorded run
 * @cycles: recorded run time; 0: the run time is unknown, or it was recorded on a machine other
 *               than @machine
 * @single_cycles: recorded run time on one processor; 0: unknown
 * @cached: cycles of the accesses that caches served in the considered phases
 * @fixed: the reason why a row's page cannot move: enum advise_fixed; shape [@count]
 * @threads: number of threads of each node, at least 1; shape [@nodes]
 * @phases: flags of the considered phases; shape [@phase_count]
 * @phase_count: number of phases of the recording
 * @data_rows: memory for the @rows of all elements of @data; shape [@count]
 * @topology: topology of the network; NULL: the run had no network, or the run time is not known
 * @link_now: the busiest link of the network if all pages stay on their present homes
 * @link_then: the busiest link of the network if all pages are on their advised homes
 * @too_little: if the best placement would save too little time to move any page, the share of the
 *              predicted run time that it would save; otherwise 0
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

/* Set advise->fixed of each page that is a constant of a file. Return: 0; -ENOMEM. */
int advise_constants_load(struct Monitor_advise *advise);

/* The steps of Monitor_advise_new(), in the order of their calls. Each returns 0 or -errno. */
int advise_model_load(struct Monitor_advise *advise);
int advise_phases_load(struct Monitor_advise *advise);
int advise_rows_load(struct Monitor_advise *advise);
int advise_data_group(struct Monitor_advise *advise);
int advise_roles_load(struct Monitor_advise *advise);
int advise_runs_make(struct Monitor_advise *advise);
int advise_data_settle(struct Monitor_advise *advise);

/* Add the values of a page's row to @sums. */
void advise_row_sum(struct Monitor_advise_sums *sums, const struct Monitor_advice *row);

struct load;

/*
 * Find homes that shorten the run time, try simple placements, and predict the run time. Return: 0;
 * -ENOMEM.
 */
int advise_balance(struct Monitor_advise *advise, struct load *load);
int advise_candidates(struct Monitor_advise *advise, struct load *load);
int advise_predict(struct Monitor_advise *advise, const struct load *load);

/* Find the layout of the advised homes of @data. Return: 0; -ENOMEM. */
int advise_layout_find(const struct Monitor_advise *advise, struct Monitor_advise_data *data);

/* ---- functions for the command -------------------------------------------------------------- */

#define ADVISE_HOMES_BYTES 40

/*
 * Get the number of cycles that moving a page saves. A move can cost cycles and still shorten the
 * run time, because it relieves the busiest node. For such a move, the result is 0.
 */
static inline uint64_t advise_gain(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}

/* Return whether two runs of pages are in the same region, or both in no region. */
int advise_runs_together(const struct Monitor_advise_run *a, const struct Monitor_advise_run *b);

/*
 * Return whether the advised node makes all accesses to a page. In this case, first touch also
 * chooses this node.
 */
static inline int advise_is_own(const struct Monitor_advice *row)
{
	return row->own == row->accesses;
}

/* Fill in @part with the @count pages of @run that begin at page @from of the run. */
void advise_run_part(const struct Monitor_advise *advise, const struct Monitor_advise_run *run,
		     size_t from, size_t count, struct Monitor_advise_run *part);

/* Get the name of the region that contains a run of pages; "-" if there is no such region. */
const char *advise_run_name(const struct Monitor_advise_run *run);

/* Get the number of pages of a run that should move. */
size_t advise_run_moved(const struct Monitor_advise *advise, const struct Monitor_advise_run *run);

/* Write the present homes of a run's pages: "0", "0-3", "0,2". Return: @text. */
char *advise_run_homes(const struct Monitor_advise *advise, const struct Monitor_advise_run *run,
		       char *text);

/*
 * Get the @most variables with the largest savings. Return: a new reference; NULL if memory is
 * missing.
 */
json_t *advise_data_json(const struct Monitor_advise *advise, size_t most);

/*
 * Return whether a lock, an atomic instruction or a loop hands out work repeatedly, like a queue.
 * If all threads take a lock equally often, the lock does not count as a queue, because it can be
 * the lock of a condition variable at which the threads meet.
 */
static inline int advise_is_queue(const struct Monitor_advise_role *role)
{
	return role->turns > 2 * role->count && (role->atomic || role->loop || !role->even);
}

/*
 * Find the role that hands out work and has the most turns. If no role hands out work, find the
 * role with the most turns among the roles that may hand out work. Return: the role; NULL if no
 * role may hand out work.
 */
const struct Monitor_advise_role *advise_queue(const struct Monitor_advise *advise);

/*
 * Get the phrase that describes how a queue's work is assigned: "is handed out" or "may be handed
 * out".
 */
const char *advise_queue_is(const struct Monitor_advise_role *role);

/* Get the source line of a queue: "roles.c:60 (take)". */
const char *advise_queue_place(const struct Monitor_advise_role *role);

/*
 * If the advice moves pages, and the threads wait for locks for at least 3 % of the predicted time,
 * write a sentence about the waits to @text. Return: whether a sentence was written.
 */
int advise_lock_waits(const struct Monitor_advise *advise, char *text, size_t bytes);

/*
 * Make the JSON arrays of the roles and of the notes. Return: a new reference; NULL if memory is
 * missing.
 */
json_t *advise_roles_json(const struct Monitor_advise *advise);
json_t *advise_notes_json(const struct Monitor_advise *advise);

/* Write a word of a line of a placement file. Blanks, control characters, # and % become %XX. */
void advise_word_put(FILE *out, const char *word);

/* Write the lines of a placement file that name the data at its addresses. Return: 0; -errno. */
int advise_placement_regions(const struct Monitor_advise *advise, FILE *out);

/*
 * Get the word for the counted events that have a cost. If the emulated machine has caches between
 * its processors and all memory, the word is "transactions"; otherwise it is "accesses".
 */
const char *advise_counted(const struct Monitor_advise *advise);

/*
 * If the advice moves no page, write the reason to @text, which is 512 bytes long. Return: @text;
 * NULL if the advice moves pages.
 */
const char *advise_nothing(const struct Monitor_advise *advise, char *text);

/*
 * Get the text that names a phase, such as "phase sort" or "the part before the first phase". @text
 * has room for ADVISE_PHASE_BYTES. Return: @text.
 */
char *advise_phase_text(const struct Monitor_advise *advise, size_t phase, char *text);

#define ADVISE_PHASE_BYTES 256

/* Return whether the recorded run placed pages by first touch. */
int advise_recorded_first_touch(const struct Monitor_advise *advise);

#endif /* LIB_ANALYSIS_ADVISE_ADVISE_H */
