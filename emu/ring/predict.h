/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Predict: how long packets wait in a network, by formula instead of clock by clock.
 *
 * What lives here: the load of each link from the traffic between nodes, and the waits that follow.
 * docs/ring.md, section 11. Pure C11, no I/O, no allocation; doubles, with the four basic
 * operations alone, so that the result is the same on any machine. It may use route.h.
 */
#ifndef EMU_RING_PREDICT_H
#define EMU_RING_PREDICT_H

#include "emu/ring/route.h"

#define PREDICT_NODES_MAX 64U
/* Ringlets of one node each have a link for it, and two for its port of the switch. */
#define PREDICT_LINKS_MAX (PREDICT_NODES_MAX * 3U)

/**
 * struct predict_load - The traffic of a link, or the part of it that a node causes.
 * @own: clocks in which packets of the node in front of the link leave, their gaps among them
 * @own_squares: sum of the squares of these packets' clocks
 * @passing: the same of all other packets, and of echoes
 * @passing_squares: likewise
 */
struct predict_load {
	double own;
	double own_squares;
	double passing;
	double passing_squares;
};

/**
 * struct predict - A network and the traffic of a time.
 * @first: of each ringlet: its first link; that behind node n of the ringlet is @first + n
 * @ring_count: how many ringlets
 * @link_count: how many links
 * @capacity: of each link: the share of its clocks that it carries at most
 * @links: shape [@link_count]
 * @caused: by node, the part of @links that its transactions cause
 * @transactions: by source and target
 * @idle: clocks of these in an idle network, added up
 */
struct predict {
	struct network_config config;
	unsigned int ring_count;
	unsigned int link_count;
	uint16_t first[NETWORK_RINGS_MAX];
	double capacity[PREDICT_LINKS_MAX];
	struct predict_load links[PREDICT_LINKS_MAX];
	struct predict_load caused[PREDICT_NODES_MAX][PREDICT_LINKS_MAX];
	uint64_t transactions[PREDICT_NODES_MAX][PREDICT_NODES_MAX];
	uint64_t idle[PREDICT_NODES_MAX];
};

/**
 * predict_init() - A network without traffic.
 *
 * Return: 0; -EINVAL if the network is not possible, or has more than PREDICT_NODES_MAX nodes.
 */
int predict_init(struct predict *predict, const struct network_config *config);

/**
 * predict_clear() - Forget the traffic.
 */
void predict_clear(struct predict *predict);

/**
 * predict_add() - Transactions of @source with @target: requests, their responses, and the echoes
 *		   of both.
 * @command: BLINK_* of the request; @target is another node
 * @count: how many
 */
void predict_add(struct predict *predict, unsigned int source, unsigned int target,
		 unsigned int command, uint64_t count);

/**
 * predict_idle() - Clocks of a transaction in an idle network, from the output buffer to the end.
 */
uint64_t predict_idle(const struct network_config *config, unsigned int source, unsigned int target,
		      unsigned int command);

/**
 * predict_time() - How long the nodes take with their traffic.
 * @each: of each node: how many transactions it has under way at once, at most: it waits for one of
 *        them then; 0: any number, whose requests come at their times whatever the network does
 * @clocks: of each node, above 0: how long it takes without waits; receives how long it takes
 * @waits: receives the clocks for which each node's transactions wait, added up; all have the shape
 *         [nodes]
 */
void predict_time(const struct predict *predict, const unsigned int *each, double *clocks,
		  double *waits);

/**
 * struct predict_link - Where a link is.
 * @ringlet: the ringlet that it belongs to
 * @from: node in front of it; NETWORK_BRIDGE: a port of the switch
 * @to: node behind it, or NETWORK_BRIDGE
 */
struct predict_link {
	unsigned int ringlet;
	uint32_t from;
	uint32_t to;
};

struct predict_link predict_link(const struct predict *predict, unsigned int link);

/**
 * predict_busiest() - The link that carries packets for most clocks; of equal ones the first.
 */
unsigned int predict_busiest(const struct predict *predict);

/**
 * predict_link_load() - Share of @clocks in which a link carries packets and gaps; above 1: it
 *			 cannot.
 */
double predict_link_load(const struct predict *predict, unsigned int link, double clocks);

/**
 * predict_transaction_load() - Clocks in which a link carries packets of one transaction.
 */
double predict_transaction_load(const struct predict *predict, unsigned int link,
				unsigned int source, unsigned int target, unsigned int command);

#endif /* EMU_RING_PREDICT_H */
