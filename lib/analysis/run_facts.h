/* SPDX-License-Identifier: MIT */
/*
 * Run facts: decodes the facts about a run from the JSON document in a recording, or from a
 * summary.
 *
 * What lives here: the decoder of all members of smile.run/1, smile.run/2, smile.sample/1 and
 * smile.place/1 that are used anywhere in this project. smile-run(1), smile-sample(1) and
 * smile-place(1) describe these members. This header describes a member of a struct only if it
 * differs from the member of the document. If a document lacks a member, or if the member has
 * another type, the member of the struct is 0, NULL or false. May use the public API and jansson.
 */
#ifndef LIB_ANALYSIS_RUN_FACTS_H
#define LIB_ANALYSIS_RUN_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include <smile/monitor.h>

/*
 * A struct for a list of the document. If the document does not have the list, the pointer @at is
 * NULL.
 */
#define RUN_FACTS_LIST(type)                                                                       \
	struct {                                                                                   \
		type *at;                                                                          \
		size_t count;                                                                      \
	}

struct run_facts_row {
	double *at;
	size_t count;
};

struct run_facts_rows {
	struct run_facts_row *at;
	size_t count;
};

struct run_facts_counts {
	uint64_t *at;
	size_t count;
};

/**
 * struct Monitor_advise_machine - The cost of accesses on a machine.
 * @name: name of the latency model
 * @weights: cycles of accesses
 * @frequency_hz: clock frequency of a node's processors
 */
struct Monitor_advise_machine {
	const char *name;
	struct Monitor_weights weights;
	uint64_t frequency_hz;
};

struct run_facts_cache {
	const char *level;
	uint64_t bytes, line_bytes, ways, cycles;
};

/* @access_cycles: cycles of all accesses, including the accesses that caches served */
struct run_facts_node {
	uint64_t cache_hits, remote_reads, transfers, access_cycles;
};

struct run_facts_nodes {
	struct run_facts_node *at;
	size_t count;
};

struct run_facts_phase {
	const char *name;
	uint64_t cycles;
	struct run_facts_nodes by_node;
};

struct run_facts_thread {
	uint64_t node, begin_cycle, end_cycle;
};

/*
 * Each struct run_facts_row has an element for each node. @not_handed_out: according to the
 * document, no thread takes its work from a queue in this interval.
 */
struct run_facts_interval {
	uint64_t phase, cycles;
	bool not_handed_out;
	struct run_facts_row work_cycles, threads, lock_wait_cycles, time_wait_cycles;
};

struct run_facts_role {
	uint64_t lock, site, turns;
	bool atomic, loop, even, later;
	struct run_facts_row threads;
};

struct run_facts_lock {
	uint64_t lock, site;
};

/* @accesses: number of accesses; -1: not known */
struct run_facts_left {
	const char *reason;
	int64_t accesses;
};

/* Traffic from one node to another that crosses a link. */
struct run_facts_crossing {
	uint64_t source, target;
	double share;
};

/* The latencies of the samples that one cache or memory has served. @low, @high: the mean's band */
struct run_facts_served {
	const char *served;
	uint64_t samples;
	double cycles, low, high;
};

/*
 * The latencies of samples of a page. @served: index of the cache or memory that has served them;
 * @cycles, @squares: sums of the latencies, and of their squares
 */
struct run_facts_latency {
	int64_t page, served;
	uint64_t samples;
	double cycles, squares;
};

/* Samples of threads with the same name. @name: NULL if it is not known */
struct run_facts_named {
	const char *name;
	uint64_t threads, samples, pages, transactions, remote;
	struct run_facts_counts by_node;
};

/* Homes of pages in a phase, by the nodes of the machine. @phase: NULL before the first phase */
struct run_facts_homes {
	const char *phase;
	uint64_t moves;
	struct run_facts_counts pages;
};

/* Results of `smile place` for a region. */
struct run_facts_region {
	uint64_t pages, placed;
};

/**
 * struct run_facts - The facts. The lists, names and rows in it are valid as long as the struct.
 * @document: the recorded document, for code that passes it on; NULL: there is no document. If the
 *            document has none of the four schemas, and is not of samples, all other members are 0
 * @machine: the cost of accesses. If the document lacks a part of the cost, @machine has no name
 * @model: name of the machine model
 * @read_cycles: if homes are not equally far, the cycles of a read, by accessing node and home
 * @cache: the papers' cache of remote memory; if its size is 0 bytes, the machine has no such cache
 * @caches: caches in front of all memory
 * @migration: if pages could move during the run, the object "migration"
 * @samples: for samples, the mark "sampled" of their recordings. @source and @unit are "?" if the
 *           document lacks them. @object is the whole object, for code that passes it on; NULL: the
 *           counts are exact
 * @one_thread: for samples: the process was not seen to have a second thread
 * @others: for samples, the number of samples of other processes; the recording does not count them
 * @copy: for samples: the process is a copy of its parent, and has executed no program
 * @parent: for samples, the process that started the process; 0: `smile sample` started it
 * @process: for samples, the process of `smile sample --children`; 0: the document names no process
 * @latencies: for samples, the latencies of all pages by @served, and of each page and @names
 * @thread_names: for samples, the samples by names of threads. @array has the rows, for code that
 *                passes them on
 * @homes: for samples, the homes of pages by @nodes
 * @unscanned_nodes: for samples of a program whose pages were placed, the nodes whose pages the
 *                   kernel does not scan. @at is NULL if no pages were placed
 * @regions, @looked_up: for `smile place`, its results
 * @work_by_phase, @cache_by_phase: cycles by phase and node
 * @phases: the phases of a summary; the document in a recording has no phases
 * @lock_waits: the locks with the longest waits, and the cycles of all waits
 * @account: numbers of counted and uncounted accesses, and their unit. @incomplete is the reason
 *           why accesses were not counted that should have been counted. @object is the whole
 *           object, for code that copies it to its output
 * @network: names of the commands of requests, and the busiest link. @object is the whole object,
 *           for code that copies it to its output. The switch has the node number -1
 * @input: path of the file that was standard input; "": standard input was a pipe; NULL: the
 *         document has no information about standard input
 */
struct run_facts {
	json_t *document;
	uint64_t nodes, cycles, single_node_cycles, cache_hits, cache_misses, exit_status;
	struct Monitor_advise_machine machine;
	const char *model;
	struct run_facts_rows read_cycles;
	struct run_facts_cache cache;
	RUN_FACTS_LIST(struct run_facts_cache) caches;
	const char *placement, *placement_file;
	json_t *migration;
	struct {
		json_t *object;
		const char *source, *unit;
	} samples;
	bool one_thread, copy, looked_up;
	uint64_t transactions, remote, others, process, parent, elapsed_ns;
	struct {
		RUN_FACTS_LIST(struct run_facts_served) served;
		RUN_FACTS_LIST(const char *) names;
		RUN_FACTS_LIST(struct run_facts_latency) pages;
		uint64_t rows_left_out;
	} latencies;
	struct {
		json_t *array;
		RUN_FACTS_LIST(struct run_facts_named) rows;
		uint64_t rows_left_out, samples_left_out;
	} thread_names;
	struct {
		struct run_facts_counts nodes, start, end;
		uint64_t moved_pages;
		RUN_FACTS_LIST(struct run_facts_homes) phases;
	} homes;
	struct run_facts_counts unscanned_nodes;
	RUN_FACTS_LIST(struct run_facts_region) regions;
	struct run_facts_nodes by_node;
	RUN_FACTS_LIST(struct run_facts_thread) by_thread;
	uint64_t threads, threads_bound;
	struct run_facts_rows work_by_phase, cache_by_phase;
	RUN_FACTS_LIST(struct run_facts_interval) intervals;
	RUN_FACTS_LIST(struct run_facts_phase) phases;
	RUN_FACTS_LIST(struct run_facts_role) roles;
	struct {
		uint64_t cycles;
		RUN_FACTS_LIST(struct run_facts_lock) locks;
	} lock_waits;
	struct {
		json_t *object;
		const char *unit, *incomplete;
		uint64_t accesses, counted;
		RUN_FACTS_LIST(struct run_facts_left) left_out;
	} account;
	struct {
		json_t *object;
		const char *topology;
		uint64_t link_bytes_per_s;
		struct {
			const char *read, *write, *lock;
		} requests;
		struct {
			json_t *object;
			uint64_t ringlet;
			int64_t from, to;
			double load, full;
			RUN_FACTS_LIST(struct run_facts_crossing) crossed_by;
		} busiest;
	} network;
	RUN_FACTS_LIST(const char *) arguments;
	const char *input;
	struct run_facts_block *blocks;
};

/**
 * run_facts_load() - Decode the document of a Monitor's recordings.
 *
 * Return: 0; -ENOMEM. After an error, the caller has nothing to free.
 */
int run_facts_load(struct Monitor *mon, struct run_facts *facts);

/**
 * run_facts_incomplete() - Return whether the recordings of a run lack some of the run's counts.
 * @why: receives the reason as printable text; "" if no counts are missing, or if the recordings do
 *       not describe a run
 * @bytes: size of @why
 */
bool run_facts_incomplete(struct Monitor *mon, char *why, size_t bytes);

/**
 * run_facts_decode() - Decode a document.
 * @document: the document; the function takes over the caller's reference; NULL: there is no
 *            document
 */
int run_facts_decode(json_t *document, struct run_facts *facts);

void run_facts_free(struct run_facts *facts);

/**
 * run_facts_sampled() - Decode the document of a Monitor's recordings if they are of samples.
 *
 * Return: the facts, which the caller frees with run_facts_sampled_free(); NULL if the recordings
 * are exact, or if memory ran out.
 */
struct run_facts *run_facts_sampled(struct Monitor *mon);

void run_facts_sampled_free(struct run_facts *sampled);

/* Return whether a Monitor's recordings are of samples. */
bool run_facts_are_sampled(struct Monitor *mon);

/**
 * run_facts_missing() - Get the number of recordings of the run that a view does not include. A run
 * of `smile sample` has one recording for each node.
 * @given: number of recordings in the view
 *
 * A node's accesses to its own memory are only in its own recording. Without this recording, the
 * shares of pages on the node are wrong. Return: the number of missing recordings; 0 if the
 * recordings are exact.
 */
size_t run_facts_missing(const struct run_facts *facts, size_t given);

/* Get a number of a row; 0 if the row does not have this number. */
static inline double run_facts_at(const struct run_facts_row *row, size_t index)
{
	return index < row->count ? row->at[index] : 0;
}

static inline double run_facts_in(const struct run_facts_rows *rows, size_t row, size_t index)
{
	return row < rows->count ? run_facts_at(&rows->at[row], index) : 0;
}

#endif /* LIB_ANALYSIS_RUN_FACTS_H */
