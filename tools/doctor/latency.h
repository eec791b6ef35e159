/* SPDX-License-Identifier: MIT */
/*
 * smile doctor: how long reads take from each node's processors to each node's memory.
 *
 * What lives here: the measurement, and what it says of two nodes. May use doctor.h and libnuma.
 */
#ifndef TOOLS_DOCTOR_LATENCY_H
#define TOOLS_DOCTOR_LATENCY_H

#include <stdbool.h>
#include <stddef.h>

#define LATENCY_NODES_MAX 64

/**
 * struct latency_pair - Reads of a node's processors from a node's memory.
 * @ns: median of all rounds; 0: not measured
 * @low: of the 95 % band of the median
 * @high: likewise
 * @differs: in each round it took longer, or in each shorter, than the memory's own node took, and
 *           by a tenth or more
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
 * @nodes: how many
 * @bytes: of the memory that is read: more than caches hold
 * @pairs: by node and home; shape [@nodes][@nodes]
 * @measured: how many of these were measured
 * @differ: how many differ
 */
struct latencies {
	unsigned ids[LATENCY_NODES_MAX];
	unsigned nodes;
	size_t bytes;
	struct latency_pair pairs[LATENCY_NODES_MAX * LATENCY_NODES_MAX];
	unsigned measured;
	unsigned differ;
};

/* The numbers in a list such as "0-2,5", @most of them. Return: how many. */
unsigned latency_list(const char *text, unsigned *numbers, unsigned most);

/* Measure: fill in @pairs, @measured and @differ. Not thread-safe: this process moves about. */
void latencies_measure(struct latencies *latencies);

#endif /* TOOLS_DOCTOR_LATENCY_H */
