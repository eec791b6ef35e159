/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Ring: initialization, output buffers, and the steps of a clock. See ring.h. stripper.c handles
 * the symbols that arrive at a node, multiplexer.c handles the symbols that leave it and the bypass
 * FIFO, and server.c handles the input buffer.
 */
#include <errno.h>
#include <string.h>

#include <hw/blink.h>

#include "emu/ring/ring_inside.h"

struct ring_config ring_defaults(unsigned int nodes)
{
	return (struct ring_config){
		.nodes = nodes,
		.hop_clocks = 4,
		.gap = 1,
		.output = 4,
		.active = 8,
		.input = 8,
		.service_clocks = 8,
		.go_bits = true,
	};
}

static bool within(unsigned int value, unsigned int first, unsigned int last)
{
	return value >= first && value <= last;
}

int ring_init(struct ring *ring, const struct ring_config *config)
{
	if (!within(config->nodes, 2, RING_NODES_MAX) ||
	    !within(config->hop_clocks, 1, RING_HOP_MAX) || !within(config->gap, 1, RING_GAP_MAX) ||
	    !within(config->output, 1, RING_BUFFER_MAX) ||
	    !within(config->active, 1, RING_BUFFER_MAX) ||
	    !within(config->input, 1, RING_BUFFER_MAX) || !config->service_clocks)
		return -EINVAL;
	memset(ring, 0, sizeof(*ring));
	ring->config = *config;
	for (unsigned int clock = 0; clock <= RING_HOP_MAX; clock++)
		for (unsigned int node = 0; node < RING_NODES_MAX; node++)
			ring->links[clock][node] = SYMBOL_IDLE | SYMBOL_GO;
	for (unsigned int at = 0; at < config->nodes; at++) {
		struct ring_node *node = &ring->nodes[at];

		node->last = SYMBOL_IDLE | SYMBOL_GO;
		node->service_clocks = config->service_clocks;
		node->free_slots = ~0ULL;
	}
	return 0;
}

int ring_response(unsigned int command)
{
	if (command < BLINK_WRITESB)
		return BLINK_RESPONSE16;
	if (command < BLINK_LOCKSB)
		return BLINK_RESPONSE00;
	if (command < BLINK_NREAD64)
		return BLINK_RESPONSE16;
	switch (command) {
	case BLINK_NREAD64:
		return BLINK_RESPONSE64;
	case BLINK_NREAD256:
		return BLINK_RESPONSE256;
	case BLINK_NWRITE16:
	case BLINK_NWRITE64:
	case BLINK_NWRITE256:
		return BLINK_RESPONSE00;
	default:
		return -ENOENT;
	}
}

/*
 * Take a sample at measuring points 3 and 4, before the symbol of this clock leaves. The server
 * puts a packet into the output buffer after the symbol of its clock has left. The sample for such
 * a packet is therefore taken before the next symbol.
 */
static void sample_rates(struct ring *ring, unsigned int at)
{
	struct ring_node *node = &ring->nodes[at];
	struct ring_rate *own = &node->counts.own;
	struct ring_rate *bypass = &node->counts.bypass;

	node->rates_due = false;
	if (ring->watch.rates && ring->clock > own->clock)
		ring->watch.rates(ring->watch.context, ring, at, ring->clock - own->clock,
				  own->symbols - own->sampled, bypass->symbols - bypass->sampled);
	own->sampled = own->symbols;
	bypass->sampled = bypass->symbols;
	own->clock = ring->clock;
	bypass->clock = ring->clock;
}

int ring_offer(struct ring *ring, unsigned int at, const struct ring_offer *offer)
{
	struct ring_node *node = &ring->nodes[at];
	unsigned int type = cable_send_type(offer->command, false);
	enum ring_class class = type < CABLE_TYPE_REQUEST_ECHO ? RING_REQUEST : RING_RESPONSE;
	unsigned int transaction = offer->transaction;
	struct ring_packet *packet;
	uint8_t slot;

	if (!type || offer->exit == at || offer->exit >= ring->config.nodes)
		return -EINVAL;
	if (node->output[class].count == ring->config.output)
		return -EAGAIN;
	if (class == RING_REQUEST && !offer->numbered) {
		if (!~node->transactions)
			return -EAGAIN;
		transaction = (unsigned int)__builtin_ctzll(~node->transactions);
		node->transactions |= 1ULL << transaction;
	}
	slot = (uint8_t)__builtin_ctzll(node->free_slots);
	node->free_slots &= node->free_slots - 1;
	packet = &node->slots[slot];
	*packet = (struct ring_packet){
		.since = offer->since,
		.number = node->given++,
		.address = offer->address,
		.target = offer->target,
		.source = offer->source,
		.command = offer->command,
		.transaction = (uint8_t)transaction,
		.type = (uint8_t)type,
		.symbols = (uint8_t)cable_send_symbols(type),
		.class = (uint8_t) class,
		.entry = (uint8_t)at,
		.exit = offer->exit,
		.phase = CABLE_PHASE_DOTRY,
		.numbered = offer->numbered,
	};
	queue_insert(&node->output[class], slot);
	node->counts.offered[class]++;
	level_sample(&node->counts.output,
		     node->output[RING_REQUEST].count + node->output[RING_RESPONSE].count);
	node->rates_due = true;
	return 0;
}

void ring_step(struct ring *ring)
{
	unsigned int rows = ring->config.hop_clocks + 1;
	unsigned int next = ring->now + 1 < rows ? ring->now + 1 : 0;
	/*
	 * The row that will be written in the next clock now contains the symbols that were written
	 * hop_clocks ago.
	 */
	const uint32_t *arriving = ring->links[next];
	uint32_t *leaving = ring->links[ring->now];
	unsigned int before = ring->config.nodes - 1;

	for (unsigned int at = 0; at < ring->config.nodes; at++) {
		if (ring->nodes[at].rates_due)
			sample_rates(ring, at);
		leaving[at] = ring_multiplex(ring, at, ring_strip(ring, at, arriving[before]));
		ring_serve(ring, at);
		before = at;
	}
	ring->now = next;
	ring->clock++;
}

void ring_cable(const struct ring_packet *packet, bool echo, struct cable_packet *cable)
{
	memset(cable, 0, sizeof(*cable));
	cable->transaction = packet->transaction;
	if (echo) {
		cable->type = packet->class == RING_REQUEST ? CABLE_TYPE_REQUEST_ECHO
							    : CABLE_TYPE_RESPONSE_ECHO;
		cable->target = packet->source;
		cable->source = packet->target;
		cable->phase = packet->label;
		cable->busy = packet->busy;
		return;
	}
	cable->type = packet->type;
	cable->target = packet->target;
	cable->source = packet->source;
	cable->phase = packet->phase;
	cable->command = packet->command;
	cable->address = packet->address;
}
