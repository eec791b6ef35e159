/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card: its reset, its interrupt line, and its losses.
 *
 * What lives here: functions that connect the decoder, the arrays, the timer and the rings. Nothing
 * is lost without a report: if an event can be neither counted nor stored, it is counted as lost,
 * and a LOST record reports it as soon as there is room (swap_out.c). The processing of a packet is
 * in packets.c.
 */
#include <string.h>

#include "emu/card/card_inside.h"

void card_init(struct card *card, uint32_t *ram, const struct card_ops *ops, void *opaque)
{
	memset(card, 0, sizeof(*card));
	card->ring.ram = ram;
	card->ops = ops;
	card->opaque = opaque;
	card_reset(card);
}

void card_reset(struct card *card)
{
	card->control = 0;
	card->bad_write = 0;
	card->config = (struct smile_config){
		.size = sizeof(card->config),
		.filter = SMILE_FILTER_DEFAULT,
		.mode = SMILE_MODE_DEFAULT,
		.max_range_bytes = SMILE_MAX_RANGE_DEFAULT,
		.entries = SMILE_ENTRIES_DEFAULT,
	};
	card->int_status = 0;
	card->int_enable = 0;
	card->latch = 0;
	memset(&card->count, 0, sizeof(card->count));
	transaction_table_reset(&card->transactions);
	dynamic_reset(&card->dynamic);
	static_reset(&card->statics);
	card->ring.read = 0;
	card->ring.write = 0;
	card->ring.aux = 0;
	host_ring_reset(&card->host_ring);
	ring_stop_latency(card);
	timer_reset(&card->timer);
	card->swapping = 0;
	card->static_later = 0;
	memset(&card->mark, 0, sizeof(card->mark));
	card->lost_unsaid = 0;
	card->lost_later = 0;
	card->marks_unsaid = 0;
	card->marks_later = 0;
	card_interrupt(card, 0);
}

void card_interrupt(struct card *card, uint32_t causes)
{
	bool level;

	card->int_status |= causes;
	level = card->int_status & card->int_enable;
	if (level == card->int_level)
		return;
	card->int_level = level;
	if (card->ops && card->ops->interrupt)
		card->ops->interrupt(card->opaque, level);
}

void card_link(struct card *card, bool up)
{
	if (up == card->link)
		return;
	card->link = up;
	card_interrupt(card, SMILE_INT_LINK);
}

bool card_ready(const struct card *card)
{
	return (card->control & SMILE_CONTROL_ENABLE) && ring_room(card);
}

void card_lose(struct card *card)
{
	card->count.lost++;
	if (card->swapping)
		card->lost_later++;
	else
		card->lost_unsaid++;
}

void card_lose_later(struct card *card)
{
	card->lost_unsaid += card->lost_later;
	card->lost_later = 0;
	card->marks_unsaid += card->marks_later;
	card->marks_later = 0;
}
