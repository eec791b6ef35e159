/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The reference's registers: a list of the registers that hold the written value, and the behaviour
 * of the other registers. See sections 3 and 3.1 of the datasheet. May use reference.h.
 */
#include <base/field.h>

#include "tests/reference/reference.h"

enum access {
	READ_ONLY,
	READ_WRITE,
	AT_REST, /* CFG */
	AT_REST_UNLOCKED, /* CFG, locked while MODE.HOST_RING */
	UNLOCKED, /* locked while MODE.HOST_RING */
};

/* @number registers, @stride bytes apart; a value has only bits of @bits, and must be @possible. */
struct plain_register {
	uint32_t offset;
	uint32_t number;
	uint32_t stride;
	enum access access;
	uint32_t reset;
	uint32_t bits;
	bool (*possible)(const struct reference *ref, uint32_t value);
};

static bool range_possible(const struct reference *ref, uint32_t value)
{
	return value >= SMILE_MAX_RANGE_MIN && value <= SMILE_MAX_RANGE_MAX && value % 4 == 0;
}

static bool entries_possible(const struct reference *ref, uint32_t value)
{
	return value >= SMILE_ENTRIES_MIN && value <= SMILE_ENTRIES_MAX;
}

static bool base_possible(const struct reference *ref, uint32_t value)
{
	return value % SMILE_DMA_BASE_ALIGN == 0;
}

static bool size_possible(const struct reference *ref, uint32_t value)
{
	if (value == 0)
		return true;
	for (uint32_t power = SMILE_DMA_RECORDS_MIN; power <= SMILE_DMA_RECORDS_MAX; power *= 2)
		if (value == power)
			return true;
	return false;
}

static bool watermark_possible(const struct reference *ref, uint32_t value)
{
	return value <= SMILE_DMA_RECORDS_MAX;
}

/*
 * HOST_RING "can only be set if DMA_SIZE is not 0, DMA_WRITE - DMA_READ is at most DMA_SIZE, [...]"
 */
static bool mode_possible(const struct reference *ref, uint32_t value)
{
	uint32_t size = reference_get(ref, SMILE_REG_DMA_SIZE);
	uint32_t unread =
		reference_get(ref, SMILE_REG_DMA_WRITE) - reference_get(ref, SMILE_REG_DMA_READ);
	uint64_t base = reference_get(ref, SMILE_REG_DMA_BASE_LOW) |
			(uint64_t)reference_get(ref, SMILE_REG_DMA_BASE_HIGH) << 32;
	uint64_t bytes = (uint64_t)size * SMILE_RECORD_BYTES;

	if (!(value & SMILE_MODE_HOST_RING))
		return true;
	/* The last byte of the ring must be below 2^64, not the first byte behind the ring. */
	return size != 0 && unread <= size && base + (bytes - 1) >= base;
}

static bool event_possible(const struct reference *ref, uint32_t value)
{
	return SMILE_GET(SMILE_STATIC_EVENT_TOP, value) >=
	       SMILE_GET(SMILE_STATIC_EVENT_BOTTOM, value);
}

static bool dma_read_possible(const struct reference *ref, uint32_t value)
{
	uint32_t read = reference_get(ref, SMILE_REG_DMA_READ);

	return !reference_mode(ref, SMILE_MODE_HOST_RING) ||
	       value - read <= reference_get(ref, SMILE_REG_DMA_WRITE) - read;
}

#define COUNTER_BITS                                                                               \
	(SMILE_STATIC_COUNTER_COUNT | SMILE_STATIC_COUNTER_COUNT_VALID |                           \
	 SMILE_STATIC_COUNTER_ACTIVATE | SMILE_STATIC_COUNTER_ACTIVATE_VALID |                     \
	 SMILE_STATIC_COUNTER_DEACTIVATE | SMILE_STATIC_COUNTER_DEACTIVATE_VALID)
#define EVENT_BITS                                                                                 \
	(SMILE_STATIC_EVENT_PAGE | SMILE_STATIC_EVENT_READ | SMILE_STATIC_EVENT_WRITE |            \
	 SMILE_STATIC_EVENT_LOCK | SMILE_STATIC_EVENT_REQUEST | SMILE_STATIC_EVENT_RESPONSE |      \
	 SMILE_STATIC_EVENT_BOTTOM | SMILE_STATIC_EVENT_TOP | SMILE_STATIC_EVENT_VALID)
#define CAPABILITY                                                                                 \
	(SMILE_PUT(SMILE_CAPABILITY_ENTRIES, 64U) | SMILE_PUT(SMILE_CAPABILITY_STATIC, 16U) |      \
	 SMILE_PUT(SMILE_CAPABILITY_RING, 12U) | SMILE_CAPABILITY_DMA | SMILE_CAPABILITY_TIMER)
#define ALL 0xffffffffU

static const struct plain_register plain_registers[] = {
	{SMILE_REG_ID, 1, 0, READ_ONLY, 0x534d694c, 0, NULL},
	{SMILE_REG_VERSION, 1, 0, READ_ONLY, 0x00010001, 0, NULL},
	{SMILE_REG_CAPABILITY, 1, 0, READ_ONLY, CAPABILITY, 0, NULL},
	{SMILE_REG_CONTROL, 1, 0, READ_WRITE, 0, SMILE_CONTROL_ENABLE, NULL},
	{SMILE_REG_NODE, 1, 0, AT_REST, 0, SMILE_NODE_ID, NULL},
	{SMILE_REG_FILTER, 1, 0, AT_REST, 0x717, SMILE_FILTER_ALL, NULL},
	{SMILE_REG_MODE, 1, 0, AT_REST, 1, SMILE_MODE_ALL, mode_possible},
	{SMILE_REG_MAX_RANGE, 1, 0, AT_REST, 4, ALL, range_possible},
	{SMILE_REG_ENTRIES, 1, 0, AT_REST, 16, ALL, entries_possible},
	{SMILE_REG_PHASE_EVENTS, 1, 0, AT_REST, 0, SMILE_PHASE_EVENTS_MASK, NULL},
	{SMILE_REG_INT_ENABLE, 1, 0, READ_WRITE, 0, SMILE_INT_ALL, NULL},
	{SMILE_REG_DMA_BASE_LOW, 1, 0, AT_REST_UNLOCKED, 0, ALL, base_possible},
	{SMILE_REG_DMA_BASE_HIGH, 1, 0, AT_REST_UNLOCKED, 0, ALL, NULL},
	{SMILE_REG_DMA_SIZE, 1, 0, AT_REST_UNLOCKED, 0, ALL, size_possible},
	{SMILE_REG_DMA_READ, 1, 0, READ_WRITE, 0, ALL, dma_read_possible},
	{SMILE_REG_DMA_WRITE, 1, 0, UNLOCKED, 0, ALL, NULL},
	{SMILE_REG_RING_WATERMARK, 1, 0, READ_WRITE, 0, ALL, watermark_possible},
	{SMILE_REG_RING_LATENCY, 1, 0, READ_WRITE, 0, ALL, NULL},
	{SMILE_REG_STATIC_PAGE, SMILE_STATIC_PAGES, SMILE_STRIDE_STATIC_PAGE, AT_REST, 0,
	 SMILE_STATIC_PAGE_NUMBER | SMILE_STATIC_PAGE_VALID, NULL},
	{SMILE_REG_STATIC_NODE, SMILE_STATIC_PAGES, SMILE_STRIDE_STATIC_NODE, AT_REST, 0,
	 SMILE_NODE_ID, NULL},
	{SMILE_REG_STATIC_EVENT, SMILE_STATIC_EVENTS, SMILE_STRIDE_STATIC_EVENT, AT_REST, 0,
	 EVENT_BITS, event_possible},
	{SMILE_REG_STATIC_COUNTER, SMILE_STATIC_COUNTERS, SMILE_STRIDE_STATIC_COUNTER, AT_REST, 0,
	 COUNTER_BITS, NULL},
	{SMILE_REG_TIMER_PERIOD, 1, 0, AT_REST, 0, ALL, NULL},
	{SMILE_REG_TIMER_EVENT, 1, 0, AT_REST, 0, SMILE_TIMER_EVENT_ID, NULL},
	{SMILE_REG_TIME_PERIOD, 1, 0, AT_REST, 0, ALL, NULL},
	{SMILE_REG_CLOCK_STEP, 1, 0, READ_ONLY, 1, 0, NULL},
};

#define PLAIN_REGISTERS (sizeof(plain_registers) / sizeof(plain_registers[0]))

uint32_t reference_get(const struct reference *ref, uint32_t offset)
{
	return ref->plain[offset / 4];
}

void reference_set(struct reference *ref, uint32_t offset, uint32_t value)
{
	ref->plain[offset / 4] = value;
}

void reference_registers_reset(struct reference *ref)
{
	for (size_t i = 0; i < PLAIN_REGISTERS; i++)
		for (uint32_t n = 0; n < plain_registers[i].number; n++)
			reference_set(ref,
				      plain_registers[i].offset + n * plain_registers[i].stride,
				      plain_registers[i].reset);
}

static const struct plain_register *plain_find(uint32_t offset)
{
	for (size_t i = 0; i < PLAIN_REGISTERS; i++)
		for (uint32_t n = 0; n < plain_registers[i].number; n++)
			if (offset == plain_registers[i].offset + n * plain_registers[i].stride)
				return &plain_registers[i];
	return NULL;
}

/*
 * "at rest if CONTROL.ENABLE is 0, the range table is empty, every static counter is 0, and [...]"
 */
static bool at_rest(const struct reference *ref)
{
	for (uint32_t i = 0; i < SMILE_STATIC_COUNTERS; i++)
		if (ref->counter[i].count > 0)
			return false;
	return !reference_enabled(ref) && ref->ranges == 0 && !reference_work_busy(ref);
}

/* ---- reading ------------------------------------------------------------------------------- */

static uint32_t status(const struct reference *ref)
{
	uint32_t value = SMILE_PUT(SMILE_STATUS_OCCUPIED, ref->ranges);

	if (reference_work_swapping(ref))
		value |= SMILE_STATUS_SWAPPING;
	if (reference_ring_full(ref))
		value |= SMILE_STATUS_FULL;
	if (ref->link)
		value |= SMILE_STATUS_LINK;
	if (ref->bad_write)
		value |= SMILE_STATUS_BAD_WRITE;
	if (ref->dma_error)
		value |= SMILE_STATUS_DMA_ERROR;
	return value;
}

static const uint64_t *counter_find(const struct reference *ref, uint32_t offset)
{
	switch (offset) {
	case SMILE_REG_COUNT_SEEN:
		return &ref->seen;
	case SMILE_REG_COUNT_MALFORMED:
		return &ref->malformed;
	case SMILE_REG_COUNT_UNMATCHED:
		return &ref->unmatched;
	case SMILE_REG_COUNT_FILTERED:
		return &ref->filtered;
	case SMILE_REG_COUNT_EVENT:
		return &ref->event;
	case SMILE_REG_COUNT_ACCEPTED:
		return &ref->accepted;
	case SMILE_REG_COUNT_LOST:
		return &ref->lost;
	case SMILE_REG_COUNT_DELIVERED:
		return &ref->delivered;
	case SMILE_REG_COUNT_MARKS_LOST:
		return &ref->marks_lost;
	case SMILE_REG_COUNT_EXTENSIONS:
		return &ref->extensions;
	case SMILE_REG_COUNT_RECORDS:
		return &ref->records_written;
	case SMILE_REG_CLOCK:
		return &ref->clock_ns;
	case SMILE_REG_COUNT_STATIC:
		return &ref->static_counted;
	case SMILE_REG_COUNT_STATIC_DELIVERED:
		return &ref->static_delivered;
	}
	return NULL;
}

uint32_t reference_read(struct reference *ref, uint32_t offset)
{
	const uint64_t *low = counter_find(ref, offset);
	uint32_t i = (offset - SMILE_REG_STATIC_VALUE) / SMILE_STRIDE_STATIC_VALUE;

	if (offset % 4 != 0 || offset >= SMILE_REGS_BYTES)
		return 0;
	if (low) {
		ref->latch = (uint32_t)(*low >> 32);
		return (uint32_t)*low;
	}
	if (counter_find(ref, offset - 4))
		return ref->latch;
	if (offset >= SMILE_REG_STATIC_VALUE && i < SMILE_STATIC_COUNTERS)
		return SMILE_PUT(SMILE_VALUE_COUNT, ref->counter[i].count) |
		       (ref->counter[i].active ? SMILE_VALUE_ACTIVE : 0);
	switch (offset) {
	case SMILE_REG_STATUS:
		return status(ref);
	case SMILE_REG_RING_READ:
		return ref->ram_read * SMILE_RECORD_WORDS % (2 * SMILE_RING_WORDS);
	case SMILE_REG_RING_WRITE:
	case SMILE_REG_RING_AUX:
		return ref->ram_written * SMILE_RECORD_WORDS % (2 * SMILE_RING_WORDS);
	}
	/* All other offsets: WO registers and gaps, which were never set. */
	return reference_get(ref, offset);
}

/* ---- writing ------------------------------------------------------------------------------- */

/* The writes with an effect; each function returns false if it refuses the write. */

static bool write_status(struct reference *ref, uint32_t value)
{
	if (value & ~(SMILE_STATUS_BAD_WRITE | SMILE_STATUS_DMA_ERROR))
		return false;
	if (value & SMILE_STATUS_BAD_WRITE)
		ref->bad_write = false;
	if (value & SMILE_STATUS_DMA_ERROR)
		ref->dma_error = false;
	return true;
}

static bool write_command(struct reference *ref, uint32_t value)
{
	bool one = value & SMILE_COMMAND_ONE;
	uint32_t i = SMILE_GET(SMILE_COMMAND_COUNTER, value);

	if (value == SMILE_COMMAND_RESET) {
		reference_reset(ref);
		return true;
	}
	/* ONE is "set together with SWAP_STATIC and no other command"; COUNTER "0 without ONE" */
	value &= ~(one ? SMILE_COMMAND_ONE | SMILE_COMMAND_COUNTER : 0);
	if (one && value != SMILE_COMMAND_SWAP_STATIC)
		return false;
	if (value == 0 || value & ~(SMILE_COMMAND_SWAP | SMILE_COMMAND_SWAP_STATIC))
		return false;
	if (value & SMILE_COMMAND_SWAP && ref->ranges > 0)
		ref->swapping = true;
	if (value & SMILE_COMMAND_SWAP_STATIC && reference_mode(ref, SMILE_MODE_STATIC)) {
		/* "each count belongs to exactly one phase": not before a waiting phase mark */
		if (ref->mark.kept && ref->mark.phase)
			ref->take_later = true;
		else if (one)
			reference_static_take_one(ref, i);
		else
			reference_static_take(ref);
	}
	return true;
}

static bool write_event(struct reference *ref, uint32_t value)
{
	if (value & ~SMILE_EVENT_ID)
		return false;
	reference_raise(ref, value, reference_get(ref, SMILE_REG_NODE), SMILE_RAISED_SOFTWARE);
	return true;
}

static bool write_int_status(struct reference *ref, uint32_t value)
{
	/* "undefined bits in this write are ignored" */
	reference_set(ref, SMILE_REG_INT_STATUS, reference_get(ref, SMILE_REG_INT_STATUS) & ~value);
	return true;
}

static bool write_ring_read(struct reference *ref, uint32_t value)
{
	uint64_t read = ref->ram_read;

	/* Is the value a pointer between RING_READ and RING_WRITE? */
	while (read <= ref->ram_written &&
	       read * SMILE_RECORD_WORDS % (2 * SMILE_RING_WORDS) != value)
		read++;
	if (read > ref->ram_written)
		return false;
	ref->ram_read = read;
	if (!reference_mode(ref, SMILE_MODE_HOST_RING))
		reference_ring_latency(ref);
	return true;
}

static bool write_plain(struct reference *ref, const struct plain_register *reg, uint32_t offset,
			uint32_t value)
{
	bool host = reference_mode(ref, SMILE_MODE_HOST_RING);
	uint32_t old = reference_get(ref, offset);

	if (reg->access == READ_ONLY || value & ~reg->bits)
		return false;
	if ((reg->access == AT_REST || reg->access == AT_REST_UNLOCKED) && !at_rest(ref))
		return false;
	if ((reg->access == UNLOCKED || reg->access == AT_REST_UNLOCKED) && host)
		return false;
	if (reg->possible && !reg->possible(ref, value))
		return false;
	reference_set(ref, offset, value);

	if (reg->offset == SMILE_REG_CONTROL && value == 0)
		reference_timer_stop(ref);
	if (reg->offset == SMILE_REG_CONTROL && value & ~old)
		reference_forget(ref);
	if (reg->offset == SMILE_REG_MODE && (old ^ value) & SMILE_MODE_HOST_RING)
		ref->latency_running = false;
	if (reg->offset == SMILE_REG_RING_LATENCY || (reg->offset == SMILE_REG_DMA_READ && host))
		reference_ring_latency(ref);
	if (reg->offset == SMILE_REG_STATIC_COUNTER)
		reference_static_begin(ref, (offset - reg->offset) / reg->stride);
	return true;
}

void reference_write(struct reference *ref, uint32_t offset, uint32_t value)
{
	const struct plain_register *reg = plain_find(offset);
	bool good = false;

	/* "not aligned: no effect" */
	if (offset % 4 != 0)
		return;
	switch (offset) {
	case SMILE_REG_STATUS:
		good = write_status(ref, value);
		break;
	case SMILE_REG_COMMAND:
		good = write_command(ref, value);
		break;
	case SMILE_REG_EVENT:
		good = write_event(ref, value);
		break;
	case SMILE_REG_INT_STATUS:
		good = write_int_status(ref, value);
		break;
	case SMILE_REG_RING_READ:
		good = write_ring_read(ref, value);
		break;
	default:
		good = reg && write_plain(ref, reg, offset, value);
	}
	if (good)
		reference_work(ref);
	else
		ref->bad_write = true;
	reference_interrupt(ref);
}
