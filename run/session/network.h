/* SPDX-License-Identifier: MIT */
/*
 * run/session: the network between the nodes.
 *
 * What lives here: the traffic of each epoch, the waits of its transactions, and the load of the
 * links. It may use emu/machine and emu/ring. It is not thread-safe.
 */
#ifndef RUN_SESSION_NETWORK_H
#define RUN_SESSION_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/machine/machine.h"
#include "emu/ring/predict.h"

/* Length of an epoch in simulated time; at its end threads are charged with their waits. */
#define RUN_NETWORK_EPOCH_NS 100000U

struct run_network;

/**
 * run_network_new() - Create a network without traffic.
 * @machine: the machine whose transactions pass the network; kept by reference
 * @line_bytes: line size of the cache of each node; 0 without a cache
 *
 * Return: NULL if there is no memory, or if the network is not possible.
 */
struct run_network *run_network_new(struct machine *machine, const struct network_config *config,
				    unsigned line_bytes);
void run_network_free(struct run_network *network);

/**
 * run_network_epoch() - Count the traffic since the last call.
 * @cycle: the cycle that all processors have reached
 * @delays: by node: the function adds the cycles for which the node's threads wait; shape [nodes]
 */
void run_network_epoch(struct run_network *network, uint64_t cycle, uint64_t *delays);

/**
 * run_network_end() - Count the rest of the traffic, for which no thread waits. @cycle: the end of
 * the run.
 */
void run_network_end(struct run_network *network, uint64_t cycle);

/**
 * struct run_network_link - A link, and its load.
 * @at: position of the link
 * @load: share of the run's time in which it carries packets
 * @full: share of the run's time, in epochs, in which it was full
 */
struct run_network_link {
	struct predict_link at;
	double load;
	double full;
};

/**
 * run_network_links() - Get the number of links.
 */
unsigned run_network_links(const struct run_network *network);

void run_network_link(const struct run_network *network, unsigned link,
		      struct run_network_link *is);

/**
 * run_network_command() - Get the BLINK_* command of the requests of transactions of a
 * SMILE_TYPE_*.
 */
unsigned run_network_command(const struct run_network *network, unsigned type);

/**
 * run_network_waited() - Get the cycles for which the transactions of a node have waited.
 */
uint64_t run_network_waited(const struct run_network *network, unsigned node);

/**
 * run_network_share() - Get the part of a link's traffic that transactions of @source with the
 *         memory of @target cause, 0 to 1.
 */
double run_network_share(const struct run_network *network, unsigned link, unsigned source,
			 unsigned target);

/**
 * run_network_busiest() - Find the link with the highest load.
 */
unsigned run_network_busiest(const struct run_network *network);

#endif /* RUN_SESSION_NETWORK_H */
