/* SPDX-License-Identifier: MIT */
/*
 * Record: sixteen bytes, decoded.
 *
 * What lives here: the only place in the library that takes a record apart.
 */
#include <endian.h>
#include <string.h>

#include <smile/monitor.h>

#include "lib/error.h"

static int decode_counting(const uint32_t word[SMILE_RECORD_WORDS], struct Monitor_record *out)
{
	out->type = SMILE_GET(SMILE_RECORD_TYPE, word[0]);
	out->response = SMILE_GET(SMILE_RECORD_RESPONSE, word[0]);
	out->count = SMILE_GET(SMILE_RECORD_COUNT, word[0]);
	out->index = SMILE_GET(SMILE_RECORD_INDEX, word[3]);
	out->source = SMILE_GET(SMILE_RECORD_SOURCE, word[1]);
	out->destination = SMILE_GET(SMILE_RECORD_DESTINATION, word[1]);
	out->address = (uint64_t)SMILE_GET(SMILE_RECORD_ADDRESS_HIGH, word[3]) << 32 | word[2];
	out->length_bytes = (SMILE_GET(SMILE_RECORD_LENGTH_LESS_1, word[3]) + 1) * SMILE_WORD_BYTES;

	if (out->type >= SMILE_TYPE_COUNT)
		return smile_error(EPROTO, "record with unknown transaction type %u", out->type);
	if (out->cause < SMILE_CAUSE_CAPACITY || out->cause > SMILE_CAUSE_SWAP)
		return smile_error(EPROTO, "record with unknown cause %u", out->cause);
	if (out->address % SMILE_WORD_BYTES ||
	    out->address % SMILE_PAGE_BYTES + out->length_bytes > SMILE_PAGE_BYTES)
		return smile_error(EPROTO, "record whose range 0x%llx + %u crosses a page",
				   (unsigned long long)out->address, out->length_bytes);
	return 0;
}

int Monitor_record_decode(const struct smile_record *record, struct Monitor_record *out)
{
	struct Monitor_record decoded;
	uint32_t word[SMILE_RECORD_WORDS];
	uint64_t tail;
	int error = 0;

	for (int i = 0; i < SMILE_RECORD_WORDS; i++)
		word[i] = le32toh(record->word[i]);
	tail = (uint64_t)word[3] << 32 | word[2];

	memset(&decoded, 0, sizeof(decoded));
	decoded.kind = SMILE_GET(SMILE_RECORD_KIND, word[0]);
	decoded.cause = SMILE_GET(SMILE_RECORD_CAUSE, word[0]);
	switch (decoded.kind) {
	case SMILE_KIND_DYNAMIC:
	case SMILE_KIND_STATIC:
	case SMILE_KIND_OVERFLOW:
		error = decode_counting(word, &decoded);
		break;
	case SMILE_KIND_EVENT:
		decoded.event = SMILE_GET(SMILE_RECORD_COUNT, word[0]);
		decoded.phase = SMILE_GET(SMILE_RECORD_PHASE, word[0]);
		decoded.source = SMILE_GET(SMILE_RECORD_SOURCE, word[1]);
		decoded.time_ns = tail;
		break;
	case SMILE_KIND_TIME:
		decoded.time_ns = tail;
		break;
	case SMILE_KIND_LOST:
		decoded.lost = tail;
		decoded.marks_lost = word[1];
		break;
	case SMILE_KIND_TRACE:
		break;
	default:
		error = smile_error(EPROTO, "record of unknown kind %u", decoded.kind);
	}
	if (error)
		return error;
	*out = decoded;
	return 0;
}
