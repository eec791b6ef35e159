/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card: decoder, filter, the two arrays and the ring joined.
 *
 * What lives here: the way of a packet through the card, and what happens while the ring has no
 * room. The state machine of the 2000 paper (figure 9: Idle, Forward, Busy, Swap, Swap_All) is
 * card_blink_packet() and card_settle(): Forward is the filter, Busy is dynamic_count(), Swap and
 * Swap_All are the steps of card_settle(). Nothing is lost silently: what can be neither counted
 * nor stored is counted as lost, and a LOST record says so as soon as there is room.
 *
 * Invariant: work waits only while the ring has no room. A record is composed first, and what it
 * tells is forgotten only once the ring has it: the bus may refuse it.
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

/* ---- what waits for room ---- */

static void put_entry(struct card *card, int index, uint32_t cause)
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
 * One step of what is waiting, in the order of the datasheet's section 10. Return: false if nothing
 * is.
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
		put_entry(card, index, SMILE_CAUSE_OVERFLOW);
		return true;
	}
	if (card->swapping && card->dynamic.occupied) {
		put_entry(card, dynamic_first_valid(&card->dynamic, entries), SMILE_CAUSE_SWAP);
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
		card->lost_unsaid = card->lost_later;
		card->lost_later = 0;
		return true;
	}
	if (card->statics.owing) {
		static_put_owed(card);
		return true;
	}
	index = dynamic_victim(&card->dynamic, entries);
	if (index >= 0) {
		put_entry(card, index, SMILE_CAUSE_CAPACITY);
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
		/* What was counted since a phase mark must not be written before it. */
		if (card->mark.valid && card->mark.phase)
			card->static_later = 1;
		else
			static_take(&card->statics);
	}
	card_settle(card);
}

/* ---- global events ---- */

void card_lose_marks(struct card *card, uint16_t event, uint64_t times)
{
	static_global(card, event, times);
	card->count.marks_lost += times;
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
	/* What was lost during a Swap_All so far was lost before this mark: say so before it. */
	card->lost_unsaid += card->lost_later;
	card->lost_later = 0;
	if (phase) {
		card->swapping = 1;
		static_take(&card->statics);
	}
	card_settle(card);
}

/* ---- packets ---- */

static void lose(struct card *card)
{
	card->count.lost++;
	if (card->swapping)
		card->lost_later++;
	else
		card->lost_unsaid++;
}

/* Does the filter let a packet of its kind and direction pass? */
static bool passes_packet(const struct card *card, const struct blink_event *event)
{
	uint32_t filter = card->config.filter;
	uint32_t mode = card->config.mode;
	uint32_t node = card->config.node;
	uint32_t need =
		event->class == BLINK_CLASS_RESPONSE ? SMILE_FILTER_RESPONSE : SMILE_FILTER_REQUEST;

	if (mode & SMILE_MODE_NARROW)
		node &= SMILE_NARROW_NODE;
	if (event->target == node)
		need |= SMILE_FILTER_INCOMING;
	else if (event->source == node)
		need |= SMILE_FILTER_OUTGOING;
	else
		need |= SMILE_FILTER_FOREIGN;
	return (filter & need) == need && !(mode & SMILE_MODE_NO_DYNAMIC);
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

/* A transaction, in the order of its ways through the two arrays. */
static void transact(struct card *card, struct blink_event *event)
{
	uint32_t mode = card->config.mode;
	bool passes = passes_packet(card, event);

	if (!passes && !(mode & SMILE_MODE_STATIC)) {
		card->count.filtered++;
		return;
	}
	if (event->class == BLINK_CLASS_RESPONSE &&
	    !blink_lookup(&card->decoder, mode & SMILE_MODE_FAITHFUL_TABLE, event)) {
		if (passes)
			card->count.unmatched++;
		else
			card->count.filtered++;
		return;
	}
	if (mode & SMILE_MODE_STATIC)
		static_count(card, event);
	if (!passes || !passes_type(card, event)) {
		card->count.filtered++;
		if (!card->statics.owing)
			return;
	} else {
		card->count.accepted++;
		if (card->swapping ||
		    !dynamic_count(&card->dynamic, &card->config, event, &card->count.extensions))
			lose(card);
	}
	card_settle(card);
}

void card_blink_packet(struct card *card, const void *frame, size_t bytes)
{
	struct blink_event event;

	if (!(card->control & SMILE_CONTROL_ENABLE))
		return;

	card->count.seen++;
	blink_decode(&card->decoder, frame, bytes, card->config.mode & SMILE_MODE_NARROW, &event);
	switch (event.class) {
	case BLINK_CLASS_MALFORMED:
		card->count.malformed++;
		return;
	case BLINK_CLASS_EVENT:
		card->count.event++;
		card_raise(card, (uint16_t)event.address, event.source, SMILE_RAISED_BLINK);
		return;
	default:
		transact(card, &event);
	}
}
