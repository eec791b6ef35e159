/* SPDX-License-Identifier: MIT */
/*
 * Network: what accesses wait for in the network of the recorded run.
 *
 * What lives here: the traffic of a part of the run, and the waits that follow from it by the
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
 * advise_network_new() - The network that a run was recorded with, without traffic.
 * @run: its facts
 * @nodes: how many it has
 * @frequency_hz: of a node's processor
 * @out: receives the network; NULL if the run had none
 *
 * Recordings of versions that did not say what requests there are have none either.
 *
 * Return: 0; -ENOMEM; -EINVAL with Monitor_error_message() set: the network is not possible.
 */
int advise_network_new(const struct run_facts *run, size_t nodes, uint64_t frequency_hz,
		       struct advise_network **out);
void advise_network_free(struct advise_network *network);

/* Forget the traffic. */
void advise_network_clear(struct advise_network *network);

/**
 * advise_network_add() - Transactions of @source with the memory of @home.
 * @sent: how many, by SMILE_TYPE_*; accesses of unknown type count as reads
 */
void advise_network_add(struct advise_network *network, size_t source, size_t home,
			const float sent[SMILE_TYPE_COUNT]);

/**
 * advise_network_waits() - What the traffic waits, if all nodes wait for the last one at its end.
 * @busy: of each node: cycles that each of its threads takes without waits; shape [nodes]
 * @threads: of each node: how many have transactions under way at a time; shape [nodes]
 * @waits: receives the cycles for which each node's transactions wait, added up; shape [nodes]
 */
void advise_network_waits(struct advise_network *network, const double *busy, const double *threads,
			  double *waits);

#define ADVISE_SWITCH UINT32_MAX

/**
 * struct advise_link - A link of the network.
 * @ringlet: which one it is of
 * @from: node in front of it; ADVISE_SWITCH: a port of the switch
 * @to: node behind it, or a port of the switch as in @from
 * @load: share of a time in which it carries packets
 */
struct advise_link {
	unsigned int ringlet;
	uint32_t from;
	uint32_t to;
	double load;
};

/* The busiest link, if the traffic takes @cycles. */
struct advise_link advise_network_busiest(struct advise_network *network, double cycles);

#endif /* LIB_ANALYSIS_ADVISE_NETWORK_H */
