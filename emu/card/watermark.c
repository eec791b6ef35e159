/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The watermark: decide when the ring in use raises an interrupt.
 *
 * What lives here: the interrupt for a full ring, the interrupt when the number of unread records
 * reaches the watermark, and the interrupt for fewer records when the latency has passed. The
 * environment implements the timer for the latency (card_ops.latency). The watermark and the
 * latency are defined in this project. The papers have only the interrupt for a full ring.
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
