/* SPDX-License-Identifier: MIT */
/*
 * Intervals: accesses of nodes, by interval. An interval is the time between two meetings, which
 * are moments at which all other threads of the program wait for one thread, as at a barrier. Part
 * of <smile/monitor.h>.
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
 * struct Monitor_interval - Local or remote accesses of a node to a page in an interval.
 * @page: page number
 * @interval: number of the interval, from 0; the parameters of the run have its length
 * @node: the accessing node
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
 * The call adds the accesses to those that were reported before. No view of the cards' counts
 * contains these accesses; only Monitor_advise_new() uses them.
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
 * Return: 0, even if the node was reported before.
 * Errors: -EINVAL for an impossible node; -ENOMEM.
 */
int Monitor_interval_node_add(struct Monitor *mon, unsigned int node);

/**
 * Monitor_interval_known() - Check whether all accesses of a node are known by interval.
 * @node: node
 *
 * Return: 1 if the accesses are known by interval; 0 if they are not known, as in the counts of a
 * card, which does not distinguish intervals.
 */
int Monitor_interval_known(struct Monitor *mon, unsigned int node);

/**
 * Monitor_intervals() - Get the accesses of nodes by interval.
 * @accesses: receives the accesses, in ascending order of page, node and interval; caller-owned
 *            array of @capacity elements; may be NULL if @capacity is 0
 *
 * Return: the number of rows, of which at most @capacity were filled in.
 * Errors: -ENOMEM.
 */
int Monitor_intervals(struct Monitor *mon, struct Monitor_interval *accesses, size_t capacity);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_INTERVAL_H */
