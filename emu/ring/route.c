/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Topologies and routes: see route.h.
 *
 * The positions of nodes in the two topologies. Ringlets: node n is at position n % width of
 * ringlet n / width. After the last of these nodes, each ringlet has a port of the switch. The
 * switch is the last ringlet, and it has a node for each port. Torus: node n is at position n %
 * width of row n / width, and at position n / width of column n % width. The ringlets of the
 * columns follow the ringlets of the rows.
 */
#include "emu/ring/route.h"

#include <errno.h>
#include <string.h>

/* ---- names ----------------------------------------------------------------------------------- */

/*
 * Parse a number that is followed by the character @end. Return: the text after @end; NULL if there
 * is no such number.
 */
static const char *number(const char *text, char end, unsigned int *out)
{
	const char *at = text;
	unsigned int value = 0;

	for (; *at >= '0' && *at <= '9' && value <= LOAD_NODES_MAX; at++)
		value = 10 * value + (unsigned int)(*at - '0');
	if (at == text || *at != end || value > LOAD_NODES_MAX)
		return NULL;
	*out = value;
	return at + (end != 0);
}

int network_topology(const char *text, struct network_config *config)
{
	static const char ringlets[] = "ringlets:", torus[] = "torus:";
	unsigned int height;
	const char *rest;

	if (!strcmp(text, "ring")) {
		config->topology = NETWORK_RING;
		return 0;
	}
	if (!strncmp(text, ringlets, sizeof(ringlets) - 1)) {
		config->topology = NETWORK_RINGLETS;
		return number(text + sizeof(ringlets) - 1, 0, &config->width) ? 0 : -EINVAL;
	}
	if (strncmp(text, torus, sizeof(torus) - 1) != 0)
		return -EINVAL;
	config->topology = NETWORK_TORUS;
	rest = number(text + sizeof(torus) - 1, 'x', &config->width);
	if (!rest || !number(rest, 0, &height))
		return -EINVAL;
	config->nodes = config->width * height;
	return 0;
}

/* ---- ringlets -------------------------------------------------------------------------------- */

static unsigned int rows(const struct network_config *config)
{
	return (config->nodes + config->width - 1) / config->width;
}

int network_rings(const struct network_config *config)
{
	unsigned int count;

	if (config->nodes < 2 || config->nodes > LOAD_NODES_MAX)
		return -EINVAL;
	if (config->topology == NETWORK_RING)
		return config->nodes <= RING_NODES_MAX ? 1 : -EINVAL;
	if (!config->width)
		return -EINVAL;
	count = rows(config);
	if (count < 2 || count > RING_NODES_MAX || config->width >= RING_NODES_MAX)
		return -EINVAL;
	if (config->topology == NETWORK_RINGLETS)
		return (int)count + 1;
	if (config->width < 2 || config->nodes % config->width)
		return -EINVAL;
	count += config->width;
	return count <= NETWORK_RINGS_MAX ? (int)count : -EINVAL;
}

unsigned int route_ring_nodes(const struct network_config *config, unsigned int ring)
{
	unsigned int count = config->topology == NETWORK_RING ? 1 : rows(config);

	if (config->topology == NETWORK_RING)
		return config->nodes;
	if (config->topology == NETWORK_TORUS)
		return ring < count ? config->width : count;
	if (ring == count)
		return count;
	return (ring + 1 < count ? config->width : config->nodes - ring * config->width) + 1;
}

uint32_t route_node(const struct network_config *config, struct network_place place)
{
	if (config->topology == NETWORK_RING)
		return place.at;
	if (config->topology == NETWORK_TORUS)
		return place.ring < rows(config)
			       ? place.ring * config->width + place.at
			       : place.at * config->width + (place.ring - rows(config));
	if (place.ring == rows(config) || place.at + 1U == route_ring_nodes(config, place.ring))
		return NETWORK_BRIDGE;
	return place.ring * config->width + place.at;
}

struct network_place route_place(const struct network_config *config, unsigned int node)
{
	if (config->topology == NETWORK_RING)
		return (struct network_place){0, (uint8_t)node};
	return (struct network_place){(uint8_t)(node / config->width),
				      (uint8_t)(node % config->width)};
}

struct network_place route_next(const struct network_config *config, struct network_place place,
				unsigned int target, uint8_t *exit)
{
	unsigned int at = route_node(config, place), width = config->width, ring, from;

	switch (config->topology) {
	case NETWORK_RINGLETS:
		ring = target / width;
		if (at != NETWORK_BRIDGE) {
			/*
			 * A node sends the packet to its target on the same ringlet, or to the
			 * port.
			 */
			from = at / width;
			*exit = (uint8_t)(ring == from ? target % width
						       : route_ring_nodes(config, from) - 1);
			return (struct network_place){(uint8_t)from, (uint8_t)(at % width)};
		}
		if (place.ring == rows(config)) {
			*exit = (uint8_t)(target % width);
			return (struct network_place){
				place.at, (uint8_t)(route_ring_nodes(config, place.at) - 1)};
		}
		*exit = (uint8_t)ring;
		return (struct network_place){(uint8_t)rows(config), place.ring};
	case NETWORK_TORUS:
		/* A packet first travels along its row, and then along a column. */
		if (target % width != at % width) {
			*exit = (uint8_t)(target % width);
			return (struct network_place){(uint8_t)(at / width), (uint8_t)(at % width)};
		}
		*exit = (uint8_t)(target / width);
		return (struct network_place){(uint8_t)(rows(config) + at % width),
					      (uint8_t)(at / width)};
	default:
		*exit = (uint8_t)target;
		return (struct network_place){0, (uint8_t)at};
	}
}

unsigned int route_find(const struct network_config *config, unsigned int source,
			unsigned int target, struct route_part parts[ROUTE_PARTS_MAX])
{
	struct network_place place = route_place(config, source);
	unsigned int count = 0;

	do {
		struct route_part *part = &parts[count++];
		struct network_place next = route_next(config, place, target, &part->exit);

		part->ring = next.ring;
		part->entry = next.at;
		place = (struct network_place){part->ring, part->exit};
	} while (count < ROUTE_PARTS_MAX && route_node(config, place) != target);
	return count;
}
