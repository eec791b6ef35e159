/* SPDX-License-Identifier: MIT */
/*
 * smile doctor: latencies of reads by each node's processors from each node's memory.
 *
 * What lives here: the measurement, and the comparison of two nodes. May use doctor.h and libnuma.
 */
#ifndef TOOLS_DOCTOR_LATENCY_H
#define TOOLS_DOCTOR_LATENCY_H

#include <stdbool.h>
#include <stddef.h>

#define LATENCY_NODES_MAX 64

/**
 * struct latency_pair - Reads of a node's processors from a node's memory.
 * @ns: median of all rounds; 0: not measured
 * @low: lower end of the 95 % band of the median
 * @high: upper end of the band
 * @differs: reads took longer in each round, or shorter in each, than reads by the memory's own
 *           node, by a tenth or more
 */
struct latency_pair {
	double ns;
	double low;
	double high;
	bool differs;
};

/**
 * struct latencies - All pairs.
 * @ids: the system's numbers of the nodes with memory, ascending; shape [@nodes]
 * @nodes: number of these nodes
 * @bytes: size of the memory that is read, which is more than caches hold
 * @pairs: results by node and home; shape [@nodes][@nodes]
 * @measured: number of pairs that were measured
 * @differ: number of pairs that differ
 */
struct latencies {
	unsigned ids[LATENCY_NODES_MAX];
	unsigned nodes;
	size_t bytes;
	struct latency_pair pairs[LATENCY_NODES_MAX * LATENCY_NODES_MAX];
	unsigned measured;
	unsigned differ;
};

/* Parse a list such as "0-2,5", up to @most numbers. Return: the number of numbers. */
unsigned latency_list(const char *text, unsigned *numbers, unsigned most);

/* Fill in @pairs, @measured and @differ. Not thread-safe, since this process changes its node. */
void latencies_measure(struct latencies *latencies);

#endif /* TOOLS_DOCTOR_LATENCY_H */
