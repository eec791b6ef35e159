/* SPDX-License-Identifier: MIT */
/*
 * smile doctor: measure the latencies of reads by the processors of each node from the memory of
 * each node.
 *
 * What lives here: the measurement, and the comparison of two nodes. May use doctor.h and libnuma.
 */
#ifndef TOOLS_DOCTOR_LATENCY_MEASUREMENT_H
#define TOOLS_DOCTOR_LATENCY_MEASUREMENT_H

#include <stdbool.h>
#include <stddef.h>

#define LATENCY_NODES_MAX 64

/**
 * struct latency_pair - Latency of reads by one node's processors from one node's memory.
 * @ns: median of all rounds; 0: not measured
 * @low: lower end of the 95 % confidence interval of the median
 * @high: upper end of the 95 % confidence interval of the median
 * @differs: these reads took longer in all rounds, or shorter in all rounds, than the reads by the
 *           memory's own node, and the medians differ by a tenth or more
 */
struct latency_pair {
	double ns;
	double low;
	double high;
	bool differs;
};

/**
 * struct latencies - Latencies of all pairs of nodes.
 * @ids: the system's numbers of the nodes with memory, ascending; shape [@nodes]
 * @nodes: number of these nodes
 * @bytes: size of the memory that is read, which exceeds the size of the caches
 * @pairs: latencies by reading node and home node; shape [@nodes][@nodes]
 * @measured: number of pairs that were measured
 * @differ: number of pairs with @differs set
 */
struct latencies {
	unsigned ids[LATENCY_NODES_MAX];
	unsigned nodes;
	size_t bytes;
	struct latency_pair pairs[LATENCY_NODES_MAX * LATENCY_NODES_MAX];
	unsigned measured;
	unsigned differ;
};

/* Parse a list such as "0-2,5" into at most @most numbers. Return: the number of parsed numbers. */
unsigned latency_list(const char *text, unsigned *numbers, unsigned most);

/*
 * Measure all latencies: fill in @pairs, @measured and @differ. This function is not thread-safe,
 * because it moves this process from node to node.
 */
void latencies_measure(struct latencies *latencies);

#endif /* TOOLS_DOCTOR_LATENCY_MEASUREMENT_H */
