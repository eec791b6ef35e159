/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card's registers: read and write them for the host.
 *
 * What lives here: the behaviour of the registers in docs/registers.md. An invalid write changes
 * nothing except STATUS.BAD_WRITE. A driver that checks this bit can thus find its mistake.
 */
#include <base/field.h>

#include "emu/card/card_inside.h"

#define COUNTS_END (SMILE_COUNT_LAST + 8)
#define CLOCK_STEP_NS 1

_Static_assert(sizeof(struct card_counts) == COUNTS_END - SMILE_COUNT_FIRST,
	       "one register for each count");

static uint32_t read_status(const struct card *card)
{
	uint32_t status = SMILE_PUT(SMILE_STATUS_OCCUPIED, card->dynamic.occupied);

	if (card->swapping || card->statics.waiting || card->mark.valid)
		status |= SMILE_STATUS_SWAPPING;
	if (ring_full(card))
		status |= SMILE_STATUS_FULL;
	if (card->link)
		status |= SMILE_STATUS_LINK;
	if (card->bad_write)
		status |= SMILE_STATUS_BAD_WRITE;
	if (card->host_ring.stalled)
		status |= SMILE_STATUS_DMA_ERROR;
	return status;
}

static uint32_t read_count(struct card *card, uint32_t offset)
{
	const uint64_t *counts = (const uint64_t *)&card->count;
	uint64_t value;

	if (offset % 8)
		return card->latch;
	value = counts[(offset - SMILE_COUNT_FIRST) / 8];
	card->latch = (uint32_t)(value >> 32);
	return (uint32_t)value;
}

uint32_t card_mmio_read(struct card *card, uint32_t offset)
{
	if (offset >= SMILE_COUNT_FIRST && offset < COUNTS_END && offset % 4 == 0)
		return read_count(card, offset);

	switch (offset) {
	case SMILE_REG_ID:
		return SMILE_ID_VALUE;
	case SMILE_REG_VERSION:
		return SMILE_VERSION_VALUE;
	case SMILE_REG_CAPABILITY:
		return SMILE_PUT(SMILE_CAPABILITY_ENTRIES, SMILE_ENTRIES_MAX) |
		       SMILE_PUT(SMILE_CAPABILITY_STATIC, SMILE_STATIC_COUNTERS) |
		       SMILE_PUT(SMILE_CAPABILITY_RING, smile_log2(SMILE_RING_WORDS)) |
		       SMILE_CAPABILITY_DMA | SMILE_CAPABILITY_TIMER;
	case SMILE_REG_CONTROL:
		return card->control;
	case SMILE_REG_STATUS:
		return read_status(card);
	case SMILE_REG_NODE:
		return card->config.node;
	case SMILE_REG_FILTER:
		return card->config.filter;
	case SMILE_REG_MODE:
		return card->config.mode;
	case SMILE_REG_MAX_RANGE:
		return card->config.max_range_bytes;
	case SMILE_REG_ENTRIES:
		return card->config.entries;
	case SMILE_REG_PHASE_EVENTS:
		return card->config.phase_events;
	case SMILE_REG_INT_STATUS:
		return card->int_status;
	case SMILE_REG_INT_ENABLE:
		return card->int_enable;
	case SMILE_REG_RING_READ:
		return card->ring.read;
	case SMILE_REG_RING_WRITE:
		return card->ring.write;
	case SMILE_REG_RING_AUX:
		return card->ring.aux;
	case SMILE_REG_DMA_BASE_LOW:
		return (uint32_t)card->host_ring.base;
	case SMILE_REG_DMA_BASE_HIGH:
		return (uint32_t)(card->host_ring.base >> 32);
	case SMILE_REG_DMA_SIZE:
		return card->host_ring.size;
	case SMILE_REG_DMA_READ:
		return card->host_ring.read;
	case SMILE_REG_DMA_WRITE:
		return card->host_ring.write;
	case SMILE_REG_RING_WATERMARK:
		return card->config.watermark_records;
	case SMILE_REG_RING_LATENCY:
		return card->config.latency_us;
	case SMILE_REG_TIMER_PERIOD:
		return card->config.timer_us;
	case SMILE_REG_TIMER_EVENT:
		return card->config.timer_event;
	case SMILE_REG_TIME_PERIOD:
		return card->config.time_us;
	case SMILE_REG_CLOCK_STEP:
		return CLOCK_STEP_NS;
	default:
		return static_read(&card->statics, offset);
	}
}

/* Check whether configuration registers may be written now. */
static bool at_rest(const struct card *card)
{
	return !(card->control & SMILE_CONTROL_ENABLE) && !card->dynamic.occupied &&
	       static_empty(&card->statics) && !card->swapping && !card->mark.valid;
}

/* Set a configuration register. Return: false if the registers are locked, or if @good is false. */
static bool configure(struct card *card, uint32_t *reg, uint32_t value, bool good)
{
	if (!good || !at_rest(card))
		return false;
	*reg = value;
	return true;
}

static bool write_control(struct card *card, uint32_t value)
{
	if (value & ~SMILE_CONTROL_ENABLE)
		return false;
	if (value != card->control) {
		card->control = value;
		/*
		 * Forget the requests of the time before the card was disabled, because their
		 * responses may have passed while the card was disabled.
		 */
		if (value & SMILE_CONTROL_ENABLE)
			transaction_table_reset(&card->transactions);
		timer_enable(card, value & SMILE_CONTROL_ENABLE);
	}
	return true;
}

static bool write_status(struct card *card, uint32_t value)
{
	if (value & ~(SMILE_STATUS_BAD_WRITE | SMILE_STATUS_DMA_ERROR))
		return false;
	if (value & SMILE_STATUS_BAD_WRITE)
		card->bad_write = 0;
	if (value & SMILE_STATUS_DMA_ERROR) {
		card->host_ring.stalled = 0;
		card_settle(card);
	}
	return true;
}

static bool write_command(struct card *card, uint32_t value)
{
	if (value == SMILE_COMMAND_RESET) {
		card_reset(card);
		return true;
	}
	if (value & SMILE_COMMAND_ONE) {
		if ((value & ~SMILE_COMMAND_COUNTER) !=
		    (SMILE_COMMAND_SWAP_STATIC | SMILE_COMMAND_ONE))
			return false;
	} else if (!value || value & ~(SMILE_COMMAND_SWAP | SMILE_COMMAND_SWAP_STATIC)) {
		return false;
	}
	card_swap(card, value);
	return true;
}

static bool write_mode(struct card *card, uint32_t value)
{
	uint32_t change = value ^ card->config.mode;

	if (value & SMILE_MODE_HOST_RING && !host_ring_usable(&card->host_ring))
		return false;
	if (!configure(card, &card->config.mode, value, !(value & ~SMILE_MODE_ALL)))
		return false;
	if (change & SMILE_MODE_HOST_RING) {
		/*
		 * If a record is waiting for room, such as TIME, it will be written to the other
		 * ring.
		 */
		ring_stop_latency(card);
		card_settle(card);
	}
	return true;
}

static bool write_int_status(struct card *card, uint32_t value)
{
	card->int_status &= ~value;
	card_interrupt(card, 0);
	return true;
}

static bool write_int_enable(struct card *card, uint32_t value)
{
	if (value & ~SMILE_INT_ALL)
		return false;
	card->int_enable = value;
	card_interrupt(card, 0);
	return true;
}

/* Write a register of the ring in host memory. */
static bool write_host_ring(struct card *card, uint32_t offset, uint32_t value)
{
	struct host_ring *ring = &card->host_ring;

	if (!at_rest(card) || card->config.mode & SMILE_MODE_HOST_RING)
		return false;
	switch (offset) {
	case SMILE_REG_DMA_BASE_LOW:
		if (value % SMILE_DMA_BASE_ALIGN)
			return false;
		ring->base = (ring->base & ~(uint64_t)UINT32_MAX) | value;
		return true;
	case SMILE_REG_DMA_BASE_HIGH:
		ring->base = (ring->base & UINT32_MAX) | (uint64_t)value << 32;
		return true;
	default:
		if (!host_ring_size_valid(value))
			return false;
		ring->size = value;
		return true;
	}
}

static bool write_dma_write(struct card *card, uint32_t value)
{
	if (card->config.mode & SMILE_MODE_HOST_RING)
		return false;
	card->host_ring.write = value;
	return true;
}

static bool write_watermark(struct card *card, uint32_t value)
{
	if (value > SMILE_DMA_RECORDS_MAX)
		return false;
	card->config.watermark_records = value;
	return true;
}

static bool write_latency(struct card *card, uint32_t value)
{
	card->config.latency_us = value;
	ring_start_latency(card);
	return true;
}

/* If the value was allowed, use the room that the host has made. */
static bool consumed(struct card *card, bool possible)
{
	if (possible)
		card_settle(card);
	return possible;
}

static bool write_register(struct card *card, uint32_t offset, uint32_t value)
{
	struct smile_config *config = &card->config;

	switch (offset) {
	case SMILE_REG_CONTROL:
		return write_control(card, value);
	case SMILE_REG_STATUS:
		return write_status(card, value);
	case SMILE_REG_COMMAND:
		return write_command(card, value);
	case SMILE_REG_EVENT:
		if (value & ~SMILE_EVENT_ID)
			return false;
		card_raise(card, (uint16_t)value, (uint16_t)config->node, SMILE_RAISED_SOFTWARE);
		return true;
	case SMILE_REG_NODE:
		return configure(card, &config->node, value, !(value & ~SMILE_NODE_ID));
	case SMILE_REG_FILTER:
		return configure(card, &config->filter, value, !(value & ~SMILE_FILTER_ALL));
	case SMILE_REG_MODE:
		return write_mode(card, value);
	case SMILE_REG_MAX_RANGE:
		return configure(card, &config->max_range_bytes, value,
				 value >= SMILE_MAX_RANGE_MIN && value <= SMILE_MAX_RANGE_MAX &&
					 value % SMILE_WORD_BYTES == 0);
	case SMILE_REG_ENTRIES:
		return configure(card, &config->entries, value,
				 value >= SMILE_ENTRIES_MIN && value <= SMILE_ENTRIES_MAX);
	case SMILE_REG_PHASE_EVENTS:
		return configure(card, &config->phase_events, value,
				 !(value & ~SMILE_PHASE_EVENTS_MASK));
	case SMILE_REG_INT_STATUS:
		return write_int_status(card, value);
	case SMILE_REG_INT_ENABLE:
		return write_int_enable(card, value);
	case SMILE_REG_RING_READ:
		return consumed(card, ring_consume(card, value));
	case SMILE_REG_DMA_BASE_LOW:
	case SMILE_REG_DMA_BASE_HIGH:
	case SMILE_REG_DMA_SIZE:
		return write_host_ring(card, offset, value);
	case SMILE_REG_DMA_READ:
		return consumed(card, ring_consume_host(card, value));
	case SMILE_REG_DMA_WRITE:
		return write_dma_write(card, value);
	case SMILE_REG_RING_WATERMARK:
		return write_watermark(card, value);
	case SMILE_REG_RING_LATENCY:
		return write_latency(card, value);
	case SMILE_REG_TIMER_PERIOD:
		return configure(card, &config->timer_us, value, true);
	case SMILE_REG_TIMER_EVENT:
		return configure(card, &config->timer_event, value,
				 !(value & ~SMILE_TIMER_EVENT_ID));
	case SMILE_REG_TIME_PERIOD:
		return configure(card, &config->time_us, value, true);
	default:
		return at_rest(card) && static_write(&card->statics, offset, value);
	}
}

void card_mmio_write(struct card *card, uint32_t offset, uint32_t value)
{
	if (!write_register(card, offset, value))
		card->bad_write = 1;
}
