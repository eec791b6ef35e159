/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The reference's static array. It reads its tables from the registers each time. See section 7 of
 * the datasheet. May use reference.h.
 */
#include <base/field.h>

#include "tests/reference/reference.h"

#define PAGES_LIMIT (1U << 20)

/* One bit for each event id: the events that are raised at the same time. */
typedef uint32_t raised_set;

static uint32_t page_word(const struct reference *ref, uint32_t i)
{
	return reference_get(ref, SMILE_REG_STATIC_PAGE + i * SMILE_STRIDE_STATIC_PAGE);
}

static uint32_t page_node(const struct reference *ref, uint32_t i)
{
	return reference_get(ref, SMILE_REG_STATIC_NODE + i * SMILE_STRIDE_STATIC_NODE);
}

static uint32_t event_word(const struct reference *ref, uint32_t i)
{
	return reference_get(ref, SMILE_REG_STATIC_EVENT + i * SMILE_STRIDE_STATIC_EVENT);
}

static uint32_t counter_word(const struct reference *ref, uint32_t i)
{
	return reference_get(ref, SMILE_REG_STATIC_COUNTER + i * SMILE_STRIDE_STATIC_COUNTER);
}

void reference_static_begin(struct reference *ref, uint32_t i)
{
	ref->counter[i].active = !(counter_word(ref, i) & SMILE_STATIC_COUNTER_ACTIVATE_VALID);
}

void reference_static_reset(struct reference *ref)
{
	for (uint32_t i = 0; i < SMILE_STATIC_COUNTERS; i++)
		ref->counter[i] = (struct reference_counter){.active = true};
}

/* Rule 4: is the event id valid and one of the raised events? */
static bool among(uint32_t word, uint32_t valid, uint32_t id, raised_set raised)
{
	return (word & valid) && (raised >> id & 1);
}

static void count_one(struct reference *ref, uint32_t i)
{
	ref->static_counted++;
	ref->counter[i].count++;
	/* Rule 5. */
	if (ref->counter[i].count == SMILE_COUNT_MAX) {
		ref->counter[i].count = 0;
		ref->counter[i].owed++;
	}
}

static void raise_set(struct reference *ref, raised_set raised)
{
	for (uint32_t i = 0; i < SMILE_STATIC_COUNTERS; i++) {
		uint32_t word = counter_word(ref, i);
		struct reference_counter *counter = &ref->counter[i];

		if (among(word, SMILE_STATIC_COUNTER_ACTIVATE_VALID,
			  SMILE_GET(SMILE_STATIC_COUNTER_ACTIVATE, word), raised))
			counter->active = true;
		if (counter->active && among(word, SMILE_STATIC_COUNTER_COUNT_VALID,
					     SMILE_GET(SMILE_STATIC_COUNTER_COUNT, word), raised))
			count_one(ref, i);
		if (among(word, SMILE_STATIC_COUNTER_DEACTIVATE_VALID,
			  SMILE_GET(SMILE_STATIC_COUNTER_DEACTIVATE, word), raised))
			counter->active = false;
	}
}

static bool works(const struct reference *ref)
{
	return reference_mode(ref, SMILE_MODE_STATIC) && reference_enabled(ref);
}

/* Rule 1. */
static bool page_hit(const struct reference *ref, uint32_t i,
		     const struct reference_transaction *event)
{
	uint64_t page = event->address / SMILE_PAGE_BYTES;
	uint32_t home = event->response ? event->source : event->target;

	return page < PAGES_LIMIT && (page_word(ref, i) & SMILE_STATIC_PAGE_VALID) &&
	       SMILE_GET(SMILE_STATIC_PAGE_NUMBER, page_word(ref, i)) == page &&
	       page_node(ref, i) == home;
}

/* Rule 2. */
static bool event_raised(const struct reference *ref, uint32_t i,
			 const struct reference_transaction *event)
{
	uint32_t entry = event_word(ref, i);
	uint32_t word = event->address % SMILE_PAGE_BYTES / SMILE_WORD_BYTES;
	uint32_t type = event->type == SMILE_TYPE_READ	  ? SMILE_STATIC_EVENT_READ
			: event->type == SMILE_TYPE_WRITE ? SMILE_STATIC_EVENT_WRITE
							  : SMILE_STATIC_EVENT_LOCK;
	uint32_t packet =
		event->response ? SMILE_STATIC_EVENT_RESPONSE : SMILE_STATIC_EVENT_REQUEST;

	return (entry & SMILE_STATIC_EVENT_VALID) && (entry & type) && (entry & packet) &&
	       word >= SMILE_GET(SMILE_STATIC_EVENT_BOTTOM, entry) &&
	       word <= SMILE_GET(SMILE_STATIC_EVENT_TOP, entry) &&
	       page_hit(ref, SMILE_GET(SMILE_STATIC_EVENT_PAGE, entry), event);
}

void reference_static_transaction(struct reference *ref, const struct reference_transaction *event)
{
	raised_set raised = 0;

	if (!works(ref))
		return;
	for (uint32_t i = 0; i < SMILE_STATIC_EVENTS; i++)
		if (event_raised(ref, i, event))
			raised |= (raised_set)1 << i;
	raise_set(ref, raised);
}

void reference_static_global(struct reference *ref, uint32_t id)
{
	if (works(ref) && id < SMILE_EVENTS)
		raise_set(ref, (raised_set)1 << (SMILE_STATIC_GLOBAL + id));
}

/* Rule 7. */
void reference_static_take_one(struct reference *ref, uint32_t i)
{
	struct reference_counter *counter = &ref->counter[i];

	counter->taken_overflows += counter->owed;
	counter->taken_rest += counter->count;
	if (counter->taken_rest >= SMILE_COUNT_MAX) {
		counter->taken_rest -= SMILE_COUNT_MAX;
		counter->taken_overflows++;
	}
	counter->owed = 0;
	counter->count = 0;
}

/* Rule 6. */
void reference_static_take(struct reference *ref)
{
	for (uint32_t i = 0; i < SMILE_STATIC_COUNTERS; i++)
		reference_static_take_one(ref, i);
}

/* The type that the flags of an entry represent: a certain type, or any. */
static uint32_t flags_type(uint32_t entry)
{
	switch (entry &
		(SMILE_STATIC_EVENT_READ | SMILE_STATIC_EVENT_WRITE | SMILE_STATIC_EVENT_LOCK)) {
	case SMILE_STATIC_EVENT_READ:
		return SMILE_TYPE_READ;
	case SMILE_STATIC_EVENT_WRITE:
		return SMILE_TYPE_WRITE;
	case SMILE_STATIC_EVENT_LOCK:
		return SMILE_TYPE_LOCK;
	}
	return SMILE_TYPE_ANY;
}

struct reference_record reference_static_record(const struct reference *ref, uint32_t i,
						uint32_t kind, uint32_t count)
{
	uint32_t id = SMILE_GET(SMILE_STATIC_COUNTER_COUNT, counter_word(ref, i));
	struct reference_record record = {
		.kind = kind,
		.cause = kind == SMILE_KIND_STATIC ? SMILE_CAUSE_SWAP : SMILE_CAUSE_OVERFLOW,
		.count = count,
		.source = reference_get(ref, SMILE_REG_NODE),
		.index = i,
	};

	if (id >= SMILE_STATIC_GLOBAL) {
		record.type = SMILE_TYPE_EVENT;
		record.address = id - SMILE_STATIC_GLOBAL;
	} else {
		uint32_t entry = event_word(ref, id);
		uint32_t page = SMILE_GET(SMILE_STATIC_EVENT_PAGE, entry);
		uint32_t bottom = SMILE_GET(SMILE_STATIC_EVENT_BOTTOM, entry);

		record.type = flags_type(entry);
		record.response = (entry & SMILE_STATIC_EVENT_RESPONSE) &&
				  !(entry & SMILE_STATIC_EVENT_REQUEST);
		record.destination = page_node(ref, page);
		record.address =
			(uint64_t)SMILE_GET(SMILE_STATIC_PAGE_NUMBER, page_word(ref, page)) *
				SMILE_PAGE_BYTES +
			bottom * SMILE_WORD_BYTES;
		record.words = SMILE_GET(SMILE_STATIC_EVENT_TOP, entry) - bottom + 1;
	}
	return record;
}
