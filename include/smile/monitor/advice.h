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
 * struct Monitor_weights - The cost of an access, in cycles for which the processor waits.
 * @local: access of any type by a node to its own memory; at most @read and at most @lock
 * @read: read of another node's memory
 * @write: write to another node's memory; 0: processors do not wait for writes, not even for writes
 *         to their own node's memory
 * @lock: lock of another node's memory
 */
struct Monitor_weights {
	uint64_t local;
	uint64_t read;
	uint64_t write;
	uint64_t lock;
};

/* The page is truly shared: each node causes a smaller share of its cost than @shared_below. */
#define MONITOR_ADVICE_SHARED 0x1U
/* The home's own accesses are not known, so the gain is an upper bound. */
#define MONITOR_ADVICE_LOCAL_UNKNOWN 0x2U
/* The view does not contain the home's recording. */
#define MONITOR_ADVICE_PARTLY_SEEN 0x4U

/**
 * struct Monitor_advice - The node on which a page should lie.
 * @page: page number
 * @home: node on which the page lies
 * @node: node on which the page's accesses would cost least; if the cost is equally low on several
 *        nodes, @home if it is one of these nodes, else the lowest of these nodes
 * @flags: MONITOR_ADVICE_*
 * @reserved: 0
 * @accesses: accesses of all nodes to the page; local accesses are included as far as they are
 *            known
 * @reads: the reads among @accesses
 * @writes: the writes among @accesses
 * @locks: the locks among @accesses
 * @own: the accesses among @accesses that @node made
 * @cycles: cost of @accesses now
 * @advised_cycles: cost of @accesses if the page lay on @node. With MONITOR_ADVICE_LOCAL_UNKNOWN,
 *                  neither @cycles nor @advised_cycles includes the home's own accesses, so @cycles
 *                  - @advised_cycles is the largest possible gain
 * @share: the part of the page's cost that @node causes, 0 to 1, computed as if the page lay on
 *         none of the nodes that access it
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
 * Monitor_advice() - Find the node on which each accessed page should lie.
 * @weights: costs of accesses
 * @phases: one element for each phase, shape [@phase_count]; a phase is considered if its element
 *          is not 0. Phases from @phase_count on are not considered. NULL: all phases are
 *          considered
 * @phase_count: number of elements
 * @shared_below: 0 to 1; a page is truly shared if each node's share of its cost is below this
 *                value; 0.5 is usual
 * @advice: receives the advice on each page, in ascending order of page and home; caller-owned
 *          array of @capacity elements; may be NULL if @capacity is 0
 *
 * The cost of a page on node n is the sum of two parts: the reads, writes and locks of all other
 * nodes, each multiplied by its weight; and the accesses of n itself, multiplied by the local
 * weight. A read usually has a higher weight than a write, because the processor waits for the data
 * of a read, but not for a write.
 *
 * Return: the number of pages, of which at most @capacity were filled in.
 * Errors: -EINVAL for invalid weights; -ENOMEM.
 * Source: [2002b] section 4.2.
 */
int Monitor_advice(struct Monitor *mon, const struct Monitor_weights *weights,
		   const unsigned char *phases, size_t phase_count, double shared_below,
		   struct Monitor_advice *advice, size_t capacity);

/**
 * Monitor_cycles() - Compute the cost of accesses by phase and node, as if pages lay where @homes
 * places them.
 * @weights: costs of accesses
 * @homes: shape [@home_count], ascending, without overlaps; all other pages stay where they are. If
 *         it is NULL and @home_count is 0, all pages stay where they are
 * @home_count: number of elements
 * @cycles: receives the cycles of the accesses by [phase][node]; caller-owned, shape
 *          [@phases][@nodes]
 * @accesses: receives the number of accesses by [phase][node]; caller-owned, the same shape; may be
 *            NULL
 * @phases: at least Monitor_phases(); later phases are left out. Local accesses whose phase is
 *          unknown are added to the last phase
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
