/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The deep trace instrument: functions that one of its files defines and its other files call. Only
 * emu/trace and its tests include this header.
 */
#ifndef EMU_TRACE_TRACE_INSIDE_H
#define EMU_TRACE_TRACE_INSIDE_H

#include <base/field.h>

#include "emu/trace/instrument.h"

/* Prepare a set of patterns for a fast comparison. @set: SMILE_TRACE_SET_*. */
void match_prepare(struct instrument_set *prepared, uint32_t set,
		   const struct smile_trace_pattern *patterns);

static inline uint64_t match_difference(const struct smile_trace_pattern *pattern, uint64_t bd1,
					uint64_t bd2)
{
	return ((bd1 ^ pattern->bd1_value) & pattern->bd1_mask) |
	       ((bd2 ^ pattern->bd2_value) & pattern->bd2_mask);
}

/* Check whether a frame with these words matches the set. */
static inline bool match_set(const struct instrument_set *set, uint64_t bd1, uint64_t bd2)
{
	bool found = false;

	if (!match_difference(&set->common, bd1, bd2))
		for (uint32_t i = 0; i < set->count && !found; i++)
			found = !match_difference(&set->pattern[i], bd1, bd2);
	return found != (bool)set->invert;
}

/* ---- trace_memory.c ---- */

/* Get the size of an entry. @word: the entry's second word, or its number of stored bytes */
static inline uint32_t trace_memory_entry_bytes(uint64_t word)
{
	uint32_t bytes = (uint32_t)SMILE_GET(SMILE_TRACE_ENTRY_BYTES, word);

	return SMILE_TRACE_ENTRY_HEAD_BYTES +
	       (bytes + BLINK_WORD_BYTES - 1) / BLINK_WORD_BYTES * BLINK_WORD_BYTES;
}

/* Check whether the memory has room for @bytes more bytes. */
static inline bool trace_memory_fits(const struct instrument *instrument, uint32_t bytes)
{
	return instrument->head - instrument->tail + bytes <= instrument->config.memory_bytes;
}

/*
 * Store the first @kept bytes of a frame, which has @bytes bytes, in a new entry. The memory must
 * have room. @word: flags and level of the entry
 */
void trace_memory_store(struct instrument *instrument, const void *frame, uint32_t kept,
			size_t bytes, uint64_t time_ns, uint64_t word);

/* Drop the oldest entry. */
void trace_memory_drop_oldest(struct instrument *instrument);

/* ---- instrument_registers.c and trigger.c ---- */

/* Set bits of INT_STATUS, and update the interrupt line. */
void registers_raise(struct instrument *instrument, uint32_t bits);

/* Restart the trigger sequence from its first level. */
void sequence_start(struct instrument *instrument);

/*
 * Pass a frame to the trigger sequence. Return: the flags SMILE_TRACE_ENTRY_TRIGGER and
 * SMILE_TRACE_ENTRY_START, if they apply to this frame.
 */
uint64_t sequence_step(struct instrument *instrument, uint64_t bd1, uint64_t bd2, uint64_t time_ns);

/* Trigger the instrument. @by: SMILE_TRACE_BY_*. */
void sequence_fire(struct instrument *instrument, uint32_t by, uint64_t time_ns);

#endif /* EMU_TRACE_TRACE_INSIDE_H */
