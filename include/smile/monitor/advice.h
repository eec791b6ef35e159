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
 * @local: of any type, to the own node's memory; no more than @read and @lock
 * @read: to another node's memory
 * @write: to another node's memory; 0: nobody waits for writes, to the own node's memory either
 * @lock: to another node's memory
 */
struct Monitor_weights {
	uint64_t local;
	uint64_t read;
	uint64_t write;
	uint64_t lock;
};

#define MONITOR_ADVICE_SHARED 0x1U /* truly shared: no node has @shared_below of the cost */
#define MONITOR_ADVICE_LOCAL_UNKNOWN 0x2U /* what the home itself accesses is not known: bounds */
#define MONITOR_ADVICE_PARTLY_SEEN 0x4U /* the home's recording is not in the view */

/**
 * struct Monitor_advice - Where a page should lie.
 * @page: page number
 * @home: where it lies
 * @node: where its accesses cost least; of several such nodes @home, if it is one, else the lowest
 * @flags: MONITOR_ADVICE_*
 * @reserved: 0
 * @accesses: of all nodes, local ones included as far as they are known
 * @reads: the reads among them
 * @writes: the writes
 * @locks: the locks
 * @own: accesses of @node among them
 * @cycles: what they cost now
 * @advised_cycles: what they would cost if the page lay on @node; with
 *                  MONITOR_ADVICE_LOCAL_UNKNOWN both leave out the home's own accesses, so that
 *                  @cycles - @advised_cycles is the most that can be gained
 * @share: of @node in the cost that they would have if the page lay on none of the nodes, 0 to 1
 *
 * Accesses without a type count as reads. Sums beyond 64 bits, which only a damaged recording
 * reports, are UINT64_MAX.
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
 * @phases: shape [@phase_count], not 0: the phase counts; later phases do not. NULL: all count
 * @phase_count: how many
 * @shared_below: 0 to 1: a page is truly shared if no node has this share of its cost; 0.5 is usual
 * @advice: caller-owned, shape [@capacity]; ascending by page and home; may be NULL if @capacity is
 *         0
 *
 * The cost of a page on node n is the sum over all other nodes of reads, writes and locks, each
 * times its weight, and n's own accesses at the local one: blocking reads weigh more than posted
 * writes.
 *
 * Return: the number of pages; min(that, @capacity) of them were filled in.
 * Errors: -EINVAL for weights that are invalid; -ENOMEM.
 * Source: [2002b] section 4.2.
 */
int Monitor_advice(struct Monitor *mon, const struct Monitor_weights *weights,
		   const unsigned char *phases, size_t phase_count, double shared_below,
		   struct Monitor_advice *advice, size_t capacity);

/**
 * Monitor_cycles() - What accesses would cost, by phase and node, if pages lay as @homes says.
 * @weights: what accesses cost
 * @homes: shape [@home_count], ascending, without overlaps; all other pages stay where they are.
 *         NULL, 0: all stay
 * @home_count: how many
 * @cycles: caller-owned, shape [@phases][@nodes], cycles of the accesses of each node
 * @accesses: the same shape, how many; may be NULL
 * @phases: Monitor_phases() at least; later phases are left out. Local accesses whose phase is not
 *          known count in the last one
 * @nodes: Monitor_nodes() at least; accesses of other nodes are left out
 *
 * Local accesses are included as far as they are known.
 *
 * Return: phases there are.
 * Errors: -EINVAL for weights or homes that are invalid.
 */
int Monitor_cycles(struct Monitor *mon, const struct Monitor_weights *weights,
		   const struct Monitor_home *homes, size_t home_count, uint64_t *cycles,
		   uint64_t *accesses, size_t phases, size_t nodes);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_ADVICE_H */
