/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The deep trace instrument: functions that one of its files defines and its other files call. Only
 * emu/trace and its tests include this header.
 */
#ifndef EMU_TRACE_TRACE_INSIDE_H
#define EMU_TRACE_TRACE_INSIDE_H

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
