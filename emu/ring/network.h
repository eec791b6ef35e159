/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Network: ringlets joined by bridges: a switch between ringlets, or a torus.
 *
 * What lives here: the nodes and bridges behind the nodes of the ringlets. docs/ring.md, section 8.
 * Pure C11, no I/O, no allocation. It may use ring.h, load.h and route.h.
 */
#ifndef EMU_RING_NETWORK_H
#define EMU_RING_NETWORK_H

#include "emu/ring/route.h"

struct network;

/**
 * struct network_watch - Functions that are called when something happens; each may be NULL.
 * @context: first argument of the functions
 * @arrived: @packet was put into an input buffer of @node, its target. @since is the clock in which
 *           its request was due
 * @ended: the transaction of a request has ended: its response has arrived, or, if it has no
 *         response, the request itself
 */
struct network_watch {
	void *context;
	void (*arrived)(void *context, const struct network *network, unsigned int node,
			const struct ring_packet *packet);
	void (*ended)(void *context, const struct network *network, unsigned int node,
		      const struct ring_packet *packet);
};

/**
 * struct network - Ringlets with one clock.
 * @clock: number of clocks so far
 * @rings: the ringlets; shape [@ring_count]
 * @node: for each node of each ringlet, the network's node, or NETWORK_BRIDGE
 * @transactions: by node, a bit for each transaction id that is in use
 * @given: number of requests that were put into an output buffer, by node
 * @ended: number of these requests whose transaction has ended
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
 * @rings: shape [network_rings()]; kept by reference
 *
 * Return: 0, or -EINVAL if a number of @config is not possible.
 */
int network_init(struct network *network, const struct network_config *config, struct ring *rings);

/**
 * network_offer() - Put a request into an output buffer of a node: a load_offer.
 *
 * Only @since, @address, @target and @command of @offer are used.
 *
 * Return: 0; -EAGAIN if there is no room, or no transaction id; -EINVAL if @target or @command is
 * not possible.
 */
int network_offer(void *network, unsigned int node, const struct ring_offer *offer);

/**
 * network_step() - Do one clock, in which a load offers the requests that are due.
 * @load: NULL: no load
 */
void network_step(struct network *network, struct load *load);

/**
 * network_rests() - Would a clock without a request change nothing but the clock?
 */
bool network_rests(const struct network *network);

/**
 * network_skip() - Advance the clock of a network that rests by a number of clocks.
 */
void network_skip(struct network *network, uint64_t clocks);

#endif /* EMU_RING_NETWORK_H */
