/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The rings: the ring in use, and the ring in the dual-ported RAM.
 *
 * What lives here: the function through which every record leaves the card, and the three pointers
 * of the dual-ported RAM. The host owns the read pointer. The write pointer is at the first
 * incomplete record. While a record is written, the auxiliary pointer is ahead of the write
 * pointer. The ring is full when the auxiliary pointer reaches the read pointer. Source: "Design
 * and Implementation Aspects" (2000), section V.A. The pointers have one bit more than the address,
 * so that a full ring can be distinguished from an empty one. This bit is defined in this project.
 * The ring in host memory is in host_ring.c, and the interrupts of both rings are in watermark.c.
 */
#include "emu/card/card_inside.h"

static bool ram_consume(struct swap_ring *ring, uint32_t pointer)
{
	uint32_t unread = (ring->write - ring->read) & SMILE_RING_POINTER;

	if (pointer > SMILE_RING_POINTER || pointer % SMILE_RECORD_WORDS ||
	    ((pointer - ring->read) & SMILE_RING_POINTER) > unread)
		return false;
	ring->read = pointer;
	return true;
}

bool ring_put(struct card *card, const uint32_t word[SMILE_RECORD_WORDS])
{
	if (!ring_hosted(card)) {
		ring_put_quietly(card, word);
	} else if (!host_ring_put(card, word)) {
		card_interrupt(card, SMILE_INT_DMA_ERROR);
		return false;
	}
	watermark_reached(card);
	return true;
}

bool ring_consume(struct card *card, uint32_t pointer)
{
	if (!ram_consume(&card->ring, pointer))
		return false;
	if (!ring_hosted(card))
		ring_start_latency(card);
	return true;
}

bool ring_consume_host(struct card *card, uint32_t pointer)
{
	if (!ring_hosted(card)) {
		card->host_ring.read = pointer;
		return true;
	}
	if (!host_ring_consume(&card->host_ring, pointer))
		return false;
	ring_start_latency(card);
	return true;
}
