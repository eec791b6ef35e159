// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Bench of the exchange and the filter of smile stat --cluster: the time that a node needs. In an
 * interval, the node writes its record, checks the records of all other nodes twice, and enters
 * their readings into the state of the cluster. The memory is local; on a ring, each load of
 * another node's memory adds its latency, so the loads are counted, too.
 *
 * usage: exchange_bench
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lib/exchange/members.h"

#define NODES_MAX 64
#define COUNTERS_MAX 30
#define INTERVAL_NS 20000000
#define STEPS 2000
#define RUNS 5

/*
 * The number of loads for one check of a record, and for a record without its values: see
 * exchange.c.
 */
#define LOOK_LOADS 3
#define LOOKS 2
#define RECORD_LOADS 6

static struct Estimate_process processes[COUNTERS_MAX];

/* The processor time of this process. */
static double now_s(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static struct exchange_record record_of(uint64_t interval, size_t counters, size_t at_once)
{
	struct exchange_record record = {.interval = interval,
					 .begin_ns = interval * INTERVAL_NS,
					 .end_ns = (interval + 1) * INTERVAL_NS,
					 .count = at_once};

	for (size_t k = 0; k < at_once; k++) {
		record.counters[k] = (uint16_t)((interval - 1) * at_once % counters + k);
		record.values[k] = 1e4;
	}
	return record;
}

/* The time that node 0 needs for an interval [s]. */
static double interval_s(size_t nodes, size_t counters, size_t at_once)
{
	struct members *members = calloc(nodes, sizeof(*members));
	uint64_t **memory = calloc(nodes, sizeof(*memory)), interval = 0;
	int steps = STEPS / (int)nodes;
	double best = 1e9;

	for (size_t self = 0; self < nodes; self++) {
		struct members_setup setup = {.nodes = nodes,
					      .self = self,
					      .counters = counters,
					      .processes = processes,
					      .interval_ns = INTERVAL_NS,
					      .incarnation = 1};

		memory[self] = malloc(exchange_bytes(counters));
		if (members_init(&members[self], &setup, memory[self]) < 0)
			exit(2);
	}
	for (size_t node = 1; node < nodes; node++)
		if (members_connect(&members[0], node, memory[node], exchange_bytes(counters)) < 0)
			exit(2);
	for (int run = 0; run < RUNS; run++) {
		double took = 0;

		for (int step = 0; step < steps; step++) {
			struct exchange_record record = record_of(++interval, counters, at_once);
			double begin;

			for (size_t node = 1; node < nodes; node++) {
				members_begin(&members[node], interval);
				members_publish(&members[node], &record);
			}
			begin = now_s();
			members_begin(&members[0], interval);
			members_publish(&members[0], &record);
			for (size_t node = 0; node < nodes; node++)
				members_look(&members[0], node);
			members_step(&members[0], interval);
			took += now_s() - begin;
		}
		took /= steps;
		best = took < best ? took : best;
	}
	if (members[0].member[nodes - 1].taken != interval)
		exit(2);
	for (size_t self = 0; self < nodes; self++) {
		members_free(&members[self]);
		free(memory[self]);
	}
	free(members);
	free(memory);
	return best;
}

int main(void)
{
	static const struct {
		size_t nodes, counters, at_once;
	} sizes[] = {{1, 6, 2},	  {5, 6, 2},   {16, 6, 2},   {64, 6, 2},
		     {1, 30, 10}, {5, 30, 10}, {16, 30, 10}, {64, 30, 10}};

	for (size_t i = 0; i < COUNTERS_MAX; i++)
		processes[i] = (struct Estimate_process){
			.sigma = 1e4, .beta = 20 + (double)i, .mean = 1e4, .r = 1e4};
	printf("An interval of the exchange and of the state of all nodes, on one of them, in "
	       "plain "
	       "memory;\nshare: of 20 ms; loads: of other nodes' memory\n"
	       "%6s %10s %8s %10s %9s %7s\n",
	       "nodes", "counters", "read", "us", "share", "loads");
	for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		size_t nodes = sizes[k].nodes;
		double took = interval_s(nodes, sizes[k].counters, sizes[k].at_once);

		printf("%6zu %10zu %8zu %10.2f %8.3f%% %7zu\n", nodes, nodes * sizes[k].counters,
		       nodes * sizes[k].at_once, 1e6 * took, 100e9 * took / INTERVAL_NS,
		       (nodes - 1) * (LOOKS * LOOK_LOADS + RECORD_LOADS + sizes[k].at_once));
	}
	return 0;
}
