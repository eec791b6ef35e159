/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Predict: how long packets wait in a network, by formula instead of clock by clock.
 *
 * What lives here: the load of each link from the traffic between nodes, and the waits that follow.
 * docs/ring.md, section 11. Pure C11, no I/O, no allocation; it uses doubles, with only the four
 * basic operations, so that the result is the same on any machine. It may use route.h.
 */
#ifndef EMU_RING_PREDICT_H
#define EMU_RING_PREDICT_H

#include "emu/ring/route.h"

#define PREDICT_NODES_MAX 64U
/*
 * If each ringlet has one node, there is a link for the node, and two links for its port of the
 * switch.
 */
#define PREDICT_LINKS_MAX (PREDICT_NODES_MAX * 3U)

/**
 * struct predict_load - The traffic of a link, or the part of it that a node causes.
 * @own: clocks in which packets of the node in front of the link leave, including their gaps
 * @own_squares: sum of the squares of these packets' clocks
 * @passing: the same of all other packets, and of echoes
 * @passing_squares: sum of the squares of the clocks of these packets and echoes
 */
struct predict_load {
	double own;
	double own_squares;
	double passing;
	double passing_squares;
};

/**
 * struct predict - A network and the traffic of an interval.
 * @first: for each ringlet, its first link; the link behind node n of the ringlet is @first + n
 * @ring_count: number of ringlets
 * @link_count: number of links
 * @capacity: for each link, the largest share of its clocks for which it carries symbols
 * @links: the traffic of the links; shape [@link_count]
 * @caused: by node, the part of @links that the node's transactions cause
 * @transactions: number of transactions, by source and target
 * @idle: sum of the clocks of these transactions in an idle network
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
 * predict_init() - Create a network without traffic.
 *
 * Return: 0; -EINVAL if the network is not possible, or has more than PREDICT_NODES_MAX nodes.
 */
int predict_init(struct predict *predict, const struct network_config *config);

/**
 * predict_clear() - Remove the traffic.
 */
void predict_clear(struct predict *predict);

/**
 * predict_add() - Add transactions of @source with @target: requests, their responses, and the
 *         echoes of both.
 * @command: BLINK_* of the request; @target is another node
 * @count: number of transactions
 */
void predict_add(struct predict *predict, unsigned int source, unsigned int target,
		 unsigned int command, uint64_t count);

/**
 * predict_idle() - Get the clocks of a transaction in an idle network, from the output buffer to
 * the end.
 */
uint64_t predict_idle(const struct network_config *config, unsigned int source, unsigned int target,
		      unsigned int command);

/**
 * predict_time() - Compute how long the nodes take with their traffic.
 * @each: for each node, the largest number of transactions that it has at the same time; with this
 *        number it waits for one of them; 0: any number, so that requests are made at their times
 *        independently of the network
 * @clocks: for each node, above 0: how long it takes without waits; receives how long it takes with
 *          them
 * @waits: receives, for each node, the sum of the clocks for which its transactions wait; @each,
 *         @clocks and @waits have the shape [nodes]
 */
void predict_time(const struct predict *predict, const unsigned int *each, double *clocks,
		  double *waits);

/**
 * struct predict_link - The position of a link.
 * @ringlet: the ringlet of the link
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
 * predict_busiest() - Find the link that carries packets for most clocks; of equal ones the first.
 */
unsigned int predict_busiest(const struct predict *predict);

/**
 * predict_link_load() - Get the share of @clocks in which a link carries packets and gaps; above 1,
 *         it cannot carry them.
 */
double predict_link_load(const struct predict *predict, unsigned int link, double clocks);

/**
 * predict_transaction_load() - Get the clocks in which a link carries packets of one transaction.
 */
double predict_transaction_load(const struct predict *predict, unsigned int link,
				unsigned int source, unsigned int target, unsigned int command);

#endif /* EMU_RING_PREDICT_H */
