/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Output multiplexer: for each clock, choose the symbol that leaves the node. This symbol is part
 * of a packet of the node itself, comes from the bypass FIFO, or is the symbol that arrives. The
 * multiplexer also handles the go bits.
 *
 * No go bit is lost. If a go bit arrives while the node sends or recovers, it is saved, and it
 * leaves with the idle symbol that ends this state. A go bit therefore always exists, on a link or
 * saved in a node, and eventually permits a node to send.
 */
#include "emu/ring/ring_inside.h"

/* Check whether a packet may start after this symbol. */
static bool may_begin(const struct ring *ring, uint32_t last)
{
	if (last & SYMBOL_PACKET || (last & (SYMBOL_GAP | SYMBOL_END)) == SYMBOL_GAP)
		return false;
	return last & SYMBOL_GO || !ring->config.go_bits;
}

/*
 * Choose the next packet to send. Responses are sent before requests, since requests wait for them.
 * Within a class, packets that must be sent again are sent before new packets.
 */
static bool choose(struct ring *ring, struct ring_node *node)
{
	for (unsigned int class = RING_CLASSES; class --;) {
		struct ring_queue *output = &node->output[class];
		struct ring_queue *again = &node->again[class];

		if (again->count) {
			node->sending = queue_first(again);
			queue_remove(again);
			return true;
		}
		if (output->count && node->active[class] < ring->config.active) {
			node->sending = queue_first(output);
			queue_remove(output);
			node->active[class]++;
			node->counts.injected[class]++;
			level_sample(&node->counts.output,
				     node->output[RING_REQUEST].count +
					     node->output[RING_RESPONSE].count);
			level_sample(&node->counts.active, both_classes(node->active));
			return true;
		}
	}
	return false;
}

/*
 * Store a symbol that arrives while the output is in use. A free idle symbol is not stored, which
 * compensates for a symbol that the node has inserted.
 */
static void store(struct ring_node *node, uint32_t symbol)
{
	node->saved |= (symbol & SYMBOL_GO) != 0;
	if (symbol & (SYMBOL_PACKET | SYMBOL_GAP))
		node->bypass[(node->bypass_first + node->bypass_count++) % RING_BYPASS_SYMBOLS] =
			symbol & ~SYMBOL_GO;
}

/*
 * Get the idle symbol with which sending or recovering ends. If the FIFO is empty, the symbol
 * carries the saved go bit, and the node passes symbols again. Otherwise the node recovers.
 */
static uint32_t release(struct ring_node *node, uint32_t symbol)
{
	if (node->bypass_count) {
		node->state = RING_RECOVER;
		return symbol;
	}
	node->state = RING_PASS;
	return node->saved ? symbol | SYMBOL_GO : symbol;
}

/* Get the next symbol of the node's own packet, or of the gap after it. */
static uint32_t own_symbol(struct ring *ring, unsigned int at)
{
	struct ring_node *node = &ring->nodes[at];
	unsigned int position = node->position++;
	unsigned int length = node->length;
	uint32_t symbol = SMILE_PUT(SYMBOL_SLOT, (uint32_t)node->sending) |
			  SMILE_PUT(SYMBOL_OWNER, at) | SMILE_PUT(SYMBOL_POSITION, position);

	if (position < length) {
		node->counts.own.symbols++;
		symbol |= SYMBOL_PACKET;
		if (position == 0)
			symbol |= SYMBOL_HEAD;
		if (position + 1 == length)
			symbol |= SYMBOL_LAST;
		return symbol;
	}
	symbol = SMILE_PUT(SYMBOL_POSITION, position - length) | SYMBOL_GAP;
	if (position + 1 < length + ring->config.gap)
		return symbol;
	return release(node, symbol | SYMBOL_END);
}

static uint32_t begin(struct ring *ring, unsigned int at)
{
	struct ring_node *node = &ring->nodes[at];
	struct ring_packet *packet = &node->slots[node->sending];

	packet->begun = ring->clock;
	packet->tries++;
	node->counts.tries[packet->class]++;
	node->state = RING_SEND;
	node->length = packet->symbols;
	node->position = 0;
	return own_symbol(ring, at);
}

/* Get the oldest symbol of the bypass FIFO. */
static uint32_t bypass_symbol(struct ring_node *node)
{
	uint32_t symbol = node->bypass[node->bypass_first];

	node->bypass_first = (node->bypass_first + 1) % RING_BYPASS_SYMBOLS;
	node->bypass_count--;
	node->counts.recovery++;
	if (symbol & SYMBOL_PACKET)
		node->counts.bypass.symbols++;
	return symbol & SYMBOL_END ? release(node, symbol) : symbol;
}

/*
 * Pass a symbol on. If the first idle symbol of a sequence has a go bit, all symbols of the
 * sequence get go bits.
 */
static uint32_t pass(struct ring_node *node, uint32_t symbol)
{
	if (symbol & SYMBOL_PACKET)
		node->counts.bypass.symbols++;
	else if (!(node->last & SYMBOL_PACKET))
		symbol |= node->last & SYMBOL_GO;
	return symbol;
}

uint32_t ring_multiplex(struct ring *ring, unsigned int at, uint32_t symbol)
{
	struct ring_node *node = &ring->nodes[at];

	if (node->state == RING_PASS) {
		if (!may_begin(ring, node->last) || !choose(ring, node)) {
			symbol = pass(node, symbol);
		} else {
			node->saved = false;
			store(node, symbol);
			symbol = begin(ring, at);
		}
	} else {
		store(node, symbol);
		symbol = node->state == RING_SEND ? own_symbol(ring, at) : bypass_symbol(node);
	}
	if (symbol & SYMBOL_GAP)
		node->counts.gap_symbols++;
	if (symbol & SYMBOL_LAST && ring->watch.left)
		ring->watch.left(ring->watch.left_context, ring, at, symbol_packet(ring, symbol),
				 symbol & SYMBOL_ECHO);
	node->last = symbol;
	return symbol;
}
