/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Prediction: compute by a formula how long packets wait in a network, without simulating each
 * clock.
 *
 * What lives here: the load of each link, computed from the traffic between nodes, and the waits
 * that result from this load. docs/ring.md, section 11, describes the formula. Pure C11, no I/O, no
 * allocation. The computation uses doubles with only the four basic operations, so that the result
 * is the same on any machine. May use route.h.
 */
#ifndef EMU_RING_PREDICTION_H
#define EMU_RING_PREDICTION_H

#include "emu/ring/route.h"

#define PREDICTION_NODES_MAX 64U
/*
 * The largest number of links. The number of links is largest if each ringlet of a switched network
 * has only one node. There is then one link for the node, and two links for the ringlet's port of
 * the switch.
 */
#define PREDICTION_LINKS_MAX (PREDICTION_NODES_MAX * 3U)

/**
 * struct prediction_load - The traffic of a link, or the part of the link's traffic that a node
 * causes.
 * @own: clocks for which the link carries packets of the node before it, including their gaps
 * @own_squares: sum of the squares of the clocks of these packets
 * @passing: clocks for which the link carries other packets and echoes, including their gaps
 * @passing_squares: sum of the squares of the clocks of these packets and echoes
 */
struct prediction_load {
	double own;
	double own_squares;
	double passing;
	double passing_squares;
};

/**
 * struct prediction - A network, and its traffic in an interval.
 * @first: for each ringlet, the index of its first link; the link after node n of the ringlet has
 *         the index @first + n
 * @ring_count: number of ringlets
 * @link_count: number of links
 * @capacity: for each link, the largest share of clocks for which it can carry symbols
 * @links: the traffic of the links; shape [@link_count]
 * @caused: for each node, the part of @links that is caused by the node's transactions
 * @transactions: number of transactions, by source and target
 * @idle: for each node, the sum of the clocks of its transactions in an idle network
 */
struct prediction {
	struct network_config config;
	unsigned int ring_count;
	unsigned int link_count;
	uint16_t first[NETWORK_RINGS_MAX];
	double capacity[PREDICTION_LINKS_MAX];
	struct prediction_load links[PREDICTION_LINKS_MAX];
	struct prediction_load caused[PREDICTION_NODES_MAX][PREDICTION_LINKS_MAX];
	uint64_t transactions[PREDICTION_NODES_MAX][PREDICTION_NODES_MAX];
	uint64_t idle[PREDICTION_NODES_MAX];
};

/**
 * prediction_init() - Create a network without traffic.
 *
 * Return: 0; -EINVAL if the network is not possible, or has more than PREDICTION_NODES_MAX nodes.
 */
int prediction_init(struct prediction *predict, const struct network_config *config);

/**
 * prediction_clear() - Remove all traffic.
 */
void prediction_clear(struct prediction *predict);

/**
 * prediction_add() - Add transactions between @source and @target: their requests, the responses,
 * and the echoes of both.
 * @command: command of the requests, BLINK_*; @target must differ from @source
 * @count: number of transactions
 */
void prediction_add(struct prediction *predict, unsigned int source, unsigned int target,
		    unsigned int command, uint64_t count);

/**
 * prediction_idle() - Get the clocks of a transaction in an idle network, from the output buffer to
 * the end of the transaction.
 */
uint64_t prediction_idle(const struct network_config *config, unsigned int source,
			 unsigned int target, unsigned int command);

/**
 * prediction_time() - Compute how long the nodes take, including the times for which they wait for
 * their transactions.
 * @each: for each node, the largest number of transactions that the node can have at the same time.
 *        A node with this number of transactions waits until one of them ends. 0: any number; the
 *        node then never waits, and its requests do not depend on the network
 * @clocks: for each node, the clocks that the node takes without waiting, above 0; receives the
 *          clocks that the node takes with waiting; shape [nodes]
 * @waits: receives, for each node, the sum of the clocks for which its transactions wait; shape
 *         [nodes]
 */
void prediction_time(const struct prediction *predict, const unsigned int *each, double *clocks,
		     double *waits);

/**
 * struct prediction_link - The position of a link.
 * @ringlet: the ringlet of the link
 * @from: node before the link; NETWORK_BRIDGE: a port of the switch
 * @to: node after the link; NETWORK_BRIDGE: a port of the switch
 */
struct prediction_link {
	unsigned int ringlet;
	uint32_t from;
	uint32_t to;
};

struct prediction_link prediction_link(const struct prediction *predict, unsigned int link);

/**
 * prediction_busiest() - Find the link that carries packets for the most clocks. If several links
 * carry packets for the same number of clocks, return the first of them.
 */
unsigned int prediction_busiest(const struct prediction *predict);

/**
 * prediction_link_load() - Get the number of clocks that a link needs for its packets and gaps, as
 * a fraction of @clocks. If the fraction is above 1, the link cannot carry this traffic.
 */
double prediction_link_load(const struct prediction *predict, unsigned int link, double clocks);

/**
 * prediction_transaction_load() - Get the number of clocks for which a link carries packets of one
 * transaction.
 */
double prediction_transaction_load(const struct prediction *predict, unsigned int link,
				   unsigned int source, unsigned int target, unsigned int command);

#endif /* EMU_RING_PREDICTION_H */
