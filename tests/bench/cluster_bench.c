// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Bench of the state of a cluster: the time that a node needs for a step with a third of all
 * readings. It is divided by the time of the same step of the plain filter, which receives all
 * readings in time and in one call.
 *
 * usage: cluster_bench
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <smile/estimate.h>

#define EACH 30
#define REGISTERS 10
#define NODES_MAX 1000
#define KEPT 8
#define STEPS 30
#define RUNS 5
#define INTERVAL_S 0.02

/* One reading in LATE_ONE_IN is late, by LATE_BY intervals. */
#define LATE_ONE_IN 100
#define LATE_BY 4

static struct Estimate_process processes[NODES_MAX * EACH];
static struct Estimate_element elements[NODES_MAX * REGISTERS];
static struct Estimate_element before[NODES_MAX * REGISTERS];
static size_t places[NODES_MAX * REGISTERS];
static double values[NODES_MAX * REGISTERS];

/* The processor time of this process. */
static double now_s(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Pass on the readings of an interval, and the late readings of an earlier interval. */
static void readings_give(struct Estimate_cluster *cluster, uint64_t interval, int lates)
{
	size_t room = NODES_MAX * REGISTERS;
	int count = Estimate_cluster_vector(cluster, interval, EACH, REGISTERS, elements, room);
	int earlier = 0;

	if (lates && interval > LATE_BY)
		earlier = Estimate_cluster_vector(cluster, interval - LATE_BY, EACH, REGISTERS,
						  before, room);
	for (int e = 0; e < count; e++)
		if (!lates || e % LATE_ONE_IN)
			Estimate_cluster_reading(cluster, interval, elements[e].node,
						 elements[e].counter, 1e4);
	for (int e = 0; e < earlier; e += LATE_ONE_IN)
		Estimate_cluster_reading(cluster, interval - LATE_BY, before[e].node,
					 before[e].counter, 1e4);
}

/* The shortest time of several runs, because other processes use the caches, too. */
static double cluster_s(size_t nodes, int lates)
{
	size_t counters[NODES_MAX];
	struct Estimate_cluster *cluster;
	double best = 1e9;

	for (size_t node = 0; node < nodes; node++)
		counters[node] = EACH;
	if (Estimate_cluster_new(&cluster, processes, counters, nodes, KEPT) < 0)
		exit(2);
	for (uint64_t run = 0; run < RUNS; run++) {
		double begin = now_s(), took;

		for (uint64_t step = 1; step <= STEPS; step++) {
			Estimate_cluster_predict(cluster, INTERVAL_S);
			readings_give(cluster, run * STEPS + step, lates);
		}
		took = (now_s() - begin) / STEPS;
		best = took < best ? took : best;
	}
	Estimate_cluster_free(cluster);
	return best;
}

static double filter_s(size_t nodes)
{
	size_t count = nodes * REGISTERS;
	struct Estimate_filter *filter;
	double best = 1e9;

	if (Estimate_filter_new(&filter, processes, nodes * EACH, ESTIMATE_GAUSS_MARKOV) < 0)
		exit(2);
	for (int run = 0; run < RUNS; run++) {
		double begin = now_s(), took;

		for (size_t step = 0; step < STEPS; step++) {
			Estimate_filter_predict(filter, INTERVAL_S);
			for (size_t k = 0; k < count; k++)
				places[k] = k / REGISTERS * EACH +
					    step % (EACH / REGISTERS) * REGISTERS + k % REGISTERS;
			Estimate_filter_correct(filter, places, values, count);
		}
		took = (now_s() - begin) / STEPS;
		best = took < best ? took : best;
	}
	Estimate_filter_free(filter);
	return best;
}

int main(void)
{
	static const size_t sizes[] = {1, 4, 64, 256, 1000};

	for (size_t i = 0; i < NODES_MAX * EACH; i++)
		processes[i] = (struct Estimate_process){
			.sigma = 1e4, .beta = 20 + (double)(i % 130), .mean = 1e4, .r = 1e4};
	for (size_t k = 0; k < NODES_MAX * REGISTERS; k++)
		values[k] = 1e4;
	printf("A step of the cluster's state, %d counters a node, %d of them read: by the plain "
	       "filter's;\nlate: 1 of %d readings comes %d intervals late; share: of an interval "
	       "of "
	       "20 ms\n%8s %10s %10s %10s %12s\n",
	       EACH, REGISTERS, LATE_ONE_IN, LATE_BY, "nodes", "counters", "in time", "late",
	       "share, late");
	for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		double plain = filter_s(sizes[k]), late = cluster_s(sizes[k], 1);

		printf("%8zu %10zu %10.2f %10.2f %11.3f%%\n", sizes[k], sizes[k] * EACH,
		       cluster_s(sizes[k], 0) / plain, late / plain, 100 * late / INTERVAL_S);
	}
	return 0;
}
