/* SPDX-License-Identifier: MIT */
/*
 * The state of many nodes, computed on each of them. Part of <smile/estimate.h>.
 *
 * What lives here: a filter over the counters of all nodes of a cluster. Each node has such a
 * filter, and passes its own readings and the readings that it receives from other nodes to the
 * filter, so that each node knows the state of all nodes. Readings from the network can arrive
 * late, in any order, or not at all. All nodes have the same intervals, which are numbered from 1.
 * All readings and estimates are in events per interval.
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

/* The largest number of intervals that a cluster keeps. */
#define ESTIMATE_KEPT_MAX 4096

struct Estimate_cluster;

/**
 * Estimate_cluster_new() - Create the state of a cluster, before its first interval.
 * @out: receives the cluster
 * @processes: one process for each counter, first all counters of node 0, then those of node 1, and
 *             so on; copied
 * @counters: number of counters of each node, at least 1, shape [@nodes]
 * @nodes: number of nodes, at least 1
 * @kept: number of intervals to keep, including the current interval, 1 to ESTIMATE_KEPT_MAX; a
 *        reading can be late by at most @kept - 1 intervals
 *
 * Each counter, minus its mean, is modelled as a Gauss-Markov process that is independent of the
 * other counters. The estimate of a counter starts at the counter's mean, with variance sigma^2.
 *
 * Return: 0.
 * Errors: -EINVAL for an impossible process or number; -ENOMEM.
 */
int Estimate_cluster_new(struct Estimate_cluster **out, const struct Estimate_process *processes,
			 const size_t *counters, size_t nodes, size_t kept);

/**
 * Estimate_cluster_free() - Free the state of a cluster.
 * @cluster: cluster, or NULL
 */
void Estimate_cluster_free(struct Estimate_cluster *cluster);

/**
 * Estimate_cluster_predict() - Start the next interval: predict all counters of all nodes.
 * @dt_s: length of the interval, the same on all nodes; if it differs from the previous length, the
 *        call computes an exp() for each counter
 *
 * The call does not wait for readings. A counter without a reading keeps its prediction, whose
 * variance grows with each interval, up to sigma^2.
 *
 * Return: 0.
 * Errors: -EINVAL for a length that is not above 0.
 */
int Estimate_cluster_predict(struct Estimate_cluster *cluster, double dt_s);

/**
 * Estimate_cluster_interval() - Get the number of the last interval.
 *
 * Return: the number, from 1; 0 before the first interval.
 */
uint64_t Estimate_cluster_interval(const struct Estimate_cluster *cluster);

/**
 * Estimate_cluster_reading() - Use a reading of one of the intervals that are kept to correct the
 * estimate.
 * @interval: number of the interval
 * @node: node whose counter was read, from 0
 * @counter: number of the counter on the node, from 0
 * @count: events in the interval
 *
 * The call repeats the estimation of this counter, beginning with the interval of the reading.
 * After the call, the state is the same as if the reading had arrived in time. Two states with the
 * same readings are therefore equal, whatever the order in which the readings arrived.
 *
 * Return: the number of intervals by which the reading was late.
 * Errors: -ESTALE for an interval that is no longer kept; -ERANGE for an interval that has not
 * started; -EALREADY if the counter was read in that interval; -EINVAL if the counter does not
 * exist, or the reading is not a number.
 */
int Estimate_cluster_reading(struct Estimate_cluster *cluster, uint64_t interval, size_t node,
			     size_t counter, double count);

/**
 * Estimate_cluster_band() - Get the estimate of a counter in the last interval.
 * @node: node
 * @counter: number of the counter on the node
 * @band: receives the number of events in the interval
 *
 * The call assumes that the parameter r of the process is the variance of a reading's error, so it
 * does not include r in the variance of the count. If r was computed by Estimate_fit(), it can
 * instead be the variance of a part of the count that is independent in each interval. In this
 * case, a reading is the exact count, and the caller must add r to the variance of a count that was
 * not read.
 *
 * Return: 1 if the counter was read in this interval; 0 if it is estimated.
 * Errors: -EINVAL for a counter that does not exist.
 */
int Estimate_cluster_band(const struct Estimate_cluster *cluster, size_t node, size_t counter,
			  struct Estimate_band *band);

/**
 * Estimate_cluster_difference() - Get a node's counter minus the mean of that counter over all
 * nodes.
 * @node: node
 * @counter: number of the counter on each node
 * @band: receives the difference, which can be below 0
 *
 * Return: 0.
 * Errors: -EINVAL if the counter does not exist on one of the nodes.
 * Source: [2006] figure 8.6.
 */
int Estimate_cluster_difference(const struct Estimate_cluster *cluster, size_t node, size_t counter,
				struct Estimate_band *band);

/**
 * struct Estimate_element - A counter that is read in an interval: an element of the measurement
 * vector.
 * @node: node
 * @counter: number of the counter on the node
 */
struct Estimate_element {
	size_t node;
	size_t counter;
};

/**
 * Estimate_cluster_vector() - List the counters to read in an interval if they are read in
 * rotation.
 * @interval: number of the interval
 * @events: number of events of each processor; the counters of a node are the events of its first
 *          processor, then the events of its next processor, and so on
 * @registers: number of events that a processor reads at a time
 * @elements: receives the elements in ascending order of nodes, then processors, then registers;
 *            shape [@room]
 * @room: largest number of elements
 *
 * In each interval, all processors read the same events. For example, with 6 events and 2
 * registers, all processors read events 0 and 1 in the first interval, events 2 and 3 in the
 * second, events 4 and 5 in the third, and then events 0 and 1 again. If too few events remain for
 * the last set, it is filled up with the first events.
 *
 * Return: the number of elements.
 * Errors: -EINVAL if @registers is 0 or above @events, @interval is 0, or the number of counters of
 * a node is not a multiple of @events; -E2BIG if there are more than @room elements.
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
