/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Route: which ringlets a network has, which nodes are on them, and the route of a packet.
 *
 * What lives here: topologies, without the state of a network. docs/ring.md, section 8. Pure C11,
 * no I/O, no allocation. It may use ring.h and load.h.
 */
#ifndef EMU_RING_ROUTE_H
#define EMU_RING_ROUTE_H

#include "emu/ring/load.h"

#define NETWORK_RINGS_MAX 65U
#define NETWORK_BRIDGE UINT32_MAX /* no node of the network, but a port of the switch */
#define ROUTE_PARTS_MAX 3U /* the largest number of ringlets that a packet passes */

enum network_topology {
	NETWORK_RING,
	NETWORK_RINGLETS,
	NETWORK_TORUS,
};

/**
 * struct network_config - The properties of a network.
 * @topology: enum network_topology
 * @nodes: number of nodes, 2 to LOAD_NODES_MAX
 * @width: for ringlets, the number of nodes of each; the last one may have fewer. For a torus, the
 *         number of nodes in a row, at least 2 and a divisor of @nodes; there are at least 2 rows
 * @ring: configuration of all ringlets; its @nodes is not used
 */
struct network_config {
	enum network_topology topology;
	unsigned int nodes;
	unsigned int width;
	struct ring_config ring;
};

/**
 * struct network_place - A node of a ringlet.
 */
struct network_place {
	uint8_t ring;
	uint8_t at;
};

/**
 * network_topology() - Parse "ring", "ringlets:K" or "torus:XxY".
 * @config: receives @topology and @width, and for a torus @nodes
 *
 * Return: 0; -EINVAL if @text is none of them.
 */
int network_topology(const char *text, struct network_config *config);

/**
 * network_rings() - Get the number of ringlets of a network.
 *
 * Return: -EINVAL if a number of @config is not possible.
 */
int network_rings(const struct network_config *config);

/**
 * route_ring_nodes() - Get the number of nodes of a ringlet, including ports.
 */
unsigned int route_ring_nodes(const struct network_config *config, unsigned int ring);

/**
 * route_node() - Get the network's node behind a node of a ringlet, or NETWORK_BRIDGE.
 */
uint32_t route_node(const struct network_config *config, struct network_place place);

/**
 * route_place() - Get a place behind which a node of the network is.
 */
struct network_place route_place(const struct network_config *config, unsigned int node);

/**
 * route_next() - Find the place where a packet for @target enters the next ringlet, when it leaves
 * @place.
 * @exit: receives the node at which the packet leaves that ringlet
 */
struct network_place route_next(const struct network_config *config, struct network_place place,
				unsigned int target, uint8_t *exit);

/**
 * struct route_part - The part of a route on one ringlet: over the links from the one behind @entry
 *         to the one in front of @exit.
 */
struct route_part {
	uint8_t ring;
	uint8_t entry;
	uint8_t exit;
};

/**
 * route_find() - Find the whole route of a packet between two different nodes of the network.
 *
 * Return: the number of its parts.
 */
unsigned int route_find(const struct network_config *config, unsigned int source,
			unsigned int target, struct route_part parts[ROUTE_PARTS_MAX]);

#endif /* EMU_RING_ROUTE_H */
