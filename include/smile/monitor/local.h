/* SPDX-License-Identifier: MIT */
/*
 * Local accesses: accesses of nodes to their own memory. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_LOCAL_H
#define SMILE_MONITOR_LOCAL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor;

#define MONITOR_PHASE_UNKNOWN 0xffffffffU /* phase not known */

/**
 * struct Monitor_local - Accesses of a node to a page of its own memory. These accesses do not
 * cross a link.
 * @page: page number
 * @phase: number of the phase, as in Monitor_phases(), or MONITOR_PHASE_UNKNOWN
 * @node: the accessing node, which is the page's home
 * @reads: reads
 * @writes: writes
 * @locks: locks
 */
struct Monitor_local {
	uint64_t page;
	uint32_t phase;
	uint32_t node;
	uint64_t reads;
	uint64_t writes;
	uint64_t locks;
};

/**
 * Monitor_local_add() - Report accesses of a node to its own memory.
 * @local: the accesses
 *
 * The call adds the accesses to those that were reported before. No view of the cards' counts
 * contains these accesses; only Monitor_advice() and Monitor_cycles() use them.
 *
 * Return: 0.
 * Errors: -EINVAL for an impossible page or node; -ENOMEM.
 */
int Monitor_local_add(struct Monitor *mon, const struct Monitor_local *local);

/**
 * Monitor_local_node_add() - Report that all accesses of a node to its own memory are known.
 * @node: node
 *
 * Recordings keep only the accesses of nodes for which this call was made.
 *
 * Return: 0, even if the node was reported before.
 * Errors: -EINVAL for an impossible node; -ENOMEM.
 */
int Monitor_local_node_add(struct Monitor *mon, unsigned int node);

/**
 * Monitor_local_known() - Check whether all accesses of a node to its own memory are known.
 * @node: node
 *
 * Return: 1 if the accesses are known; 0 if they are not known, as in the counts of a card, which
 * sees only the accesses that cross its link.
 */
int Monitor_local_known(struct Monitor *mon, unsigned int node);

/**
 * Monitor_locals() - Get the accesses of nodes to their own memory.
 * @locals: receives the accesses, in ascending order of page, node and phase; caller-owned array of
 *          @capacity elements; may be NULL if @capacity is 0
 *
 * Return: the number of rows, of which at most @capacity were filled in.
 * Errors: -ENOMEM.
 */
int Monitor_locals(struct Monitor *mon, struct Monitor_local *locals, size_t capacity);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_LOCAL_H */
