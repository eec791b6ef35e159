/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Network: ringlets that are joined by bridges. See network.h.
 */
#include "emu/ring/network.h"

#include <errno.h>
#include <string.h>

#include "emu/ring/ring_inside.h"

/* Send a packet on the next ringlet of its route. */
static int send(struct network *network, struct network_place place, struct ring_offer *offer)
{
	struct network_place next =
		route_next(&network->config, place, offer->target, &offer->exit);

	offer->numbered = true;
	return ring_offer(&network->rings[next.ring], next.at, offer);
}

static void end_transaction(struct network *network, unsigned int node,
			    const struct ring_packet *packet)
{
	network->transactions[node] &= ~(1ULL << packet->transaction);
	network->ended[node]++;
	if (network->watch.ended)
		network->watch.ended(network->watch.context, network, node, packet);
}

/*
 * Process a packet that has reached its target, which is the node at @place. Return: false if the
 * packet must wait.
 */
static bool take(struct network *network, struct network_place place,
		 const struct ring_packet *packet)
{
	int response = ring_response(packet->command);
	struct ring_offer offer = {
		.since = packet->since,
		.target = packet->source,
		.source = packet->target,
		.command = (uint8_t)response,
		.transaction = packet->transaction,
	};

	if (packet->class == RING_RESPONSE)
		end_transaction(network, packet->target, packet);
	else if (response < 0)
		end_transaction(network, packet->source, packet);
	else if (send(network, place, &offer))
		return false;
	return true;
}

/* Implement ring_finish. */
static bool finish(void *context, struct ring *ring, unsigned int at,
		   const struct ring_packet *packet)
{
	struct network *network = context;
	struct network_place place = {(uint8_t)(ring - network->rings), (uint8_t)at};
	struct ring_offer offer = {
		.since = packet->since,
		.address = packet->address,
		.target = packet->target,
		.source = packet->source,
		.command = packet->command,
		.transaction = packet->transaction,
	};

	if (network->node[place.ring][at] == packet->target)
		return take(network, place, packet);
	if (send(network, place, &offer))
		return false;
	network->bridged++;
	return true;
}

static void note_arrived(void *context, const struct ring *ring, unsigned int at,
			 const struct ring_packet *packet)
{
	struct network *network = context;
	unsigned int node = network->node[ring - network->rings][at];

	if (node == packet->target && network->watch.arrived)
		network->watch.arrived(network->watch.context, network, node, packet);
}

int network_init(struct network *network, const struct network_config *config, struct ring *rings)
{
	int count = network_rings(config);

	if (count < 0)
		return count;
	memset(network, 0, sizeof(*network));
	network->config = *config;
	network->rings = rings;
	network->ring_count = (unsigned int)count;
	for (unsigned int ring = 0; ring < network->ring_count; ring++) {
		struct ring_config one = config->ring;
		int err;

		one.nodes = route_ring_nodes(config, ring);
		err = ring_init(&rings[ring], &one);
		if (err)
			return err;
		rings[ring].finish = finish;
		rings[ring].finish_context = network;
		rings[ring].watch.context = network;
		rings[ring].watch.arrived = note_arrived;
		for (unsigned int at = 0; at < one.nodes; at++)
			network->node[ring][at] = route_node(
				config, (struct network_place){(uint8_t)ring, (uint8_t)at});
	}
	return 0;
}

int network_offer(void *context, unsigned int node, const struct ring_offer *request)
{
	struct network *network = context;
	struct ring_offer offer = *request;
	unsigned int type = cable_send_type(offer.command, false);
	int err;

	if (offer.target == node || offer.target >= network->config.nodes || !type ||
	    type >= CABLE_TYPE_REQUEST_ECHO)
		return -EINVAL;
	if (!~network->transactions[node])
		return -EAGAIN;
	offer.source = (uint16_t)node;
	offer.transaction = (uint8_t)__builtin_ctzll(~network->transactions[node]);
	err = send(network, route_place(&network->config, node), &offer);
	if (err)
		return err;
	network->transactions[node] |= 1ULL << offer.transaction;
	network->given[node]++;
	return 0;
}

void network_step(struct network *network, struct load *load)
{
	if (load)
		load_step_to(load, network->clock, network_offer, network);
	for (unsigned int ring = 0; ring < network->ring_count; ring++)
		ring_step(&network->rings[ring]);
	network->clock++;
}

/* Check whether the ring has no packets, and only idle symbols with go bits. */
static bool ring_rests(const struct ring *ring)
{
	for (unsigned int at = 0; at < ring->config.nodes; at++) {
		const struct ring_node *node = &ring->nodes[at];

		if (~node->free_slots || node->state != RING_PASS ||
		    node->input[RING_REQUEST].count || node->input[RING_RESPONSE].count ||
		    node->last != (SYMBOL_IDLE | SYMBOL_GO))
			return false;
		for (unsigned int row = 0; row <= ring->config.hop_clocks; row++)
			if (ring->links[row][at] != (SYMBOL_IDLE | SYMBOL_GO))
				return false;
	}
	return true;
}

bool network_rests(const struct network *network)
{
	for (unsigned int ring = 0; ring < network->ring_count; ring++)
		if (!ring_rests(&network->rings[ring]))
			return false;
	return true;
}

void network_skip(struct network *network, uint64_t clocks)
{
	network->clock += clocks;
	for (unsigned int ring = 0; ring < network->ring_count; ring++) {
		network->rings[ring].clock += clocks;
		for (unsigned int at = 0; at < network->rings[ring].config.nodes; at++)
			network->rings[ring].nodes[at].since_packet += clocks;
	}
}
