/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The swap ring: the one in use, and the one in the dual-ported RAM.
 *
 * What lives here: the only exit of a record from the card, the effect of a record on the
 * interrupts (full, watermark, latency), and the three pointers of the dual-ported RAM. The host
 * owns the read pointer. The write pointer is at the first incomplete record. The auxiliary pointer
 * runs ahead of it while a record is written; the ring is full when it reaches the read pointer.
 * Source: "Design and Implementation Aspects" (2000), section V.A. Pointers are one bit wider than
 * the address, so that full and empty differ; this, watermark and latency are defined here. The
 * ring in host memory is in host_ring.c.
 */
#include "emu/card/parts.h"

static bool ram_consume(struct swap_ring *ring, uint32_t pointer)
{
	uint32_t unread = (ring->write - ring->read) & SMILE_RING_POINTER;

	if (pointer > SMILE_RING_POINTER || pointer % SMILE_RECORD_WORDS ||
	    ((pointer - ring->read) & SMILE_RING_POINTER) > unread)
		return false;
	ring->read = pointer;
	return true;
}

/* Start the latency timer anew, or stop it. */
static void time_latency(struct card *card, bool start)
{
	uint32_t us = start ? card->config.latency_us : 0;

	if (!us && !card->latency)
		return;
	card->latency = us != 0;
	if (card->ops && card->ops->latency)
		card->ops->latency(card->opaque, us);
}

void ring_stop_latency(struct card *card)
{
	time_latency(card, false);
}

void ring_start_latency(struct card *card)
{
	time_latency(card, ring_unread(card) != 0);
}

void card_expire(struct card *card)
{
	if (!card->latency)
		return;
	card->latency = 0;
	card_interrupt(card, SMILE_INT_LATENCY);
}

bool ring_put(struct card *card, const uint32_t word[SMILE_RECORD_WORDS])
{
	uint32_t unread, causes = 0;

	if (!ring_hosted(card)) {
		ring_put_quietly(card, word);
	} else if (!host_ring_put(card, word)) {
		card_interrupt(card, SMILE_INT_DMA_ERROR);
		return false;
	}

	unread = ring_unread(card);
	if (unread == 1)
		time_latency(card, true);
	if (unread == card->config.watermark_records)
		causes |= SMILE_INT_WATERMARK;
	if (ring_full(card))
		causes |= SMILE_INT_RING_FULL;
	if (causes)
		card_interrupt(card, causes);
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
