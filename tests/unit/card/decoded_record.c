/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* See decoded_record.h. May use cmocka, include/ and the C library. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/card/decoded_record.h"

static void decode_counting(struct decoded_record *record, const uint32_t words[SMILE_RECORD_WORDS])
{
	record->type = words[0] >> 4 & 7;
	record->response = words[0] >> 7 & 1;
	record->source = words[1] & 0xffff;
	record->destination = words[1] >> 16;
	record->address = words[2] | (uint64_t)(words[3] & 0xffff) << 32;
	record->length = ((words[3] >> 16 & 0x3ff) + 1) * SMILE_WORD_BYTES;
	record->index = words[3] >> 26;
	if (record->kind == SMILE_KIND_DYNAMIC || record->type != SMILE_TYPE_EVENT)
		return;
	/*
	 * In the record of a global event, word 2 contains the id of the event, and there is no
	 * range.
	 */
	record->dirty |= record->response | record->destination | (words[3] & 0x03ffffff) |
			 (words[2] & ~15U);
	record->length = 0;
}

void decoded_record_read(struct decoded_record *record, const uint32_t words[SMILE_RECORD_WORDS])
{
	/* Streams are compared with memcmp(), so clear the padding, too. */
	memset(record, 0, sizeof(*record));
	record->kind = words[0] & 15;
	record->cause = words[0] >> 8 & 15;
	record->count = words[0] >> 16;
	record->dirty = words[0] >> 12 & 15;
	switch (record->kind) {
	case SMILE_KIND_DYNAMIC:
	case SMILE_KIND_STATIC:
	case SMILE_KIND_OVERFLOW:
		decode_counting(record, words);
		break;
	case SMILE_KIND_EVENT:
		record->phase = words[0] >> 4 & 1;
		record->source = words[1] & 0xffff;
		record->time_ns = words[2] | (uint64_t)words[3] << 32;
		record->dirty |= (words[0] >> 5 & 7) | words[1] >> 16;
		break;
	case SMILE_KIND_TIME:
		record->time_ns = words[2] | (uint64_t)words[3] << 32;
		record->dirty |= words[0] >> 4 | words[1];
		break;
	case SMILE_KIND_LOST:
		record->marks_lost = words[1];
		record->lost = words[2] | (uint64_t)words[3] << 32;
		record->dirty |= words[0] >> 4;
		break;
	default:
		record->dirty = 1;
	}
}

static void print_counting(const struct decoded_record *record,
			   char text[DECODED_RECORD_TEXT_BYTES])
{
	static const char *const kinds[] = {
		[SMILE_KIND_DYNAMIC] = "dynamic",
		[SMILE_KIND_STATIC] = "static",
		[SMILE_KIND_OVERFLOW] = "overflow",
	};
	static const char *const types[8] = {"any",   "read", "write", "lock",
					     "event", "5?",   "6?",    "7?"};
	static const char *const causes[16] = {"0?", "capacity", "overflow", "swap"};
	int used = snprintf(
		text, DECODED_RECORD_TEXT_BYTES, "%s %s%s %s [%u] x%u ", kinds[record->kind],
		types[record->type & 7], record->response ? "-response" : "",
		record->cause <= 3 ? causes[record->cause] : "?", record->index, record->count);

	if (record->kind != SMILE_KIND_DYNAMIC && record->type == SMILE_TYPE_EVENT)
		snprintf(text + used, DECODED_RECORD_TEXT_BYTES - used, "node %u id %" PRIu64 "%s",
			 record->source, record->address, record->dirty ? " DIRTY" : "");
	else
		snprintf(text + used, DECODED_RECORD_TEXT_BYTES - used, "%u>%u 0x%" PRIx64 "+%u%s",
			 record->source, record->destination, record->address, record->length,
			 record->dirty ? " DIRTY" : "");
}

void decoded_record_print(const struct decoded_record *record, char text[DECODED_RECORD_TEXT_BYTES])
{
	static const char *const raised[16] = {"0?", "software", "timer", "blink"};
	const char *dirty = record->dirty ? " DIRTY" : "";

	switch (record->kind) {
	case SMILE_KIND_DYNAMIC:
	case SMILE_KIND_STATIC:
	case SMILE_KIND_OVERFLOW:
		print_counting(record, text);
		break;
	case SMILE_KIND_EVENT:
		snprintf(text, DECODED_RECORD_TEXT_BYTES, "event %u%s %s node %u at %" PRIu64 "%s",
			 record->count, record->phase ? " phase" : "",
			 record->cause <= 3 ? raised[record->cause] : "?", record->source,
			 record->time_ns, dirty);
		break;
	case SMILE_KIND_TIME:
		snprintf(text, DECODED_RECORD_TEXT_BYTES, "time %" PRIu64 "%s", record->time_ns,
			 dirty);
		break;
	case SMILE_KIND_LOST:
		snprintf(text, DECODED_RECORD_TEXT_BYTES, "lost %" PRIu64 " marks %u%s",
			 record->lost, record->marks_lost, dirty);
		break;
	default:
		snprintf(text, DECODED_RECORD_TEXT_BYTES, "kind %u?", record->kind);
	}
}

void stream_add(struct stream *stream, const struct decoded_record *record)
{
	if (stream->count == stream->capacity) {
		size_t capacity = stream->capacity ? 2 * stream->capacity : 1024;
		struct decoded_record *grown = realloc(stream->records, capacity * sizeof(*grown));

		assert_non_null(grown);
		stream->records = grown;
		stream->capacity = capacity;
	}
	stream->records[stream->count++] = *record;
}

void stream_free(struct stream *stream)
{
	free(stream->records);
	memset(stream, 0, sizeof(*stream));
}
