/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The watermark: when the ring in use interrupts.
 *
 * What lives here: the interrupts for a full ring, for a number of unread records that reaches the
 * watermark, and for fewer records at the end of the latency. The timer of the latency belongs to
 * the environment (card_ops.latency). Watermark and latency are defined here; the papers have only
 * the full ring.
 */
#include "emu/card/card_inside.h"

/* Restart the latency timer, or stop it. */
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

void watermark_reached(struct card *card)
{
	uint32_t unread = ring_unread(card), causes = 0;

	if (unread == 1)
		time_latency(card, true);
	if (unread == card->config.watermark_records)
		causes |= SMILE_INT_WATERMARK;
	if (ring_full(card))
		causes |= SMILE_INT_RING_FULL;
	if (causes)
		card_interrupt(card, causes);
}
