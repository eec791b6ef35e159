/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Stripper: remove the packets for its node from the ring, put their echoes in their place, and age
 * packets for which the input buffer has no room.
 */
#include <hw/blink.h>

#include "emu/ring/ring_inside.h"

/*
 * Decide whether to accept the packet that begins to arrive. The echo reports the decision.
 *
 * Refused packets are sent again, and belong to two generations, A and B. The node accepts the
 * packets of one generation until no packet of this generation waits; then it accepts the packets
 * of the other generation. If a packet arrives for the first time while packets of the accepted
 * generation wait, it joins the other generation, even if the buffer has room.
 */
static bool accept(struct ring_input *input, struct ring_packet *packet, unsigned int room)
{
	unsigned int generation;

	if (!input->waiting[input->turn] && input->waiting[!input->turn])
		input->turn = !input->turn;
	if (packet->phase == CABLE_PHASE_DOTRY) {
		bool waits = input->waiting[input->turn];

		packet->busy = waits || !room;
		generation = waits ? !input->turn : input->turn;
		input->waiting[generation] += packet->busy;
	} else {
		generation = packet->phase == CABLE_PHASE_RETRY_B;
		packet->busy = generation != input->turn || !room;
		input->waiting[generation] -= !packet->busy;
	}
	packet->label = packet->busy ? (uint8_t)(CABLE_PHASE_RETRY_A + generation) : packet->phase;
	return !packet->busy;
}

static void begin_packet(struct ring *ring, unsigned int at, uint32_t symbol)
{
	struct ring_node *node = &ring->nodes[at];
	struct ring_counts *counts = &node->counts;
	struct ring_packet *packet = symbol_packet(ring, symbol);

	counts->arrivals++;
	counts->idles += node->since_packet;
	if (node->since_packet > counts->idles_max)
		counts->idles_max = node->since_packet;
	node->since_packet = 0;
	node->strips = STRIPS_NOTHING;
	if (symbol & SYMBOL_ECHO) {
		if (SMILE_GET(SYMBOL_OWNER, symbol) == at)
			node->strips = STRIPS_ECHO;
	} else if (packet->exit == at) {
		struct ring_input *input = &node->input[packet->class];

		node->strips = STRIPS_SEND;
		node->accepts = accept(input, packet, ring->config.input - input->count);
		if (!node->accepts)
			counts->busied[packet->class]++;
	}
}

/* At the end of an accepted packet, put it into the input buffer. */
static void deliver(struct ring *ring, unsigned int at, struct ring_packet *packet)
{
	struct ring_node *node = &ring->nodes[at];
	struct ring_input *input = &node->input[packet->class];
	struct ring_counts *counts = &node->counts;

	packet->delivered = true;
	input->packets[(input->first + input->count++) % RING_BUFFER_MAX] = *packet;
	counts->received[packet->class]++;
	counts->received_bytes += CABLE_SYMBOL_BYTES * cable_data_symbols(packet->type);
	level_sample(&counts->input,
		     node->input[RING_REQUEST].count + node->input[RING_RESPONSE].count);
	if (ring->watch.arrived)
		ring->watch.arrived(ring->watch.context, ring, at, packet);
}

/*
 * Replace a symbol of a packet: by an idle symbol, or near the end of the packet by a symbol of its
 * echo. The echo ends where the packet ends.
 */
static uint32_t strip_send(struct ring *ring, unsigned int at, uint32_t symbol)
{
	struct ring_packet *packet = symbol_packet(ring, symbol);
	unsigned int position = SMILE_GET(SYMBOL_POSITION, symbol);
	unsigned int echo = packet->symbols - CABLE_ECHO_SYMBOLS;

	if (symbol & SYMBOL_LAST && ring->nodes[at].accepts)
		deliver(ring, at, packet);
	if (position < echo)
		return SYMBOL_IDLE;
	return (symbol & (SYMBOL_SLOT | SYMBOL_OWNER | SYMBOL_LAST)) |
	       SMILE_PUT(SYMBOL_POSITION, position - echo) | SYMBOL_PACKET | SYMBOL_ECHO |
	       (position == echo ? SYMBOL_HEAD : 0);
}

static void end_echo(struct ring *ring, unsigned int at, uint32_t symbol)
{
	struct ring_node *node = &ring->nodes[at];
	unsigned int slot = SMILE_GET(SYMBOL_SLOT, symbol);
	struct ring_packet *packet = &node->slots[slot];
	enum ring_class class = packet->class;

	node->counts.echoes[class]++;
	if (packet->busy) {
		packet->phase = packet->label;
		node->counts.retries[class]++;
		queue_insert(&node->again[class], (uint8_t)slot);
		return;
	}
	node->counts.acknowledged[class]++;
	if (class == RING_REQUEST && !packet->numbered && ring_response(packet->command) < 0)
		transaction_end(node, packet->transaction);
	node->free_slots |= 1ULL << slot;
	node->active[class]--;
	level_sample(&node->counts.active, both_classes(node->active));
}

uint32_t ring_strip(struct ring *ring, unsigned int at, uint32_t symbol)
{
	struct ring_node *node = &ring->nodes[at];

	if (!(symbol & SYMBOL_PACKET)) {
		node->since_packet++;
		/*
		 * After an echo was removed, no gap is needed. Therefore the idle symbols of its
		 * gap become free.
		 */
		return symbol & SYMBOL_GAP && node->strips == STRIPS_ECHO ? symbol & SYMBOL_GO
									  : symbol;
	}
	if (symbol & SYMBOL_HEAD)
		begin_packet(ring, at, symbol);
	if (node->strips == STRIPS_SEND)
		return strip_send(ring, at, symbol);
	if (node->strips == STRIPS_NOTHING)
		return symbol;
	if (symbol & SYMBOL_LAST)
		end_echo(ring, at, symbol);
	return SYMBOL_IDLE;
}
