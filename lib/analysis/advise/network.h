/* SPDX-License-Identifier: MIT */
/*
 * Network: computes how long accesses wait in the network of the recorded run.
 *
 * What lives here: the traffic of a part of the run. How long this traffic waits is computed by the
 * formula that `smile run --network` uses. Not thread-safe.
 */
#ifndef LIB_ANALYSIS_ADVISE_NETWORK_H
#define LIB_ANALYSIS_ADVISE_NETWORK_H

#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

#include "lib/analysis/run_facts.h"

struct advise_network;

/**
 * advise_network_new() - Create the network of a recorded run, without traffic.
 * @run: facts of the run
 * @nodes: number of nodes of the run
 * @frequency_hz: clock of a node's processor
 * @out: receives the network; NULL if the run had no network
 *
 * @out is also NULL for recordings of old versions, which did not record the commands of requests.
 *
 * Return: 0; -ENOMEM; -EINVAL if such a network cannot exist, with Monitor_error_message() set.
 */
int advise_network_new(const struct run_facts *run, size_t nodes, uint64_t frequency_hz,
		       struct advise_network **out);
void advise_network_free(struct advise_network *network);

/* Remove all traffic. */
void advise_network_clear(struct advise_network *network);

/**
 * advise_network_add() - Add transactions from @source to the memory of @home.
 * @sent: number of transactions, by SMILE_TYPE_*; accesses of unknown type are sent as reads
 */
void advise_network_add(struct advise_network *network, size_t source, size_t home,
			const float sent[SMILE_TYPE_COUNT]);

/**
 * advise_network_waits() - Compute how long the transactions of each node wait. At the end of the
 * part, all nodes wait for the last node.
 * @busy: for each node, the cycles for which each of its threads would be busy without waits; shape
 *        [nodes]
 * @threads: for each node, the number of threads that have outstanding transactions at the same
 *           time; shape [nodes]
 * @waits: receives, for each node, the cycles for which all its transactions wait; shape [nodes]
 */
void advise_network_waits(struct advise_network *network, const double *busy, const double *threads,
			  double *waits);

#define ADVISE_SWITCH UINT32_MAX

/**
 * struct advise_link - A link of the network.
 * @ringlet: number of the ringlet that contains the link
 * @from: node before the link; ADVISE_SWITCH: a port of the switch
 * @to: node after the link; ADVISE_SWITCH: a port of the switch
 * @load: share of the time in which the link carries packets
 */
struct advise_link {
	unsigned int ringlet;
	uint32_t from;
	uint32_t to;
	double load;
};

/* Find the busiest link, for traffic that is sent within @cycles. */
struct advise_link advise_network_busiest(struct advise_network *network, double cycles);

#endif /* LIB_ANALYSIS_ADVISE_NETWORK_H */
