/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Records as the tests see them: see told.h. It may use cmocka, include/ and the C library.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/told.h"

static void decode_counting(struct told *told, const uint32_t words[SMILE_RECORD_WORDS])
{
	told->type = words[0] >> 4 & 7;
	told->response = words[0] >> 7 & 1;
	told->source = words[1] & 0xffff;
	told->destination = words[1] >> 16;
	told->address = words[2] | (uint64_t)(words[3] & 0xffff) << 32;
	told->length = ((words[3] >> 16 & 0x3ff) + 1) * SMILE_WORD_BYTES;
	told->index = words[3] >> 26;
	if (told->kind == SMILE_KIND_DYNAMIC || told->type != SMILE_TYPE_EVENT)
		return;
	/* Global events: word 2 is the id, and there is no range. */
	told->dirty |=
		told->response | told->destination | (words[3] & 0x03ffffff) | (words[2] & ~15U);
	told->length = 0;
}

void told_decode(struct told *told, const uint32_t words[SMILE_RECORD_WORDS])
{
	/* memset, not an initialiser: streams are compared with memcmp(). */
	memset(told, 0, sizeof(*told));
	told->kind = words[0] & 15;
	told->cause = words[0] >> 8 & 15;
	told->count = words[0] >> 16;
	told->dirty = words[0] >> 12 & 15;
	switch (told->kind) {
	case SMILE_KIND_DYNAMIC:
	case SMILE_KIND_STATIC:
	case SMILE_KIND_OVERFLOW:
		decode_counting(told, words);
		break;
	case SMILE_KIND_EVENT:
		told->phase = words[0] >> 4 & 1;
		told->source = words[1] & 0xffff;
		told->time_ns = words[2] | (uint64_t)words[3] << 32;
		told->dirty |= (words[0] >> 5 & 7) | words[1] >> 16;
		break;
	case SMILE_KIND_TIME:
		told->time_ns = words[2] | (uint64_t)words[3] << 32;
		told->dirty |= words[0] >> 4 | words[1];
		break;
	case SMILE_KIND_LOST:
		told->marks_lost = words[1];
		told->lost = words[2] | (uint64_t)words[3] << 32;
		told->dirty |= words[0] >> 4;
		break;
	default:
		told->dirty = 1;
	}
}

static void print_counting(const struct told *told, char text[TOLD_TEXT_BYTES])
{
	static const char *const kinds[] = {
		[SMILE_KIND_DYNAMIC] = "dynamic",
		[SMILE_KIND_STATIC] = "static",
		[SMILE_KIND_OVERFLOW] = "overflow",
	};
	static const char *const types[8] = {"any",   "read", "write", "lock",
					     "event", "5?",   "6?",    "7?"};
	static const char *const causes[16] = {"0?", "capacity", "overflow", "swap"};
	int used = snprintf(text, TOLD_TEXT_BYTES, "%s %s%s %s [%u] x%u ", kinds[told->kind],
			    types[told->type & 7], told->response ? "-response" : "",
			    told->cause <= 3 ? causes[told->cause] : "?", told->index, told->count);

	if (told->kind != SMILE_KIND_DYNAMIC && told->type == SMILE_TYPE_EVENT)
		snprintf(text + used, TOLD_TEXT_BYTES - used, "node %u id %" PRIu64 "%s",
			 told->source, told->address, told->dirty ? " DIRTY" : "");
	else
		snprintf(text + used, TOLD_TEXT_BYTES - used, "%u>%u 0x%" PRIx64 "+%u%s",
			 told->source, told->destination, told->address, told->length,
			 told->dirty ? " DIRTY" : "");
}

void told_print(const struct told *told, char text[TOLD_TEXT_BYTES])
{
	static const char *const raised[16] = {"0?", "software", "timer", "blink"};
	const char *dirty = told->dirty ? " DIRTY" : "";

	switch (told->kind) {
	case SMILE_KIND_DYNAMIC:
	case SMILE_KIND_STATIC:
	case SMILE_KIND_OVERFLOW:
		print_counting(told, text);
		break;
	case SMILE_KIND_EVENT:
		snprintf(text, TOLD_TEXT_BYTES, "event %u%s %s node %u at %" PRIu64 "%s",
			 told->count, told->phase ? " phase" : "",
			 told->cause <= 3 ? raised[told->cause] : "?", told->source, told->time_ns,
			 dirty);
		break;
	case SMILE_KIND_TIME:
		snprintf(text, TOLD_TEXT_BYTES, "time %" PRIu64 "%s", told->time_ns, dirty);
		break;
	case SMILE_KIND_LOST:
		snprintf(text, TOLD_TEXT_BYTES, "lost %" PRIu64 " marks %u%s", told->lost,
			 told->marks_lost, dirty);
		break;
	default:
		snprintf(text, TOLD_TEXT_BYTES, "kind %u?", told->kind);
	}
}

void stream_add(struct stream *stream, const struct told *told)
{
	if (stream->count == stream->capacity) {
		size_t capacity = stream->capacity ? 2 * stream->capacity : 1024;
		struct told *grown = realloc(stream->told, capacity * sizeof(*grown));

		assert_non_null(grown);
		stream->told = grown;
		stream->capacity = capacity;
	}
	stream->told[stream->count++] = *told;
}

void stream_free(struct stream *stream)
{
	free(stream->told);
	memset(stream, 0, sizeof(*stream));
}
