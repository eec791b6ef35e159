/* SPDX-License-Identifier: MIT */
/*
 * Record: decodes the sixteen bytes of a record.
 *
 * What lives here: the only code in the library that decodes a record.
 */
#include <endian.h>
#include <string.h>

#include <base/field.h>
#include <smile/monitor.h>

#include "lib/base/error.h"
#include "lib/counts/record.h"

/*
 * Decode a record that counts global events. Instead of a range, such a record has the id of the
 * event, and zeros.
 */
static int decode_event_count(const uint32_t word[SMILE_RECORD_WORDS], struct Monitor_record *out)
{
	out->event = word[2];
	if (out->kind == SMILE_KIND_DYNAMIC || out->event >= SMILE_EVENTS || out->response ||
	    out->destination || word[3] & ~SMILE_RECORD_INDEX)
		return smile_error(EPROTO, "record with an impossible count of global events");
	return 0;
}

static int decode_range(const uint32_t word[SMILE_RECORD_WORDS], struct Monitor_record *out)
{
	out->address = (uint64_t)SMILE_GET(SMILE_RECORD_ADDRESS_HIGH, word[3]) << 32 | word[2];
	out->length_bytes = (SMILE_GET(SMILE_RECORD_LENGTH_LESS_1, word[3]) + 1) * SMILE_WORD_BYTES;

	if (out->address % SMILE_WORD_BYTES ||
	    out->address % SMILE_PAGE_BYTES + out->length_bytes > SMILE_PAGE_BYTES)
		return smile_error(EPROTO, "record whose range 0x%llx + %u crosses a page",
				   (unsigned long long)out->address, out->length_bytes);
	return 0;
}

/* Check the record of a static counter that was swapped out or has overflowed. */
static int check_static(const struct Monitor_record *out)
{
	int full = out->kind == SMILE_KIND_OVERFLOW;

	if (out->index >= SMILE_STATIC_COUNTERS)
		return smile_error(EPROTO,
				   "record of static counter %u, but a card has %u static "
				   "counters",
				   out->index, SMILE_STATIC_COUNTERS);
	if (out->cause != (full ? SMILE_CAUSE_OVERFLOW : SMILE_CAUSE_SWAP) ||
	    (full && out->count != SMILE_COUNT_MAX))
		return smile_error(EPROTO,
				   "record of static counter %u with impossible cause %u or "
				   "count %u",
				   out->index, out->cause, out->count);
	return 0;
}

static int decode_counting(const uint32_t word[SMILE_RECORD_WORDS], struct Monitor_record *out)
{
	int error;

	out->type = SMILE_GET(SMILE_RECORD_TYPE, word[0]);
	out->response = SMILE_GET(SMILE_RECORD_RESPONSE, word[0]);
	out->count = SMILE_GET(SMILE_RECORD_COUNT, word[0]);
	out->index = SMILE_GET(SMILE_RECORD_INDEX, word[3]);
	out->source = SMILE_GET(SMILE_RECORD_SOURCE, word[1]);
	out->destination = SMILE_GET(SMILE_RECORD_DESTINATION, word[1]);
	if (out->type > SMILE_TYPE_EVENT)
		return smile_error(EPROTO, "record with unknown transaction type %u", out->type);
	if (out->cause < SMILE_CAUSE_CAPACITY || out->cause > SMILE_CAUSE_SWAP)
		return smile_error(EPROTO, "record with unknown cause %u", out->cause);
	if (!out->count)
		return smile_error(EPROTO, "record that counts nothing");
	error = out->type == SMILE_TYPE_EVENT ? decode_event_count(word, out)
					      : decode_range(word, out);
	return error || out->kind == SMILE_KIND_DYNAMIC ? error : check_static(out);
}

static int decode_event(const uint32_t word[SMILE_RECORD_WORDS], struct Monitor_record *out)
{
	out->event = SMILE_GET(SMILE_RECORD_COUNT, word[0]);
	out->phase = SMILE_GET(SMILE_RECORD_PHASE, word[0]);
	out->source = SMILE_GET(SMILE_RECORD_SOURCE, word[1]);
	if (out->cause < SMILE_RAISED_SOFTWARE || out->cause > SMILE_RAISED_BLINK)
		return smile_error(EPROTO, "record of global event %u with unknown cause %u",
				   out->event, out->cause);
	if (out->phase && out->event >= SMILE_EVENTS)
		return smile_error(EPROTO,
				   "record of global event %u as a phase mark: only 0 to %u can be",
				   out->event, SMILE_EVENTS - 1);
	return 0;
}

static int decode_lost(struct Monitor_record *out)
{
	/* A card that loses one event per nanosecond would need 292 years to reach this number. */
	if (out->lost > INT64_MAX)
		return smile_error(EPROTO, "record of %llu lost events: impossibly many",
				   (unsigned long long)out->lost);
	return 0;
}

/*
 * Return whether this is a valid DYNAMIC record of transactions. Nearly all records are.
 * decode_counting() would find the same result with more instructions.
 */
static inline int is_plain(const uint32_t word[SMILE_RECORD_WORDS])
{
	const uint32_t fixed = SMILE_RECORD_KIND | SMILE_RECORD_ZERO;
	uint32_t cause = SMILE_GET(SMILE_RECORD_CAUSE, word[0]);
	uint32_t last = word[2] % SMILE_PAGE_BYTES +
			SMILE_GET(SMILE_RECORD_LENGTH_LESS_1, word[3]) * SMILE_WORD_BYTES;

	return (word[0] & fixed) == SMILE_KIND_DYNAMIC && word[0] & SMILE_RECORD_COUNT &&
	       SMILE_GET(SMILE_RECORD_TYPE, word[0]) < SMILE_TYPE_COUNT &&
	       cause - SMILE_CAUSE_CAPACITY <= SMILE_CAUSE_SWAP - SMILE_CAUSE_CAPACITY &&
	       !(word[2] % SMILE_WORD_BYTES) && last <= SMILE_PAGE_BYTES - SMILE_WORD_BYTES;
}

/* Return whether this is a valid COUNT record of transactions. */
static inline int is_count(const uint32_t word[SMILE_RECORD_WORDS])
{
	uint32_t last = word[2] % SMILE_PAGE_BYTES +
			SMILE_GET(SMILE_RECORD_LENGTH_LESS_1, word[3]) * SMILE_WORD_BYTES;

	return SMILE_GET(SMILE_RECORD_KIND, word[0]) == MONITOR_KIND_COUNT &&
	       smile_record_exact(word) &&
	       SMILE_GET(SMILE_RECORD_TYPE, word[0]) < SMILE_TYPE_COUNT &&
	       !(word[2] % SMILE_WORD_BYTES) && last <= SMILE_PAGE_BYTES - SMILE_WORD_BYTES;
}

static inline void load(const struct smile_record *record, uint32_t word[SMILE_RECORD_WORDS])
{
	for (int i = 0; i < SMILE_RECORD_WORDS; i++)
		word[i] = le32toh(record->word[i]);
}

/* The number of records that are checked together. */
#define TOGETHER 16U

/*
 * Masks for the first half of a plain record: the bits that must be 0, except the bits of the kind;
 * and two fields that must not be 0.
 */
#define CAUSES SMILE_PUT(SMILE_RECORD_CAUSE, 3ULL)
#define TYPES SMILE_PUT(SMILE_RECORD_TYPE, SMILE_TYPE_COUNT - 1ULL)
#define PLAIN_ZERO                                                                                 \
	(SMILE_RECORD_KIND | SMILE_RECORD_ZERO | (SMILE_RECORD_TYPE & ~TYPES) |                    \
	 (SMILE_RECORD_CAUSE & ~CAUSES))
#define PLAIN_FIELDS (SMILE_RECORD_COUNT | CAUSES)

/*
 * If all ones are added to a field that is not 0, the addition carries into the bit above the
 * field.
 */
#define PLAIN_CARRIES (1ULL << 32 | SMILE_PUT(SMILE_RECORD_CAUSE, 4ULL))

_Static_assert(SMILE_KIND_DYNAMIC == 1, "one bit");
_Static_assert(SMILE_CAUSE_CAPACITY == 1 && SMILE_CAUSE_SWAP == 3, "causes are 1 to 3");
_Static_assert(SMILE_TYPE_COUNT == 4, "types are 0 to 3");
_Static_assert(SMILE_RECORD_COUNT >> 16 == 0xffff, "the count is uppermost");

/*
 * The first halves of two records, or their second halves. They are in one vector register if the
 * processor has such registers.
 */
typedef uint64_t halves __attribute__((vector_size(16)));

#define HALVES(value)                                                                              \
	(halves)                                                                                   \
	{                                                                                          \
		value, value                                                                       \
	}

/* Get the distance of a field from the lowest bit. */
#define SHIFT(field) __builtin_ctzll(field)

/* LENGTH is the field of the length in the second half of a record. */
#define LENGTH ((uint64_t)SMILE_RECORD_LENGTH_LESS_1 << 32)
#define LENGTH_SHIFT (SHIFT(LENGTH) - SHIFT(SMILE_WORD_BYTES))

/*
 * Return whether all of these records are plain. The function checks the conditions of is_plain()
 * for all records together. It uses two combinations of all records: the bits that are set in any
 * record, and the bits that are set in all records.
 */
static inline int all_plain(const struct smile_record *records, uint64_t *sum)
{
	const halves fields = HALVES(PLAIN_FIELDS | SMILE_KIND_DYNAMIC),
		     ones = HALVES(PLAIN_FIELDS);
	const halves count = HALVES(SMILE_RECORD_COUNT >> SHIFT(SMILE_RECORD_COUNT));
	const halves place = HALVES(SMILE_PAGE_BYTES - 1);
	const halves length = HALVES(LENGTH >> LENGTH_SHIFT);
	halves any = HALVES(0), every = HALVES(UINT64_MAX), counted = HALVES(0);
	halves second = HALVES(0), beyond = HALVES(0);

	if (__BYTE_ORDER != __LITTLE_ENDIAN)
		return 0;
	for (size_t i = 0; i < TOGETHER; i += 2) {
		halves one, other, low, high;

		memcpy(&one, &records[i], sizeof(one));
		memcpy(&other, &records[i + 1], sizeof(other));
		low = (halves){one[0], other[0]};
		high = (halves){one[1], other[1]};
		any |= low;
		every &= (low & fields) + ones;
		counted += low >> SHIFT(SMILE_RECORD_COUNT) & count;
		second |= high;
		beyond |= (high & place) + (high >> LENGTH_SHIFT & length);
	}
	any[0] |= any[1];
	every[0] &= every[1];
	*sum = counted[0] + counted[1];
	return (any[0] & PLAIN_ZERO) == SMILE_KIND_DYNAMIC &&
	       !((second[0] | second[1]) % SMILE_WORD_BYTES) &&
	       (~every[0] & (PLAIN_CARRIES | SMILE_KIND_DYNAMIC)) == 0 &&
	       !((beyond[0] | beyond[1]) & SMILE_PAGE_BYTES);
}

size_t smile_records_count(const struct smile_record *records, size_t count, uint64_t *sum)
{
	uint64_t counted = 0, some;
	size_t i = 0;

	for (; i + TOGETHER <= count && all_plain(records + i, &some); i += TOGETHER)
		counted += some;
	for (; i < count; i++) {
		uint32_t word[SMILE_RECORD_WORDS];

		load(&records[i], word);
		if (!is_plain(word))
			break;
		counted += SMILE_GET(SMILE_RECORD_COUNT, word[0]);
	}
	*sum = counted;
	return i;
}

size_t smile_records_plain(const struct smile_record *records, size_t count,
			   struct record_plain *plain)
{
	size_t i;

	for (i = 0; i < count; i++) {
		uint32_t word[SMILE_RECORD_WORDS], first;

		load(&records[i], word);
		if (!is_plain(word) && !is_count(word))
			break;
		first = word[2] % SMILE_PAGE_BYTES / SMILE_WORD_BYTES;
		plain[i] = (struct record_plain){
			.page = ((uint64_t)SMILE_GET(SMILE_RECORD_ADDRESS_HIGH, word[3]) << 32 |
				 word[2]) /
				SMILE_PAGE_BYTES,
			.source = (uint16_t)SMILE_GET(SMILE_RECORD_SOURCE, word[1]),
			.destination = (uint16_t)SMILE_GET(SMILE_RECORD_DESTINATION, word[1]),
			.count = is_plain(word) ? SMILE_GET(SMILE_RECORD_COUNT, word[0])
						: smile_record_exact(word),
			.first = (uint16_t)first,
			.last = (uint16_t)(first + SMILE_GET(SMILE_RECORD_LENGTH_LESS_1, word[3])),
			.type = (uint8_t)SMILE_GET(SMILE_RECORD_TYPE, word[0]),
			.response = !!(word[0] & SMILE_RECORD_RESPONSE),
		};
	}
	return i;
}

static int decode_count(const uint32_t word[SMILE_RECORD_WORDS], struct Monitor_record *out)
{
	out->cause = 0;
	out->type = SMILE_GET(SMILE_RECORD_TYPE, word[0]);
	out->response = SMILE_GET(SMILE_RECORD_RESPONSE, word[0]);
	out->count = smile_record_exact(word);
	out->source = SMILE_GET(SMILE_RECORD_SOURCE, word[1]);
	out->destination = SMILE_GET(SMILE_RECORD_DESTINATION, word[1]);
	if (out->type >= SMILE_TYPE_COUNT)
		return smile_error(EPROTO, "record with unknown transaction type %u", out->type);
	if (!out->count)
		return smile_error(EPROTO, "record that counts nothing");
	return decode_range(word, out);
}

static void decode_plain(const uint32_t word[SMILE_RECORD_WORDS], struct Monitor_record *out)
{
	*out = (struct Monitor_record){
		.kind = SMILE_KIND_DYNAMIC,
		.type = SMILE_GET(SMILE_RECORD_TYPE, word[0]),
		.response = SMILE_GET(SMILE_RECORD_RESPONSE, word[0]),
		.cause = SMILE_GET(SMILE_RECORD_CAUSE, word[0]),
		.count = SMILE_GET(SMILE_RECORD_COUNT, word[0]),
		.source = SMILE_GET(SMILE_RECORD_SOURCE, word[1]),
		.destination = SMILE_GET(SMILE_RECORD_DESTINATION, word[1]),
		.address = (uint64_t)SMILE_GET(SMILE_RECORD_ADDRESS_HIGH, word[3]) << 32 | word[2],
		.length_bytes =
			(SMILE_GET(SMILE_RECORD_LENGTH_LESS_1, word[3]) + 1) * SMILE_WORD_BYTES,
		.index = SMILE_GET(SMILE_RECORD_INDEX, word[3]),
	};
}

int Monitor_record_decode(const struct smile_record *record, struct Monitor_record *out)
{
	struct Monitor_record decoded;
	uint32_t word[SMILE_RECORD_WORDS];
	uint64_t tail;
	int error = 0;

	load(record, word);
	if (is_plain(word)) {
		decode_plain(word, out);
		return 0;
	}
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
		decoded.time_ns = tail;
		error = decode_event(word, &decoded);
		break;
	case SMILE_KIND_TIME:
		decoded.time_ns = tail;
		break;
	case SMILE_KIND_LOST:
		decoded.lost = tail;
		decoded.marks_lost = word[1];
		error = decode_lost(&decoded);
		break;
	case SMILE_KIND_TRACE:
		break;
	case MONITOR_KIND_COUNT:
		error = decode_count(word, &decoded);
		break;
	default:
		error = smile_error(EPROTO, "record of unknown kind %u", decoded.kind);
	}
	if (!error && decoded.kind != MONITOR_KIND_COUNT && word[0] & SMILE_RECORD_ZERO)
		error = smile_error(EPROTO, "record with bits that must be 0: word 0 is 0x%x",
				    word[0]);
	if (error)
		return error;
	*out = decoded;
	return 0;
}
