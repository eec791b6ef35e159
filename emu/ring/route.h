/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Route: find the ringlets of a network, the nodes of each ringlet, and the routes of packets.
 *
 * What lives here: topologies, without the state of a network. docs/ring.md, section 8, describes
 * topologies. Pure C11, no I/O, no allocation. May use ring.h and load.h.
 */
#ifndef EMU_RING_ROUTE_H
#define EMU_RING_ROUTE_H

#include "emu/ring/load.h"

#define NETWORK_RINGS_MAX 65U
#define NETWORK_BRIDGE UINT32_MAX /* a port of the switch, which is not a node of the network */
#define ROUTE_PARTS_MAX 3U /* the largest number of ringlets on the route of a packet */

enum network_topology {
	NETWORK_RING,
	NETWORK_RINGLETS,
	NETWORK_TORUS,
};

/**
 * struct network_config - Properties of a network.
 * @topology: enum network_topology
 * @nodes: number of nodes, 2 to LOAD_NODES_MAX
 * @width: for ringlets, the number of nodes of each ringlet; the last ringlet may have fewer. For a
 *         torus, the number of nodes in a row; it is at least 2 and a divisor of @nodes, and there
 *         are at least 2 rows
 * @ring: configuration of all ringlets; its member @nodes is not used
 */
struct network_config {
	enum network_topology topology;
	unsigned int nodes;
	unsigned int width;
	struct ring_config ring;
};

/**
 * struct network_place - A position on a ringlet.
 */
struct network_place {
	uint8_t ring;
	uint8_t at;
};

/**
 * network_topology() - Parse "ring", "ringlets:K" or "torus:XxY".
 * @config: receives @topology and @width; for a torus also @nodes
 *
 * Return: 0; -EINVAL if @text has none of these forms.
 */
int network_topology(const char *text, struct network_config *config);

/**
 * network_rings() - Get the number of ringlets of a network.
 *
 * Return: the number of ringlets; -EINVAL if a number in @config is not possible.
 */
int network_rings(const struct network_config *config);

/**
 * route_ring_nodes() - Get the number of nodes of a ringlet, including ports of the switch.
 */
unsigned int route_ring_nodes(const struct network_config *config, unsigned int ring);

/**
 * Get the node of the network at a position of a ringlet. Return: the node; NETWORK_BRIDGE if a
 * port of the switch is at this position.
 */
uint32_t route_node(const struct network_config *config, struct network_place place);

/**
 * route_place() - Get a position of a node on a ringlet.
 */
struct network_place route_place(const struct network_config *config, unsigned int node);

/**
 * route_next() - Find the position at which a packet for @target enters the next ringlet, after the
 * packet has left the previous ringlet at @place.
 * @exit: receives the position at which the packet leaves the next ringlet
 */
struct network_place route_next(const struct network_config *config, struct network_place place,
				unsigned int target, uint8_t *exit);

/**
 * struct route_part - The part of a route on one ringlet. It begins with the link after @entry and
 * ends with the link before @exit.
 */
struct route_part {
	uint8_t ring;
	uint8_t entry;
	uint8_t exit;
};

/**
 * route_find() - Find the complete route of a packet between two different nodes of the network.
 *
 * Return: the number of parts of the route.
 */
unsigned int route_find(const struct network_config *config, unsigned int source,
			unsigned int target, struct route_part parts[ROUTE_PARTS_MAX]);

#endif /* EMU_RING_ROUTE_H */
