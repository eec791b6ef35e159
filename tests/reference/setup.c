/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Random traffic: configurations, and a host that writes any value to any register. See traffic.h.
 * May use include/.
 */
#include "tests/reference/traffic.h"

#include <base/field.h>
#include <hw/smile_regs.h>

#define PICK(traffic, list) (list)[traffic_random(traffic, sizeof(list) / sizeof((list)[0]))]

static uint64_t random_word(struct traffic *traffic)
{
	return (uint64_t)traffic_random(traffic, 65536) << 16 | traffic_random(traffic, 65536);
}

/* Return: @bit in one of @of cases, otherwise 0. */
static uint32_t maybe(struct traffic *traffic, uint32_t bit, uint32_t of)
{
	return traffic_one_in(traffic, of) ? bit : 0;
}

static uint32_t random_filter(struct traffic *traffic)
{
	static const uint32_t filters[] = {SMILE_FILTER_DEFAULT, SMILE_FILTER_ALL, SMILE_FILTER_ALL,
					   SMILE_FILTER_ALL & ~SMILE_FILTER_REQUEST,
					   SMILE_FILTER_ALL & ~SMILE_FILTER_FOREIGN};

	/*
	 * Bursts repeat the same frames: in most cases choose a filter that accepts these frames.
	 */
	if (traffic_one_in(traffic,
			   traffic->shape == TRAFFIC_BURST || traffic->shape == TRAFFIC_DENSE ? 16
											      : 3))
		return (uint32_t)random_word(traffic) & SMILE_FILTER_ALL;
	return PICK(traffic, filters);
}

/* A random MODE without HOST_RING. */
static uint32_t random_mode(struct traffic *traffic)
{
	return (traffic_one_in(traffic, 3) ? 0 : SMILE_MODE_TYPED_TAGS) |
	       maybe(traffic, SMILE_MODE_ALIGNED, 3) |
	       maybe(traffic, SMILE_MODE_FAITHFUL_TABLE, 3) |
	       (traffic_one_in(traffic, 3) ? 0 : SMILE_MODE_STATIC) |
	       maybe(traffic, SMILE_MODE_NO_DYNAMIC, 8) | maybe(traffic, SMILE_MODE_NARROW, 4);
}

static uint32_t random_range(struct traffic *traffic)
{
	static const uint32_t ranges[] = {4, 8, 12, 16, 64, 100, 256, 1024, 2048, 4092, 4096};

	if (traffic_one_in(traffic, 4))
		return 4 + 4 * traffic_random(traffic, 1024);
	return PICK(traffic, ranges);
}

static uint32_t random_entries(struct traffic *traffic)
{
	static const uint32_t entries[] = {1, 2, 3, 4, 8, 16, 16, 64};

	if (traffic_one_in(traffic, 4))
		return 1 + traffic_random(traffic, SMILE_ENTRIES_MAX);
	return PICK(traffic, entries);
}

static uint32_t random_event_entry(struct traffic *traffic)
{
	uint32_t bottom = traffic_random(traffic, 1024);
	uint32_t top = bottom + traffic_random(traffic, 1024 - bottom);

	if (traffic_one_in(traffic, 3)) {
		bottom = 0;
		top = 1023;
	} else if (traffic_one_in(traffic, 3)) {
		bottom = top = 100;
	}
	return SMILE_PUT(SMILE_STATIC_EVENT_PAGE, traffic_random(traffic, SMILE_STATIC_PAGES)) |
	       maybe(traffic, SMILE_STATIC_EVENT_READ, 2) |
	       maybe(traffic, SMILE_STATIC_EVENT_WRITE, 2) |
	       maybe(traffic, SMILE_STATIC_EVENT_LOCK, 2) |
	       (traffic_one_in(traffic, 4) ? 0 : SMILE_STATIC_EVENT_REQUEST) |
	       maybe(traffic, SMILE_STATIC_EVENT_RESPONSE, 2) |
	       SMILE_PUT(SMILE_STATIC_EVENT_BOTTOM, bottom) |
	       SMILE_PUT(SMILE_STATIC_EVENT_TOP, top) |
	       (traffic_one_in(traffic, 8) ? 0 : SMILE_STATIC_EVENT_VALID);
}

static uint32_t random_counter(struct traffic *traffic)
{
	return SMILE_PUT(SMILE_STATIC_COUNTER_COUNT, traffic_random(traffic, SMILE_STATIC_IDS)) |
	       (traffic_one_in(traffic, 8) ? 0 : SMILE_STATIC_COUNTER_COUNT_VALID) |
	       SMILE_PUT(SMILE_STATIC_COUNTER_ACTIVATE, traffic_random(traffic, SMILE_STATIC_IDS)) |
	       maybe(traffic, SMILE_STATIC_COUNTER_ACTIVATE_VALID, 3) |
	       SMILE_PUT(SMILE_STATIC_COUNTER_DEACTIVATE,
			 traffic_random(traffic, SMILE_STATIC_IDS)) |
	       maybe(traffic, SMILE_STATIC_COUNTER_DEACTIVATE_VALID, 3);
}

static void tables(struct traffic *traffic)
{
	for (uint32_t i = 0; i < SMILE_STATIC_PAGES; i++) {
		uint32_t valid = traffic_one_in(traffic, 10) ? 0 : SMILE_STATIC_PAGE_VALID;

		traffic_write(traffic, SMILE_REG_STATIC_PAGE + i * SMILE_STRIDE_STATIC_PAGE,
			      valid | (traffic_page(traffic) & SMILE_STATIC_PAGE_NUMBER));
		traffic_write(traffic, SMILE_REG_STATIC_NODE + i * SMILE_STRIDE_STATIC_NODE,
			      traffic_node(traffic));
	}
	for (uint32_t i = 0; i < SMILE_STATIC_EVENTS; i++)
		traffic_write(traffic, SMILE_REG_STATIC_EVENT + i * SMILE_STRIDE_STATIC_EVENT,
			      random_event_entry(traffic));
	for (uint32_t i = 0; i < SMILE_STATIC_COUNTERS; i++)
		traffic_write(traffic, SMILE_REG_STATIC_COUNTER + i * SMILE_STRIDE_STATIC_COUNTER,
			      random_counter(traffic));
}

static void timers(struct traffic *traffic)
{
	static const uint32_t periods[] = {0, 0, 1, 2, 3, 7, 50, 1000, UINT32_MAX};

	traffic_write(traffic, SMILE_REG_TIMER_PERIOD, PICK(traffic, periods));
	traffic_write(traffic, SMILE_REG_TIMER_EVENT, traffic_random(traffic, SMILE_EVENTS));
	traffic_write(traffic, SMILE_REG_TIME_PERIOD, PICK(traffic, periods));
}

static void host_ring(struct traffic *traffic, uint32_t mode)
{
	static const uint32_t sizes[] = {256, 256, 512, 1024, 1 << 24};
	static const uint32_t numbers[] = {0, 1, 255, 0xffffff00, 0xffffffff, 0x12345};
	static const uint32_t last_bases[] = {0xfffff000, 0xffffe000, 0xffffd000};
	uint32_t size = PICK(traffic, sizes);
	uint32_t write = PICK(traffic, numbers);
	uint32_t unread = 0;
	uint64_t low = random_word(traffic) & 0xfffff000U;
	uint64_t high = traffic_one_in(traffic, 3) ? random_word(traffic) : 0;

	/* Up to the end of the address space, and beyond it. */
	if (traffic_one_in(traffic, 16)) {
		low = PICK(traffic, last_bases);
		high = 0xffffffff;
	}
	/*
	 * In most cases empty; nearly full for bursts, which write few records; sometimes
	 * impossible.
	 */
	if (traffic->shape == TRAFFIC_BURST)
		unread = size - traffic_random(traffic, 4);
	else if (traffic_one_in(traffic, 4))
		unread = traffic_random(traffic, size + 2);
	traffic_write(traffic, SMILE_REG_DMA_BASE_LOW, low);
	traffic_write(traffic, SMILE_REG_DMA_BASE_HIGH, high);
	traffic_write(traffic, SMILE_REG_DMA_SIZE, size);
	traffic_write(traffic, SMILE_REG_DMA_WRITE, write);
	traffic_write(traffic, SMILE_REG_DMA_READ, write - unread);
	traffic_write(traffic, SMILE_REG_MODE, mode | SMILE_MODE_HOST_RING);
}

static void empty(struct traffic *traffic)
{
	traffic_push(traffic, OPERATION_BUS, UINT64_MAX);
	traffic_write(traffic, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR);
	traffic_write(traffic, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP | SMILE_COMMAND_SWAP_STATIC);
	for (unsigned int i = 0; i < 3; i++)
		traffic_push(traffic, OPERATION_DRAIN, UINT32_MAX);
	traffic_write(traffic, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP | SMILE_COMMAND_SWAP_STATIC);
	/* In most cases, so that the ring in use also changes while it contains records. */
	if (!traffic_one_in(traffic, 4))
		traffic_push(traffic, OPERATION_DRAIN, UINT32_MAX);
}

void traffic_configure(struct traffic *traffic)
{
	uint32_t mode = random_mode(traffic);

	traffic->max_range = random_range(traffic);
	if (!traffic_one_in(traffic, 8)) {
		traffic_write(traffic, SMILE_REG_CONTROL, 0);
		/* Beyond 32 bits, so that the high half is also tested; no timer runs now. */
		if (traffic_one_in(traffic, 4))
			traffic_push(traffic, OPERATION_TICK, 5000000000ULL);
	}
	if (traffic_one_in(traffic, 4))
		traffic_write(traffic, SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
	else
		empty(traffic);
	traffic_write(traffic, SMILE_REG_MODE, mode);
	traffic_write(traffic, SMILE_REG_NODE, traffic_node(traffic));
	traffic_write(traffic, SMILE_REG_FILTER, random_filter(traffic));
	traffic_write(traffic, SMILE_REG_MAX_RANGE, traffic->max_range);
	traffic_write(traffic, SMILE_REG_ENTRIES, random_entries(traffic));
	traffic_write(traffic, SMILE_REG_PHASE_EVENTS,
		      traffic_one_in(traffic, 2) ? traffic_random(traffic, 65536)
						 : maybe(traffic, 0xffff, 2));
	if (!traffic_one_in(traffic, 4))
		tables(traffic);
	if (traffic->shape == TRAFFIC_TIMER || traffic_one_in(traffic, 3))
		timers(traffic);
	if (traffic->shape == TRAFFIC_BUS || traffic_one_in(traffic, 3) ||
	    (traffic->shape == TRAFFIC_BURST && traffic_one_in(traffic, 2)))
		host_ring(traffic, mode);
	traffic_write(traffic, SMILE_REG_RING_WATERMARK, traffic_watermark(traffic));
	traffic_write(traffic, SMILE_REG_RING_LATENCY, traffic_random(traffic, 30));
	traffic_write(traffic, SMILE_REG_INT_ENABLE, traffic_random(traffic, SMILE_INT_ALL + 1));
	if (!traffic_one_in(traffic, 8))
		traffic_write(traffic, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
}

static uint32_t random_value(struct traffic *traffic)
{
	static const uint32_t values[] = {0,
					  1,
					  2,
					  4,
					  6,
					  16,
					  64,
					  65,
					  255,
					  256,
					  4096,
					  0x80000000,
					  0xffffffff,
					  0xfffff000,
					  0xffff,
					  0x10000,
					  SMILE_DMA_RECORDS_MAX,
					  SMILE_DMA_RECORDS_MAX + 1,
					  SMILE_MODE_ALL};

	switch (traffic_random(traffic, 3)) {
	case 0:
		return (uint32_t)random_word(traffic);
	case 1:
		return (uint32_t)1 << traffic_random(traffic, 32);
	}
	return PICK(traffic, values);
}

void traffic_wild_write(struct traffic *traffic)
{
	uint32_t offset = 4 * traffic_random(traffic, SMILE_REG_CLOCK_STEP / 4 + 4);
	uint32_t value = random_value(traffic);

	/* In half of all cases choose a register whose wrong values have many effects. */
	if (traffic_one_in(traffic, 2))
		offset = 4 * traffic_random(traffic, SMILE_COUNT_FIRST / 4);
	if (traffic_one_in(traffic, 50))
		offset = (uint32_t)random_word(traffic) & ~3U;
	traffic_write(traffic, offset, value);
}
