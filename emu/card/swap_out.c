/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Swapping out: write counters, and the other records that wait for room, to the ring.
 *
 * What lives here: the component Swap_out of "Design and Implementation Aspects" (2000), section V.
 * The order of the waiting records is that of the datasheet's section 10. The record of a dynamic
 * counter is composed in dynamic_range_table.h, and that of a static counter in static_counters.c.
 *
 * Invariant: work waits only while the ring has no room. A record is composed before its counter is
 * cleared, because the bus may refuse the record. The counts in the record's counter are cleared
 * only when the ring contains the record.
 */
#include <base/field.h>

#include "emu/card/card_inside.h"

void card_put_entry(struct card *card, int index, uint32_t cause)
{
	uint32_t word[SMILE_RECORD_WORDS];
	uint32_t count = dynamic_record(&card->dynamic, index, cause, word);

	if (!ring_put(card, word))
		return;
	dynamic_free(&card->dynamic, index);
	card->count.delivered += count;
}

static void put_lost(struct card *card)
{
	uint32_t marks =
		card->marks_unsaid > UINT32_MAX ? UINT32_MAX : (uint32_t)card->marks_unsaid;
	uint32_t word[SMILE_RECORD_WORDS] = {
		SMILE_PUT(SMILE_RECORD_KIND, SMILE_KIND_LOST),
		marks,
		(uint32_t)card->lost_unsaid,
		(uint32_t)(card->lost_unsaid >> 32),
	};

	if (!ring_put(card, word))
		return;
	card->lost_unsaid = 0;
	card->marks_unsaid -= marks;
}

static void put_time(struct card *card)
{
	uint32_t word[SMILE_RECORD_WORDS] = {
		SMILE_PUT(SMILE_RECORD_KIND, SMILE_KIND_TIME),
		0,
		(uint32_t)card->timer.time_ns,
		(uint32_t)(card->timer.time_ns >> 32),
	};

	if (ring_put(card, word))
		card->timer.time_waiting = 0;
}

static void put_mark(struct card *card)
{
	const struct card_mark *mark = &card->mark;
	uint32_t word[SMILE_RECORD_WORDS] = {
		SMILE_PUT(SMILE_RECORD_KIND, SMILE_KIND_EVENT) |
			SMILE_PUT(SMILE_RECORD_PHASE, (uint32_t)mark->phase) |
			SMILE_PUT(SMILE_RECORD_CAUSE, (uint32_t)mark->raised) |
			SMILE_PUT(SMILE_RECORD_COUNT, (uint32_t)mark->event),
		SMILE_PUT(SMILE_RECORD_SOURCE, (uint32_t)mark->node),
		(uint32_t)mark->time_ns,
		(uint32_t)(mark->time_ns >> 32),
	};

	if (!ring_put(card, word))
		return;
	card->mark.valid = 0;
	if (card->static_later)
		static_take(&card->statics);
	card->static_later = 0;
}

/*
 * Write one of the waiting records, in the order of the datasheet's section 10. Return: false if no
 * record is waiting.
 */
static bool settle_step(struct card *card)
{
	uint32_t entries = card->config.entries;
	int index;

	if (card->lost_unsaid || card->marks_unsaid) {
		put_lost(card);
		return true;
	}
	if (card->timer.time_waiting) {
		put_time(card);
		return true;
	}
	index = dynamic_saturated(&card->dynamic, entries);
	if (index >= 0) {
		card_put_entry(card, index, SMILE_CAUSE_OVERFLOW);
		return true;
	}
	if (card->swapping && card->dynamic.occupied) {
		card_put_entry(card, dynamic_first_valid(&card->dynamic, entries),
			       SMILE_CAUSE_SWAP);
		return true;
	}
	if (card->statics.waiting) {
		static_put_taken(card);
		return true;
	}
	if (card->mark.valid) {
		put_mark(card);
		return true;
	}
	if (card->swapping) {
		card->swapping = 0;
		card_lose_later(card);
		return true;
	}
	if (card->statics.owing) {
		static_put_owed(card);
		return true;
	}
	index = dynamic_victim(&card->dynamic, entries);
	if (index >= 0) {
		card_put_entry(card, index, SMILE_CAUSE_CAPACITY);
		return true;
	}
	return false;
}

void card_settle(struct card *card)
{
	while (ring_room(card)) {
		if (!settle_step(card))
			return;
	}
}

void card_swap(struct card *card, uint32_t command)
{
	if (command & SMILE_COMMAND_SWAP && card->dynamic.occupied)
		card->swapping = 1;
	if (command & SMILE_COMMAND_SWAP_STATIC && card->config.mode & SMILE_MODE_STATIC) {
		/*
		 * Counts of events after a phase mark must not be written before the mark. Swap the
		 * counters after the mark. The mark has taken their earlier counts, so all of their
		 * present counts are of events after the mark.
		 */
		if (card->mark.valid && card->mark.phase)
			card->static_later = 1;
		else if (command & SMILE_COMMAND_ONE)
			static_take_one(&card->statics, SMILE_GET(SMILE_COMMAND_COUNTER, command));
		else
			static_take(&card->statics);
	}
	card_settle(card);
}
