/* SPDX-License-Identifier: MIT */
/*
 * Run facts: decodes the facts about a run from the JSON document in a recording, or from a
 * summary.
 *
 * What lives here: the decoder of all members of smile.run/1, smile.run/2 and smile.sample/1 that
 * are used anywhere in this project. smile-run(1) and smile-sample(1) describe these members. This
 * header describes a member of a struct only if it differs from the member of the document. If a
 * document lacks a member, or if the member has another type, the member of the struct is 0, NULL
 * or false. This file may use the public API and jansson.
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

/**
 * struct run_facts - The facts. The lists, names and rows in it are valid as long as the struct.
 * @document: the recorded document, for code that copies it to its output; NULL: there is no
 *            document. If the document has none of the three schemas, all other members are 0
 * @machine: the cost of accesses. If the document lacks a part of the cost, @machine has no name
 * @model: name of the machine model
 * @read_cycles: if the machine has pair costs, the cycles of a read, by accessing node and home
 * @cache: each node's cache for the memory of other nodes; if its size is 0 bytes, the machine has
 *            no such cache
 * @caches: coherent caches for all memory
 * @migration: the object "migration", if pages could move during the run
 * @sampled: for a recording of samples, the object "sampled": see sampled_mark()
 * @one_thread: for a recording of samples: no second thread of the process was seen
 * @others: for a recording of samples, the number of samples of other processes, which the
 *            recording does not count
 * @copy: for a recording of samples: the process was forked and has executed no new program
 * @parent: for a recording of samples, the parent process; 0: `smile sample` started the process
 * @latencies: for a recording of samples, the object "latency", which has the durations of accesses
 * @thread_names: for a recording of samples, the object with the number of samples by thread name
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
	json_t *migration, *sampled, *latencies, *thread_names;
	bool one_thread;
	uint64_t others;
	bool copy;
	uint64_t parent;
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

/* Get element @at of a row; 0 if the row is shorter. */
static inline double run_facts_at(const struct run_facts_row *row, size_t index)
{
	return index < row->count ? row->at[index] : 0;
}

static inline double run_facts_in(const struct run_facts_rows *rows, size_t row, size_t index)
{
	return row < rows->count ? run_facts_at(&rows->at[row], index) : 0;
}

#endif /* LIB_ANALYSIS_RUN_FACTS_H */
