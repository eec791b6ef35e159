/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The instrument: the processing of a frame, and the trace memory.
 *
 * Source: thesis 2.1.1 and 4.1.3. The instrument stores every packet with its time stamp in a deep
 * memory, until the trigger stops it. The format of an entry and the account are defined here.
 */
#include <base/field.h>

#include "emu/trace/trace_inside.h"

#include <string.h>

#include "emu/card/bytes.h"

#define WORD BLINK_WORD_BYTES
/*
 * This number is the size of about 20 entries, which is less than the size of the smallest memory.
 */
#define AHEAD_BYTES 1024U

static uint32_t entry_bytes(uint64_t word)
{
	uint32_t bytes = (uint32_t)SMILE_GET(SMILE_TRACE_ENTRY_BYTES, word);

	return SMILE_TRACE_ENTRY_HEAD_BYTES + (bytes + WORD - 1) / WORD * WORD;
}

/*
 * Get the position that is @bytes bytes after another position, in the ring of the trace memory.
 * @bytes must not exceed the size of the memory.
 */
static uint32_t place_behind(const struct instrument *instrument, uint32_t place, uint32_t bytes)
{
	uint64_t behind = (uint64_t)place + bytes;

	return (uint32_t)(behind < instrument->config.memory_bytes
				  ? behind
				  : behind - instrument->config.memory_bytes);
}

static void put_word(uint8_t *place, uint64_t word)
{
	bytes_put_32(place, (uint32_t)word);
	bytes_put_32(place + 4, (uint32_t)(word >> 32));
}

/* Read word @index of the entry at a position. A word never crosses the end of the memory. */
static uint64_t entry_word(const struct instrument *instrument, uint32_t place, uint32_t index)
{
	return bytes_get_64(instrument->memory + place_behind(instrument, place, index * WORD));
}

/* Store an entry that crosses the end of the memory, and continues at its beginning. */
static void memory_put_around(struct instrument *instrument, const void *frame, uint32_t kept,
			      const uint64_t *head)
{
	uint32_t place =
		place_behind(instrument, instrument->head_place, SMILE_TRACE_ENTRY_HEAD_BYTES);
	uint32_t first = instrument->config.memory_bytes - place;

	put_word(instrument->memory + instrument->head_place, head[0]);
	put_word(instrument->memory + place_behind(instrument, instrument->head_place, WORD),
		 head[1]);
	if (first > kept)
		first = kept;
	if (first)
		memcpy(instrument->memory + place, frame, first);
	if (kept > first)
		memcpy(instrument->memory, (const uint8_t *)frame + first, kept - first);
	if (kept % WORD)
		memset(instrument->memory + place_behind(instrument, place, kept), 0,
		       WORD - kept % WORD);
}

static void memory_put(struct instrument *instrument, const void *frame, uint32_t kept,
		       uint32_t need, const uint64_t *head)
{
	uint8_t *place = instrument->memory + instrument->head_place;

	if (instrument->config.memory_bytes - instrument->head_place < need) {
		memory_put_around(instrument, frame, kept, head);
		return;
	}
	put_word(place, head[0]);
	put_word(place + WORD, head[1]);
	place += SMILE_TRACE_ENTRY_HEAD_BYTES;
	if (kept)
		memcpy(place, frame, kept);
	if (kept % WORD)
		memset(place + kept, 0, WORD - kept % WORD);
}

static void memory_drop_oldest(struct instrument *instrument)
{
	uint32_t bytes = entry_bytes(entry_word(instrument, instrument->tail_place, 1));

	/*
	 * The position of the next entry depends on the length of this entry. Prefetch memory far
	 * ahead, so that a loop over entries does not wait for it.
	 */
	__builtin_prefetch(instrument->memory +
			   place_behind(instrument, instrument->tail_place, AHEAD_BYTES));
	instrument->tail += bytes;
	instrument->tail_place = place_behind(instrument, instrument->tail_place, bytes);
	instrument->status.overwritten++;
	instrument->status.stored--;
}

static bool memory_fits(const struct instrument *instrument, uint32_t bytes)
{
	return instrument->head - instrument->tail + bytes <= instrument->config.memory_bytes;
}

static void memory_store(struct instrument *instrument, const void *frame, uint32_t kept,
			 size_t bytes, uint64_t time_ns, uint64_t word)
{
	uint64_t missed = instrument->missed_since, before = instrument->head - instrument->tail;
	uint32_t watermark = instrument->config.watermark_bytes, need = entry_bytes(kept);
	uint64_t head[2];

	word |= SMILE_PUT(SMILE_TRACE_ENTRY_BYTES, (uint64_t)kept) |
		SMILE_PUT(SMILE_TRACE_ENTRY_LENGTH, bytes < 65535 ? (uint64_t)bytes : 65535) |
		SMILE_PUT(SMILE_TRACE_ENTRY_MISSED, missed < 0xffffff ? missed : 0xffffff);
	head[0] = time_ns;
	head[1] = word;
	memory_put(instrument, frame, kept, need, head);
	instrument->head += need;
	instrument->head_place = place_behind(instrument, instrument->head_place, need);
	instrument->missed_since = 0;
	instrument->status.stored++;
	instrument->status.cut += kept < bytes;
	if (watermark && before < watermark && instrument->head - instrument->tail >= watermark)
		registers_raise(instrument, SMILE_TRACE_INT_WATERMARK);
}

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
	uint32_t need = entry_bytes(kept);
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
		while (!memory_fits(instrument, need))
			memory_drop_oldest(instrument);
	} else if (!memory_fits(instrument, need)) {
		if (triggered && !(word & SMILE_TRACE_ENTRY_TRIGGER))
			return false;
		missed(instrument);
		if (triggered)
			instrument->budget = 0;
		return true;
	}
	memory_store(instrument, frame, kept, bytes, time_ns, word);
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

size_t instrument_peek(const struct instrument *instrument, uint64_t at,
		       struct instrument_entry *entry)
{
	uint32_t bytes, place, first;

	if (at % WORD || at < instrument->tail ||
	    at + SMILE_TRACE_ENTRY_HEAD_BYTES > instrument->head)
		return 0;
	place = (uint32_t)(at % instrument->config.memory_bytes);
	entry->time_ns = entry_word(instrument, place, 0);
	entry->word = entry_word(instrument, place, 1);
	bytes = entry_bytes(entry->word);
	entry->bytes = (uint32_t)SMILE_GET(SMILE_TRACE_ENTRY_BYTES, entry->word);
	if (entry->bytes > SMILE_TRACE_FRAME_BYTES || at + bytes > instrument->head)
		return 0;
	place = place_behind(instrument, place, SMILE_TRACE_ENTRY_HEAD_BYTES);
	first = instrument->config.memory_bytes - place;
	if (first > entry->bytes)
		first = entry->bytes;
	memcpy(entry->frame, instrument->memory + place, first);
	memcpy(entry->frame + first, instrument->memory, entry->bytes - first);
	return bytes;
}

bool instrument_consume(struct instrument *instrument, uint64_t bytes)
{
	/*
	 * While newer entries may overwrite the oldest entry, the instrument owns the memory, and
	 * the host must not consume a part of an entry.
	 */
	bool owned = instrument->config.mode & SMILE_TRACE_MODE_WRAP &&
		     (instrument->status.state == SMILE_TRACE_ARMED ||
		      instrument->status.state == SMILE_TRACE_TRIGGERED);

	if (owned || bytes % WORD || bytes > instrument->head - instrument->tail)
		return false;
	instrument->tail += bytes;
	instrument->tail_place = (uint32_t)(instrument->tail % instrument->config.memory_bytes);
	return true;
}
