/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card: connect the dynamic array, the static array, the global events and the ring.
 *
 * What lives here: the work after each packet, and the work that waits while the ring has no room.
 * Nothing is lost without a report: if an event can be neither counted nor stored, it is counted as
 * lost, and a LOST record reports it as soon as there is room. packets.c does the work before: it
 * decodes a packet, filters it, and passes it to the arrays. dynamic_range_table.h composes the
 * record of a dynamic counter.
 *
 * Invariant: work waits only while the ring has no room. A record is composed before its counter is
 * cleared, because the bus may refuse the record. The counts in the record's counter are cleared
 * only when the ring contains the record.
 */
#include <string.h>

#include <base/field.h>

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
	blink_reset(&card->decoder);
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

/* ---- records that wait for room ---- */

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

/* Let the next LOST record also report the losses that happened during a Swap_All. */
static void say_later(struct card *card)
{
	card->lost_unsaid += card->lost_later;
	card->lost_later = 0;
	card->marks_unsaid += card->marks_later;
	card->marks_later = 0;
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
		say_later(card);
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

/* ---- losses and global events ---- */

void card_lose(struct card *card)
{
	card->count.lost++;
	if (card->swapping)
		card->lost_later++;
	else
		card->lost_unsaid++;
}

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
	say_later(card);
	if (phase) {
		card->swapping = 1;
		static_take(&card->statics);
	}
	card_settle(card);
}
