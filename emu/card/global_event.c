/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Global events: events without an address, which software, the timer or a frame raises.
 *
 * What lives here: the mark of a global event, which waits for room in the ring, and the loss of
 * marks. A phase mark first swaps out all counters (swap_out.c).
 */
#include "emu/card/card_inside.h"

void card_lose_marks(struct card *card, uint16_t event, uint64_t times)
{
	static_global(card, event, times);
	card->count.marks_lost += times;
	if (card->swapping)
		card->marks_later += times;
	else
		card->marks_unsaid += times;
}

void card_raise(struct card *card, uint16_t event, uint16_t node, uint8_t raised)
{
	bool phase = event < SMILE_EVENTS && (card->config.phase_events >> event & 1);

	if (card->mark.valid) {
		card_lose_marks(card, event, 1);
		return;
	}
	static_global(card, event, 1);
	card->mark = (struct card_mark){
		.time_ns = card->count.clock_ns,
		.event = event,
		.node = node,
		.raised = raised,
		.phase = phase,
		.valid = 1,
	};
	/* The losses during a Swap_All precede this mark, so report them before the mark. */
	card_lose_later(card);
	if (phase) {
		card->swapping = 1;
		static_take(&card->statics);
	}
	card_settle(card);
}
