/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Network: ringlets joined by bridges: a switch between ringlets, or a torus.
 *
 * What lives here: what is behind the nodes of the ringlets. docs/ring.md, section 8. Pure C11, no
 * I/O, no allocation. It may use ring.h, load.h and route.h.
 */
#ifndef EMU_RING_NETWORK_H
#define EMU_RING_NETWORK_H

#include "emu/ring/route.h"

struct network;

/**
 * struct network_watch - Functions that are called when something happens; each may be NULL.
 * @context: passed on
 * @arrived: @packet came into an input buffer of @node, for which it is. @since is the clock in
 *           which its request was due
 * @ended: the transaction of a request ended: its response came, or, without one, it did
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
 * @clock: clocks so far
 * @rings: shape [@ring_count]
 * @node: of each node of each ringlet: the network's node, or NETWORK_BRIDGE
 * @transactions: bit by id that is in use, by node
 * @given: requests that came into an output buffer, by node
 * @ended: of these, those whose transaction has ended
 * @bridged: packets that went from one ringlet to another
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
 * network_init() - Make an idle network.
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
 * network_step() - One clock, in which a load offers the requests that are due.
 * @load: NULL: no load
 */
void network_step(struct network *network, struct load *load);

/**
 * network_rests() - Would a clock without a request change nothing but the clock?
 */
bool network_rests(const struct network *network);

/**
 * network_skip() - Clocks in which a network rests, all at once.
 */
void network_skip(struct network *network, uint64_t clocks);

#endif /* EMU_RING_NETWORK_H */
