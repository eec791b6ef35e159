/* SPDX-License-Identifier: MIT */
/*
 * run/session: model the network between the nodes.
 *
 * What lives here: the traffic of each epoch, the waits of its transactions, and the load of the
 * links. May use emu/machine and emu/ring. Not thread-safe.
 */
#ifndef RUN_SESSION_NETWORK_H
#define RUN_SESSION_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/machine/machine.h"
#include "emu/ring/prediction.h"

/*
 * Length of an epoch in nanoseconds of simulated time. At the end of an epoch, threads stop for the
 * time that their transactions have waited in the network.
 */
#define RUN_NETWORK_EPOCH_NS 100000U

struct run_network;

/**
 * run_network_new() - Create a network without traffic.
 * @machine: the machine whose transactions pass through the network; must exist longer than the
 *           network
 * @line_bytes: line size of the cache of each node; 0: the nodes have no cache
 *
 * Return: the network; NULL if there is no memory, or if @config does not describe a network that
 * can be built.
 */
struct run_network *run_network_new(struct machine *machine, const struct network_config *config,
				    unsigned line_bytes);
void run_network_free(struct run_network *network);

/**
 * run_network_epoch() - End an epoch: add the traffic since the last call to the network, and
 * compute the waits of its transactions.
 * @cycle: the cycle that all processors have reached
 * @delays: for each node, the function adds the number of cycles for which the threads of the node
 *          must stop; shape [nodes]
 */
void run_network_epoch(struct run_network *network, uint64_t cycle, uint64_t *delays);

/**
 * run_network_end() - Add the traffic of the last epoch, which was not complete. No thread waits
 * for this traffic.
 * @cycle: the end of the run
 */
void run_network_end(struct run_network *network, uint64_t cycle);

/**
 * struct run_network_link - A link and its load.
 * @at: the link's position in the network
 * @load: share of the run's time in which the link carries packets
 * @full: the share of the run's time that belongs to epochs in which the link was full
 */
struct run_network_link {
	struct prediction_link at;
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
 * run_network_command() - Get the BLINK_* command of the requests of transactions with the type
 * @type, one of SMILE_TYPE_*.
 */
unsigned run_network_command(const struct run_network *network, unsigned type);

/**
 * run_network_waited() - Get the number of cycles for which the transactions of a node have waited
 * in the network.
 */
uint64_t run_network_waited(const struct run_network *network, unsigned node);

/**
 * run_network_share() - Get the share of a link's traffic that transactions of @source with the
 * memory of @target cause. The share is a number from 0 to 1.
 */
double run_network_share(const struct run_network *network, unsigned link, unsigned source,
			 unsigned target);

/**
 * run_network_busiest() - Find the link with the highest load.
 */
unsigned run_network_busiest(const struct run_network *network);

#endif /* RUN_SESSION_NETWORK_H */
