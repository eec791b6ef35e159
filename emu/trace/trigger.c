/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The trigger: patterns, levels, counts, time-outs and the trigger line.
 *
 * Source: thesis 4.1.4. The trigger of the thesis has four levels, patterns that are compared with
 * the sample, and several instruments with a common trigger. The rules by which levels follow one
 * another are defined here.
 */
#include <base/field.h>

#include "emu/trace/trace_inside.h"

#include <string.h>

void match_prepare(struct instrument_set *prepared, uint32_t set,
		   const struct smile_trace_pattern *patterns)
{
	struct smile_trace_pattern *common = &prepared->common;

	memset(prepared, 0, sizeof(*prepared));
	prepared->invert = (set & SMILE_TRACE_SET_INVERT) != 0;
	for (uint32_t i = 0; i < SMILE_TRACE_PATTERNS; i++)
		if (set >> i & 1)
			prepared->pattern[prepared->count++] = patterns[i];
	if (!prepared->count)
		return;
	*common = prepared->pattern[0];
	for (uint32_t i = 1; i < prepared->count; i++) {
		const struct smile_trace_pattern *pattern = &prepared->pattern[i];

		common->bd1_mask &= pattern->bd1_mask & ~(pattern->bd1_value ^ common->bd1_value);
		common->bd2_mask &= pattern->bd2_mask & ~(pattern->bd2_value ^ common->bd2_value);
	}
}

static void level_enter(struct instrument *instrument, uint32_t level, uint64_t time_ns)
{
	instrument->status.level = level;
	instrument->level_since_ns = time_ns;
	if (level < instrument->config.levels)
		instrument->level_left = instrument->config.level[level].count;
}

void sequence_start(struct instrument *instrument)
{
	instrument->gated = 0;
	for (uint32_t i = 0; i < instrument->config.levels; i++) {
		uint32_t action = instrument->config.level[i].action;

		if (SMILE_GET(SMILE_TRACE_ACTION_THEN, action) == SMILE_TRACE_STORE ||
		    (instrument->config.level[i].timeout_ns &&
		     SMILE_GET(SMILE_TRACE_ACTION_ELSE, action) == SMILE_TRACE_STORE))
			instrument->gated = 1;
	}
	instrument->storing = !instrument->gated;
	level_enter(instrument, 0, 0);
	instrument->level_fresh = 1;
}

void sequence_fire(struct instrument *instrument, uint32_t by, uint64_t time_ns)
{
	struct smile_trace_status *status = &instrument->status;
	uint64_t behind = 100 - instrument->config.position_percent;

	status->state = SMILE_TRACE_TRIGGERED;
	status->trigger_by = by;
	status->trigger_level =
		by == SMILE_TRACE_BY_FRAME || by == SMILE_TRACE_BY_TIMEOUT ? status->level : 0;
	status->trigger_time_ns = time_ns;
	status->trigger_frame = status->seen;
	status->level = instrument->config.levels;
	instrument->storing = 1;
	instrument->budget = instrument->config.memory_bytes * behind / 100;
	registers_raise(instrument, SMILE_TRACE_INT_TRIGGER);
	if (by != SMILE_TRACE_BY_LINE && instrument->config.mode & SMILE_TRACE_MODE_LINE_OUT &&
	    instrument->ops && instrument->ops->line)
		instrument->ops->line(instrument->opaque, time_ns);
}

/* Leave the current level by applying an action. Return: as sequence_step(). */
static uint64_t level_follow(struct instrument *instrument, uint32_t action, uint32_t by,
			     uint64_t time_ns)
{
	uint32_t next = instrument->status.level + 1;
	uint64_t flags = 0;

	switch (action) {
	case SMILE_TRACE_BACK:
		if (instrument->gated)
			instrument->storing = 0;
		level_enter(instrument, 0, time_ns);
		return 0;
	case SMILE_TRACE_STORE:
		if (!instrument->storing)
			flags = SMILE_TRACE_ENTRY_START;
		instrument->storing = 1;
		level_enter(instrument, next, time_ns);
		return flags;
	case SMILE_TRACE_NEXT:
		if (next < instrument->config.levels) {
			level_enter(instrument, next, time_ns);
			return 0;
		}
		break;
	default:
		break;
	}
	sequence_fire(instrument, by, time_ns);
	return SMILE_TRACE_ENTRY_TRIGGER;
}

uint64_t sequence_step(struct instrument *instrument, uint64_t bd1, uint64_t bd2, uint64_t time_ns)
{
	const struct smile_trace_level *level;
	uint64_t flags = 0;

	if (instrument->status.level >= instrument->config.levels)
		return 0;
	if (instrument->level_fresh) {
		instrument->level_fresh = 0;
		instrument->level_since_ns = time_ns;
	}
	level = &instrument->config.level[instrument->status.level];
	if (level->timeout_ns && time_ns > instrument->level_since_ns &&
	    time_ns - instrument->level_since_ns >= level->timeout_ns) {
		flags = level_follow(instrument, SMILE_GET(SMILE_TRACE_ACTION_ELSE, level->action),
				     SMILE_TRACE_BY_TIMEOUT, time_ns);
		if (instrument->status.level >= instrument->config.levels)
			return flags;
		level = &instrument->config.level[instrument->status.level];
	}
	if (match_set(&instrument->set[instrument->status.level], bd1, bd2) &&
	    --instrument->level_left == 0)
		flags |= level_follow(instrument, SMILE_GET(SMILE_TRACE_ACTION_THEN, level->action),
				      SMILE_TRACE_BY_FRAME, time_ns);
	return flags;
}
