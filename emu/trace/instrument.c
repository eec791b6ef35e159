/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The instrument: the processing of a frame.
 *
 * Source: thesis 2.1.1 and 4.1.3. The instrument stores every packet with its time stamp in the
 * trace memory (trace_memory.c), until the trigger stops it. The account is defined here.
 */
#include <base/field.h>

#include "emu/trace/trace_inside.h"

#include <string.h>

#include "emu/card/bytes.h"

#define WORD BLINK_WORD_BYTES

static void done(struct instrument *instrument)
{
	instrument->status.state = SMILE_TRACE_DONE;
	instrument->storing = 0;
	registers_raise(instrument, SMILE_TRACE_INT_DONE);
}

/* In state TRIGGERED, end the trace if even the shortest entry would exceed the budget. */
static void finish(struct instrument *instrument)
{
	if (instrument->status.state == SMILE_TRACE_TRIGGERED &&
	    instrument->budget < SMILE_TRACE_ENTRY_HEAD_BYTES)
		done(instrument);
}

bool instrument_arm(struct instrument *instrument)
{
	struct smile_trace_status *status = &instrument->status;

	if (status->state == SMILE_TRACE_ARMED || status->state == SMILE_TRACE_TRIGGERED)
		return false;
	memset(status, 0, sizeof(*status));
	status->state = SMILE_TRACE_ARMED;
	instrument->head = 0;
	instrument->tail = 0;
	instrument->head_place = 0;
	instrument->tail_place = 0;
	instrument->full = 0;
	instrument->missed_since = 0;
	instrument->now_ns = 0;
	sequence_start(instrument);
	return true;
}

void instrument_stop(struct instrument *instrument)
{
	if (instrument->status.state == SMILE_TRACE_ARMED ||
	    instrument->status.state == SMILE_TRACE_TRIGGERED)
		done(instrument);
}

static void trigger_outside(struct instrument *instrument, uint32_t by, uint64_t time_ns)
{
	if (instrument->status.state != SMILE_TRACE_ARMED)
		return;
	sequence_fire(instrument, by, time_ns);
	finish(instrument);
}

void instrument_trigger(struct instrument *instrument, uint64_t time_ns)
{
	trigger_outside(instrument, SMILE_TRACE_BY_HOST, time_ns);
}

void instrument_line(struct instrument *instrument, uint64_t time_ns)
{
	if (instrument->config.mode & SMILE_TRACE_MODE_LINE_IN)
		trigger_outside(instrument, SMILE_TRACE_BY_LINE, time_ns);
}

/* Read BD1 and BD2 of a frame. Missing bytes are read as 0. */
static void frame_words(const void *frame, size_t bytes, uint64_t *bd1, uint64_t *bd2)
{
	uint8_t words[2 * WORD] = {0};

	if (bytes >= sizeof(words)) {
		*bd1 = bytes_get_64(frame);
		*bd2 = bytes_get_64((const uint8_t *)frame + WORD);
		return;
	}
	if (bytes)
		memcpy(words, frame, bytes);
	*bd1 = bytes_get_64(words);
	*bd2 = bytes_get_64(words + WORD);
}

static void missed(struct instrument *instrument)
{
	instrument->status.missed++;
	instrument->missed_since++;
	if (!instrument->full) {
		instrument->full = 1;
		registers_raise(instrument, SMILE_TRACE_INT_FULL);
	}
}

/*
 * Store a frame that the filter accepts. Return: false if the trace has ended before this frame. In
 * this case, the frame does not count as seen.
 */
static bool keep(struct instrument *instrument, const void *frame, size_t bytes, uint64_t time_ns,
		 uint64_t word)
{
	uint32_t kept = bytes < SMILE_TRACE_FRAME_BYTES ? (uint32_t)bytes : SMILE_TRACE_FRAME_BYTES;
	uint32_t need = trace_memory_entry_bytes(kept);
	bool triggered = instrument->status.state == SMILE_TRACE_TRIGGERED;

	if (triggered && need > instrument->budget) {
		/*
		 * The frame of the trigger is always stored, even if the position is 100 %.
		 */
		if (!(word & SMILE_TRACE_ENTRY_TRIGGER))
			return false;
		instrument->budget = need;
	}
	if (instrument->config.mode & SMILE_TRACE_MODE_WRAP) {
		while (!trace_memory_fits(instrument, need))
			trace_memory_drop_oldest(instrument);
	} else if (!trace_memory_fits(instrument, need)) {
		if (triggered && !(word & SMILE_TRACE_ENTRY_TRIGGER))
			return false;
		missed(instrument);
		if (triggered)
			instrument->budget = 0;
		return true;
	}
	trace_memory_store(instrument, frame, kept, bytes, time_ns, word);
	if (triggered)
		instrument->budget -= need;
	return true;
}

void instrument_frame(struct instrument *instrument, const void *frame, size_t bytes,
		      uint64_t time_ns)
{
	struct smile_trace_status *status = &instrument->status;
	uint64_t bd1, bd2, word = 0;
	bool storing = instrument->storing, seen = true;

	if (status->state != SMILE_TRACE_ARMED && status->state != SMILE_TRACE_TRIGGERED)
		return;
	instrument->now_ns = time_ns;
	frame_words(frame, bytes, &bd1, &bd2);
	if (status->state == SMILE_TRACE_ARMED && status->level < instrument->config.levels) {
		word = SMILE_PUT(SMILE_TRACE_ENTRY_LEVEL, (uint64_t)status->level);
		word |= sequence_step(instrument, bd1, bd2, time_ns);
	}
	if (!storing && !instrument->storing)
		status->outside++;
	else if (instrument->config.mode & SMILE_TRACE_MODE_FILTER &&
		 !match_set(&instrument->set[SMILE_TRACE_LEVELS], bd1, bd2))
		status->filtered++;
	else
		seen = keep(instrument, frame, bytes, time_ns, word);
	if (seen) {
		status->seen++;
		finish(instrument);
	} else {
		done(instrument);
	}
}

void instrument_status(const struct instrument *instrument, struct smile_trace_status *status)
{
	*status = instrument->status;
	status->bytes = instrument->head - instrument->tail;
}
