/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: the setup of a card.
 */
#include <base/field.h>

#include "tests/qemu/setup.h"

const struct setup setup_plain = {
	.filter = SMILE_FILTER_DEFAULT,
	.mode = SMILE_MODE_DEFAULT,
	.max_range_bytes = SMILE_MAX_RANGE_DEFAULT,
};

#define PAGE(number) (SMILE_STATIC_PAGE_VALID | (number))
#define RANGE(page, flags, bottom, top)                                                            \
	(SMILE_STATIC_EVENT_VALID | SMILE_PUT(SMILE_STATIC_EVENT_PAGE, (uint32_t)(page)) |         \
	 (flags) | SMILE_PUT(SMILE_STATIC_EVENT_BOTTOM, (uint32_t)(bottom)) |                      \
	 SMILE_PUT(SMILE_STATIC_EVENT_TOP, (uint32_t)(top)))
#define REQUESTS                                                                                   \
	(SMILE_STATIC_EVENT_READ | SMILE_STATIC_EVENT_WRITE | SMILE_STATIC_EVENT_LOCK |            \
	 SMILE_STATIC_EVENT_REQUEST)
#define COUNT(id) (SMILE_STATIC_COUNTER_COUNT_VALID | (id))
#define ACTIVATE(id)                                                                               \
	(SMILE_STATIC_COUNTER_ACTIVATE_VALID |                                                     \
	 SMILE_PUT(SMILE_STATIC_COUNTER_ACTIVATE, (uint32_t)(id)))
#define DEACTIVATE(id)                                                                             \
	(SMILE_STATIC_COUNTER_DEACTIVATE_VALID |                                                   \
	 SMILE_PUT(SMILE_STATIC_COUNTER_DEACTIVATE, (uint32_t)(id)))

/* Nodes 3 and 1 are the homes of the frames in traffic.c; their pages are 0 to 49. */
const struct smile_static setup_tables = {
	.size = sizeof(struct smile_static),
	.page = {PAGE(0), PAGE(7), PAGE(7), PAGE(14), [31] = PAGE(42)},
	.node = {NODE, NODE, 1, NODE, [31] = NODE},
	.event =
		{
			RANGE(0, REQUESTS, 0, 1023),
			RANGE(1, REQUESTS, 0, 1023),
			RANGE(2, REQUESTS, 0, 1023),
			RANGE(1, SMILE_STATIC_EVENT_WRITE | SMILE_STATIC_EVENT_REQUEST, 0, 511),
			RANGE(3, SMILE_STATIC_EVENT_READ | SMILE_STATIC_EVENT_RESPONSE, 0, 1023),
			[15] = RANGE(31, REQUESTS | SMILE_STATIC_EVENT_RESPONSE, 512, 1023),
		},
	.counter =
		{
			COUNT(0),
			COUNT(1),
			COUNT(1) | ACTIVATE(2) | DEACTIVATE(0),
			COUNT(3),
			COUNT(4),
			COUNT(SMILE_STATIC_GLOBAL + 5),
			COUNT(15) | ACTIVATE(SMILE_STATIC_GLOBAL + 2) |
				DEACTIVATE(SMILE_STATIC_GLOBAL + 3),
			[15] = COUNT(15),
		},
};

const struct setup setup_rich = {
	.filter = SMILE_FILTER_ALL,
	.mode = SMILE_MODE_DEFAULT | SMILE_MODE_STATIC,
	.max_range_bytes = 64,
	.phase_events = 0x00f5,
	.swap_when_full = 2,
	.timer_us = 3,
	.timer_event = 11,
	.time_us = 2,
	.tables = &setup_tables,
};

struct setup setup_in_host_memory(const struct setup *setup)
{
	struct setup copy = *setup;

	copy.host_records = SMILE_DMA_RECORDS_MIN;
	copy.host_first = 0xffffff80U;
	return copy;
}

static void write_tables(const struct smile_static *tables,
			 void (*put)(void *opaque, uint32_t offset, uint32_t value), void *opaque)
{
	uint32_t i;

	for (i = 0; i < SMILE_STATIC_PAGES; i++) {
		put(opaque, SMILE_REG_STATIC_PAGE + i * SMILE_STRIDE_STATIC_PAGE, tables->page[i]);
		put(opaque, SMILE_REG_STATIC_NODE + i * SMILE_STRIDE_STATIC_NODE, tables->node[i]);
	}
	for (i = 0; i < SMILE_STATIC_EVENTS; i++)
		put(opaque, SMILE_REG_STATIC_EVENT + i * SMILE_STRIDE_STATIC_EVENT,
		    tables->event[i]);
	for (i = 0; i < SMILE_STATIC_COUNTERS; i++)
		put(opaque, SMILE_REG_STATIC_COUNTER + i * SMILE_STRIDE_STATIC_COUNTER,
		    tables->counter[i]);
}

void setup_write(const struct setup *setup, uint64_t base,
		 void (*put)(void *opaque, uint32_t offset, uint32_t value), void *opaque)
{
	put(opaque, SMILE_REG_FILTER, setup->filter);
	put(opaque, SMILE_REG_MODE, setup->mode);
	put(opaque, SMILE_REG_MAX_RANGE, setup->max_range_bytes);
	put(opaque, SMILE_REG_PHASE_EVENTS, setup->phase_events);
	put(opaque, SMILE_REG_TIMER_PERIOD, setup->timer_us);
	put(opaque, SMILE_REG_TIMER_EVENT, setup->timer_event);
	put(opaque, SMILE_REG_TIME_PERIOD, setup->time_us);
	if (setup->tables)
		write_tables(setup->tables, put, opaque);
	if (setup->host_records) {
		put(opaque, SMILE_REG_DMA_BASE_LOW, (uint32_t)base);
		put(opaque, SMILE_REG_DMA_BASE_HIGH, (uint32_t)(base >> 32));
		put(opaque, SMILE_REG_DMA_SIZE, setup->host_records);
		put(opaque, SMILE_REG_DMA_READ, setup->host_first);
		put(opaque, SMILE_REG_DMA_WRITE, setup->host_first);
		put(opaque, SMILE_REG_MODE, setup->mode | SMILE_MODE_HOST_RING);
	}
	put(opaque, SMILE_REG_RING_WATERMARK, setup->watermark);
	put(opaque, SMILE_REG_RING_LATENCY, setup->latency_us);
}
