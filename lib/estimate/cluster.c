// SPDX-License-Identifier: MIT
/*
 * Cluster: estimates the counters of many nodes. See smile/estimate/cluster.h. May use only libm.
 *
 * The state keeps some of the last intervals. For each, it has the readings, and the prediction
 * that was made before the readings. A late reading affects only its own counter: starting with the
 * interval of the reading, this counter is corrected and predicted again. The result is the same as
 * if the reading had arrived in time.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include <smile/estimate.h>

#include "lib/estimate/rate.h"

/**
 * struct Estimate_cluster - The counters of all nodes, ordered by node.
 * @nodes: number of nodes
 * @first: index of the first counter of each node; the element after the last node is the number of
 *         counters
 * @count: number of counters of all nodes
 * @processes: processes of the counters, shape [@count]
 * @kept: number of kept intervals
 * @interval: number of the last interval; 0: no interval yet
 * @dt_s: length of the interval for which @phi and @q were computed; 0: not computed yet
 * @lengths_s: lengths of the kept intervals, indexed by the interval number modulo @kept; shape
 *         [@kept]
 * @phi: for each counter, the factor by which its deviation from its mean decays in @dt_s; shape
 *         [@count]
 * @q: for each counter, the variance that is added in @dt_s; shape [@count]
 * @x: predicted deviations from the means, by interval, shape [@kept][@count]
 * @p: variances of @x, shape [@kept][@count]
 * @z: readings, shape [@kept][@count]; NAN: the counter was not read
 * @x_now: corrected deviations in the last interval, shape [@count]
 * @p_now: variances of @x_now, shape [@count]
 */
struct Estimate_cluster {
	size_t nodes;
	size_t *first;
	size_t count;
	struct Estimate_process *processes;
	size_t kept;
	uint64_t interval;
	double dt_s;
	double *lengths_s, *phi, *q, *x, *p, *z, *x_now, *p_now;
};

/* Allocate all arrays. @nodes, @count and @kept must be set. Return: 0; -ENOMEM. */
static int cluster_memory(struct Estimate_cluster *cluster)
{
	size_t count = cluster->count, kept = cluster->kept, numbers;
	double *next;

	if (__builtin_mul_overflow(count, 3 * kept + 4, &numbers))
		return -ENOMEM;
	cluster->first = calloc(cluster->nodes + 1, sizeof(*cluster->first));
	cluster->processes = calloc(count, sizeof(*cluster->processes));
	cluster->lengths_s = calloc(kept, sizeof(double));
	cluster->phi = next = calloc(numbers, sizeof(double));
	if (!cluster->first || !cluster->processes || !cluster->lengths_s || !next)
		return -ENOMEM;
	cluster->q = next += count;
	cluster->x_now = next += count;
	cluster->p_now = next += count;
	cluster->x = next += count;
	cluster->p = next += kept * count;
	cluster->z = next + kept * count;
	return 0;
}

int Estimate_cluster_new(struct Estimate_cluster **out, const struct Estimate_process *processes,
			 const size_t *counters, size_t nodes, size_t kept)
{
	struct Estimate_cluster *cluster;
	size_t count = 0;

	if (!nodes || !kept || kept > ESTIMATE_KEPT_MAX)
		return -EINVAL;
	for (size_t node = 0; node < nodes; node++)
		if (!counters[node] || __builtin_add_overflow(count, counters[node], &count))
			return -EINVAL;
	for (size_t i = 0; i < count; i++)
		if (Estimate_process_check(&processes[i]))
			return -EINVAL;
	cluster = calloc(1, sizeof(*cluster));
	if (!cluster)
		return -ENOMEM;
	cluster->nodes = nodes;
	cluster->count = count;
	cluster->kept = kept;
	if (cluster_memory(cluster) < 0) {
		Estimate_cluster_free(cluster);
		return -ENOMEM;
	}
	for (size_t node = 0; node < nodes; node++)
		cluster->first[node + 1] = cluster->first[node] + counters[node];
	for (size_t i = 0; i < count; i++) {
		cluster->processes[i] = processes[i];
		cluster->p_now[i] = processes[i].sigma * processes[i].sigma;
	}
	*out = cluster;
	return 0;
}

void Estimate_cluster_free(struct Estimate_cluster *cluster)
{
	if (!cluster)
		return;
	free(cluster->first);
	free(cluster->processes);
	free(cluster->lengths_s);
	free(cluster->phi);
	free(cluster);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void cluster_transition(struct Estimate_cluster *cluster, double dt_s)
{
	for (size_t i = 0; i < cluster->count; i++) {
		struct Estimate_transition step =
			Estimate_process_transition(&cluster->processes[i], dt_s);

		cluster->phi[i] = step.phi22;
		cluster->q[i] = step.q22;
	}
	cluster->dt_s = dt_s;
}

/* This loop uses no array of indices, so the compiler can vectorise it. */
static void predict_all(size_t count, const double *restrict phi, const double *restrict q,
			double *restrict x_now, double *restrict p_now, double *restrict x,
			double *restrict p, double *restrict z)
{
	for (size_t i = 0; i < count; i++) {
		x_now[i] = x[i] = phi[i] * x_now[i];
		p_now[i] = p[i] = phi[i] * phi[i] * p_now[i] + q[i];
		z[i] = NAN;
	}
}

int Estimate_cluster_predict(struct Estimate_cluster *cluster, double dt_s)
{
	size_t count = cluster->count, slot;

	if (!(dt_s > 0) || dt_s > ESTIMATE_NUMBER_MAX)
		return -EINVAL;
	if (dt_s < cluster->dt_s || dt_s > cluster->dt_s)
		cluster_transition(cluster, dt_s);
	slot = ++cluster->interval % cluster->kept;
	cluster->lengths_s[slot] = dt_s;
	predict_all(count, cluster->phi, cluster->q, cluster->x_now, cluster->p_now,
		    cluster->x + slot * count, cluster->p + slot * count,
		    cluster->z + slot * count);
	return 0;
}

uint64_t Estimate_cluster_interval(const struct Estimate_cluster *cluster)
{
	return cluster->interval;
}

/*
 * Compute the state of a counter after an interval. It follows from the prediction for the interval
 * and, if the counter was read, from the reading.
 */
static void counter_correct(struct Estimate_cluster *cluster, size_t slot, size_t i)
{
	size_t at = slot * cluster->count + i;
	const struct Estimate_process *process = &cluster->processes[i];
	double x = cluster->x[at], p = cluster->p[at], s = p + process->r;
	double k = s > 0 ? p / s : 0;

	if (!isnan(cluster->z[at])) {
		x += k * (cluster->z[at] - process->mean - x);
		p = k * process->r;
	}
	cluster->x_now[i] = x;
	cluster->p_now[i] = p;
}

/* Compute the prediction of the next interval from the state after an interval. */
static void counter_predict(struct Estimate_cluster *cluster, size_t slot, size_t i)
{
	double phi = cluster->phi[i], q = cluster->q[i], dt_s = cluster->lengths_s[slot];
	size_t at = slot * cluster->count + i;

	if (dt_s < cluster->dt_s || dt_s > cluster->dt_s) {
		struct Estimate_transition step =
			Estimate_process_transition(&cluster->processes[i], dt_s);

		phi = step.phi22;
		q = step.q22;
	}
	cluster->x[at] = phi * cluster->x_now[i];
	cluster->p[at] = phi * phi * cluster->p_now[i] + q;
}

/* Find a counter. Return: the index of the counter; SIZE_MAX if it does not exist. */
static size_t counter_find(const struct Estimate_cluster *cluster, size_t node, size_t counter)
{
	if (node >= cluster->nodes || counter >= cluster->first[node + 1] - cluster->first[node])
		return SIZE_MAX;
	return cluster->first[node] + counter;
}

int Estimate_cluster_reading(struct Estimate_cluster *cluster, uint64_t interval, size_t node,
			     size_t counter, double count)
{
	size_t i = counter_find(cluster, node, counter), slot = interval % cluster->kept;
	uint64_t late = cluster->interval - interval;

	if (i == SIZE_MAX || !(fabs(count) <= ESTIMATE_NUMBER_MAX))
		return -EINVAL;
	if (!interval || interval > cluster->interval)
		return -ERANGE;
	if (late >= cluster->kept)
		return -ESTALE;
	if (!isnan(cluster->z[slot * cluster->count + i]))
		return -EALREADY;
	cluster->z[slot * cluster->count + i] = count;
	counter_correct(cluster, slot, i);
	for (uint64_t next = interval + 1; next <= cluster->interval; next++) {
		slot = next % cluster->kept;
		counter_predict(cluster, slot, i);
		counter_correct(cluster, slot, i);
	}
	return (int)late;
}

/* ---- estimates ------------------------------------------------------------------------------- */

int Estimate_cluster_band(const struct Estimate_cluster *cluster, size_t node, size_t counter,
			  struct Estimate_band *band)
{
	size_t i = counter_find(cluster, node, counter);
	size_t slot = cluster->interval % cluster->kept;

	if (i == SIZE_MAX)
		return -EINVAL;
	band_make(band, fmax(cluster->processes[i].mean + cluster->x_now[i], 0),
		  sqrt(cluster->p_now[i]), 0);
	return cluster->interval && !isnan(cluster->z[slot * cluster->count + i]);
}

int Estimate_cluster_difference(const struct Estimate_cluster *cluster, size_t node, size_t counter,
				struct Estimate_band *band)
{
	double sum = 0, variances = 0, share = 1 / (double)cluster->nodes, own;
	size_t i = counter_find(cluster, node, counter);

	if (i == SIZE_MAX)
		return -EINVAL;
	for (size_t other = 0; other < cluster->nodes; other++) {
		size_t j = counter_find(cluster, other, counter);

		if (j == SIZE_MAX)
			return -EINVAL;
		sum += cluster->processes[j].mean + cluster->x_now[j];
		variances += other == node ? 0 : cluster->p_now[j];
	}
	/*
	 * Counters are independent of each other. But the mean over all nodes includes the node's
	 * own counter, so the two are correlated.
	 */
	own = cluster->processes[i].mean + cluster->x_now[i];
	variances = share * share * variances + (1 - share) * (1 - share) * cluster->p_now[i];
	band_make(band, own - share * sum, sqrt(variances), -INFINITY);
	return 0;
}

int Estimate_cluster_vector(const struct Estimate_cluster *cluster, uint64_t interval,
			    size_t events, size_t registers, struct Estimate_element *elements,
			    size_t room)
{
	size_t sets, begin, filled = 0;

	if (!interval || !registers || registers > events)
		return -EINVAL;
	for (size_t node = 0; node < cluster->nodes; node++)
		if ((cluster->first[node + 1] - cluster->first[node]) % events)
			return -EINVAL;
	if (cluster->count / events > INT_MAX / registers)
		return -E2BIG;
	if (cluster->count / events * registers > room)
		return -E2BIG;
	sets = (events + registers - 1) / registers;
	begin = (interval - 1) % sets * registers;
	for (size_t node = 0; node < cluster->nodes; node++) {
		size_t counters = cluster->first[node + 1] - cluster->first[node];

		for (size_t processor = 0; processor < counters; processor += events)
			for (size_t r = 0; r < registers; r++)
				elements[filled++] = (struct Estimate_element){
					node, processor + (begin + r) % events};
	}
	return (int)filled;
}
