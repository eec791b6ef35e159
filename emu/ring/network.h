/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Network: ringlets that are connected by bridges. The bridges are the ports of a switch, or the
 * nodes of a torus.
 *
 * What lives here: the nodes of a network, the bridges between its ringlets, and the simulation of
 * all ringlets. docs/ring.md, section 8, describes networks. Pure C11, no I/O, no allocation. May
 * use ring.h, load.h and route.h.
 */
#ifndef EMU_RING_NETWORK_H
#define EMU_RING_NETWORK_H

#include "emu/ring/route.h"

struct network;

/**
 * struct network_watch - Functions that the network calls. Each may be NULL.
 * @context: first argument of all functions
 * @arrived: called when @packet was put into an input buffer of @node, its target. @since is the
 *           clock at which its request was due
 * @ended: called when the transaction of a request has ended: its response has arrived, or, if it
 *         has no response, the request itself has arrived
 */
struct network_watch {
	void *context;
	void (*arrived)(void *context, const struct network *network, unsigned int node,
			const struct ring_packet *packet);
	void (*ended)(void *context, const struct network *network, unsigned int node,
		      const struct ring_packet *packet);
};

/**
 * struct network - Ringlets that have a common clock.
 * @clock: number of simulated clocks
 * @rings: the ringlets; shape [@ring_count]
 * @node: for each node of each ringlet, the number of the network's node; or NETWORK_BRIDGE
 * @transactions: for each node, a bit for each transaction id that is in use
 * @given: for each node, the number of requests that were put into an output buffer
 * @ended: for each node, the number of these requests whose transactions have ended
 * @bridged: number of packets that were passed from one ringlet to another
 */
struct network {
	struct network_config config;
	struct network_watch watch;
	uint64_t clock;
	struct ring *rings;
	unsigned int ring_count;
	uint32_t node[NETWORK_RINGS_MAX][RING_NODES_MAX];
	uint64_t transactions[LOAD_NODES_MAX];
	uint64_t given[LOAD_NODES_MAX];
	uint64_t ended[LOAD_NODES_MAX];
	uint64_t bridged;
};

/**
 * network_init() - Create an idle network.
 * @rings: memory for the ringlets, shape [network_rings()]; it must exist as long as the network
 *
 * Return: 0; -EINVAL if a number in @config is not possible.
 */
int network_init(struct network *network, const struct network_config *config, struct ring *rings);

/**
 * network_offer() - Put a request into an output buffer of a node. This function can be used as a
 * load_offer.
 *
 * Of @offer, only the members @since, @address, @target and @command are used.
 *
 * Return: 0; -EAGAIN if the buffer has no room, or no transaction id is free; -EINVAL if @target or
 *         @command is not possible.
 */
int network_offer(void *network, unsigned int node, const struct ring_offer *offer);

/**
 * network_step() - Simulate one clock. The load offers the requests that are due.
 * @load: the load; NULL: no load
 */
void network_step(struct network *network, struct load *load);

/**
 * network_rests() - Check whether the network is idle. If it is idle, a clock without a request
 * would change nothing except @clock.
 */
bool network_rests(const struct network *network);

/**
 * network_skip() - Advance the clock of an idle network by a number of clocks.
 */
void network_skip(struct network *network, uint64_t clocks);

#endif /* EMU_RING_NETWORK_H */
