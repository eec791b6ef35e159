/* SPDX-License-Identifier: MIT */
/*
 * run/sample: samples by word, node, home and phase.
 *
 * What lives here: which faults count as samples, which accesses count as transactions, and the
 * homes of pages as far as they are known; also the same samples by thread. It makes no system
 * call, and does not use perf. docs/design/sample.md has the rules.
 */
#ifndef RUN_SAMPLE_COUNTS_H
#define RUN_SAMPLE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/sample/threads.h"

#define COUNTS_NODE_UNKNOWN UINT32_MAX
#define COUNTS_PAGE_BYTES 4096U /* page size of recordings */
#define COUNTS_WORD_BYTES 4U
#define COUNTS_PHASES_MAX 32U
#define COUNTS_NODES_MAX 64U

/* Types of accesses. Faults have no type, and count as reads. */
enum counts_type {
	COUNTS_READ,
	COUNTS_WRITE,
	COUNTS_LOCK,
	COUNTS_TYPES,
};

/**
 * struct counts_homes - Numbers of the pages whose home is known.
 * @pages: number of these pages, by node
 * @moves: number of changes of homes until then
 */
struct counts_homes {
	uint64_t pages[COUNTS_NODES_MAX];
	uint64_t moves;
};

/**
 * struct counts_page - A page that has had a sample.
 * @key: number of the page plus one
 * @home: its node as reported last, or COUNTS_NODE_UNKNOWN
 * @start: the home that was reported first
 * @before: the previous home
 * @told_ns: when @home was reported
 * @asked: it is in struct counts.asked
 * @sampled: the page has samples that count
 * @moves: how often its home has changed
 */
struct counts_page {
	uint64_t key;
	uint32_t home;
	uint32_t start;
	uint32_t before;
	uint64_t told_ns;
	uint32_t asked : 1;
	uint32_t sampled : 1;
	uint64_t moves;
};

/**
 * struct counts_entry - Samples of one word, node, home and phase, by type.
 * @key: see counts_entry_word() and so on
 * @behind: samples of accesses that the node's caches did not serve, which are transactions; all
 *          faults
 * @cached: the other samples
 */
struct counts_entry {
	uint64_t key;
	uint32_t behind[COUNTS_TYPES];
	uint32_t cached[COUNTS_TYPES];
};

/**
 * struct counts_access - A sample of an access.
 * @address: the address, below 2^48
 * @time_ns: when it was taken
 * @node: node of the processor, below 64
 * @home: home of the page, if the sample itself reports it; otherwise COUNTS_NODE_UNKNOWN
 * @phase: phase of the program, below COUNTS_PHASES_MAX
 * @type: type of the access
 * @behind: the node's caches did not serve it
 * @not_own: the sample reports that @node is not the home
 */
struct counts_access {
	uint64_t address;
	uint64_t time_ns;
	uint32_t node;
	uint32_t home;
	uint32_t phase;
	enum counts_type type;
	bool behind;
	bool not_own;
};

#define COUNTS_SERVED 5U /* the number of places that can have served an access: enum data_served */

/**
 * struct counts_latency - Durations of the accesses to a page that one place has served.
 * @key: see counts_latency_page() and so on
 * @samples: number of the accesses
 * @cycles: sum of their durations
 * @squares: sum of the squares of their durations
 */
struct counts_latency {
	uint64_t key;
	uint64_t samples;
	double cycles;
	double squares;
};

/**
 * struct counts_of_thread - Samples of one thread, page, node and home.
 * @key: see counts_threads()
 * @behind: as in struct counts_entry
 * @cached: as in struct counts_entry
 */
struct counts_of_thread {
	uint64_t key;
	uint32_t behind;
	uint32_t cached;
};

/**
 * struct counts - All samples; all zero if there are none.
 * @table: entries of struct counts_page
 * @entries: entries of struct counts_entry
 * @waiting: entries of struct counts_entry for accesses to pages whose home is not known yet; the
 *           home in their key is 0
 * @latencies: entries of struct counts_latency
 * @threads: the threads that have the samples
 * @thread: number in @threads of the thread whose samples are added next
 * @by_thread: entries of struct counts_of_thread
 * @own_told: the argument of counts_settle()
 * @asked: pages whose home may have changed since the kernel was asked; shape [@asked_count], room
 *         for @asked_size
 * @asked_count: number of these pages
 * @asked_size: number of pages for which @asked has room
 * @samples: number of samples that count
 * @behind: samples that are transactions
 * @pages: number of pages with samples
 * @first: number of first faults at a page
 * @homeless: number of samples of pages whose home is not known
 * @moves: number of changes of homes
 * @start: homes of pages when they were first reported, without moves
 * @now: homes of pages now
 * @phases: by phase: homes of pages when the phase was last seen, and the moves that were seen in
 *          it
 */
struct counts {
	struct hash_table table;
	struct hash_table entries;
	struct hash_table waiting;
	struct hash_table latencies;
	struct threads threads;
	uint32_t thread;
	struct hash_table by_thread;
	bool own_told;
	uint64_t *asked;
	size_t asked_count;
	size_t asked_size;
	uint64_t samples;
	uint64_t behind;
	uint64_t pages;
	uint64_t first;
	uint64_t homeless;
	uint64_t moves;
	struct counts_homes start;
	struct counts_homes now;
	struct counts_homes phases[COUNTS_PHASES_MAX];
};

/**
 * counts_fault() - Count a fault at an address, by a processor of a node.
 * @node: below 64
 * @phase: phase of the program, below COUNTS_PHASES_MAX
 * @time_ns: when it happened
 *
 * A fault may be reported only after the kernel was asked for the page's node: then the fault may
 * have moved the page there, and the node that was known before the fault applies.
 *
 * Return: 0; -ENOMEM.
 */
int counts_fault(struct counts *counts, uint64_t address, uint32_t node, uint32_t phase,
		 uint64_t time_ns);

/**
 * counts_access() - Count an access that was sampled.
 *
 * The access counts for the home that its sample reports, if any; else for the page's home as
 * reported last; else it waits for counts_settle().
 *
 * Return: 0; -ENOMEM.
 */
int counts_access(struct counts *counts, const struct counts_access *access);

/**
 * counts_latency_add() - Add the duration of an access.
 * @served: the place that has served it, below COUNTS_SERVED
 * @cycles: its duration; 0 if the sample does not report it
 *
 * Return: 0; -ENOMEM.
 */
int counts_latency_add(struct counts *counts, uint64_t address, unsigned served, uint64_t cycles);

static inline uint64_t counts_latency_page(const struct counts_latency *latency)
{
	return (latency->key - 1) / COUNTS_SERVED;
}

static inline unsigned counts_latency_served(const struct counts_latency *latency)
{
	return (unsigned)((latency->key - 1) % COUNTS_SERVED);
}

/**
 * counts_latencies_sorted() - Get the latencies, ascending by page and by the place that has served
 * the accesses.
 * @count: receives the number of entries
 *
 * Return: see counts_sorted().
 */
struct counts_latency *counts_latencies_sorted(const struct counts *counts, size_t *count);

/**
 * counts_settle() - Handle the end of all samples: samples that wait for a home count for the
 * page's last home. If the page has no home, they are homeless.
 *
 * If a transaction's sample does not report that its node is the home, another node must be the
 * home: the sample would have reported its own node.
 *
 * @own_told: the sample of each transaction whose node is the home reports this
 *
 * Return: 0; -ENOMEM.
 */
int counts_settle(struct counts *counts, bool own_told);

/**
 * struct counts_threads - Samples of threads whose names belong to one group.
 * @name: name of the group, see threads_group(); "": the names of these threads are not known
 * @threads: number of threads
 * @samples: number of their samples, by node
 * @all: number of their samples of all nodes
 * @behind: how many of @all are transactions
 * @remote: how many of @behind are of pages on another node
 * @pages: number of pages that they have accessed
 */
struct counts_threads {
	char name[THREADS_NAME_BYTES];
	uint64_t threads;
	uint64_t samples[COUNTS_NODES_MAX];
	uint64_t all;
	uint64_t behind;
	uint64_t remote;
	uint64_t pages;
};

/**
 * counts_threads() - Get the samples by the names of threads, the most samples first. Each sample
 * that counts is in the list once.
 * @count: receives the number of entries
 *
 * Call it after counts_settle(). Return: see counts_sorted().
 */
struct counts_threads *counts_threads(const struct counts *counts, size_t *count);

/* Get the number of samples that wait for a home. */
uint64_t counts_waiting(const struct counts *counts);

/**
 * counts_home() - Set the node of a page.
 * @page: number of a page that has had a sample
 * @node: the node, below 64, or COUNTS_NODE_UNKNOWN: then the home that was known stays
 * @time_ns: when the page was on this node
 */
void counts_home(struct counts *counts, uint64_t page, uint32_t node, uint64_t time_ns);

/* Empty the list of struct counts.asked, after all of it was handled. */
void counts_answered(struct counts *counts);

/*
 * Store the homes as those of a phase, below COUNTS_PHASES_MAX, and add the moves since the last
 * call to the phase.
 */
void counts_phase_seen(struct counts *counts, uint32_t phase);

/**
 * struct counts_moved - Neighbouring pages that were on one node first, and on another one at the
 * end.
 */
struct counts_moved {
	uint64_t first;
	uint64_t pages;
	uint32_t from;
	uint32_t to;
};

/**
 * counts_moved() - Get all pages that have moved, ascending.
 * @count: receives the number of entries
 *
 * Return: see counts_sorted().
 */
struct counts_moved *counts_moved(const struct counts *counts, size_t *count);

static inline uint64_t counts_entry_word(const struct counts_entry *entry)
{
	return (entry->key >> 12) & ((1ULL << 46) - 1);
}

static inline uint32_t counts_entry_node(const struct counts_entry *entry)
{
	return (uint32_t)(entry->key >> 6) & 0x3f;
}

static inline uint32_t counts_entry_phase(const struct counts_entry *entry)
{
	return (uint32_t)(entry->key >> 58) & (COUNTS_PHASES_MAX - 1);
}

static inline uint32_t counts_entry_home(const struct counts_entry *entry)
{
	return (uint32_t)entry->key & 0x3f;
}

/* Get the number of all transactions of an entry. */
static inline uint64_t counts_entry_behind(const struct counts_entry *entry)
{
	return (uint64_t)entry->behind[COUNTS_READ] + entry->behind[COUNTS_WRITE] +
	       entry->behind[COUNTS_LOCK];
}

/**
 * counts_sorted() - Get the entries, ascending by phase, page, node, home and word.
 * @count: receives the number of entries
 *
 * Return: the list, to be freed; NULL if there is no memory.
 */
struct counts_entry *counts_sorted(const struct counts *counts, size_t *count);

/**
 * counts_numbers() - Get the numbers of all pages that have had a sample, ascending.
 *
 * Return: see counts_sorted().
 */
uint64_t *counts_numbers(const struct counts *counts, size_t *count);

/* Get the home of a page, or COUNTS_NODE_UNKNOWN. */
uint32_t counts_home_of(const struct counts *counts, uint64_t page);

void counts_free(struct counts *counts);

#endif /* RUN_SAMPLE_COUNTS_H */
