/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card's registers: what the host reads and writes.
 *
 * What lives here: the register map's behaviour, as docs/registers.md tells it. A write that makes
 * no sense changes nothing and sets STATUS.BAD_WRITE: a driver that checks the bit finds its
 * mistake instead of a card that counts something else.
 */
#include "emu/card/parts.h"

#define COUNTS_END (SMILE_COUNT_LAST + 8)

_Static_assert(sizeof(struct card_counts) == COUNTS_END - SMILE_COUNT_FIRST, "a register for each");

static uint32_t log2_of(uint32_t value)
{
	uint32_t bits = 0;

	while (value >>= 1)
		bits++;
	return bits;
}

static uint32_t read_status(const struct card *card)
{
	uint32_t status = SMILE_PUT(SMILE_STATUS_OCCUPIED, card->dynamic.occupied);

	if (card->swapping || card->mark.valid)
		status |= SMILE_STATUS_SWAPPING;
	if (ring_full(&card->ring))
		status |= SMILE_STATUS_FULL;
	if (card->link)
		status |= SMILE_STATUS_LINK;
	if (card->bad_write)
		status |= SMILE_STATUS_BAD_WRITE;
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
		       SMILE_PUT(SMILE_CAPABILITY_RING, log2_of(SMILE_RING_WORDS));
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
	default:
		return 0;
	}
}

/* Set a configuration register. Return: false if it is locked or @good is. */
static bool configure(struct card *card, uint32_t *reg, uint32_t value, bool good)
{
	if (!good || card->control & SMILE_CONTROL_ENABLE || card->dynamic.occupied ||
	    card->swapping || card->mark.valid)
		return false;
	*reg = value;
	return true;
}

static bool write_command(struct card *card, uint32_t value)
{
	switch (value) {
	case SMILE_COMMAND_RESET:
		card_reset(card);
		return true;
	case SMILE_COMMAND_SWAP:
		card_swap(card);
		return true;
	default:
		return false;
	}
}

static bool write_int_status(struct card *card, uint32_t value)
{
	card->int_status &= ~value;
	card_interrupt(card);
	return true;
}

static bool write_int_enable(struct card *card, uint32_t value)
{
	if (value & ~SMILE_INT_ALL)
		return false;
	card->int_enable = value;
	card_interrupt(card);
	return true;
}

static bool write_ring_read(struct card *card, uint32_t value)
{
	if (!ring_consume(&card->ring, value))
		return false;
	card_settle(card);
	return true;
}

static bool write_register(struct card *card, uint32_t offset, uint32_t value)
{
	struct smile_config *config = &card->config;

	switch (offset) {
	case SMILE_REG_CONTROL:
		if (value & ~SMILE_CONTROL_ENABLE)
			return false;
		card->control = value;
		return true;
	case SMILE_REG_STATUS:
		if (value & ~SMILE_STATUS_BAD_WRITE)
			return false;
		card->bad_write = value ? 0 : card->bad_write;
		return true;
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
		return configure(card, &config->mode, value, !(value & ~SMILE_MODE_ALL));
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
		return write_ring_read(card, value);
	default:
		return false;
	}
}

void card_mmio_write(struct card *card, uint32_t offset, uint32_t value)
{
	if (!write_register(card, offset, value))
		card->bad_write = 1;
}
