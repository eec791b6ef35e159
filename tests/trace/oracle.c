/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The instrument of docs/trace.md, computed over lists: first the state of the sequence at each
 * frame, then the frames that must be stored, then those of them that the memory holds.
 */
#include "tests/trace/oracle.h"

#include <stdbool.h>
#include <string.h>

enum fate {
	FATE_OUTSIDE,
	FATE_FILTERED,
	FATE_WANTED,
	FATE_UNSEEN,
};

struct walk {
	const struct smile_trace_config *config;
	const struct oracle_frame *frames;
	size_t count;
	enum fate fate[ORACLE_FRAMES_MAX];
	unsigned int level_at[ORACLE_FRAMES_MAX];
	bool start_at[ORACLE_FRAMES_MAX];
	size_t trigger; /* index of the frame that is the trigger */
	size_t behind; /* frames from here on are behind it */
	struct oracle *oracle;
};

/* Section 4: compare byte by byte. */
static bool pattern_matches(const struct smile_trace_pattern *pattern,
			    const struct oracle_frame *frame)
{
	const uint64_t masks[2] = {pattern->bd1_mask, pattern->bd2_mask};
	const uint64_t values[2] = {pattern->bd1_value, pattern->bd2_value};

	for (unsigned int i = 0; i < 16; i++) {
		unsigned int shift = i % 8 * 8;
		uint8_t byte = i < frame->bytes ? frame->data[i] : 0;
		uint8_t mask = (uint8_t)(masks[i / 8] >> shift);

		if ((byte & mask) != ((uint8_t)(values[i / 8] >> shift) & mask))
			return false;
	}
	return true;
}

static bool set_matches(uint32_t set, const struct smile_trace_pattern *patterns,
			const struct oracle_frame *frame)
{
	unsigned int matching = 0;

	for (unsigned int i = 0; i < 16; i++)
		if (set & 1U << i && pattern_matches(&patterns[i], frame))
			matching++;
	return set >> 31 ? matching == 0 : matching > 0;
}

static unsigned int then_of(const struct smile_trace_level *level)
{
	return level->action & 3;
}

static unsigned int else_of(const struct smile_trace_level *level)
{
	return level->action >> 8 & 3;
}

static bool has_gate(const struct smile_trace_config *config)
{
	for (unsigned int i = 0; i < config->levels; i++)
		if (then_of(&config->level[i]) == 2 ||
		    (config->level[i].timeout_ns && else_of(&config->level[i]) == 2))
			return true;
	return false;
}

/* Sections 5 and 6, for the whole list. */
static void walk_sequence(struct walk *walk, size_t line_before, uint64_t line_ns)
{
	const struct smile_trace_config *config = walk->config;
	struct smile_trace_status *status = &walk->oracle->status;
	bool gate = has_gate(config), open = !gate;
	unsigned int level = 0, matches = 0;
	bool ended = config->levels == 0;
	uint64_t since = walk->count ? walk->frames[0].time_ns : 0;

	walk->trigger = ORACLE_NEVER;
	walk->behind = ORACLE_NEVER;
	for (size_t i = 0; i < walk->count; i++) {
		const struct oracle_frame *frame = &walk->frames[i];
		bool before = open, triggered = false;
		unsigned int by = 0;

		if (i == line_before && config->mode & 4 && walk->behind == ORACLE_NEVER) {
			status->trigger_by = 3;
			status->trigger_time_ns = line_ns;
			status->trigger_frame = i;
			walk->behind = i;
			ended = true;
			open = true;
			before = true;
		}
		if (!ended)
			walk->level_at[i] = level;
		for (unsigned int step = 0; step < 2 && !ended; step++) {
			const struct smile_trace_level *now = &config->level[level];
			unsigned int action;

			if (step == 0) {
				if (!now->timeout_ns || frame->time_ns <= since ||
				    frame->time_ns - since < now->timeout_ns)
					continue;
				action = else_of(now);
				by = 2;
			} else {
				if (!set_matches(now->set, now->pattern, frame) ||
				    ++matches < now->count)
					continue;
				action = then_of(now);
				by = 1;
			}
			if (action == 3 || (action == 0 && level + 1 == config->levels)) {
				triggered = true;
				status->trigger_level = level;
				open = true;
				ended = true;
				continue;
			}
			matches = 0;
			since = frame->time_ns;
			if (action == 1) {
				level = 0;
				if (gate)
					open = false;
				continue;
			}
			if (action == 2) {
				if (!open)
					walk->start_at[i] = true;
				open = true;
			}
			level++;
			ended = level == config->levels;
		}
		if (triggered) {
			status->trigger_by = by;
			status->trigger_time_ns = frame->time_ns;
			status->trigger_frame = i;
			walk->trigger = i;
			walk->behind = i;
		}
		if (!before && !open)
			walk->fate[i] = FATE_OUTSIDE;
		else if (config->mode & 2 &&
			 !set_matches(config->filter_set, config->filter, frame))
			walk->fate[i] = FATE_FILTERED;
		else
			walk->fate[i] = FATE_WANTED;
	}
	status->level = walk->behind != ORACLE_NEVER || ended ? config->levels : level;
	if (walk->behind == ORACLE_NEVER && line_before == walk->count && config->mode & 4) {
		status->trigger_by = 3;
		status->trigger_time_ns = line_ns;
		status->trigger_frame = walk->count;
		status->level = config->levels;
		walk->behind = walk->count;
	}
}

static size_t size_of(const struct oracle_frame *frame)
{
	size_t kept = frame->bytes > 304 ? 304 : frame->bytes;

	return 16 + (kept + 7) / 8 * 8;
}

static uint64_t word_of(const struct walk *walk, size_t i, uint64_t missed)
{
	const struct oracle_frame *frame = &walk->frames[i];
	uint64_t kept = frame->bytes > 304 ? 304 : frame->bytes;

	return kept | (uint64_t)frame->bytes << 16 | (uint64_t)walk->level_at[i] << 32 |
	       (uint64_t)(i == walk->trigger) << 34 | (uint64_t)walk->start_at[i] << 35 |
	       missed << 40;
}

/* Sections 7 to 9. */
static void walk_memory(struct walk *walk)
{
	const struct smile_trace_config *config = walk->config;
	struct smile_trace_status *status = &walk->oracle->status;
	uint64_t memory = config->memory_bytes;
	uint64_t budget = memory * (100 - config->position_percent) / 100, used = 0;
	struct oracle_entry stored[ORACLE_FRAMES_MAX];
	size_t count = 0, missed_since = 0, first;
	bool wrap = config->mode & 1, done = false;

	if (walk->behind != ORACLE_NEVER)
		status->state = 2;
	/* The line can complete the trace without a frame. */
	if (walk->behind != ORACLE_NEVER && walk->trigger == ORACLE_NEVER && budget < 16) {
		for (size_t i = walk->behind; i < walk->count; i++)
			walk->fate[i] = FATE_UNSEEN;
		done = true;
	}
	for (size_t i = 0; i < walk->count; i++) {
		bool triggered = walk->behind != ORACLE_NEVER && i >= walk->behind;
		size_t size = size_of(&walk->frames[i]);

		if (walk->fate[i] == FATE_UNSEEN)
			break;
		if (walk->fate[i] == FATE_WANTED) {
			if (i == walk->trigger && size > budget)
				budget = size;
			if (triggered && i != walk->trigger &&
			    (size > budget || (!wrap && used + size > memory))) {
				done = true;
				break;
			}
			if (!wrap && used + size > memory) {
				status->missed++;
				missed_since++;
				if (triggered)
					budget = 0;
			} else {
				stored[count].frame = i;
				stored[count++].word = word_of(walk, i, missed_since);
				missed_since = 0;
				used += size;
				if (triggered)
					budget -= size;
				status->cut += walk->frames[i].bytes > 304;
			}
		} else if (walk->fate[i] == FATE_FILTERED) {
			status->filtered++;
		} else {
			status->outside++;
		}
		status->seen++;
		if (triggered && budget < 16) {
			done = true;
			break;
		}
	}
	if (done)
		status->state = 3;
	/* The memory holds as many of the last stored entries as fit into it. */
	used = 0;
	for (first = count; first > 0; first--) {
		size_t size = size_of(&walk->frames[stored[first - 1].frame]);

		if (used + size > memory)
			break;
		used += size;
	}
	status->overwritten = first;
	status->stored = count - first;
	status->bytes = used;
	walk->oracle->count = count - first;
	memcpy(walk->oracle->entries, stored + first, (count - first) * sizeof(stored[0]));
}

void oracle_decide(struct oracle *oracle, const struct smile_trace_config *config,
		   const struct oracle_frame *frames, size_t count, size_t line_before,
		   uint64_t line_ns)
{
	struct walk walk = {.config = config, .frames = frames, .count = count, .oracle = oracle};

	memset(oracle, 0, sizeof(*oracle));
	oracle->status.state = 1;
	walk_sequence(&walk, line_before, line_ns);
	walk_memory(&walk);
}
