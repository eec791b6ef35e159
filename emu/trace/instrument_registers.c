/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The registers: read and write them for the host, raise interrupts, and transfer entries into host
 * memory.
 *
 * All offsets and bit positions are defined here, since the thesis has no register map.
 */
#include <base/field.h>

#include "emu/trace/trace_inside.h"

#include <string.h>

#define CAPABILITY                                                                                 \
	(SMILE_PUT(SMILE_TRACE_CAPABILITY_LEVELS, SMILE_TRACE_LEVELS) |                            \
	 SMILE_PUT(SMILE_TRACE_CAPABILITY_PATTERNS, SMILE_TRACE_PATTERNS) |                        \
	 SMILE_TRACE_CAPABILITY_DMA)
#define SET_DEFINED (SMILE_TRACE_SET_VALID | SMILE_TRACE_SET_INVERT)
#define ACTION_DEFINED (SMILE_TRACE_ACTION_THEN | SMILE_TRACE_ACTION_ELSE)
#define PATTERN_END (SMILE_TRACE_REG_PATTERN + SMILE_TRACE_SETS * SMILE_TRACE_STRIDE_SET)
#define LEVEL_END (SMILE_TRACE_REG_LEVEL_SET + SMILE_TRACE_LEVELS * SMILE_TRACE_STRIDE_LEVEL)

static void interrupt_update(struct instrument *instrument)
{
	uint32_t level = (instrument->int_status & instrument->int_enable) != 0;

	if (level == instrument->int_level)
		return;
	instrument->int_level = level;
	if (instrument->ops && instrument->ops->interrupt)
		instrument->ops->interrupt(instrument->opaque, level);
}

void registers_raise(struct instrument *instrument, uint32_t bits)
{
	instrument->int_status |= bits;
	interrupt_update(instrument);
}

static bool running(const struct instrument *instrument)
{
	return instrument->status.state == SMILE_TRACE_ARMED ||
	       instrument->status.state == SMILE_TRACE_TRIGGERED;
}

/*
 * Get the patterns of a set. The sets of the levels are numbered in the order of the levels, and
 * the set of the filter follows.
 */
static struct smile_trace_pattern *patterns_of(struct smile_trace_config *config, uint32_t set)
{
	return set < SMILE_TRACE_LEVELS ? config->level[set].pattern : config->filter;
}

static void prepare(struct instrument *instrument)
{
	struct smile_trace_config *config = &instrument->config;

	for (uint32_t i = 0; i < SMILE_TRACE_SETS; i++)
		match_prepare(&instrument->set[i],
			      i < SMILE_TRACE_LEVELS ? config->level[i].set : config->filter_set,
			      patterns_of(config, i));
}

void instrument_reset(struct instrument *instrument)
{
	const struct instrument_ops *ops = instrument->ops;
	uint32_t memory_max = instrument->memory_max, level = instrument->int_level;
	uint8_t *memory = instrument->memory;
	void *opaque = instrument->opaque;

	memset(instrument, 0, sizeof(*instrument));
	instrument->ops = ops;
	instrument->opaque = opaque;
	instrument->memory = memory;
	instrument->memory_max = memory_max;
	instrument->config.mode = SMILE_TRACE_MODE_WRAP;
	instrument->config.memory_bytes = memory_max;
	instrument->config.position_percent = 50;
	for (uint32_t i = 0; i < SMILE_TRACE_LEVELS; i++)
		instrument->config.level[i].count = 1;
	prepare(instrument);
	instrument->int_level = level;
	interrupt_update(instrument);
}

void instrument_init(struct instrument *instrument, void *memory, uint32_t memory_bytes,
		     const struct instrument_ops *ops, void *opaque)
{
	memset(instrument, 0, sizeof(*instrument));
	instrument->ops = ops;
	instrument->opaque = opaque;
	instrument->memory = memory;
	instrument->memory_max = memory_bytes;
	instrument_reset(instrument);
}

static bool memory_valid(const struct instrument *instrument, uint32_t bytes)
{
	return bytes && bytes % SMILE_TRACE_MEMORY_ALIGN == 0 && bytes <= instrument->memory_max;
}

static bool config_valid(const struct instrument *instrument,
			 const struct smile_trace_config *config)
{
	if (config->mode & ~SMILE_TRACE_MODE_ALL ||
	    !memory_valid(instrument, config->memory_bytes) || config->position_percent > 100 ||
	    config->levels > SMILE_TRACE_LEVELS || config->filter_set & ~SET_DEFINED)
		return false;
	for (uint32_t i = 0; i < SMILE_TRACE_LEVELS; i++) {
		const struct smile_trace_level *level = &config->level[i];

		if (level->set & ~SET_DEFINED || !level->count || level->action & ~ACTION_DEFINED ||
		    level->reserved)
			return false;
	}
	return true;
}

bool instrument_configure(struct instrument *instrument, const struct smile_trace_config *config)
{
	if (running(instrument) || !config_valid(instrument, config))
		return false;
	/*
	 * The positions of entries depend on the size of the memory, so the present entries are
	 * discarded.
	 */
	if (config->memory_bytes != instrument->config.memory_bytes) {
		instrument->tail = instrument->head;
		instrument->head_place = (uint32_t)(instrument->head % config->memory_bytes);
		instrument->tail_place = instrument->head_place;
	}
	instrument->config = *config;
	prepare(instrument);
	return true;
}

static uint64_t counter_of(const struct instrument *instrument, uint32_t offset)
{
	const struct smile_trace_status *status = &instrument->status;

	switch (offset) {
	case SMILE_TRACE_REG_HEAD:
		return instrument->head;
	case SMILE_TRACE_REG_TAIL:
		return instrument->tail;
	case SMILE_TRACE_REG_TRIGGER_TIME:
		return status->trigger_time_ns;
	case SMILE_TRACE_REG_TRIGGER_FRAME:
		return status->trigger_frame;
	case SMILE_TRACE_REG_COUNT_SEEN:
		return status->seen;
	case SMILE_TRACE_REG_COUNT_STORED:
		return status->stored;
	case SMILE_TRACE_REG_COUNT_FILTERED:
		return status->filtered;
	case SMILE_TRACE_REG_COUNT_OUTSIDE:
		return status->outside;
	case SMILE_TRACE_REG_COUNT_OVERWRITTEN:
		return status->overwritten;
	case SMILE_TRACE_REG_COUNT_MISSED:
		return status->missed;
	default:
		return status->cut;
	}
}

static uint32_t status_word(const struct instrument *instrument)
{
	const struct smile_trace_status *status = &instrument->status;

	return SMILE_PUT(SMILE_TRACE_STATUS_STATE, status->state) |
	       SMILE_PUT(SMILE_TRACE_STATUS_LEVEL, status->level) |
	       SMILE_PUT(SMILE_TRACE_STATUS_TRIGGER_BY, status->trigger_by) |
	       SMILE_PUT(SMILE_TRACE_STATUS_TRIGGER_LEVEL, status->trigger_level) |
	       (instrument->storing ? SMILE_TRACE_STATUS_STORING : 0) |
	       (instrument->full ? SMILE_TRACE_STATUS_FULL : 0) |
	       (instrument->bad_write ? SMILE_TRACE_STATUS_BAD_WRITE : 0) |
	       (instrument->dma_error ? SMILE_TRACE_STATUS_DMA_ERROR : 0);
}

/* Get the 64-bit word of the configuration, one half of which is the register. */
static __u64 *half_of(struct smile_trace_config *config, uint32_t offset)
{
	uint32_t set, place;

	if (offset >= SMILE_TRACE_REG_LEVEL_SET && offset < LEVEL_END) {
		place = (offset - SMILE_TRACE_REG_LEVEL_SET) % SMILE_TRACE_STRIDE_LEVEL +
			SMILE_TRACE_REG_LEVEL_SET;
		if (place != SMILE_TRACE_REG_LEVEL_TIMEOUT_LOW &&
		    place != SMILE_TRACE_REG_LEVEL_TIMEOUT_HIGH)
			return NULL;
		set = (offset - SMILE_TRACE_REG_LEVEL_SET) / SMILE_TRACE_STRIDE_LEVEL;
		return &config->level[set].timeout_ns;
	}
	if (offset >= SMILE_TRACE_REG_PATTERN && offset < PATTERN_END) {
		struct smile_trace_pattern *pattern;

		set = (offset - SMILE_TRACE_REG_PATTERN) / SMILE_TRACE_STRIDE_SET;
		place = (offset - SMILE_TRACE_REG_PATTERN) % SMILE_TRACE_STRIDE_SET;
		pattern = patterns_of(config, set) + place / SMILE_TRACE_STRIDE_PATTERN;
		switch (place % SMILE_TRACE_STRIDE_PATTERN / 8) {
		case 0:
			return &pattern->bd1_mask;
		case 1:
			return &pattern->bd1_value;
		case 2:
			return &pattern->bd2_mask;
		default:
			return &pattern->bd2_value;
		}
	}
	return NULL;
}

/* Get the 32-bit word of the configuration that is the register. */
static uint32_t *word_of(struct smile_trace_config *config, uint32_t offset)
{
	struct smile_trace_level *level;

	switch (offset) {
	case SMILE_TRACE_REG_MODE:
		return &config->mode;
	case SMILE_TRACE_REG_MEMORY:
		return &config->memory_bytes;
	case SMILE_TRACE_REG_POSITION:
		return &config->position_percent;
	case SMILE_TRACE_REG_LEVELS:
		return &config->levels;
	case SMILE_TRACE_REG_FILTER_SET:
		return &config->filter_set;
	case SMILE_TRACE_REG_WATERMARK:
		return &config->watermark_bytes;
	default:
		break;
	}
	if (offset < SMILE_TRACE_REG_LEVEL_SET || offset >= LEVEL_END)
		return NULL;
	level = &config->level[(offset - SMILE_TRACE_REG_LEVEL_SET) / SMILE_TRACE_STRIDE_LEVEL];
	switch ((offset - SMILE_TRACE_REG_LEVEL_SET) % SMILE_TRACE_STRIDE_LEVEL +
		SMILE_TRACE_REG_LEVEL_SET) {
	case SMILE_TRACE_REG_LEVEL_SET:
		return &level->set;
	case SMILE_TRACE_REG_LEVEL_COUNT:
		return &level->count;
	case SMILE_TRACE_REG_LEVEL_ACTION:
		return &level->action;
	default:
		return NULL;
	}
}

uint32_t instrument_mmio_read(struct instrument *instrument, uint32_t offset)
{
	const __u64 *half;
	const uint32_t *word;
	uint64_t value;

	if (offset >= SMILE_TRACE_REG_HEAD && offset <= SMILE_TRACE_REG_COUNT_CUT + 4) {
		if (offset % 8)
			return instrument->latch;
		value = counter_of(instrument, offset);
		instrument->latch = (uint32_t)(value >> 32);
		return (uint32_t)value;
	}
	half = half_of(&instrument->config, offset);
	if (half)
		return (uint32_t)(*half >> (offset % 8 ? 32 : 0));
	word = word_of(&instrument->config, offset);
	if (word)
		return *word;
	switch (offset) {
	case SMILE_TRACE_REG_ID:
		return SMILE_TRACE_ID_VALUE;
	case SMILE_TRACE_REG_VERSION:
		return SMILE_TRACE_VERSION_VALUE;
	case SMILE_TRACE_REG_CAPABILITY:
		return CAPABILITY;
	case SMILE_TRACE_REG_MEMORY_MAX:
		return instrument->memory_max;
	case SMILE_TRACE_REG_STATUS:
		return status_word(instrument);
	case SMILE_TRACE_REG_INT_STATUS:
		return instrument->int_status;
	case SMILE_TRACE_REG_INT_ENABLE:
		return instrument->int_enable;
	case SMILE_TRACE_REG_DMA_BASE_LOW:
		return (uint32_t)instrument->dma_base;
	case SMILE_TRACE_REG_DMA_BASE_HIGH:
		return (uint32_t)(instrument->dma_base >> 32);
	case SMILE_TRACE_REG_DMA_FROM:
		return instrument->dma_from;
	case SMILE_TRACE_REG_DMA_BYTES:
		return instrument->dma_bytes;
	default:
		return 0;
	}
}

/*
 * Copy a part of the trace memory into host memory. Return: false if the registers do not select a
 * part of the memory.
 */
static bool transfer(struct instrument *instrument)
{
	uint32_t from = instrument->dma_from, bytes = instrument->dma_bytes;

	if (!bytes || from > instrument->memory_max || bytes > instrument->memory_max - from)
		return false;
	if (!instrument->ops || !instrument->ops->dma_write ||
	    !instrument->ops->dma_write(instrument->opaque, instrument->dma_base,
					instrument->memory + from, bytes))
		instrument->dma_error = 1;
	registers_raise(instrument, SMILE_TRACE_INT_TRANSFER);
	return true;
}

static bool command(struct instrument *instrument, uint32_t value)
{
	switch (value) {
	case SMILE_TRACE_COMMAND_RESET:
		instrument_reset(instrument);
		return true;
	case SMILE_TRACE_COMMAND_ARM:
		return instrument_arm(instrument);
	case SMILE_TRACE_COMMAND_STOP:
		instrument_stop(instrument);
		return true;
	case SMILE_TRACE_COMMAND_TRIGGER:
		instrument_trigger(instrument, instrument->now_ns);
		return true;
	case SMILE_TRACE_COMMAND_TRANSFER:
		return transfer(instrument);
	default:
		return false;
	}
}

static bool write_config(struct instrument *instrument, uint32_t offset, uint32_t value)
{
	struct smile_trace_config config = instrument->config;
	__u64 *half = half_of(&config, offset);
	uint32_t *word = word_of(&config, offset);

	if (half)
		*half = offset % 8 ? (*half & UINT32_MAX) | (uint64_t)value << 32
				   : (*half & ~(uint64_t)UINT32_MAX) | value;
	else if (word)
		*word = value;
	else
		return false;
	return instrument_configure(instrument, &config);
}

static bool write_register(struct instrument *instrument, uint32_t offset, uint32_t value)
{
	const uint32_t clearable = SMILE_TRACE_STATUS_BAD_WRITE | SMILE_TRACE_STATUS_DMA_ERROR;

	switch (offset) {
	case SMILE_TRACE_REG_STATUS:
		if (value & ~clearable)
			return false;
		if (value & SMILE_TRACE_STATUS_BAD_WRITE)
			instrument->bad_write = 0;
		if (value & SMILE_TRACE_STATUS_DMA_ERROR)
			instrument->dma_error = 0;
		return true;
	case SMILE_TRACE_REG_COMMAND:
		return command(instrument, value);
	case SMILE_TRACE_REG_INT_STATUS:
	case SMILE_TRACE_REG_INT_ENABLE:
		if (value & ~SMILE_TRACE_INT_ALL)
			return false;
		if (offset == SMILE_TRACE_REG_INT_STATUS)
			instrument->int_status &= ~value;
		else
			instrument->int_enable = value;
		interrupt_update(instrument);
		return true;
	case SMILE_TRACE_REG_CONSUME:
		return instrument_consume(instrument, value);
	case SMILE_TRACE_REG_DMA_BASE_LOW:
		if (value % 8)
			return false;
		instrument->dma_base = (instrument->dma_base & ~(uint64_t)UINT32_MAX) | value;
		return true;
	case SMILE_TRACE_REG_DMA_BASE_HIGH:
		instrument->dma_base = (instrument->dma_base & UINT32_MAX) | (uint64_t)value << 32;
		return true;
	case SMILE_TRACE_REG_DMA_FROM:
		if (value % 8)
			return false;
		instrument->dma_from = value;
		return true;
	case SMILE_TRACE_REG_DMA_BYTES:
		if (value % 8)
			return false;
		instrument->dma_bytes = value;
		return true;
	default:
		return write_config(instrument, offset, value);
	}
}

void instrument_mmio_write(struct instrument *instrument, uint32_t offset, uint32_t value)
{
	if (!write_register(instrument, offset, value))
		instrument->bad_write = 1;
}
