/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The reference as a whole: reset, the path of a frame, the filter, global events, interrupts. See
 * sections 5, 8 and 11 of the datasheet. May use reference.h and the C library.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/reference/reference.h"

bool reference_enabled(const struct reference *ref)
{
	return reference_get(ref, SMILE_REG_CONTROL) & SMILE_CONTROL_ENABLE;
}

bool reference_mode(const struct reference *ref, uint32_t bit)
{
	return reference_get(ref, SMILE_REG_MODE) & bit;
}

void reference_interrupt(struct reference *ref)
{
	bool line = (reference_get(ref, SMILE_REG_INT_STATUS) &
		     reference_get(ref, SMILE_REG_INT_ENABLE)) != 0;

	ref->rises += line && !ref->line;
	ref->line = line;
}

void reference_init(struct reference *ref)
{
	memset(ref, 0, sizeof(*ref));
	ref->bus_accepts = UINT64_MAX;
	reference_registers_reset(ref);
	reference_static_reset(ref);
}

void reference_free(struct reference *ref)
{
	free(ref->written);
	ref->written = NULL;
	ref->records = ref->capacity = 0;
}

/*
 * RESET "sets all registers but STATUS.LINK to their reset values". The other members that are kept
 * here are not part of the card.
 */
void reference_reset(struct reference *ref)
{
	struct reference old = *ref;

	reference_init(ref);
	ref->link = old.link;
	ref->machine_us = old.machine_us;
	ref->bus_accepts = old.bus_accepts;
	ref->rises = old.rises;
	ref->written = old.written;
	ref->records = old.records;
	ref->capacity = old.capacity;
}

/* Section 5: the two bits of the filter that do not need the tables. */
static bool passes_so_far(const struct reference *ref, const struct reference_transaction *event)
{
	uint32_t filter = reference_get(ref, SMILE_REG_FILTER);
	uint32_t node = reference_get(ref, SMILE_REG_NODE);
	uint32_t packet = event->response ? SMILE_FILTER_RESPONSE : SMILE_FILTER_REQUEST;
	uint32_t direction = SMILE_FILTER_FOREIGN;

	if (reference_mode(ref, SMILE_MODE_NARROW))
		node &= SMILE_NARROW_NODE;
	if (event->target == node)
		direction = SMILE_FILTER_INCOMING;
	else if (event->source == node)
		direction = SMILE_FILTER_OUTGOING;
	return !reference_mode(ref, SMILE_MODE_NO_DYNAMIC) && (filter & packet) &&
	       (filter & direction);
}

/* Section 5: the third bit of the filter. */
static bool passes_type(const struct reference *ref, const struct reference_transaction *event)
{
	uint32_t filter = reference_get(ref, SMILE_REG_FILTER);

	switch (event->type) {
	case SMILE_TYPE_READ:
		return filter & SMILE_FILTER_READ;
	case SMILE_TYPE_WRITE:
		return filter & SMILE_FILTER_WRITE;
	}
	return filter & SMILE_FILTER_LOCK;
}

/* A transaction of known type and address reaches both arrays. */
static void both_arrays(struct reference *ref, const struct reference_transaction *event)
{
	reference_static_transaction(ref, event);
	if (!passes_so_far(ref, event) || !passes_type(ref, event)) {
		ref->filtered++;
		return;
	}
	ref->accepted++;
	if (reference_dynamic_count(ref, event))
		return;
	ref->lost++;
	if (ref->swapping)
		ref->lost_in_swap++;
	else
		ref->lost_pending++;
}

static void response(struct reference *ref, struct reference_transaction *event)
{
	bool wanted = passes_so_far(ref, event);

	/* "The card looks up a response [...] in two cases: the request/response bit and the
	 * direction of the response pass the filter, or MODE.STATIC is set." */
	if (!wanted && !reference_mode(ref, SMILE_MODE_STATIC))
		ref->filtered++;
	else if (reference_answer(ref, event))
		both_arrays(ref, event);
	else if (wanted)
		ref->unmatched++;
	else
		ref->filtered++;
}

void reference_packet(struct reference *ref, const void *frame, size_t bytes)
{
	struct reference_transaction event;

	if (!reference_enabled(ref))
		return;
	ref->seen++;
	switch (reference_decode(ref, frame, bytes, &event)) {
	case REFERENCE_MALFORMED:
		ref->malformed++;
		break;
	case REFERENCE_REQUEST:
		reference_remember(ref, &event);
		both_arrays(ref, &event);
		break;
	case REFERENCE_RESPONSE:
		response(ref, &event);
		break;
	case REFERENCE_EVENT:
		ref->event++;
		reference_raise(ref, event.address & SMILE_EVENT_ID, event.source,
				SMILE_RAISED_BLINK);
		break;
	}
	reference_work(ref);
	reference_interrupt(ref);
}

void reference_raise(struct reference *ref, uint32_t id, uint32_t node, uint32_t cause)
{
	bool phase =
		id < SMILE_EVENTS && (reference_get(ref, SMILE_REG_PHASE_EVENTS) >> id & 1) != 0;

	reference_static_global(ref, id);
	if (ref->mark.kept) {
		ref->marks_lost++;
		if (ref->swapping)
			ref->marks_in_swap++;
		else
			ref->marks_pending++;
	} else {
		ref->mark = (struct reference_mark){
			.kept = true,
			.phase = phase,
			.id = id,
			.node = node,
			.cause = cause,
			.time_ns = ref->clock_ns,
		};
		/* "Earlier losses are reported before this record" */
		reference_work_losses(ref);
		if (phase) {
			reference_static_take(ref);
			ref->swapping = true;
		}
	}
	reference_work(ref);
}

void reference_expire(struct reference *ref)
{
	if (!ref->latency_running)
		return;
	ref->latency_running = false;
	reference_set(ref, SMILE_REG_INT_STATUS,
		      reference_get(ref, SMILE_REG_INT_STATUS) | SMILE_INT_LATENCY);
	reference_interrupt(ref);
}

void reference_link(struct reference *ref, bool up)
{
	if (ref->link == up)
		return;
	ref->link = up;
	reference_set(ref, SMILE_REG_INT_STATUS,
		      reference_get(ref, SMILE_REG_INT_STATUS) | SMILE_INT_LINK);
	reference_interrupt(ref);
}

bool reference_ready(const struct reference *ref)
{
	return reference_enabled(ref) && reference_ring_room(ref);
}
