/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card: decoder, filter, range table and ring joined.
 *
 * What lives here: the way of a packet through the card, and what happens while the ring has no
 * room. The state machine of the 2000 paper (figure 9: Idle, Forward, Busy, Swap, Swap_All) is
 * card_blink_packet() and card_settle(): Forward is the filter, Busy is dynamic_count(), Swap and
 * Swap_All are the steps of card_settle(). Nothing is lost silently: what can be neither counted
 * nor stored is counted as lost, and a LOST record says so as soon as there is room.
 *
 * Invariant: work waits only while the ring is full.
 */
#include <string.h>

#include "emu/card/parts.h"

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
	ring_reset(&card->ring);
	card->swapping = 0;
	memset(&card->mark, 0, sizeof(card->mark));
	card->lost_unsaid = 0;
	card->lost_later = 0;
	card->marks_unsaid = 0;
	card_interrupt(card);
}

void card_interrupt(struct card *card)
{
	bool level = card->int_status & card->int_enable;

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
	card->int_status |= SMILE_INT_LINK;
	card_interrupt(card);
}

void card_tick(struct card *card, uint64_t now_ns)
{
	if (now_ns > card->count.clock_ns)
		card->count.clock_ns = now_ns;
}

bool card_ready(const struct card *card)
{
	return (card->control & SMILE_CONTROL_ENABLE) && !ring_full(&card->ring);
}

/* Append a record; the ring is not full. */
static void write_record(struct card *card, const uint32_t word[SMILE_RECORD_WORDS])
{
	ring_put(&card->ring, word);
	card->count.records++;
	if (ring_full(&card->ring)) {
		card->int_status |= SMILE_INT_RING_FULL;
		card_interrupt(card);
	}
}

static void write_entry(struct card *card, int index, uint32_t cause)
{
	uint32_t word[SMILE_RECORD_WORDS];

	card->count.delivered += dynamic_take(&card->dynamic, index, cause, word);
	write_record(card, word);
}

static void write_lost(struct card *card)
{
	uint32_t marks =
		card->marks_unsaid > UINT32_MAX ? UINT32_MAX : (uint32_t)card->marks_unsaid;
	uint32_t word[SMILE_RECORD_WORDS] = {
		SMILE_PUT(SMILE_RECORD_KIND, SMILE_KIND_LOST),
		marks,
		(uint32_t)card->lost_unsaid,
		(uint32_t)(card->lost_unsaid >> 32),
	};

	card->lost_unsaid = 0;
	card->marks_unsaid -= marks;
	write_record(card, word);
}

static void write_mark(struct card *card)
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

	card->mark.valid = 0;
	write_record(card, word);
}

/* One step of what is waiting. Return: false if nothing is. */
static bool settle_step(struct card *card)
{
	uint32_t entries = card->config.entries;
	int index;

	if (card->lost_unsaid || card->marks_unsaid) {
		write_lost(card);
		return true;
	}
	index = dynamic_saturated(&card->dynamic, entries);
	if (index >= 0) {
		write_entry(card, index, SMILE_CAUSE_OVERFLOW);
		return true;
	}
	if (card->swapping && card->dynamic.occupied) {
		write_entry(card, dynamic_first_valid(&card->dynamic, entries), SMILE_CAUSE_SWAP);
		return true;
	}
	if (card->mark.valid) {
		write_mark(card);
		return true;
	}
	if (card->swapping) {
		card->swapping = 0;
		card->lost_unsaid = card->lost_later;
		card->lost_later = 0;
		return true;
	}
	index = dynamic_victim(&card->dynamic, entries);
	if (index >= 0) {
		write_entry(card, index, SMILE_CAUSE_CAPACITY);
		return true;
	}
	return false;
}

void card_settle(struct card *card)
{
	while (!ring_full(&card->ring)) {
		if (!settle_step(card))
			return;
	}
}

void card_swap(struct card *card)
{
	card->swapping = 1;
	card_settle(card);
}

void card_raise(struct card *card, uint16_t event, uint16_t node, uint8_t raised)
{
	bool phase = event < SMILE_EVENTS && (card->config.phase_events >> event & 1);

	if (card->mark.valid) {
		card->count.marks_lost++;
		card->marks_unsaid++;
		return;
	}
	card->mark = (struct card_mark){
		.time_ns = card->count.clock_ns,
		.event = event,
		.node = node,
		.raised = raised,
		.phase = phase,
		.valid = 1,
	};
	/* What was lost during a Swap_All so far was lost before this mark: say so before it. */
	card->lost_unsaid += card->lost_later;
	card->lost_later = 0;
	if (phase)
		card->swapping = 1;
	card_settle(card);
}

static void lose(struct card *card)
{
	card->count.lost++;
	if (card->swapping)
		card->lost_later++;
	else
		card->lost_unsaid++;
}

static bool passes_packet(const struct card *card, const struct blink_event *event)
{
	uint32_t filter = card->config.filter;
	uint32_t node = card->config.node;
	uint32_t need =
		event->class == BLINK_CLASS_RESPONSE ? SMILE_FILTER_RESPONSE : SMILE_FILTER_REQUEST;

	if (event->target == node)
		need |= SMILE_FILTER_INCOMING;
	else if (event->source == node)
		need |= SMILE_FILTER_OUTGOING;
	else
		need |= SMILE_FILTER_FOREIGN;
	return (filter & need) == need;
}

static bool passes_type(const struct card *card, const struct blink_event *event)
{
	static const uint32_t bit[SMILE_TYPE_COUNT] = {
		[SMILE_TYPE_READ] = SMILE_FILTER_READ,
		[SMILE_TYPE_WRITE] = SMILE_FILTER_WRITE,
		[SMILE_TYPE_LOCK] = SMILE_FILTER_LOCK,
	};

	return card->config.filter & bit[event->type];
}

void card_blink_packet(struct card *card, const void *frame, size_t bytes)
{
	struct blink_event event;

	if (!(card->control & SMILE_CONTROL_ENABLE))
		return;

	card->count.seen++;
	blink_decode(&card->decoder, frame, bytes, &event);
	if (event.class == BLINK_CLASS_MALFORMED) {
		card->count.malformed++;
		return;
	}
	if (event.class == BLINK_CLASS_EVENT) {
		card->count.event++;
		card_raise(card, (uint16_t)event.address, event.source, SMILE_RAISED_BLINK);
		return;
	}
	if (!passes_packet(card, &event)) {
		card->count.filtered++;
		return;
	}
	if (event.class == BLINK_CLASS_RESPONSE &&
	    !blink_lookup(&card->decoder, card->config.mode & SMILE_MODE_FAITHFUL_TABLE, &event)) {
		card->count.unmatched++;
		return;
	}
	if (!passes_type(card, &event)) {
		card->count.filtered++;
		return;
	}

	card->count.accepted++;
	if (card->swapping ||
	    !dynamic_count(&card->dynamic, &card->config, &event, &card->count.extensions)) {
		lose(card);
		return;
	}
	card_settle(card);
}
