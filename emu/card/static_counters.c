/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The static array: counters for ranges that the user has specified.
 *
 * What lives here: the page table, the event table and the counters, with their registers and their
 * records. The card reports the count of a counter in two cases. When it reaches its maximum, the
 * counter owes an OVERFLOW record. A swap takes the counts of all counters at one moment. The
 * counters continue to count while the taken counts wait for room. Source: "Design and
 * Implementation Aspects" (2000), section IV.A and figure 7. Two properties are defined in this
 * project: all matching events of the event table are raised, and owed and taken counts are stored
 * separately.
 */
#include <string.h>

#include <base/field.h>

#include "emu/card/card_inside.h"

/*
 * The registers of a table: element i of the array @words in struct smile_static is at offset
 * @first + i * @stride.
 */
struct register_table {
	uint32_t first;
	uint32_t stride;
	uint32_t entries;
	uint32_t defined;
	size_t words;
};

static const struct register_table tables[] = {
	{SMILE_REG_STATIC_PAGE, SMILE_STRIDE_STATIC_PAGE, SMILE_STATIC_PAGES,
	 SMILE_STATIC_PAGE_NUMBER | SMILE_STATIC_PAGE_VALID, offsetof(struct smile_static, page)},
	{SMILE_REG_STATIC_NODE, SMILE_STRIDE_STATIC_NODE, SMILE_STATIC_PAGES, SMILE_NODE_ID,
	 offsetof(struct smile_static, node)},
	{SMILE_REG_STATIC_EVENT, SMILE_STRIDE_STATIC_EVENT, SMILE_STATIC_EVENTS,
	 SMILE_STATIC_EVENT_PAGE | SMILE_STATIC_EVENT_READ | SMILE_STATIC_EVENT_WRITE |
		 SMILE_STATIC_EVENT_LOCK | SMILE_STATIC_EVENT_REQUEST |
		 SMILE_STATIC_EVENT_RESPONSE | SMILE_STATIC_EVENT_BOTTOM | SMILE_STATIC_EVENT_TOP |
		 SMILE_STATIC_EVENT_VALID,
	 offsetof(struct smile_static, event)},
	{SMILE_REG_STATIC_COUNTER, SMILE_STRIDE_STATIC_COUNTER, SMILE_STATIC_COUNTERS,
	 SMILE_STATIC_COUNTER_COUNT | SMILE_STATIC_COUNTER_COUNT_VALID |
		 SMILE_STATIC_COUNTER_ACTIVATE | SMILE_STATIC_COUNTER_ACTIVATE_VALID |
		 SMILE_STATIC_COUNTER_DEACTIVATE | SMILE_STATIC_COUNTER_DEACTIVATE_VALID,
	 offsetof(struct smile_static, counter)},
};

/*
 * Check whether @offset is the offset of a register in a table. If it is, @index receives the index
 * of the element.
 */
static bool in_table(uint32_t offset, uint32_t first, uint32_t stride, uint32_t entries,
		     uint32_t *index)
{
	if (offset < first || (offset - first) % stride)
		return false;
	*index = (offset - first) / stride;
	return *index < entries;
}

void static_reset(struct static_array *array)
{
	memset(array, 0, sizeof(*array));
	array->tables.size = sizeof(array->tables);
	for (uint32_t i = 0; i < SMILE_STATIC_COUNTERS; i++)
		array->counter[i].active = 1;
}

uint32_t static_read(const struct static_array *array, uint32_t offset)
{
	const struct static_counter *counter = array->counter;
	uint32_t i;

	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		const struct register_table *table = &tables[t];

		if (in_table(offset, table->first, table->stride, table->entries, &i))
			return *(const uint32_t *)((const char *)&array->tables + table->words +
						   i * sizeof(uint32_t));
	}
	if (in_table(offset, SMILE_REG_STATIC_VALUE, SMILE_STRIDE_STATIC_VALUE,
		     SMILE_STATIC_COUNTERS, &i))
		return SMILE_PUT(SMILE_VALUE_COUNT, (uint32_t)counter[i].count) |
		       SMILE_PUT(SMILE_VALUE_ACTIVE, (uint32_t)counter[i].active);
	return 0;
}

bool static_write(struct static_array *array, uint32_t offset, uint32_t value)
{
	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		const struct register_table *table = &tables[t];
		uint32_t i;

		if (!in_table(offset, table->first, table->stride, table->entries, &i))
			continue;
		if (value & ~table->defined)
			return false;
		if (table->first == SMILE_REG_STATIC_EVENT &&
		    SMILE_GET(SMILE_STATIC_EVENT_TOP, value) <
			    SMILE_GET(SMILE_STATIC_EVENT_BOTTOM, value))
			return false;
		*(uint32_t *)((char *)&array->tables + table->words + i * sizeof(uint32_t)) = value;
		if (table->first == SMILE_REG_STATIC_COUNTER)
			array->counter[i].active = !(value & SMILE_STATIC_COUNTER_ACTIVATE_VALID);
		return true;
	}
	return false;
}

bool static_empty(const struct static_array *array)
{
	for (uint32_t i = 0; i < SMILE_STATIC_COUNTERS; i++) {
		if (array->counter[i].count)
			return false;
	}
	return !array->owing && !array->waiting;
}

/* ---- counting ---- */

static void add(struct static_array *array, uint32_t index, uint64_t times)
{
	struct static_counter *counter = &array->counter[index];
	uint64_t count = counter->count + times;

	if (count >= SMILE_COUNT_MAX) {
		counter->owed += count / SMILE_COUNT_MAX;
		array->owing |= 1U << index;
	}
	counter->count = (uint16_t)(count % SMILE_COUNT_MAX);
}

static bool among(uint32_t raised, uint32_t valid, uint32_t id)
{
	return valid && (raised >> id & 1);
}

/*
 * Raise the events in the mask @raised together, @times times. If @times is greater than one, the
 * previous call must have been for the same events with @times of one. The counters are then
 * already in the state in which these events leave them, so all of the times have the same effect.
 */
static void raise(struct card *card, uint32_t raised, uint64_t times)
{
	struct static_array *array = &card->statics;

	for (uint32_t i = 0; i < SMILE_STATIC_COUNTERS; i++) {
		struct static_counter *counter = &array->counter[i];
		uint32_t word = array->tables.counter[i];

		if (among(raised, word & SMILE_STATIC_COUNTER_ACTIVATE_VALID,
			  SMILE_GET(SMILE_STATIC_COUNTER_ACTIVATE, word)))
			counter->active = 1;
		if (counter->active && among(raised, word & SMILE_STATIC_COUNTER_COUNT_VALID,
					     SMILE_GET(SMILE_STATIC_COUNTER_COUNT, word))) {
			add(array, i, times);
			card->count.static_counted += times;
		}
		if (among(raised, word & SMILE_STATIC_COUNTER_DEACTIVATE_VALID,
			  SMILE_GET(SMILE_STATIC_COUNTER_DEACTIVATE, word)))
			counter->active = 0;
	}
}

void static_count(struct card *card, const struct blink_event *event)
{
	static const uint32_t type[SMILE_TYPE_COUNT] = {
		[SMILE_TYPE_READ] = SMILE_STATIC_EVENT_READ,
		[SMILE_TYPE_WRITE] = SMILE_STATIC_EVENT_WRITE,
		[SMILE_TYPE_LOCK] = SMILE_STATIC_EVENT_LOCK,
	};
	const struct smile_static *table = &card->statics.tables;
	bool response = event->class == BLINK_CLASS_RESPONSE;
	uint32_t flags = SMILE_STATIC_EVENT_VALID | type[event->type] |
			 (response ? SMILE_STATIC_EVENT_RESPONSE : SMILE_STATIC_EVENT_REQUEST);
	uint32_t home = response ? event->source : event->target;
	uint64_t page = event->address / SMILE_PAGE_BYTES;
	uint32_t word = event->address % SMILE_PAGE_BYTES / SMILE_WORD_BYTES;
	uint32_t raised = 0;

	if (page > SMILE_STATIC_PAGE_NUMBER)
		return;
	page |= SMILE_STATIC_PAGE_VALID;
	for (uint32_t i = 0; i < SMILE_STATIC_EVENTS; i++) {
		uint32_t range = table->event[i];
		uint32_t entry = SMILE_GET(SMILE_STATIC_EVENT_PAGE, range);

		if ((range & flags) == flags && table->page[entry] == page &&
		    table->node[entry] == home &&
		    word >= SMILE_GET(SMILE_STATIC_EVENT_BOTTOM, range) &&
		    word <= SMILE_GET(SMILE_STATIC_EVENT_TOP, range))
			raised |= 1U << i;
	}
	if (raised)
		raise(card, raised, 1);
}

void static_global(struct card *card, uint16_t event, uint64_t times)
{
	uint32_t raised;

	if (!(card->config.mode & SMILE_MODE_STATIC) || !(card->control & SMILE_CONTROL_ENABLE) ||
	    event >= SMILE_EVENTS || !times)
		return;
	raised = 1U << (SMILE_STATIC_GLOBAL + event);
	raise(card, raised, 1);
	if (times > 1)
		raise(card, raised, times - 1);
}

/* ---- swapping out ---- */

void static_take_one(struct static_array *array, uint32_t index)
{
	struct static_counter *counter = &array->counter[index];
	uint32_t count = (uint32_t)counter->taken + counter->count;

	counter->taken_owed += counter->owed;
	if (count >= SMILE_COUNT_MAX) {
		count -= SMILE_COUNT_MAX;
		counter->taken_owed++;
	}
	counter->taken = (uint16_t)count;
	counter->owed = 0;
	counter->count = 0;
	array->owing &= ~(1U << index);
	if (counter->taken_owed || counter->taken)
		array->waiting |= 1U << index;
}

void static_take(struct static_array *array)
{
	for (uint32_t i = 0; i < SMILE_STATIC_COUNTERS; i++)
		static_take_one(array, i);
}

/*
 * Get the type of a range, and whether its responses are counted, for the tag of a record. If the
 * flags allow several types, the type is ANY.
 */
static uint32_t range_tag(uint32_t range)
{
	uint32_t flags =
		SMILE_STATIC_EVENT_READ | SMILE_STATIC_EVENT_WRITE | SMILE_STATIC_EVENT_LOCK;
	uint32_t type = SMILE_TYPE_ANY;

	if ((range & flags) == SMILE_STATIC_EVENT_READ)
		type = SMILE_TYPE_READ;
	if ((range & flags) == SMILE_STATIC_EVENT_WRITE)
		type = SMILE_TYPE_WRITE;
	if ((range & flags) == SMILE_STATIC_EVENT_LOCK)
		type = SMILE_TYPE_LOCK;
	flags = SMILE_STATIC_EVENT_REQUEST | SMILE_STATIC_EVENT_RESPONSE;
	return SMILE_PUT(SMILE_RECORD_TYPE, type) |
	       SMILE_PUT(SMILE_RECORD_RESPONSE, (range & flags) == SMILE_STATIC_EVENT_RESPONSE);
}

/* Write the record of counter @index. Its tag describes the event that the counter counts. */
static bool put(struct card *card, uint32_t index, uint32_t kind, uint32_t cause, uint32_t count)
{
	const struct smile_static *table = &card->statics.tables;
	uint32_t id = SMILE_GET(SMILE_STATIC_COUNTER_COUNT, table->counter[index]);
	uint32_t word[SMILE_RECORD_WORDS] = {
		SMILE_PUT(SMILE_RECORD_KIND, kind) | SMILE_PUT(SMILE_RECORD_CAUSE, cause) |
			SMILE_PUT(SMILE_RECORD_COUNT, count),
		SMILE_PUT(SMILE_RECORD_SOURCE, card->config.node),
		0,
		SMILE_PUT(SMILE_RECORD_INDEX, index),
	};

	if (id >= SMILE_STATIC_GLOBAL) {
		word[0] |= SMILE_PUT(SMILE_RECORD_TYPE, SMILE_TYPE_EVENT);
		word[2] = id - SMILE_STATIC_GLOBAL;
	} else {
		uint32_t range = table->event[id];
		uint32_t entry = SMILE_GET(SMILE_STATIC_EVENT_PAGE, range);
		uint32_t first = SMILE_GET(SMILE_STATIC_EVENT_BOTTOM, range);
		uint32_t last = SMILE_GET(SMILE_STATIC_EVENT_TOP, range);

		/*
		 * An address has only 20 bits of the page and 12 bits of the offset, so it fits in
		 * word 2.
		 */
		word[0] |= range_tag(range);
		word[1] |= SMILE_PUT(SMILE_RECORD_DESTINATION, table->node[entry]);
		word[2] =
			SMILE_GET(SMILE_STATIC_PAGE_NUMBER, table->page[entry]) * SMILE_PAGE_BYTES +
			first * SMILE_WORD_BYTES;
		word[3] |= SMILE_PUT(SMILE_RECORD_LENGTH_LESS_1, last - first);
	}
	if (!ring_put(card, word))
		return false;
	card->count.static_delivered += count;
	return true;
}

static uint32_t lowest(uint32_t mask)
{
	uint32_t index = 0;

	while (!(mask >> index & 1))
		index++;
	return index;
}

void static_put_taken(struct card *card)
{
	uint32_t index = lowest(card->statics.waiting);
	struct static_counter *counter = &card->statics.counter[index];

	if (counter->taken_owed) {
		if (put(card, index, SMILE_KIND_OVERFLOW, SMILE_CAUSE_OVERFLOW, SMILE_COUNT_MAX))
			counter->taken_owed--;
	} else if (put(card, index, SMILE_KIND_STATIC, SMILE_CAUSE_SWAP, counter->taken)) {
		counter->taken = 0;
	}
	if (!counter->taken_owed && !counter->taken)
		card->statics.waiting &= ~(1U << index);
}

void static_put_owed(struct card *card)
{
	uint32_t index = lowest(card->statics.owing);
	struct static_counter *counter = &card->statics.counter[index];

	if (put(card, index, SMILE_KIND_OVERFLOW, SMILE_CAUSE_OVERFLOW, SMILE_COUNT_MAX) &&
	    !--counter->owed)
		card->statics.owing &= ~(1U << index);
}
