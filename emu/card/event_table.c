/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The page table and the event table of the static array: which events a transaction raises.
 *
 * What lives here: the comparison of a transaction with all entries of both tables. Source: "Design
 * and Implementation Aspects" (2000), section IV.A and figure 7. All matching events are raised;
 * this is defined in this project.
 */
#include <base/field.h>

#include "emu/card/card_inside.h"

uint32_t event_table_match(const struct smile_static *table, const struct blink_event *event)
{
	static const uint32_t type[SMILE_TYPE_COUNT] = {
		[SMILE_TYPE_READ] = SMILE_STATIC_EVENT_READ,
		[SMILE_TYPE_WRITE] = SMILE_STATIC_EVENT_WRITE,
		[SMILE_TYPE_LOCK] = SMILE_STATIC_EVENT_LOCK,
	};
	bool response = event->class == BLINK_CLASS_RESPONSE;
	uint32_t flags = SMILE_STATIC_EVENT_VALID | type[event->type] |
			 (response ? SMILE_STATIC_EVENT_RESPONSE : SMILE_STATIC_EVENT_REQUEST);
	uint32_t home = response ? event->source : event->target;
	uint64_t page = event->address / SMILE_PAGE_BYTES;
	uint32_t word = event->address % SMILE_PAGE_BYTES / SMILE_WORD_BYTES;
	uint32_t raised = 0;

	if (page > SMILE_STATIC_PAGE_NUMBER)
		return 0;
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
	return raised;
}

uint32_t event_table_tag(uint32_t range)
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
