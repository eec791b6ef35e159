/* SPDX-License-Identifier: MIT */
/*
 * Intervals: accesses of nodes between two meetings of a program's threads. Part of
 * <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_INTERVAL_H
#define SMILE_MONITOR_INTERVAL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor;

/**
 * struct Monitor_interval - Accesses of a node to a page, local or remote, in an interval.
 * @page: page number
 * @interval: number, from 0; its length is in the run's parameters
 * @node: the node that accesses
 * @reads: reads
 * @writes: writes
 * @locks: locks
 */
struct Monitor_interval {
	uint64_t page;
	uint32_t interval;
	uint32_t node;
	uint64_t reads;
	uint64_t writes;
	uint64_t locks;
};

/**
 * Monitor_interval_add() - Report accesses of a node in an interval.
 * @accesses: the accesses
 *
 * They are added to the accesses that were reported before. No view of the cards' counts contains
 * them; Monitor_advise() uses them.
 *
 * Return: 0.
 * Errors: -EINVAL for an impossible page or node; -ENOMEM.
 */
int Monitor_interval_add(struct Monitor *mon, const struct Monitor_interval *accesses);

/**
 * Monitor_interval_node_add() - Report that all accesses of a node are known by interval.
 * @node: node
 *
 * Recordings keep only the accesses of nodes for which this call was made.
 *
 * Return: 0, also if it was called for this node before.
 * Errors: -EINVAL for an impossible node; -ENOMEM.
 */
int Monitor_interval_node_add(struct Monitor *mon, unsigned int node);

/**
 * Monitor_interval_known() - Whether all accesses of a node are known by interval.
 * @node: node
 *
 * Return: 1 if they are known; 0 if not: a card cannot count them.
 */
int Monitor_interval_known(struct Monitor *mon, unsigned int node);

/**
 * Monitor_intervals() - Accesses of nodes by interval.
 * @accesses: caller-owned, shape [@capacity]; ascending by page, node and interval; may be NULL if
 *            @capacity is 0
 *
 * Return: the number of rows; min(that, @capacity) of them were filled in.
 * Errors: -ENOMEM.
 */
int Monitor_intervals(struct Monitor *mon, struct Monitor_interval *accesses, size_t capacity);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_INTERVAL_H */
