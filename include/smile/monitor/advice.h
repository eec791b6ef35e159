/* SPDX-License-Identifier: MIT */
/*
 * Advice: the node on which each page should lie. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_ADVICE_H
#define SMILE_MONITOR_ADVICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor;
struct Monitor_home;

/**
 * struct Monitor_weights - What an access costs, in cycles that the processor waits.
 * @local: access of any type to the own node's memory; at most @read and at most @lock
 * @read: read of another node's memory
 * @write: write to another node's memory; 0: no processor waits for writes, including writes to the
 *         own node's memory
 * @lock: lock of another node's memory
 */
struct Monitor_weights {
	uint64_t local;
	uint64_t read;
	uint64_t write;
	uint64_t lock;
};

#define MONITOR_ADVICE_SHARED 0x1U /* truly shared: no node has @shared_below of the cost */
#define MONITOR_ADVICE_LOCAL_UNKNOWN 0x2U /* the home's own accesses are not known: bounds */
#define MONITOR_ADVICE_PARTLY_SEEN 0x4U /* the home's recording is not in the view */

/**
 * struct Monitor_advice - Where a page should lie.
 * @page: page number
 * @home: node on which the page lies
 * @node: node on which the page's accesses would cost least; if several nodes are equal, @home if
 *        it is one of them, else the lowest
 * @flags: MONITOR_ADVICE_*
 * @reserved: 0
 * @accesses: accesses of all nodes; local accesses are included as far as they are known
 * @reads: the reads among @accesses
 * @writes: the writes among @accesses
 * @locks: the locks among @accesses
 * @own: accesses of @node among @accesses
 * @cycles: cost of @accesses now
 * @advised_cycles: cost of @accesses if the page lay on @node; with MONITOR_ADVICE_LOCAL_UNKNOWN,
 *                  @cycles and @advised_cycles leave out the home's own accesses, so that @cycles -
 *                  @advised_cycles is the largest possible gain
 * @share: share of @node in the cost that @accesses would have if the page lay on none of the
 *         accessing nodes, 0 to 1
 *
 * Accesses without a type count as reads. A sum that exceeds 64 bits is UINT64_MAX; only a damaged
 * recording has such sums.
 */
struct Monitor_advice {
	uint64_t page;
	uint32_t home;
	uint32_t node;
	uint32_t flags;
	uint32_t reserved;
	uint64_t accesses;
	uint64_t reads;
	uint64_t writes;
	uint64_t locks;
	uint64_t own;
	uint64_t cycles;
	uint64_t advised_cycles;
	double share;
};

/**
 * Monitor_advice() - The node on which each page that was accessed should lie.
 * @weights: what accesses cost
 * @phases: shape [@phase_count]; a phase counts if its element is not 0; phases without an element
 *          do not count. NULL: all phases count
 * @phase_count: number of elements
 * @shared_below: 0 to 1: a page is truly shared if no node has at least this share of its cost; 0.5
 *                is usual
 * @advice: caller-owned, shape [@capacity]; ascending by page and home; may be NULL if @capacity is
 *         0
 *
 * The cost of a page on node n is the sum of all other nodes' reads, writes and locks, each times
 * its weight, and of n's own accesses times the local weight. Blocking reads weigh more than posted
 * writes.
 *
 * Return: the number of pages; min(that, @capacity) of them were filled in.
 * Errors: -EINVAL for invalid weights; -ENOMEM.
 * Source: [2002b] section 4.2.
 */
int Monitor_advice(struct Monitor *mon, const struct Monitor_weights *weights,
		   const unsigned char *phases, size_t phase_count, double shared_below,
		   struct Monitor_advice *advice, size_t capacity);

/**
 * Monitor_cycles() - The cost of accesses by phase and node, if pages lay as @homes describes.
 * @weights: what accesses cost
 * @homes: shape [@home_count], ascending, without overlaps; all other pages stay where they are.
 *         With NULL and @home_count 0 all pages stay
 * @home_count: number of elements
 * @cycles: caller-owned, shape [@phases][@nodes], receives the cycles of the accesses of each node
 * @accesses: caller-owned, the same shape, receives the number of accesses; may be NULL
 * @phases: at least Monitor_phases(); later phases are left out. Local accesses of an unknown phase
 *          count in the last phase
 * @nodes: at least Monitor_nodes(); accesses of other nodes are left out
 *
 * Local accesses are included as far as they are known.
 *
 * Return: the number of existing phases.
 * Errors: -EINVAL for invalid weights or homes.
 */
int Monitor_cycles(struct Monitor *mon, const struct Monitor_weights *weights,
		   const struct Monitor_home *homes, size_t home_count, uint64_t *cycles,
		   uint64_t *accesses, size_t phases, size_t nodes);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_ADVICE_H */
