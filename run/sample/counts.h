/* SPDX-License-Identifier: MIT */
/*
 * run/sample: samples by word, node, home and phase.
 *
 * What lives here: which faults count as samples, which accesses count as transactions, and the
 * homes of pages as far as they are known; the same samples by thread. It makes no system call, and
 * knows nothing of perf.
 * docs/design/sample.md has the rules.
 */
#ifndef RUN_SAMPLE_COUNTS_H
#define RUN_SAMPLE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/sample/threads.h"

#define COUNTS_NODE_UNKNOWN UINT32_MAX
#define COUNTS_PAGE_BYTES 4096U /* as in recordings */
#define COUNTS_WORD_BYTES 4U
#define COUNTS_PHASES_MAX 32U
#define COUNTS_NODES_MAX 64U

/* Types of accesses. Faults have none, and count as reads. */
enum counts_type {
	COUNTS_READ,
	COUNTS_WRITE,
	COUNTS_LOCK,
	COUNTS_TYPES,
};

/**
 * struct counts_homes - The nodes of all pages whose home is known.
 * @pages: by node
 * @moves: changes of homes until then
 */
struct counts_homes {
	uint64_t pages[COUNTS_NODES_MAX];
	uint64_t moves;
};

/**
 * struct counts_page - A page that had a sample.
 * @key: its number plus one
 * @home: node, or COUNTS_NODE_UNKNOWN; as reported last
 * @start: the home that was reported first
 * @before: the home before @home was reported
 * @told_ns: when @home was reported
 * @asked: it is in struct counts.asked
 * @sampled: it has samples
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
 * @behind: that the node's caches did not serve: transactions; of faults: all
 * @cached: the others
 */
struct counts_entry {
	uint64_t key;
	uint32_t behind[COUNTS_TYPES];
	uint32_t cached[COUNTS_TYPES];
};

/**
 * struct counts_access - A sample of an access.
 * @address: below 2^48
 * @time_ns: when
 * @node: of the processor, below 64
 * @home: where the page lay, as the sample itself says; or COUNTS_NODE_UNKNOWN
 * @phase: of the program, below COUNTS_PHASES_MAX
 * @type: what it did
 * @behind: its caches did not serve it
 * @not_own: the sample says that @node is not the home
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

#define COUNTS_SERVED 5U /* what can have served an access: enum data_served */

/**
 * struct counts_latency - Durations of the accesses to a page that one place has served.
 * @key: see counts_latency_page() and so on
 * @samples: how many
 * @cycles: their sum
 * @squares: sum of the squares of these
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
 * @cached: likewise
 */
struct counts_of_thread {
	uint64_t key;
	uint32_t behind;
	uint32_t cached;
};

/**
 * struct counts - All of them; all zero: none.
 * @table: of struct counts_page
 * @entries: of struct counts_entry
 * @waiting: the same, of accesses to pages whose home is not known yet; their home is 0
 * @latencies: of struct counts_latency
 * @threads: whose samples they are
 * @thread: number in @threads of the thread whose samples come next
 * @by_thread: of struct counts_of_thread
 * @own_told: of counts_settle()
 * @asked: pages whose home may have changed since the kernel was asked; shape [@asked_count], room
 *         @asked_size
 * @asked_count: how many
 * @asked_size: room
 * @samples: that count
 * @behind: samples that are transactions
 * @pages: with samples
 * @first: first faults at a page
 * @homeless: samples of pages whose home is not known
 * @moves: changes of homes
 * @start: where pages lay when that was first reported, without moves
 * @now: where they lie
 * @phases: where they lay when a phase was last seen, and the moves that were seen in it
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
 * counts_fault() - A fault at an address, by a processor of a node.
 * @node: below 64
 * @phase: of the program, below COUNTS_PHASES_MAX
 * @time_ns: when
 *
 * The kernel may have been asked for the page's node after a fault that is only reported now: then
 * the fault may have brought the page there, and the node that was known before it applies.
 *
 * Return: 0; -ENOMEM.
 */
int counts_fault(struct counts *counts, uint64_t address, uint32_t node, uint32_t phase,
		 uint64_t time_ns);

/**
 * counts_access() - An access that was sampled.
 *
 * It counts for its own home, if the sample has one; else for the page's home as reported last;
 * else it waits for counts_settle().
 *
 * Return: 0; -ENOMEM.
 */
int counts_access(struct counts *counts, const struct counts_access *access);

/**
 * counts_latency_add() - How long an access took.
 * @served: by what, below COUNTS_SERVED
 * @cycles: 0: the sample does not say it
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
 * counts_latencies_sorted() - Latencies, ascending by page and by the place that has served them.
 * @count: receives how many
 *
 * Return: as counts_sorted().
 */
struct counts_latency *counts_latencies_sorted(const struct counts *counts, size_t *count);

/**
 * counts_settle() - There are no more samples: those that wait for a home count for the page's last
 * one, and without one are homeless.
 *
 * A transaction of a node that did not say its home waits for one that is another node: it would
 * have said its own.
 *
 * @own_told: each transaction whose node is the home says so
 *
 * Return: 0; -ENOMEM.
 */
int counts_settle(struct counts *counts, bool own_told);

/**
 * struct counts_threads - Samples of threads that are called alike.
 * @name: threads_group(); "": their names are not known
 * @threads: how many
 * @samples: by node
 * @all: of all nodes
 * @behind: those of them that are transactions
 * @remote: those of @behind of pages on another node
 * @pages: to so many
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
 * counts_threads() - Samples by the names of threads, the most first: all that count, once.
 * @count: receives how many
 *
 * Once counts_settle() was called. Return: as counts_sorted().
 */
struct counts_threads *counts_threads(const struct counts *counts, size_t *count);

/* Samples that wait for a home. */
uint64_t counts_waiting(const struct counts *counts);

/**
 * counts_home() - Where a page lies now.
 * @page: number of a page that had a sample
 * @node: below 64, or COUNTS_NODE_UNKNOWN: then the home that was known stays
 * @time_ns: when that was so
 */
void counts_home(struct counts *counts, uint64_t page, uint32_t node, uint64_t time_ns);

/* The list of struct counts.asked was worked through: it is empty now. */
void counts_answered(struct counts *counts);

/* The homes belong to a phase, below COUNTS_PHASES_MAX, and so do moves since the last call. */
void counts_phase_seen(struct counts *counts, uint32_t phase);

/**
 * struct counts_moved - Neighbouring pages that lay on one node first, and on another in the end.
 */
struct counts_moved {
	uint64_t first;
	uint64_t pages;
	uint32_t from;
	uint32_t to;
};

/**
 * counts_moved() - All of them, ascending.
 * @count: receives how many
 *
 * Return: as counts_sorted().
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

/* All transactions of an entry. */
static inline uint64_t counts_entry_behind(const struct counts_entry *entry)
{
	return (uint64_t)entry->behind[COUNTS_READ] + entry->behind[COUNTS_WRITE] +
	       entry->behind[COUNTS_LOCK];
}

/**
 * counts_sorted() - The entries, ascending by phase, page, node, home and word.
 * @count: receives how many
 *
 * Return: to be freed; NULL without memory.
 */
struct counts_entry *counts_sorted(const struct counts *counts, size_t *count);

/**
 * counts_numbers() - The numbers of all pages that had a sample, ascending.
 *
 * Return: as counts_sorted().
 */
uint64_t *counts_numbers(const struct counts *counts, size_t *count);

/* The home of a page, or COUNTS_NODE_UNKNOWN. */
uint32_t counts_home_of(const struct counts *counts, uint64_t page);

void counts_free(struct counts *counts);

#endif /* RUN_SAMPLE_COUNTS_H */
