/* SPDX-License-Identifier: MIT */
/*
 * Advice: the node on which each page should lie, and what that saves.
 *
 * What lives here: the public interface of libsmile-analysis. The page advice of Monitor_advice()
 * is joined into neighbouring pages and into the pages of each variable, a layout is recognised for
 * each variable, and the run time with the new placement is predicted.
 *
 *	struct Monitor_advise *advise;
 *	if (Monitor_advise(mon, NULL, &advise) < 0)
 *		errx(2, "%s", Monitor_error_message());
 *	for (size_t i = 0; i < advise->data_count; i++)
 *		puts(Monitor_advise_sentence(advise, &advise->data[i], text));
 *	Monitor_advise_free(advise);
 *
 * Errors and threads: as in smile/monitor.h. The advice belongs to its Monitor: free it before
 * Monitor_close().
 */
#ifndef SMILE_ADVISE_H
#define SMILE_ADVISE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <smile/monitor.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * struct Monitor_advise_machine - What accesses cost on a machine.
 * @name: of its latency model
 * @weights: cycles of accesses
 * @frequency_hz: clock of a node's processor
 */
struct Monitor_advise_machine {
	const char *name;
	struct Monitor_weights weights;
	uint64_t frequency_hz;
};

/**
 * struct Monitor_advise_options - What to advise on. All 0: everything, by the recorded machine.
 * @machine: use this machine; NULL: the recorded one. With another machine the recorded run time
 *           has no meaning, and none is predicted
 * @fallback: the machine if none was recorded; NULL: an error then
 * @phase: consider the phases of this name only; NULL: all
 * @shared_below: a page is truly shared if no node has this share of its cost; 0 to 1; 0: never
 * @min_gain: a page that saves fewer cycles stays
 * @expected_pages: a hint, how many pages have advice; 0: unknown
 */
struct Monitor_advise_options {
	const struct Monitor_advise_machine *machine;
	const struct Monitor_advise_machine *fallback;
	const char *phase;
	double shared_below;
	uint64_t min_gain;
	size_t expected_pages;
};

/* The options that `smile advise` starts from. */
#define MONITOR_ADVISE_OPTIONS ((struct Monitor_advise_options){.shared_below = 0.5, .min_gain = 1})

/**
 * struct Monitor_advise_run - Neighbouring pages of one region with the same advice.
 * @first: index of the first of its rows
 * @count: rows
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

/* How the pages of one variable should lie. */
enum Monitor_layout {
	MONITOR_LAYOUT_STAYS, /* where they are, on one node */
	MONITOR_LAYOUT_NODE, /* all on one node */
	MONITOR_LAYOUT_BLOCKS, /* in blocks, one for each node */
	MONITOR_LAYOUT_CYCLIC, /* in blocks of one size, over the nodes in turn */
	MONITOR_LAYOUT_SHARED, /* most are truly shared: no node is right */
	MONITOR_LAYOUT_MIXED, /* each on its own best node */
};

/* Why the pages of one variable lie as advised. */
enum Monitor_advise_choice {
	MONITOR_CHOICE_PAGES, /* each page is best there */
	MONITOR_CHOICE_STAYS, /* where it is: simple, and as fast within 5 percent */
	MONITOR_CHOICE_NODE, /* all on one node, likewise */
	MONITOR_CHOICE_INTERLEAVE, /* page by page over all nodes, likewise */
	MONITOR_CHOICE_BLOCKS, /* in equal blocks, likewise */
	MONITOR_CHOICE_PHASE, /* as one phase uses it: phases disagree, this one counts most */
};

/**
 * struct Monitor_advise_part - Neighbouring pages of a variable that belong on one node.
 * @first: first item, in the @unit of the variable
 * @last: last item
 * @pages: accessed pages
 * @node: the node
 */
struct Monitor_advise_part {
	int64_t first;
	int64_t last;
	uint64_t pages;
	uint32_t node;
};

/**
 * struct Monitor_advise_data - The pages of one variable, or of the rest of a region.
 * @variable: NULL: nothing is known about the pages
 * @start: address of the variable; without one, of its first page
 * @rows: indices of its rows, ascending; shape [@count]
 * @count: pages
 * @wrong: pages on the wrong node: another node has half or more of the cost
 * @moved: pages to be moved: those, and truly shared ones that save cycles
 * @shared: truly shared pages
 * @bounds: the home's own accesses are not known for some pages: savings are upper bounds
 * @accesses: accesses
 * @cycles: cost now
 * @advised_cycles: cost with each page on its advised node
 * @layout: the recognised layout
 * @unit: of the parts: "rows", "columns", "items", "pages"
 * @parts: shape [@part_count]; none if @layout is _MIXED or _SHARED; the first turn if _CYCLIC
 * @part_count: parts
 * @exceptions: pages that do not fit the parts, without truly shared ones
 * @choice: why the pages lie as advised
 * @choice_phase: index of the phase, of MONITOR_CHOICE_PHASE
 * @copies_gain: cycles of run time that a copy on each node would save, the cost of copying
 *               subtracted; 0: none, or the variable is written too often
 * @copies_bytes: memory of those copies
 */
struct Monitor_advise_data {
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
	enum Monitor_layout layout;
	const char *unit;
	struct Monitor_advise_part *parts;
	size_t part_count;
	size_t exceptions;
	enum Monitor_advise_choice choice;
	size_t choice_phase;
	uint64_t copies_gain;
	uint64_t copies_bytes;
};

/**
 * struct Monitor_advise_sums - Sums over all pages.
 * @pages: pages with advice
 * @moved: pages to be moved
 * @shared: truly shared pages
 * @wrong: pages on the wrong node
 * @accesses: accesses
 * @cycles: cost now
 * @advised_cycles: cost with each page on its advised node
 */
struct Monitor_advise_sums {
	uint64_t pages;
	uint64_t moved;
	uint64_t shared;
	uint64_t wrong;
	uint64_t accesses;
	uint64_t cycles;
	uint64_t advised_cycles;
};

/**
 * struct Monitor_advise_role - A lock under which threads take their part of the work: two or more
 * of them took it before any other lock and before any barrier, and they run on several nodes. Or
 * an atomic instruction that gives it to them. If pages have other homes, threads come to the lock
 * in another order; a placement is right only with the recorded order.
 * @lock: its address
 * @atomic: it is an atomic instruction, whose address is @lock
 * @loop: it gives threads the chunks of OpenMP's loops; @lock is libgomp's
 * @name: what is there, "global_lock"; "0x7f1000" if nothing is known
 * @call: where it is taken, "main.c:20 (work)"
 * @threads: in the order in which they first took it; shape [@count]
 * @count: threads
 * @turns: how often it was taken in all
 * @even: by all threads equally often
 * @later: they took other locks before it, or met; it may hand out work: one of several at one
 *         place in the program that some threads take more often than others
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
 * @known: the recordings hold a run time; otherwise the rest is 0
 * @estimated: the nodes' work is estimated from accesses, not recorded
 * @now: as recorded
 * @then: predicted, if waiting shrinks with the busiest node
 * @most: predicted, if nodes wait for each other as long as now; if threads take work from a queue,
 *        no less than if all that only some node accesses were remote
 * @least: @then; if threads take work from a queue, no more than if it were divided evenly, and all
 *         accesses were local
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
 * struct Monitor_advise - An advice. Read only.
 * @mon: the Monitor
 * @machine: the machine that it is for
 * @machine_recorded: @machine is the recorded one
 * @nodes: nodes of the machine
 * @phase: as in the options
 * @shared_below: as in the options
 * @rows: advice by page, ascending; shape [@count]
 * @count: pages
 * @runs: the same as runs of pages; shape [@run_count]
 * @run_count: runs
 * @variables: Monitor_variables(); shape [@variable_count]
 * @variable_count: variables
 * @data: the same by variable, the largest saving first; shape [@data_count]
 * @data_count: variables with pages
 * @roles: locks that give threads their part of the work; shape [@role_count]
 * @role_count: how many
 * @sums: over all pages
 * @time: run time
 * @first_touch: the placement file leaves pages that only their advised node accesses to the node
 *               that accesses them first: if threads take their work from a queue, other threads
 *               may have these pages in the next run
 */
struct Monitor_advise {
	struct Monitor *mon;
	struct Monitor_advise_machine machine;
	int machine_recorded;
	size_t nodes;
	const char *phase;
	double shared_below;
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
};

/**
 * Monitor_advise() - Advise on the placement of all pages.
 * @mon: holds the records of all nodes of a run
 * @options: NULL: MONITOR_ADVISE_OPTIONS
 * @out: receives the advice; untouched on failure
 *
 * Source: "Memory access behavior analysis of NUMA-based shared memory programs" (2002), section 4.
 *
 * Return: 0.
 * Errors: -ENODATA: no accesses, no such phase, or no machine; -EOPNOTSUPP: recordings of samples;
 * -EINVAL; -ENOMEM.
 */
int Monitor_advise(struct Monitor *mon, const struct Monitor_advise_options *options,
		   struct Monitor_advise **out);

/**
 * Monitor_advise_free() - Free an advice.
 * @advise: an advice, or NULL
 *
 * Context: one thread at a time, which is that of the Monitor.
 */
void Monitor_advise_free(struct Monitor_advise *advise);

#define MONITOR_SENTENCE_BYTES 1024

/**
 * Monitor_advise_action() - What to change in the source for a variable's pages to lie as advised.
 * @data: one of its @data
 * @text: caller-owned, MONITOR_SENTENCE_BYTES long
 *
 * Context: one thread at a time, which is that of the Monitor.
 * Return: @text; NULL if nothing is to be changed.
 */
char *Monitor_advise_action(const struct Monitor_advise *advise,
			    const struct Monitor_advise_data *data, char *text);

/**
 * Monitor_advise_sentence() - What is wrong with a variable's pages, and where they belong.
 * @data: one of its @data
 * @text: caller-owned, MONITOR_SENTENCE_BYTES long
 *
 * Context: one thread at a time, which is that of the Monitor.
 * Return: @text.
 */
char *Monitor_advise_sentence(const struct Monitor_advise *advise,
			      const struct Monitor_advise_data *data, char *text);

/**
 * Monitor_advise_role_sentence() - What a lock has to do with the placement, and what to change.
 * @role: one of the advice's @roles
 * @text: caller-owned, MONITOR_SENTENCE_BYTES long
 *
 * Context: one thread at a time, which is that of the Monitor.
 * Return: @text.
 */
char *Monitor_advise_role_sentence(const struct Monitor_advise_role *role, char *text);

/**
 * Monitor_advise_explain() - Why a run with the advised placement differs from the prediction.
 * @mon: holds the records of all nodes of that run
 * @text: caller-owned, MONITOR_SENTENCE_BYTES long; receives one sentence without its end
 *
 * The sentence names the phase and the node that differ most, and whether accesses or waiting
 * differ.
 *
 * Context: one thread at a time, which is that of both Monitors.
 * Return: 0.
 * Errors: -EINVAL: that run had another number of nodes; -ENODATA: it has no accesses or no
 * machine; -ENOMEM.
 */
int Monitor_advise_explain(const struct Monitor_advise *advise, struct Monitor *mon, char *text);

/**
 * Monitor_advise_note() - A limit of the advice, such as accesses that were not recorded.
 * @index: from 0
 * @text: caller-owned, shape [@bytes]; 512 bytes hold any note
 * @bytes: length of @text
 *
 * Context: one thread at a time, which is that of the Monitor.
 * Return: @text; NULL if there are no more notes.
 */
const char *Monitor_advise_note(const struct Monitor_advise *advise, size_t index, char *text,
				size_t bytes);

/**
 * Monitor_advise_placement() - Write the placement file that `smile run --place` and `smile
 * place` read.
 * @out: file to write to
 *
 * Context: one thread at a time, which is that of the Monitor.
 * Return: 0.
 * Errors: -EINVAL: a page is on two nodes, which a placement file cannot express; -EIO.
 */
int Monitor_advise_placement(const struct Monitor_advise *advise, FILE *out);

/**
 * Monitor_choice_name() - Name of a choice.
 * @choice: a choice
 *
 * Context: any thread.
 * Return: "pages", "interleave" and so on.
 */
const char *Monitor_choice_name(enum Monitor_advise_choice choice);

/**
 * Monitor_layout_name() - Name of a layout.
 * @layout: a layout
 *
 * Context: any thread.
 * Return: "blocks", "cyclic" and so on.
 */
const char *Monitor_layout_name(enum Monitor_layout layout);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_ADVISE_H */
