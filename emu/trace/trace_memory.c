/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The trace memory: a ring of entries, each of which has one packet with its time stamp.
 *
 * Source: thesis 4.1.3. The format of an entry is defined here.
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

void trace_memory_drop_oldest(struct instrument *instrument)
{
	uint32_t bytes =
		trace_memory_entry_bytes(entry_word(instrument, instrument->tail_place, 1));

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

void trace_memory_store(struct instrument *instrument, const void *frame, uint32_t kept,
			size_t bytes, uint64_t time_ns, uint64_t word)
{
	uint64_t missed = instrument->missed_since, before = instrument->head - instrument->tail;
	uint32_t watermark = instrument->config.watermark_bytes,
		 need = trace_memory_entry_bytes(kept);
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
	bytes = trace_memory_entry_bytes(entry->word);
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
