/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The work that waits for room in the reference's ring. The code follows the list in section 10 of
 * the datasheet, line by line. May use reference.h.
 */
#include "tests/reference/reference.h"

/* The result of a line of the list. */
enum done {
	NOTHING, /* nothing of the kind waits */
	WRITTEN, /* one thing was done: begin at the first line again */
	NO_ROOM,
};

/* 1. A LOST record, if there are losses to report. */
static enum done work_lost(struct reference *ref)
{
	struct reference_record record = {
		.kind = SMILE_KIND_LOST,
		.lost = ref->lost_pending,
		/* "the next LOST record reports the rest" */
		.marks_lost =
			ref->marks_pending > UINT32_MAX ? UINT32_MAX : (uint32_t)ref->marks_pending,
	};

	if (ref->lost_pending == 0 && ref->marks_pending == 0)
		return NOTHING;
	if (!reference_ring_put(ref, &record))
		return NO_ROOM;
	ref->lost_pending = 0;
	ref->marks_pending -= record.marks_lost;
	return WRITTEN;
}

/* 2. A TIME record. */
static enum done work_time(struct reference *ref)
{
	struct reference_record record = {.kind = SMILE_KIND_TIME, .time_ns = ref->time_ns};

	if (!ref->time_waits)
		return NOTHING;
	if (!reference_ring_put(ref, &record))
		return NO_ROOM;
	ref->time_waits = false;
	return WRITTEN;
}

/* An entry of the range table. */
static enum done work_range(struct reference *ref, int place, uint32_t cause)
{
	struct reference_record record;

	if (place < 0)
		return NOTHING;
	record = reference_dynamic_record(ref, place, cause);
	if (!reference_ring_put(ref, &record))
		return NO_ROOM;
	reference_dynamic_remove(ref, place);
	return WRITTEN;
}

/* 3. Saturated entries of the range table. */
static enum done work_saturated(struct reference *ref)
{
	return work_range(ref, reference_dynamic_saturated(ref), SMILE_CAUSE_OVERFLOW);
}

/* 4. The rest of a Swap_All. */
static enum done work_swap_all(struct reference *ref)
{
	if (!ref->swapping)
		return NOTHING;
	return work_range(ref, reference_dynamic_lowest(ref), SMILE_CAUSE_SWAP);
}

/* One OVERFLOW or STATIC record of counter @i. */
static bool put_static(struct reference *ref, uint32_t i, uint32_t kind, uint32_t count)
{
	struct reference_record record = reference_static_record(ref, i, kind, count);

	return reference_ring_put(ref, &record);
}

/* 5. The counts that were taken from the static counters. */
static enum done work_taken(struct reference *ref)
{
	for (uint32_t i = 0; i < SMILE_STATIC_COUNTERS; i++) {
		struct reference_counter *counter = &ref->counter[i];

		if (counter->taken_overflows > 0) {
			if (!put_static(ref, i, SMILE_KIND_OVERFLOW, SMILE_COUNT_MAX))
				return NO_ROOM;
			counter->taken_overflows--;
			return WRITTEN;
		}
		if (counter->taken_rest > 0) {
			if (!put_static(ref, i, SMILE_KIND_STATIC, (uint32_t)counter->taken_rest))
				return NO_ROOM;
			counter->taken_rest = 0;
			return WRITTEN;
		}
	}
	return NOTHING;
}

/* 6. The EVENT record. */
static enum done work_mark(struct reference *ref)
{
	struct reference_record record = {
		.kind = SMILE_KIND_EVENT,
		.cause = ref->mark.cause,
		.event = ref->mark.id,
		.phase = ref->mark.phase,
		.source = ref->mark.node,
		.time_ns = ref->mark.time_ns,
	};

	if (!ref->mark.kept)
		return NOTHING;
	if (!reference_ring_put(ref, &record))
		return NO_ROOM;
	ref->mark.kept = false;
	if (ref->take_later)
		reference_static_take(ref);
	ref->take_later = false;
	return WRITTEN;
}

void reference_work_losses(struct reference *ref)
{
	ref->lost_pending += ref->lost_in_swap;
	ref->lost_in_swap = 0;
	ref->marks_pending += ref->marks_in_swap;
	ref->marks_in_swap = 0;
}

/* 7. The end of a Swap_All. */
static enum done work_swap_end(struct reference *ref)
{
	if (!ref->swapping)
		return NOTHING;
	ref->swapping = false;
	reference_work_losses(ref);
	return WRITTEN;
}

/* 8. OVERFLOW records of static counters. */
static enum done work_owed(struct reference *ref)
{
	for (uint32_t i = 0; i < SMILE_STATIC_COUNTERS; i++) {
		if (ref->counter[i].owed == 0)
			continue;
		if (!put_static(ref, i, SMILE_KIND_OVERFLOW, SMILE_COUNT_MAX))
			return NO_ROOM;
		ref->counter[i].owed--;
		return WRITTEN;
	}
	return NOTHING;
}

/* 9. If every entry in use is valid: the least recently used entry. */
static enum done work_demanded(struct reference *ref)
{
	return work_range(ref, reference_dynamic_demanded(ref), SMILE_CAUSE_CAPACITY);
}

static enum done (*const lines[])(struct reference *ref) = {
	work_lost, work_time,	  work_saturated, work_swap_all, work_taken,
	work_mark, work_swap_end, work_owed,	  work_demanded,
};

void reference_work(struct reference *ref)
{
	size_t line = 0;

	/* "until no item applies or the ring has no room" */
	while (line < sizeof(lines) / sizeof(lines[0]) && reference_ring_room(ref)) {
		switch (lines[line](ref)) {
		case NOTHING:
			line++;
			break;
		case WRITTEN:
			line = 0;
			break;
		case NO_ROOM:
			return;
		}
	}
}

static bool taken_waits(const struct reference *ref)
{
	for (uint32_t i = 0; i < SMILE_STATIC_COUNTERS; i++)
		if (ref->counter[i].taken_overflows > 0 || ref->counter[i].taken_rest > 0)
			return true;
	return false;
}

bool reference_work_swapping(const struct reference *ref)
{
	return ref->swapping || ref->mark.kept || taken_waits(ref);
}

bool reference_work_busy(const struct reference *ref)
{
	for (uint32_t i = 0; i < SMILE_STATIC_COUNTERS; i++)
		if (ref->counter[i].owed > 0)
			return true;
	return reference_work_swapping(ref);
}
