/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The ring: symbols on links, and functions that one file of the ring defines and other files call.
 *
 * What lives here: declarations that ring.c, stripper.c, multiplexer.c and server.c share. May use
 * ring.h.
 */
#ifndef EMU_RING_RING_INSIDE_H
#define EMU_RING_RING_INSIDE_H

#include <base/field.h>

#include "emu/ring/ring.h"

/*
 * The representation of a symbol on a link. A symbol of a packet is represented by the number of
 * its packet and its position in the packet, and not by its 16 bits. An idle symbol is represented
 * by its go bit. An idle symbol is either free, or a part of the gap after a packet.
 */
#define SYMBOL_SLOT 0x0000003fU /* bits 5-0: slot of the packet at the node that sends it */
#define SYMBOL_OWNER 0x00000fc0U /* bits 11-6: the node that sends the packet */
#define SYMBOL_POSITION 0x000ff000U /* bits 19-12: position in the packet, or in the gap, from 0 */
#define SYMBOL_PACKET (1U << 20) /* the symbol belongs to a packet; otherwise it is idle */
#define SYMBOL_ECHO (1U << 21)
#define SYMBOL_HEAD (1U << 22) /* the first symbol of a packet */
#define SYMBOL_LAST (1U << 23) /* the last symbol of a packet, which is the CRC */
#define SYMBOL_GAP (1U << 24) /* an idle symbol of the gap after a packet */
#define SYMBOL_END (1U << 25) /* the last idle symbol of the gap */
#define SYMBOL_GO (1U << 26)

#define SYMBOL_IDLE 0U

/* The action of the stripper on a packet. */
enum ring_strips {
	STRIPS_NOTHING,
	STRIPS_SEND,
	STRIPS_ECHO,
};

static inline struct ring_packet *symbol_packet(struct ring *ring, uint32_t symbol)
{
	return &ring->nodes[SMILE_GET(SYMBOL_OWNER, symbol)].slots[SMILE_GET(SYMBOL_SLOT, symbol)];
}

static inline void level_sample(struct ring_level *level, uint32_t packets)
{
	level->samples++;
	level->sum += packets;
	if (packets > level->highest)
		level->highest = packets;
}

static inline uint8_t queue_first(const struct ring_queue *queue)
{
	return queue->slot[queue->first];
}

static inline void queue_remove(struct ring_queue *queue)
{
	queue->first = (queue->first + 1) % RING_BUFFER_MAX;
	queue->count--;
}

static inline void queue_insert(struct ring_queue *queue, uint8_t slot)
{
	queue->slot[(queue->first + queue->count++) % RING_BUFFER_MAX] = slot;
}

static inline uint32_t both_classes(const uint8_t *counts)
{
	return counts[RING_REQUEST] + counts[RING_RESPONSE];
}

/* Free a transaction id. */
static inline void transaction_end(struct ring_node *node, unsigned int transaction)
{
	node->transactions &= ~(1ULL << transaction);
}

/*
 * Pass an arriving symbol through the stripper of a node. Return: the symbol that leaves the
 * stripper.
 */
uint32_t ring_strip(struct ring *ring, unsigned int at, uint32_t symbol);

/*
 * Pass a symbol from the stripper through the output multiplexer of a node. Return: the symbol that
 * leaves the node.
 */
uint32_t ring_multiplex(struct ring *ring, unsigned int at, uint32_t symbol);

/* For one clock, work on the packets in the input buffers of a node. */
void ring_serve(struct ring *ring, unsigned int at);

#endif /* EMU_RING_RING_INSIDE_H */
