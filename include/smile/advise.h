/* SPDX-License-Identifier: MIT */
/*
 * Advice: the node on which each page should lie, and the time that this placement saves.
 *
 * What lives here: the public interface of libsmile-analysis. The library takes the advice that
 * Monitor_advice() gives for each page, and groups the pages into runs of neighbouring pages, and
 * by variable. It recognises a layout for each variable, such as equal blocks on all nodes, and
 * predicts the run time with the new placement.
 *
 *	struct Monitor_advise *advise;
 *	if (Monitor_advise_new(mon, NULL, &advise) < 0)
 *		errx(2, "%s", Monitor_error_message());
 *	for (size_t i = 0; i < Monitor_advise_figure(advise, MONITOR_FIGURE_DATA); i++)
 *		puts(Monitor_advise_sentence(advise, Monitor_advise_data_at(advise, i), text));
 *	Monitor_advise_free(advise);
 *
 * All structs are opaque, so that a new version can add members. A caller passes a constant of enum
 * Monitor_figure to read the number that this constant selects.
 *
 * Errors and threads: as in smile/monitor.h. An advice uses its Monitor, so free the advice before
 * Monitor_close(). When an advice is freed, all of its parts are freed, too.
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

struct Monitor_advise; /* an advice */
struct Monitor_advise_options; /* what to advise on */
struct Monitor_advise_run; /* neighbouring pages of one region with the same advice */
struct Monitor_advise_data; /* the pages of one variable, or of the rest of a region */
struct Monitor_advise_role; /* a lock that gives threads their part of the work */

/* ---- options --------------------------------------------------------------------------------- */

/**
 * Monitor_advise_options_new() - Create options with the defaults of `smile advise`.
 * @out: receives the options; unchanged on failure
 *
 * By default, the advice is for the recorded machine and considers all phases. A page is truly
 * shared if no node causes half of its cost. Each page whose move saves at least one cycle is
 * moved.
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -ENOMEM.
 */
int Monitor_advise_options_new(struct Monitor_advise_options **out);

/**
 * Monitor_advise_options_free() - Free options.
 * @options: options, or NULL
 *
 * Context: any thread.
 */
void Monitor_advise_options_free(struct Monitor_advise_options *options);

/**
 * Monitor_advise_options_machine() - Advise for a given machine instead of the recorded machine.
 * @name: name of the machine's latency model. It is not copied, and must stay valid until each
 *        advice that is made with it is freed
 * @weights: costs of accesses, in cycles
 * @frequency_hz: clock frequency of a node's processor
 *
 * The run time was recorded on the recorded machine. It has no meaning for another machine, so no
 * run time is predicted.
 *
 * Context: any thread.
 */
void Monitor_advise_options_machine(struct Monitor_advise_options *options, const char *name,
				    const struct Monitor_weights *weights, uint64_t frequency_hz);

/**
 * Monitor_advise_options_fallback() - Advise for a given machine if the recording has no machine.
 * @name: as for Monitor_advise_options_machine()
 * @weights: costs of accesses, in cycles
 * @frequency_hz: clock frequency of a node's processor
 *
 * Without this call, Monitor_advise_new() fails if the recording does not describe a machine.
 *
 * Context: any thread.
 */
void Monitor_advise_options_fallback(struct Monitor_advise_options *options, const char *name,
				     const struct Monitor_weights *weights, uint64_t frequency_hz);

/**
 * Monitor_advise_options_phase() - Consider only the phases that have a given name.
 * @phase: the name; NULL: all phases. The name is not copied, and must stay valid until each advice
 *         that is made with it is freed
 *
 * Context: any thread.
 */
void Monitor_advise_options_phase(struct Monitor_advise_options *options, const char *phase);

/**
 * Monitor_advise_options_shared_below() - Choose which pages are truly shared.
 * @share: a page is truly shared if each node causes less than this share of the page's cost, 0 to
 *         1; 0: no page is truly shared
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -EINVAL: @share is not within 0 to 1.
 */
int Monitor_advise_options_shared_below(struct Monitor_advise_options *options, double share);

/**
 * Monitor_advise_options_min_gain() - Do not move pages whose move would save little.
 * @cycles: a page stays where it is if its move would save fewer cycles than this
 *
 * Context: any thread.
 */
void Monitor_advise_options_min_gain(struct Monitor_advise_options *options, uint64_t cycles);

/* ---- an advice ------------------------------------------------------------------------------- */

/**
 * Monitor_advise_new() - Advise on the placement of all pages.
 * @mon: Monitor that holds the records of all nodes of a run
 * @options: options, which may be freed afterwards; NULL: the defaults of
 *           Monitor_advise_options_new()
 * @out: receives the advice; unchanged on failure
 *
 * Source: "Memory access behavior analysis of NUMA-based shared memory programs" (2002), section 4.
 *
 * Return: 0.
 * Errors: -ENODATA: the recording has no accesses, no phase of this name, or no machine;
 * -EOPNOTSUPP: the recordings hold samples; -EINVAL; -ENOMEM.
 */
int Monitor_advise_new(struct Monitor *mon, const struct Monitor_advise_options *options,
		       struct Monitor_advise **out);

/**
 * Monitor_advise_free() - Free an advice.
 * @advise: an advice, or NULL
 *
 * Context: the thread that uses the Monitor.
 */
void Monitor_advise_free(struct Monitor_advise *advise);

/**
 * enum Monitor_figure - A number that an advice contains.
 * @MONITOR_FIGURE_PAGES: of an advice, a run or a variable: number of accessed pages
 * @MONITOR_FIGURE_ACCESSES: of an advice, a run or a variable: number of accesses
 * @MONITOR_FIGURE_CYCLES: of an advice, a run or a variable: cost with the recorded placement
 * @MONITOR_FIGURE_ADVISED_CYCLES: of an advice, a run or a variable: cost with each page on its
 *                                 advised node
 * @MONITOR_FIGURE_MOVED: of an advice or a variable: number of pages to move: the wrong pages, and
 *                        the truly shared pages whose move saves cycles
 * @MONITOR_FIGURE_SHARED: of an advice or a variable: number of truly shared pages
 * @MONITOR_FIGURE_WRONG: of an advice or a variable: number of wrong pages. A page is wrong if a
 *                        node that is not its home causes half of its cost or more
 * @MONITOR_FIGURE_NODES: of an advice: number of nodes of the machine
 * @MONITOR_FIGURE_FREQUENCY_HZ: of an advice: clock frequency of a node's processor
 * @MONITOR_FIGURE_RUNS: of an advice: number of runs, for Monitor_advise_run_at()
 * @MONITOR_FIGURE_DATA: of an advice: number of variables, for Monitor_advise_data_at()
 * @MONITOR_FIGURE_ROLES: of an advice: number of roles, for Monitor_advise_role_at()
 * @MONITOR_FIGURE_MACHINE_RECORDED: of an advice: 1: the advice is for the recorded machine
 * @MONITOR_FIGURE_FIRST_TOUCH: of an advice: 1: the placement file leaves out the pages that only
 *                              their advised node accesses, so that each of them lies on the node
 *                              that accesses it first. Threads that take their work from a queue
 *                              may use different pages in the next run
 * @MONITOR_FIGURE_TIME_NOW: of an advice, like all _TIME_ figures: recorded run time of the
 *                           considered phases. All run times are in cycles; 0: unknown
 * @MONITOR_FIGURE_TIME_THEN: predicted run time, if waits for locks do not change, and all other
 *                            waits shrink in proportion to the time of the busiest node
 * @MONITOR_FIGURE_TIME_MOST: largest predicted run time. It assumes that nodes wait for each other
 *                            as long as in the recorded run, and that waits for locks grow by the
 *                            largest factor by which any node becomes slower. If threads take their
 *                            work from a queue, it is at least the time that the run would need if
 *                            all accesses to shared pages were remote. A page is shared if several
 *                            nodes access it
 * @MONITOR_FIGURE_TIME_LEAST: smallest predicted run time. It assumes that waits for locks shrink
 *                             in proportion to the time of the busiest node, as all other waits do
 *                             in MONITOR_FIGURE_TIME_THEN. If threads take their work from a queue,
 *                             it is at most the time that the run would need if the work was
 *                             divided evenly and all accesses were local
 * @MONITOR_FIGURE_TIME_SINGLE: predicted run time on one processor, with all data local
 * @MONITOR_FIGURE_TIME_ACCESSES: predicted cycles of all accesses
 * @MONITOR_FIGURE_TIME_ESTIMATED: 1: the nodes' work is estimated from accesses, not recorded
 * @MONITOR_FIGURE_OFFSET: of a run: offset of its first page in the region, in pages
 * @MONITOR_FIGURE_FIRST: of a run: index of its first page, for Monitor_advise_page_at()
 * @MONITOR_FIGURE_START: of a variable: its address; if no variable is known for the pages, the
 *                        address of the first page
 * @MONITOR_FIGURE_PARTS: of a variable: number of parts, for Monitor_advise_data_part()
 * @MONITOR_FIGURE_EXCEPTIONS: of a variable: number of pages that do not match any part, without
 *                             truly shared pages
 * @MONITOR_FIGURE_CHOICE_PHASE: of a variable: if the choice is MONITOR_CHOICE_PHASE, the index of
 *                               the phase
 * @MONITOR_FIGURE_BOUNDS: of a variable: 1: the savings are upper bounds, because the home's own
 *                         accesses to some pages are not known
 * @MONITOR_FIGURE_COPIES_GAIN: of a variable: number of cycles by which a copy of the variable on
 *                              each node would shorten the run, after the cost of copying is
 *                              subtracted; 0: copies save nothing, or the variable is written too
 *                              often
 * @MONITOR_FIGURE_COPIES_BYTES: of a variable: memory that these copies would need
 * @MONITOR_FIGURE_ADDRESS: of a role: address of the lock or of the atomic instruction
 * @MONITOR_FIGURE_ATOMIC: of a role: 1: the role is an atomic instruction
 * @MONITOR_FIGURE_TURNS: of a role: how many times the threads took the lock, in total
 * @MONITOR_FIGURE_EVEN: of a role: 1: all threads took the lock equally often
 * @MONITOR_FIGURE_THREADS: of a role: number of threads, for Monitor_advise_role_thread()
 * @MONITOR_FIGURE_LOOP: of a role: 1: it is the lock with which libgomp hands out the chunks of
 *                       OpenMP's loops to threads
 * @MONITOR_FIGURE_LATER: of a role: 1: before threads took this lock, they had taken other locks or
 *                        waited at a barrier. The call in the program that takes this lock takes
 *                        other locks, too, in some threads more often than in others. This lock may
 *                        therefore give work to threads
 *
 * A new version may add figures; the numbers of the existing figures never change.
 */
enum Monitor_figure {
	MONITOR_FIGURE_PAGES = 0,
	MONITOR_FIGURE_ACCESSES = 1,
	MONITOR_FIGURE_CYCLES = 2,
	MONITOR_FIGURE_ADVISED_CYCLES = 3,
	MONITOR_FIGURE_MOVED = 4,
	MONITOR_FIGURE_SHARED = 5,
	MONITOR_FIGURE_WRONG = 6,
	MONITOR_FIGURE_NODES = 7,
	MONITOR_FIGURE_FREQUENCY_HZ = 8,
	MONITOR_FIGURE_RUNS = 9,
	MONITOR_FIGURE_DATA = 10,
	MONITOR_FIGURE_ROLES = 11,
	MONITOR_FIGURE_MACHINE_RECORDED = 12,
	MONITOR_FIGURE_FIRST_TOUCH = 13,
	MONITOR_FIGURE_TIME_NOW = 14,
	MONITOR_FIGURE_TIME_THEN = 15,
	MONITOR_FIGURE_TIME_MOST = 16,
	MONITOR_FIGURE_TIME_LEAST = 17,
	MONITOR_FIGURE_TIME_SINGLE = 18,
	MONITOR_FIGURE_TIME_ACCESSES = 19,
	MONITOR_FIGURE_TIME_ESTIMATED = 20,
	MONITOR_FIGURE_OFFSET = 21,
	MONITOR_FIGURE_FIRST = 22,
	MONITOR_FIGURE_START = 23,
	MONITOR_FIGURE_PARTS = 24,
	MONITOR_FIGURE_EXCEPTIONS = 25,
	MONITOR_FIGURE_CHOICE_PHASE = 26,
	MONITOR_FIGURE_BOUNDS = 27,
	MONITOR_FIGURE_COPIES_GAIN = 28,
	MONITOR_FIGURE_COPIES_BYTES = 29,
	MONITOR_FIGURE_ADDRESS = 30,
	MONITOR_FIGURE_ATOMIC = 31,
	MONITOR_FIGURE_TURNS = 32,
	MONITOR_FIGURE_EVEN = 33,
	MONITOR_FIGURE_THREADS = 34,
	MONITOR_FIGURE_LOOP = 35,
	MONITOR_FIGURE_LATER = 36,
};

/**
 * Monitor_advise_figure() - Get a number that an advice contains.
 * @figure: the figure
 *
 * Context: any thread.
 * Return: the number; 0 if this is not a figure of an advice.
 */
uint64_t Monitor_advise_figure(const struct Monitor_advise *advise, enum Monitor_figure figure);

/**
 * Monitor_advise_machine_name() - Get the name of the latency model for which an advice was made.
 *
 * Context: any thread.
 * Return: the name.
 */
const char *Monitor_advise_machine_name(const struct Monitor_advise *advise);

/**
 * Monitor_advise_page_at() - Get the advice on one page.
 * @index: index of the page, from 0, less than MONITOR_FIGURE_PAGES; pages ascend
 *
 * Context: any thread.
 * Return: the page; NULL if @index is too large.
 */
const struct Monitor_advice *Monitor_advise_page_at(const struct Monitor_advise *advise,
						    size_t index);

/* ---- runs of pages --------------------------------------------------------------------------- */

/**
 * Monitor_advise_run_at() - Get a run: neighbouring pages of one region that have the same advice.
 * @index: index of the run, from 0, less than MONITOR_FIGURE_RUNS; runs ascend by page
 *
 * Context: any thread.
 * Return: the run; NULL if @index is too large.
 */
const struct Monitor_advise_run *Monitor_advise_run_at(const struct Monitor_advise *advise,
						       size_t index);

/**
 * Monitor_advise_run_figure() - Get a number that a run contains.
 * @figure: the figure
 *
 * Context: any thread.
 * Return: the number; 0 if this is not a figure of a run.
 */
uint64_t Monitor_advise_run_figure(const struct Monitor_advise_run *run,
				   enum Monitor_figure figure);

/**
 * Monitor_advise_run_region() - Get the region in which a run lies.
 *
 * Context: any thread.
 * Return: the region; NULL if no region is known.
 */
const struct Monitor_region *Monitor_advise_run_region(const struct Monitor_advise_run *run);

/**
 * Monitor_advise_run_share() - Get the advised node's share of the cost of a run.
 *
 * Context: any thread.
 * Return: the share, 0 to 1, averaged over the pages, weighted by their cost.
 */
double Monitor_advise_run_share(const struct Monitor_advise_run *run);

/* ---- variables ------------------------------------------------------------------------------- */

/* The way in which the pages of one variable should be placed. */
enum Monitor_layout {
	MONITOR_LAYOUT_STAYS, /* where they are, which is on one node */
	MONITOR_LAYOUT_NODE, /* all on one node */
	MONITOR_LAYOUT_BLOCKS, /* in blocks, one for each node */
	MONITOR_LAYOUT_CYCLIC, /* in blocks of one size, on one node after another, repeatedly */
	MONITOR_LAYOUT_SHARED, /* most are truly shared, so no node is best */
	MONITOR_LAYOUT_MIXED, /* each on its own best node */
};

/* The reason why the pages of one variable should be placed as advised. */
enum Monitor_advise_choice {
	MONITOR_CHOICE_PAGES, /* each page costs least on its advised node */
	MONITOR_CHOICE_STAYS, /* where they are: simple, and at most 5 percent slower */
	MONITOR_CHOICE_NODE, /* all on one node: as simple and fast as _STAYS */
	MONITOR_CHOICE_INTERLEAVE, /* page by page over all nodes: as simple and fast as _STAYS */
	MONITOR_CHOICE_BLOCKS, /* in equal blocks: as simple and fast as _STAYS */
	MONITOR_CHOICE_PHASE, /* phases disagree: best for the phase that costs most */
};

/**
 * Monitor_advise_data_at() - Get the pages of one variable, or of the rest of a region.
 * @index: index of the data, from 0, less than MONITOR_FIGURE_DATA; the data with the largest
 *         saving has index 0
 *
 * Context: any thread.
 * Return: the data; NULL if @index is too large.
 */
const struct Monitor_advise_data *Monitor_advise_data_at(const struct Monitor_advise *advise,
							 size_t index);

/**
 * Monitor_advise_data_figure() - Get a number that the advice has for the pages of a variable.
 * @figure: the figure
 *
 * If MONITOR_FIGURE_BOUNDS is 1, the saving of a move is an upper bound.
 *
 * Context: any thread.
 * Return: the number; 0 if this is not a figure of a variable.
 */
uint64_t Monitor_advise_data_figure(const struct Monitor_advise_data *data,
				    enum Monitor_figure figure);

/**
 * Monitor_advise_data_variable() - Get the variable that lies on the pages.
 *
 * Context: any thread.
 * Return: the variable; NULL if no variable is known for the pages.
 */
const struct Monitor_variable *Monitor_advise_data_variable(const struct Monitor_advise_data *data);

/**
 * Monitor_advise_data_page() - Get a page of a variable.
 * @index: from 0, less than MONITOR_FIGURE_PAGES
 *
 * Context: any thread.
 * Return: the page's index for Monitor_advise_page_at(), which ascends with @index; SIZE_MAX if
 * @index is too large.
 */
size_t Monitor_advise_data_page(const struct Monitor_advise_data *data, size_t index);

/**
 * Monitor_advise_data_layout() - Get the layout in which the pages of a variable should be placed.
 *
 * Context: any thread.
 * Return: the recognised layout.
 */
enum Monitor_layout Monitor_advise_data_layout(const struct Monitor_advise_data *data);

/**
 * Monitor_advise_data_choice() - Get the reason why the pages of a variable should be placed as
 * advised.
 *
 * Context: any thread.
 * Return: the choice.
 */
enum Monitor_advise_choice Monitor_advise_data_choice(const struct Monitor_advise_data *data);

/**
 * Monitor_advise_data_unit() - Get the unit in which the parts of a variable are given.
 *
 * Context: any thread.
 * Return: "rows", "columns", "items" or "pages".
 */
const char *Monitor_advise_data_unit(const struct Monitor_advise_data *data);

/**
 * Monitor_advise_data_part() - Get a part: neighbouring pages of a variable that should lie on one
 * node.
 * @index: from 0, less than MONITOR_FIGURE_PARTS, which is 0 if the layout is _MIXED or _SHARED. If
 *         the layout is _CYCLIC, only the parts of the first round over the nodes are listed
 * @first: receives the first item, in the unit of the parts
 * @last: receives the last item
 * @pages: receives the number of accessed pages
 *
 * Context: any thread.
 * Return: the node.
 * Errors: -EINVAL: @index is too large.
 */
int Monitor_advise_data_part(const struct Monitor_advise_data *data, size_t index, int64_t *first,
			     int64_t *last, uint64_t *pages);

/* ---- roles ----------------------------------------------------------------------------------- */

/**
 * Monitor_advise_role_at() - Get a role: a lock that gives threads their part of the work.
 * @index: from 0, less than MONITOR_FIGURE_ROLES
 *
 * A role is a lock that two or more threads on several nodes took before any other lock and before
 * any barrier, or an atomic instruction that divides the work. The order in which the threads take
 * the lock decides which thread gets which part of the work, and the advised placement is right
 * only for the recorded order. If pages are placed differently, the threads may take the lock in a
 * different order.
 *
 * Context: any thread.
 * Return: the role; NULL if @index is too large.
 */
const struct Monitor_advise_role *Monitor_advise_role_at(const struct Monitor_advise *advise,
							 size_t index);

/**
 * Monitor_advise_role_figure() - Get a number that the advice has for a role.
 * @figure: the figure
 *
 * Context: any thread.
 * Return: the number; 0 if this is not a figure of a role.
 */
uint64_t Monitor_advise_role_figure(const struct Monitor_advise_role *role,
				    enum Monitor_figure figure);

/**
 * Monitor_advise_role_name() - Get the name of the data at the lock's address.
 *
 * Context: any thread.
 * Return: a name such as "global_lock"; "0x7f1000" if nothing is known about the address.
 */
const char *Monitor_advise_role_name(const struct Monitor_advise_role *role);

/**
 * Monitor_advise_role_call() - Get the source line or function in which the lock is taken.
 *
 * Context: any thread.
 * Return: text such as "main.c:20 (work)"; "" if it is not known.
 */
const char *Monitor_advise_role_call(const struct Monitor_advise_role *role);

/**
 * Monitor_advise_role_thread() - Get a thread that took the lock.
 * @index: index of the thread, from 0, less than MONITOR_FIGURE_THREADS; in the order in which the
 *         threads first took the lock
 *
 * Context: any thread.
 * Return: the thread; UINT32_MAX if @index is too large.
 */
uint32_t Monitor_advise_role_thread(const struct Monitor_advise_role *role, size_t index);

/* ---- in words -------------------------------------------------------------------------------- */

#define MONITOR_SENTENCE_BYTES 1024

/**
 * Monitor_advise_action() - Describe the change of the source that places a variable's pages as
 * advised.
 * @text: receives the text; caller-owned, MONITOR_SENTENCE_BYTES long
 *
 * Context: only the thread that uses the Monitor.
 * Return: @text; NULL if nothing must be changed.
 */
char *Monitor_advise_action(const struct Monitor_advise *advise,
			    const struct Monitor_advise_data *data, char *text);

/**
 * Monitor_advise_sentence() - Describe what is wrong with the placement of a variable's pages, and
 * where they should lie.
 * @text: receives the text; caller-owned, MONITOR_SENTENCE_BYTES long
 *
 * Context: only the thread that uses the Monitor.
 * Return: @text.
 */
char *Monitor_advise_sentence(const struct Monitor_advise *advise,
			      const struct Monitor_advise_data *data, char *text);

/**
 * Monitor_advise_role_sentence() - Describe how a lock affects the placement, and what to change.
 * @text: receives the text; caller-owned, MONITOR_SENTENCE_BYTES long
 *
 * Context: only the thread that uses the Monitor.
 * Return: @text.
 */
char *Monitor_advise_role_sentence(const struct Monitor_advise_role *role, char *text);

/**
 * Monitor_advise_explain() - Explain why a run with the advised placement differs from the
 * prediction.
 * @mon: Monitor that holds the records of all nodes of the run with the advised placement
 * @text: receives one sentence without a full stop at the end; caller-owned, MONITOR_SENTENCE_BYTES
 *        long
 *
 * The sentence names the phase and the node with the largest difference, and says whether the time
 * of accesses or the time of waiting differs.
 *
 * Context: only the thread that uses both Monitors.
 * Return: 0.
 * Errors: -EINVAL: the run with the advised placement had a different number of nodes; -ENODATA:
 * its recording has no accesses or no machine; -ENOMEM.
 */
int Monitor_advise_explain(const struct Monitor_advise *advise, struct Monitor *mon, char *text);

/**
 * Monitor_advise_note() - Describe a limit of the advice, such as accesses that were not recorded.
 * @index: from 0
 * @text: receives the note; caller-owned, @bytes long; 512 bytes are enough for any note
 * @bytes: length of @text
 *
 * Context: only the thread that uses the Monitor.
 * Return: @text; NULL if there are no more notes.
 */
const char *Monitor_advise_note(const struct Monitor_advise *advise, size_t index, char *text,
				size_t bytes);

/**
 * Monitor_advise_placement() - Write the placement file that `smile run --place` and `smile
 * place` read.
 * @out: file to write to
 *
 * Context: only the thread that uses the Monitor.
 * Return: 0.
 * Errors: -EINVAL: a page is on two nodes, which a placement file cannot express; -EIO.
 */
int Monitor_advise_placement(const struct Monitor_advise *advise, FILE *out);

/**
 * Monitor_choice_name() - Get the name of a choice.
 * @choice: a choice
 *
 * Context: any thread.
 * Return: "pages", "interleave" and so on.
 */
const char *Monitor_choice_name(enum Monitor_advise_choice choice);

/**
 * Monitor_layout_name() - Get the name of a layout.
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
