/* SPDX-License-Identifier: MIT */
/*
 * run/sample: counts samples by word, node, home and phase.
 *
 * What lives here: the rules that decide which faults count as samples, and which accesses count as
 * transactions; the known homes of pages; and the number of samples by thread.
 * docs/design/sample.md describes the rules. This code makes no system calls, and does not use
 * perf.
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

/* Types of accesses. A fault counts as a read, because its type is not known. */
enum counts_type {
	COUNTS_READ,
	COUNTS_WRITE,
	COUNTS_LOCK,
	COUNTS_TYPES,
};

/**
 * struct counts_homes - Numbers of pages with a known home.
 * @pages: for each node, the number of pages whose home it is
 * @moves: number of changes of homes that were seen in the phase
 */
struct counts_homes {
	uint64_t pages[COUNTS_NODES_MAX];
	uint64_t moves;
};

/**
 * struct counts_page - A page that has had a sample.
 * @key: number of the page plus one
 * @home: the home that was last reported for the page; COUNTS_NODE_UNKNOWN if no home was reported
 * @start: the node that was first reported as the page's home
 * @before: the value of @home before the last report
 * @told_ns: time of the last report
 * @asked: the page is in the list counts->asked
 * @sampled: the page has samples that count
 * @moves: number of changes of the page's home
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
 * struct counts_entry - The samples of one word by one node, with one home and in one phase.
 * @key: word, node, home and phase; counts_entry_word(), counts_entry_node() and so on decode it
 * @behind: by type, samples of accesses that the node's caches did not serve, which are
 *          transactions. All faults count as transactions
 * @cached: by type, samples of accesses that the node's caches served
 */
struct counts_entry {
	uint64_t key;
	uint32_t behind[COUNTS_TYPES];
	uint32_t cached[COUNTS_TYPES];
};

/**
 * struct counts_access - A sample of an access.
 * @address: address of the access, below 2^48
 * @time_ns: time of the sample
 * @node: node of the processor, below 64
 * @home: home of the page, if the sample itself reports it; otherwise COUNTS_NODE_UNKNOWN
 * @phase: phase of the program, below COUNTS_PHASES_MAX
 * @type: type of the access
 * @behind: the node's caches did not serve the access
 * @not_own: the sample reports that the home is a node other than @node
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

#define COUNTS_SERVED 5U /* number of values of enum data_served */

/**
 * struct counts_latency - The latencies of accesses to one page that were served by the same kind
 * of cache or memory (enum data_served).
 * @key: page and enum data_served; counts_latency_page() and counts_latency_served() decode it
 * @samples: number of sampled accesses
 * @cycles: sum of the latencies of the accesses
 * @squares: sum of the squares of the latencies
 */
struct counts_latency {
	uint64_t key;
	uint64_t samples;
	double cycles;
	double squares;
};

/**
 * struct counts_of_thread - The samples of one thread, page, node and home.
 * @key: thread, page, node and home, from thread_key()
 */
struct counts_of_thread {
	uint64_t key;
	uint32_t behind;
	uint32_t cached;
};

/**
 * struct counts - All samples. If all members are 0, there are no samples.
 * @table: entries of struct counts_page
 * @entries: entries of struct counts_entry
 * @waiting: entries of struct counts_entry for accesses to pages whose home is not known yet. In
 *           the keys of these entries, the home is 0
 * @latencies: entries of struct counts_latency
 * @threads: the threads that have samples
 * @thread: number in @threads of the thread to which the next sample belongs
 * @by_thread: entries of struct counts_of_thread
 * @own_told: the argument @own_told of counts_settle()
 * @asked: pages whose home may have changed, so that the kernel must be asked for it; shape
 *         [@asked_count], with space for @asked_size
 * @asked_count: number of pages in @asked
 * @asked_size: number of pages for which @asked has room
 * @samples: number of samples that count
 * @behind: number of counted samples that are transactions
 * @pages: number of pages with samples that count
 * @first: number of faults that do not count, because they were the first faults at their pages
 * @homeless: number of samples that do not count, because the home of their page is not known
 * @moves: number of changes of homes
 * @start: homes of pages when they were first reported
 * @now: homes of pages now
 * @phases: for each phase, the homes of pages when they were last determined in the phase, and the
 *          number of changes of homes that were seen in the phase
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
 * counts_fault() - Count a fault at an address, by a processor of @node, which is below 64.
 * @phase: phase of the program, below COUNTS_PHASES_MAX
 * @time_ns: time of the fault
 *
 * A fault can be reported only after the kernel has reported the node of the page. In this case,
 * the fault may have moved the page to the reported node. For this reason, the fault counts for the
 * home that was known before the time of the fault.
 *
 * Return: 0 or -ENOMEM.
 */
int counts_fault(struct counts *counts, uint64_t address, uint32_t node, uint32_t phase,
		 uint64_t time_ns);

/**
 * counts_access() - Count an access that was sampled.
 *
 * If the sample itself reports the home of the page, the access counts for this home. Otherwise, it
 * counts for the last known home of the page. If no home is known, the access is stored until
 * counts_settle() is called.
 *
 * Return: 0 or -ENOMEM.
 */
int counts_access(struct counts *counts, const struct counts_access *access);

/**
 * counts_latency_add() - Add the latency of an access.
 * @served: the cache or memory that has served the access: enum data_served
 * @cycles: the latency; 0 if the sample does not report it
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
 * counts_latencies_sorted() - Get the latencies, in ascending order of page and enum data_served.
 * @count: receives the number of entries
 *
 * Return: the list, which the caller must free; NULL if memory is missing.
 */
struct counts_latency *counts_latencies_sorted(const struct counts *counts, size_t *count);

/**
 * counts_settle() - Count the accesses that still wait for a home. Call this function after the
 * last sample. Each waiting access counts for the last known home of its page. If the home of the
 * page is not known, the access does not count, and is added to counts->homeless.
 *
 * @own_told: each sample reports whether the home of the page is the accessing node itself. A
 *            transaction waits only if this was not the case, so its page was on another node. If
 *            the last known home is nevertheless the accessing node, the transaction does not count
 *            either, and is added to counts->homeless
 *
 * Return: 0 or -ENOMEM.
 */
int counts_settle(struct counts *counts, bool own_told);

/**
 * struct counts_threads - The samples of a group of threads, which threads_group() defines.
 * @name: name of the group; "": the names of the threads are not known
 * @threads: number of threads in the group
 * @samples: number of samples of the threads, by node
 * @all: number of samples of the threads on all nodes
 * @behind: number of samples of the threads that are transactions
 * @remote: number of transactions of the threads with pages on another node
 * @pages: number of pages that the threads have accessed
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
 * counts_threads() - Get the samples by groups of threads. The group with the most samples is
 * first. Each sample that counts belongs to exactly one group. Call this function after
 * counts_settle().
 * @count: receives the number of groups
 *
 * Return: the list, which the caller must free; NULL if memory is missing.
 */
struct counts_threads *counts_threads(const struct counts *counts, size_t *count);

/* Get the number of accesses that wait for a home. */
uint64_t counts_waiting(const struct counts *counts);

/**
 * counts_home() - Record the node of a page that the kernel has reported.
 * @page: number of a page that has had a sample
 * @node: the node, below 64; or COUNTS_NODE_UNKNOWN, which does not change the known home
 * @time_ns: time at which the page was on this node
 */
void counts_home(struct counts *counts, uint64_t page, uint32_t node, uint64_t time_ns);

/*
 * Empty the list counts->asked. Call this function after the kernel was asked for the homes of all
 * pages in the list.
 */
void counts_answered(struct counts *counts);

/*
 * Store the present homes of pages as the homes in phase @phase, which must be below
 * COUNTS_PHASES_MAX. Add the changes of homes since the last call to the changes in this phase.
 */
void counts_phase_seen(struct counts *counts, uint32_t phase);

/**
 * struct counts_moved - Neighbouring pages that have moved from one node to another.
 * @first: number of the first page
 * @pages: number of pages
 * @from: the node that was first reported as the home of the pages
 * @to: the node that was last reported as the home of the pages
 */
struct counts_moved {
	uint64_t first;
	uint64_t pages;
	uint32_t from;
	uint32_t to;
};

/**
 * counts_moved() - Get all pages that have moved, in ascending order.
 * @count: receives the number of entries
 *
 * Return: the list, which the caller must free; NULL if memory is missing.
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

/* Get the number of transactions of an entry, summed over all types. */
static inline uint64_t counts_entry_behind(const struct counts_entry *entry)
{
	return (uint64_t)entry->behind[COUNTS_READ] + entry->behind[COUNTS_WRITE] +
	       entry->behind[COUNTS_LOCK];
}

/**
 * counts_sorted() - Get the entries, in ascending order of phase, page, node, home and word.
 * @count: receives the number of entries
 *
 * Return: the list, which the caller must free; NULL if memory is missing.
 */
struct counts_entry *counts_sorted(const struct counts *counts, size_t *count);

/**
 * counts_numbers() - Get the numbers of all pages that have had a sample, in ascending order.
 *
 * Return: the list, which the caller must free; NULL if memory is missing.
 */
uint64_t *counts_numbers(const struct counts *counts, size_t *count);

/* Get the last known home of a page; COUNTS_NODE_UNKNOWN if no home is known. */
uint32_t counts_home_of(const struct counts *counts, uint64_t page);

void counts_free(struct counts *counts);

#endif /* RUN_SAMPLE_COUNTS_H */
