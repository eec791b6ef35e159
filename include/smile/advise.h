/* SPDX-License-Identifier: MIT */
/*
 * Advice: the node on which each page should lie, and the saving by this placement.
 *
 * What lives here: the public interface of libsmile-analysis. It joins the page advice of
 * Monitor_advice() into runs of neighbouring pages and into the pages of each variable, recognises
 * a layout for each variable, and predicts the run time with the new placement.
 *
 *	struct Monitor_advise *advise;
 *	if (Monitor_advise_new(mon, NULL, &advise) < 0)
 *		errx(2, "%s", Monitor_error_message());
 *	for (size_t i = 0; i < Monitor_advise_figure(advise, MONITOR_FIGURE_DATA); i++)
 *		puts(Monitor_advise_sentence(advise, Monitor_advise_data_at(advise, i), text));
 *	Monitor_advise_free(advise);
 *
 * All structs are opaque, so that a new version can add members. A caller reads numbers by the name
 * of a figure.
 *
 * Errors and threads: as in smile/monitor.h. The advice belongs to its Monitor: free it before
 * Monitor_close(). All that it contains belongs to the advice.
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
 * @out: receives the options; untouched on failure
 *
 * The defaults are: the recorded machine; all phases; a page is truly shared if no node has half of
 * its cost; each page moves that saves at least one cycle.
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
 * Monitor_advise_options_machine() - Advise for this machine, not for the recorded one.
 * @name: name of the machine's latency model; not copied: it must stay valid as long as each advice
 *        made with it
 * @weights: cycles of accesses
 * @frequency_hz: clock of a node's processor
 *
 * For another machine the recorded run time has no meaning, and no run time is predicted.
 *
 * Context: any thread.
 */
void Monitor_advise_options_machine(struct Monitor_advise_options *options, const char *name,
				    const struct Monitor_weights *weights, uint64_t frequency_hz);

/**
 * Monitor_advise_options_fallback() - Advise for this machine if none was recorded.
 * @name: as for Monitor_advise_options_machine()
 * @weights: cycles of accesses
 * @frequency_hz: clock of a node's processor
 *
 * Without this call Monitor_advise_new() fails for a recording without a machine.
 *
 * Context: any thread.
 */
void Monitor_advise_options_fallback(struct Monitor_advise_options *options, const char *name,
				     const struct Monitor_weights *weights, uint64_t frequency_hz);

/**
 * Monitor_advise_options_phase() - Consider only the phases of one name.
 * @phase: the name; not copied: it must stay valid as long as each advice made with it. NULL: all
 *         phases
 *
 * Context: any thread.
 */
void Monitor_advise_options_phase(struct Monitor_advise_options *options, const char *phase);

/**
 * Monitor_advise_options_shared_below() - Choose which pages are truly shared.
 * @share: a page is truly shared if the node with the largest cost has less than this share of the
 *         page's cost; 0: no page is truly shared
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -EINVAL: @share is not within 0 to 1.
 */
int Monitor_advise_options_shared_below(struct Monitor_advise_options *options, double share);

/**
 * Monitor_advise_options_min_gain() - Do not move pages that save little.
 * @cycles: a page that saves fewer cycles stays where it is
 *
 * Context: any thread.
 */
void Monitor_advise_options_min_gain(struct Monitor_advise_options *options, uint64_t cycles);

/* ---- an advice ------------------------------------------------------------------------------- */

/**
 * Monitor_advise_new() - Advise on the placement of all pages.
 * @mon: holds the records of all nodes of a run
 * @options: options, which may be freed afterwards; NULL: the defaults of
 *           Monitor_advise_options_new()
 * @out: receives the advice; untouched on failure
 *
 * Source: "Memory access behavior analysis of NUMA-based shared memory programs" (2002), section 4.
 *
 * Return: 0.
 * Errors: -ENODATA: the recording has no accesses, no phase of this name, or no machine;
 * -EOPNOTSUPP: recordings of samples; -EINVAL; -ENOMEM.
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
 * @MONITOR_FIGURE_PAGES: of an advice, a run and a variable: accessed pages
 * @MONITOR_FIGURE_ACCESSES: of an advice, a run and a variable: accesses
 * @MONITOR_FIGURE_CYCLES: of an advice, a run and a variable: cost now
 * @MONITOR_FIGURE_ADVISED_CYCLES: of an advice, a run and a variable: cost with each page on its
 *     advised node
 * @MONITOR_FIGURE_MOVED: of an advice and of a variable: pages to move: wrong pages, and truly
 *     shared pages that save cycles
 * @MONITOR_FIGURE_SHARED: of an advice and of a variable: truly shared pages
 * @MONITOR_FIGURE_WRONG: of an advice and of a variable: wrong pages, which are pages where another
 *     node than the home has half or more of the cost
 * @MONITOR_FIGURE_NODES: of an advice: nodes of the machine
 * @MONITOR_FIGURE_FREQUENCY_HZ: of an advice: clock of a node's processor
 * @MONITOR_FIGURE_RUNS: of an advice: runs, for Monitor_advise_run_at()
 * @MONITOR_FIGURE_DATA: of an advice: variables, for Monitor_advise_data_at()
 * @MONITOR_FIGURE_ROLES: of an advice: roles, for Monitor_advise_role_at()
 * @MONITOR_FIGURE_MACHINE_RECORDED: of an advice: 1: the advice is for the recorded machine
 * @MONITOR_FIGURE_FIRST_TOUCH: of an advice: 1: the placement file does not place the pages that
 *     only their advised node accesses; the node that accesses them first gets them. If threads
 *     take their work from a queue, other threads may use these pages in the next run
 * @MONITOR_FIGURE_TIME_NOW: of an advice, like all _TIME_ figures: run time of the considered
 *     phases, in cycles; 0: unknown. _NOW is the recorded run time
 * @MONITOR_FIGURE_TIME_THEN: predicted run time, if waits for locks do not change, and other
 *     waiting shrinks with the time of the busiest node
 * @MONITOR_FIGURE_TIME_MOST: predicted run time, if nodes wait for each other as long as now, and
 *     waits for locks grow by the largest factor by which any node slows down; if threads take work
 *     from a queue, at least the time with all pages remote that several nodes access
 * @MONITOR_FIGURE_TIME_LEAST: predicted run time, if waits for locks shrink with the time of the
 *     busiest node, too; if threads take work from a queue, at most the time with evenly divided
 *     work and only local accesses
 * @MONITOR_FIGURE_TIME_SINGLE: predicted run time on one processor, with all data local
 * @MONITOR_FIGURE_TIME_ACCESSES: predicted cycles of all accesses
 * @MONITOR_FIGURE_TIME_ESTIMATED: 1: the nodes' work is estimated from accesses, not recorded
 * @MONITOR_FIGURE_OFFSET: of a run: page of the region at which the run starts, from 0
 * @MONITOR_FIGURE_FIRST: of a run: its first page, for Monitor_advise_page_at()
 * @MONITOR_FIGURE_START: of a variable: its address; the address of the first page if nothing is
 *     known about the pages
 * @MONITOR_FIGURE_PARTS: of a variable: parts, for Monitor_advise_data_part()
 * @MONITOR_FIGURE_EXCEPTIONS: of a variable: pages that fit no part, not counting truly shared
 *     pages
 * @MONITOR_FIGURE_CHOICE_PHASE: of a variable: with MONITOR_CHOICE_PHASE, the index of the phase
 * @MONITOR_FIGURE_BOUNDS: of a variable: 1: savings are upper bounds, because the home's own
 *     accesses are not known for some pages
 * @MONITOR_FIGURE_COPIES_GAIN: of a variable: cycles of run time that a copy on each node would
 *     save, the cost of copying subtracted; 0: copies save nothing, or the variable is written too
 *     often
 * @MONITOR_FIGURE_COPIES_BYTES: of a variable: memory of those copies
 * @MONITOR_FIGURE_ADDRESS: of a role: address of the lock or of the atomic instruction
 * @MONITOR_FIGURE_ATOMIC: of a role: 1: the role is an atomic instruction
 * @MONITOR_FIGURE_TURNS: of a role: how often all threads together took it
 * @MONITOR_FIGURE_EVEN: of a role: 1: all threads took it equally often
 * @MONITOR_FIGURE_THREADS: of a role: number of threads, for Monitor_advise_role_thread()
 * @MONITOR_FIGURE_LOOP: of a role: 1: it is a lock of libgomp that gives threads the chunks of
 *     OpenMP's loops
 * @MONITOR_FIGURE_LATER: of a role: 1: threads took other locks, or met, before they took this one.
 *     It may hand out work: it is one of several locks at one place in the program that some
 *     threads take more often than others
 *
 * A new version may add figures; the numbers of old figures never change.
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
 * Monitor_advise_figure() - A number of an advice.
 * @figure: the figure
 *
 * Context: any thread.
 * Return: the number; 0 if an advice does not have this figure.
 */
uint64_t Monitor_advise_figure(const struct Monitor_advise *advise, enum Monitor_figure figure);

/**
 * Monitor_advise_machine_name() - Name of the latency model that an advice is for.
 *
 * Context: any thread.
 * Return: the name.
 */
const char *Monitor_advise_machine_name(const struct Monitor_advise *advise);

/**
 * Monitor_advise_page_at() - The advice on one page.
 * @index: from 0, less than MONITOR_FIGURE_PAGES; ascending by page
 *
 * Context: any thread.
 * Return: the page; NULL if @index is too large.
 */
const struct Monitor_advice *Monitor_advise_page_at(const struct Monitor_advise *advise,
						    size_t index);

/* ---- runs of pages --------------------------------------------------------------------------- */

/**
 * Monitor_advise_run_at() - Neighbouring pages of one region with the same advice.
 * @index: from 0, less than MONITOR_FIGURE_RUNS; ascending by page
 *
 * Context: any thread.
 * Return: the run; NULL if @index is too large.
 */
const struct Monitor_advise_run *Monitor_advise_run_at(const struct Monitor_advise *advise,
						       size_t index);

/**
 * Monitor_advise_run_figure() - A number of a run.
 * @figure: the figure
 *
 * Context: any thread.
 * Return: the number; 0 if a run does not have this figure.
 */
uint64_t Monitor_advise_run_figure(const struct Monitor_advise_run *run,
				   enum Monitor_figure figure);

/**
 * Monitor_advise_run_region() - The region that a run lies in.
 *
 * Context: any thread.
 * Return: the region; NULL if none is known.
 */
const struct Monitor_region *Monitor_advise_run_region(const struct Monitor_advise_run *run);

/**
 * Monitor_advise_run_share() - Share of the advised node in all cost of a run.
 *
 * Context: any thread.
 * Return: 0 to 1, weighted by cost.
 */
double Monitor_advise_run_share(const struct Monitor_advise_run *run);

/* ---- variables ------------------------------------------------------------------------------- */

/* How the pages of one variable should lie. */
enum Monitor_layout {
	MONITOR_LAYOUT_STAYS, /* where they are, on one node */
	MONITOR_LAYOUT_NODE, /* all on one node */
	MONITOR_LAYOUT_BLOCKS, /* in blocks, one for each node */
	MONITOR_LAYOUT_CYCLIC, /* in blocks of one size, over the nodes in turn */
	MONITOR_LAYOUT_SHARED, /* most are truly shared: no node is best */
	MONITOR_LAYOUT_MIXED, /* each on its own best node */
};

/* Why the pages of one variable should lie as advised. */
enum Monitor_advise_choice {
	MONITOR_CHOICE_PAGES, /* each page is best there */
	MONITOR_CHOICE_STAYS, /* where they are: simple, and within 5 percent as fast */
	MONITOR_CHOICE_NODE, /* all on one node: as simple and fast as _STAYS */
	MONITOR_CHOICE_INTERLEAVE, /* page by page over all nodes: as simple and fast */
	MONITOR_CHOICE_BLOCKS, /* in equal blocks: as simple and fast */
	MONITOR_CHOICE_PHASE, /* best for one phase, which costs most: phases disagree */
};

/**
 * Monitor_advise_data_at() - The pages of one variable, or of the rest of a region.
 * @index: from 0, less than MONITOR_FIGURE_DATA; the largest saving first
 *
 * Context: any thread.
 * Return: the data; NULL if @index is too large.
 */
const struct Monitor_advise_data *Monitor_advise_data_at(const struct Monitor_advise *advise,
							 size_t index);

/**
 * Monitor_advise_data_figure() - A number of the pages of a variable.
 * @figure: the figure
 *
 * With MONITOR_FIGURE_BOUNDS, the saving of a move is an upper bound.
 *
 * Context: any thread.
 * Return: the number; 0 if data does not have this figure.
 */
uint64_t Monitor_advise_data_figure(const struct Monitor_advise_data *data,
				    enum Monitor_figure figure);

/**
 * Monitor_advise_data_variable() - The variable that lies on the pages.
 *
 * Context: any thread.
 * Return: the variable; NULL if nothing is known about the pages.
 */
const struct Monitor_variable *Monitor_advise_data_variable(const struct Monitor_advise_data *data);

/**
 * Monitor_advise_data_page() - A page of a variable.
 * @index: from 0, less than MONITOR_FIGURE_PAGES
 *
 * Context: any thread.
 * Return: its index for Monitor_advise_page_at(), ascending; SIZE_MAX if @index is too large.
 */
size_t Monitor_advise_data_page(const struct Monitor_advise_data *data, size_t index);

/**
 * Monitor_advise_data_layout() - How the pages of a variable should lie.
 *
 * Context: any thread.
 * Return: the recognised layout.
 */
enum Monitor_layout Monitor_advise_data_layout(const struct Monitor_advise_data *data);

/**
 * Monitor_advise_data_choice() - Why the pages of a variable should lie as advised.
 *
 * Context: any thread.
 * Return: the choice.
 */
enum Monitor_advise_choice Monitor_advise_data_choice(const struct Monitor_advise_data *data);

/**
 * Monitor_advise_data_unit() - Unit of a variable's parts.
 *
 * Context: any thread.
 * Return: "rows", "columns", "items" or "pages".
 */
const char *Monitor_advise_data_unit(const struct Monitor_advise_data *data);

/**
 * Monitor_advise_data_part() - Neighbouring pages of a variable that should lie on one node.
 * @index: from 0, less than MONITOR_FIGURE_PARTS, which is 0 if the layout is _MIXED or _SHARED.
 *         With the layout _CYCLIC, only the parts of the first turn are listed
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
 * Monitor_advise_role_at() - A lock that gives threads their part of the work.
 * @index: from 0, less than MONITOR_FIGURE_ROLES
 *
 * A role is a lock that two or more threads on several nodes took before any other lock and before
 * any barrier, or an atomic instruction that divides the work. If pages have other homes, threads
 * reach the lock in another order, but a placement is only right with the recorded order.
 *
 * Context: any thread.
 * Return: the role; NULL if @index is too large.
 */
const struct Monitor_advise_role *Monitor_advise_role_at(const struct Monitor_advise *advise,
							 size_t index);

/**
 * Monitor_advise_role_figure() - A number of a role.
 * @figure: the figure
 *
 * Context: any thread.
 * Return: the number; 0 if a role does not have this figure.
 */
uint64_t Monitor_advise_role_figure(const struct Monitor_advise_role *role,
				    enum Monitor_figure figure);

/**
 * Monitor_advise_role_name() - Name of the data at the lock's address.
 *
 * Context: any thread.
 * Return: a name such as "global_lock"; "0x7f1000" if nothing is known about the address.
 */
const char *Monitor_advise_role_name(const struct Monitor_advise_role *role);

/**
 * Monitor_advise_role_call() - Where the lock is taken.
 *
 * Context: any thread.
 * Return: text such as "main.c:20 (work)"; "" if the place is not known.
 */
const char *Monitor_advise_role_call(const struct Monitor_advise_role *role);

/**
 * Monitor_advise_role_thread() - A thread that took the lock.
 * @index: from 0, less than MONITOR_FIGURE_THREADS; in the order in which they first took it
 *
 * Context: any thread.
 * Return: the thread; UINT32_MAX if @index is too large.
 */
uint32_t Monitor_advise_role_thread(const struct Monitor_advise_role *role, size_t index);

/* ---- in words -------------------------------------------------------------------------------- */

#define MONITOR_SENTENCE_BYTES 1024

/**
 * Monitor_advise_action() - What to change in the source for a variable's pages to lie as advised.
 * @text: caller-owned, MONITOR_SENTENCE_BYTES long
 *
 * Context: one thread at a time, the one that uses the Monitor.
 * Return: @text; NULL if nothing must be changed.
 */
char *Monitor_advise_action(const struct Monitor_advise *advise,
			    const struct Monitor_advise_data *data, char *text);

/**
 * Monitor_advise_sentence() - What is wrong with a variable's pages, and where they should lie.
 * @text: caller-owned, MONITOR_SENTENCE_BYTES long
 *
 * Context: one thread at a time, the one that uses the Monitor.
 * Return: @text.
 */
char *Monitor_advise_sentence(const struct Monitor_advise *advise,
			      const struct Monitor_advise_data *data, char *text);

/**
 * Monitor_advise_role_sentence() - How a lock affects the placement, and what to change.
 * @text: caller-owned, MONITOR_SENTENCE_BYTES long
 *
 * Context: one thread at a time, the one that uses the Monitor.
 * Return: @text.
 */
char *Monitor_advise_role_sentence(const struct Monitor_advise_role *role, char *text);

/**
 * Monitor_advise_explain() - Why a run with the advised placement differs from the prediction.
 * @mon: holds the records of all nodes of the run with the advised placement
 * @text: caller-owned, MONITOR_SENTENCE_BYTES long; receives one sentence without its final full
 *        stop
 *
 * The sentence names the phase and the node that differ most, and whether accesses or waiting
 * differ.
 *
 * Context: one thread at a time, the one that uses both Monitors.
 * Return: 0.
 * Errors: -EINVAL: the run with the advised placement had another number of nodes; -ENODATA: it has
 * no accesses or no machine; -ENOMEM.
 */
int Monitor_advise_explain(const struct Monitor_advise *advise, struct Monitor *mon, char *text);

/**
 * Monitor_advise_note() - A limit of the advice, such as accesses that were not recorded.
 * @index: from 0
 * @text: caller-owned, shape [@bytes]; 512 bytes hold any note
 * @bytes: length of @text
 *
 * Context: one thread at a time, the one that uses the Monitor.
 * Return: @text; NULL if there are no more notes.
 */
const char *Monitor_advise_note(const struct Monitor_advise *advise, size_t index, char *text,
				size_t bytes);

/**
 * Monitor_advise_placement() - Write the placement file that `smile run --place` and `smile
 * place` read.
 * @out: file to write to
 *
 * Context: one thread at a time, the one that uses the Monitor.
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
