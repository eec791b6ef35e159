/* SPDX-License-Identifier: MIT */
/*
 * Entry: decodes the entries of the trace memory. docs/trace.md, section 7, describes the entries.
 */
#include <base/field.h>

#include "lib/instrument/entry.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

static uint64_t word_at(const uint8_t *data)
{
	uint64_t word;

	memcpy(&word, data, sizeof(word));
	return le64toh(word);
}

void smile_entry_word(uint64_t word, struct Monitor_trace_packet *packet)
{
	packet->original_bytes = SMILE_GET(SMILE_TRACE_ENTRY_LENGTH, word);
	packet->missed = SMILE_GET(SMILE_TRACE_ENTRY_MISSED, word);
	packet->level = (unsigned int)SMILE_GET(SMILE_TRACE_ENTRY_LEVEL, word);
	packet->trigger = (word & SMILE_TRACE_ENTRY_TRIGGER) != 0;
	packet->start = (word & SMILE_TRACE_ENTRY_START) != 0;
}

int smile_entry_decode(const uint8_t *data, size_t bytes, struct Monitor_trace_packet *packet)
{
	size_t kept, whole;
	uint64_t word;

	if (bytes < SMILE_TRACE_ENTRY_HEAD_BYTES)
		return 0;
	word = word_at(data + 8);
	kept = SMILE_GET(SMILE_TRACE_ENTRY_BYTES, word);
	whole = SMILE_TRACE_ENTRY_HEAD_BYTES + (kept + 7) / 8 * 8;
	if (kept > SMILE_TRACE_FRAME_BYTES || kept > SMILE_GET(SMILE_TRACE_ENTRY_LENGTH, word))
		return -EPROTO;
	if (bytes < whole)
		return 0;
	packet->time_ns = word_at(data);
	packet->frame = data + SMILE_TRACE_ENTRY_HEAD_BYTES;
	packet->bytes = kept;
	smile_entry_word(word, packet);
	return (int)whole;
}
