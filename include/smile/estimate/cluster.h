/* SPDX-License-Identifier: MIT */
/*
 * The state of many nodes, on each of them. Part of <smile/estimate.h>.
 *
 * What lives here: a filter over the counters of all nodes of a cluster, whose readings come from
 * far: late, in any order, or not at all. Each node feeds it all readings that it gets, from itself
 * and from the others, and has the state of all. Intervals are common to all nodes, and numbered
 * from 1 on. Units: events an interval.
 */
#ifndef SMILE_ESTIMATE_CLUSTER_H
#define SMILE_ESTIMATE_CLUSTER_H

#include <stddef.h>
#include <stdint.h>

#include <smile/estimate/process.h>
#include <smile/estimate/rate.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* Intervals that a cluster keeps, at most. */
#define ESTIMATE_KEPT_MAX 4096

struct Estimate_cluster;

/**
 * Estimate_cluster_new() - Create the state of a cluster, before its first interval.
 * @out: receives it
 * @processes: one a counter, node by node, copied
 * @counters: how many each node has, 1 at least, shape [@nodes]
 * @nodes: 1 at least
 * @kept: intervals that are kept, this one included: a reading can be late by one less; 1 to
 *        ESTIMATE_KEPT_MAX
 *
 * Each counter less its mean is a Gauss-Markov process, which is independent of the others. It
 * begins at its mean, with variance sigma^2.
 *
 * Return: 0.
 * Errors: -EINVAL for an impossible process or number; -ENOMEM.
 */
int Estimate_cluster_new(struct Estimate_cluster **out, const struct Estimate_process *processes,
			 const size_t *counters, size_t nodes, size_t kept);

/**
 * Estimate_cluster_free() - Free the state of a cluster.
 * @cluster: NULL does nothing
 */
void Estimate_cluster_free(struct Estimate_cluster *cluster);

/**
 * Estimate_cluster_predict() - The next interval: predict all counters of all nodes.
 * @dt_s: its length, the same on all nodes; another one than last time costs an exp() a counter
 *
 * It waits for nobody: a counter without a reading keeps its prediction, whose variance grows up to
 * sigma^2.
 *
 * Return: 0.
 * Errors: -EINVAL for a length that is not above 0.
 */
int Estimate_cluster_predict(struct Estimate_cluster *cluster, double dt_s);

/**
 * Estimate_cluster_interval() - The number of the last interval.
 *
 * Return: it, from 1 on; 0 before the first.
 */
uint64_t Estimate_cluster_interval(const struct Estimate_cluster *cluster);

/**
 * Estimate_cluster_reading() - Take in a reading of one of the intervals that are kept.
 * @interval: its number
 * @node: whose it is, from 0
 * @counter: of the node, from 0
 * @count: events in that interval
 *
 * The state is afterwards as if the reading had come at once: the counter is estimated again from
 * that interval on. So two states of the same readings are the same, whatever the order in which
 * they came.
 *
 * Return: intervals by which it was late: 0: none.
 * Errors: -ESTALE for an interval that is not kept any more; -ERANGE for one that has not begun;
 * -EALREADY if the counter was read in that interval; -EINVAL if there is no such counter, or the
 * reading is not a number.
 */
int Estimate_cluster_reading(struct Estimate_cluster *cluster, uint64_t interval, size_t node,
			     size_t counter, double count);

/**
 * Estimate_cluster_band() - What is known of a counter in the last interval.
 * @node: node
 * @counter: of the node
 * @band: receives events in the interval
 *
 * The process's r is taken for an error of readings, which is in no count. If r stands for the part
 * that is new in each interval instead, as Estimate_fit() may find it, a reading is the count, and
 * r has to be added to the variance of a count that was not read.
 *
 * Return: 1 if it was read in this interval; 0 if it is estimated.
 * Errors: -EINVAL for a counter that is not there.
 */
int Estimate_cluster_band(const struct Estimate_cluster *cluster, size_t node, size_t counter,
			  struct Estimate_band *band);

/**
 * Estimate_cluster_difference() - A node's counter less the mean of that counter over all nodes.
 * @node: node
 * @counter: of each node
 * @band: receives the difference, which can be below 0
 *
 * Return: 0.
 * Errors: -EINVAL if one of the nodes has no such counter.
 * Source: [2006] figure 8.6.
 */
int Estimate_cluster_difference(const struct Estimate_cluster *cluster, size_t node, size_t counter,
				struct Estimate_band *band);

/**
 * struct Estimate_element - An element of the measurement vector.
 * @node: node
 * @counter: of the node
 */
struct Estimate_element {
	size_t node;
	size_t counter;
};

/**
 * Estimate_cluster_vector() - The counters that are read in an interval, by turns.
 * @interval: number
 * @events: of each processor; the counters of a node are the events of its first processor, then
 *          those of the next
 * @registers: events that a processor reads at a time
 * @elements: receives them: nodes ascend, then processors, then registers; shape [@room]
 * @room: elements at most
 *
 * All processors read the same events in an interval. With 6 events and 2 registers these are 0 and
 * 1 in the first interval, then 2 and 3, then 4 and 5, then again 0 and 1. A set with room left
 * takes in the first events again.
 *
 * Return: elements.
 * Errors: -EINVAL if @registers is 0 or above @events, @interval is 0, or the counters of a node
 * are no multiple of @events; -E2BIG if there are more than @room.
 * Source: [2006] table 8.1.
 */
int Estimate_cluster_vector(const struct Estimate_cluster *cluster, uint64_t interval,
			    size_t events, size_t registers, struct Estimate_element *elements,
			    size_t room);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_ESTIMATE_CLUSTER_H */
