/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The reference's records: encoding them, and storing them for the comparison. See section 12 of
 * the datasheet. May use reference.h and the C library.
 */
#include <stdio.h>
#include <stdlib.h>

#include <base/field.h>

#include "tests/reference/reference.h"

static void encode_time(uint64_t value, uint32_t word[SMILE_RECORD_WORDS])
{
	word[2] = (uint32_t)value;
	word[3] = (uint32_t)(value >> 32);
}

void reference_encode(const struct reference_record *record, uint32_t word[SMILE_RECORD_WORDS])
{
	word[0] = SMILE_PUT(SMILE_RECORD_KIND, record->kind);
	word[1] = word[2] = word[3] = 0;
	switch (record->kind) {
	case SMILE_KIND_DYNAMIC:
	case SMILE_KIND_STATIC:
	case SMILE_KIND_OVERFLOW:
		word[0] |= SMILE_PUT(SMILE_RECORD_TYPE, record->type);
		word[0] |= SMILE_PUT(SMILE_RECORD_RESPONSE, record->response);
		word[0] |= SMILE_PUT(SMILE_RECORD_CAUSE, record->cause);
		word[0] |= SMILE_PUT(SMILE_RECORD_COUNT, record->count);
		word[1] |= SMILE_PUT(SMILE_RECORD_SOURCE, record->source);
		word[1] |= SMILE_PUT(SMILE_RECORD_DESTINATION, record->destination);
		word[2] = (uint32_t)record->address;
		word[3] |= SMILE_PUT(SMILE_RECORD_ADDRESS_HIGH, (uint32_t)(record->address >> 32));
		if (record->words > 0)
			word[3] |= SMILE_PUT(SMILE_RECORD_LENGTH_LESS_1, record->words - 1);
		word[3] |= SMILE_PUT(SMILE_RECORD_INDEX, record->index);
		break;
	case SMILE_KIND_EVENT:
		word[0] |= SMILE_PUT(SMILE_RECORD_PHASE, record->phase);
		word[0] |= SMILE_PUT(SMILE_RECORD_CAUSE, record->cause);
		word[0] |= SMILE_PUT(SMILE_RECORD_COUNT, record->event);
		word[1] |= SMILE_PUT(SMILE_RECORD_SOURCE, record->source);
		encode_time(record->time_ns, word);
		break;
	case SMILE_KIND_TIME:
		encode_time(record->time_ns, word);
		break;
	case SMILE_KIND_LOST:
		word[1] = record->marks_lost;
		encode_time(record->lost, word);
		break;
	}
}

void reference_keep(struct reference *ref, const struct reference_written *written)
{
	if (ref->records == ref->capacity) {
		ref->capacity = ref->capacity ? 2 * ref->capacity : 1024;
		ref->written = realloc(ref->written, ref->capacity * sizeof(*ref->written));
		if (!ref->written) {
			perror("reference");
			abort();
		}
	}
	ref->written[ref->records++] = *written;
}
