/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/counts/record.c, which decodes the sixteen bytes of a record. */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/counts/record.h"
#include "tests/unit/lib_fixture.h"

static void record_decode_dynamic_gives_every_field(void **state)
{
	struct smile_record record =
		record_dynamic(SMILE_TYPE_WRITE, 2, 65535, 0xfedcba987650, 4, 17);
	struct Monitor_record out;

	assert_int_equal(Monitor_record_decode(&record, &out), 0);
	assert_int_equal(out.kind, SMILE_KIND_DYNAMIC);
	assert_int_equal(out.type, SMILE_TYPE_WRITE);
	assert_int_equal(out.response, 0);
	assert_int_equal(out.cause, SMILE_CAUSE_CAPACITY);
	assert_int_equal(out.index, 3);
	assert_int_equal(out.count, 17);
	assert_int_equal(out.source, 2);
	assert_int_equal(out.destination, 65535);
	assert_true(out.address == 0xfedcba987650);
	assert_int_equal(out.length_bytes, 16);
}

static void record_decode_response_is_reported_apart(void **state)
{
	struct smile_record record =
		record_response(record_dynamic(SMILE_TYPE_READ, 0, 1, 0, 1, 1));
	struct Monitor_record out;

	assert_int_equal(Monitor_record_decode(&record, &out), 0);
	assert_int_equal(out.response, 1);
	assert_int_equal(out.type, SMILE_TYPE_READ);
}

static void record_decode_mark_gives_event_phase_and_time(void **state)
{
	struct smile_record record = record_mark(9, 1, 0x123456789abcdef0);
	struct Monitor_record out;

	assert_int_equal(Monitor_record_decode(&record, &out), 0);
	assert_int_equal(out.kind, SMILE_KIND_EVENT);
	assert_int_equal(out.event, 9);
	assert_int_equal(out.phase, 1);
	assert_int_equal(out.cause, SMILE_RAISED_BLINK);
	assert_true(out.time_ns == 0x123456789abcdef0);
	assert_int_equal(out.count, 0);
}

static void record_decode_lost_gives_both_counts(void **state)
{
	struct smile_record record = record_lost(0x100000002, 5);
	struct Monitor_record out;

	assert_int_equal(Monitor_record_decode(&record, &out), 0);
	assert_true(out.lost == 0x100000002);
	assert_true(out.marks_lost == 5);
}

static void record_decode_static_gives_every_field(void **state)
{
	struct smile_record record = record_static(15, SMILE_TYPE_LOCK, 0xfffff000, 1024, 7);
	struct Monitor_record out;

	assert_int_equal(Monitor_record_decode(&record, &out), 0);
	assert_int_equal(out.kind, SMILE_KIND_STATIC);
	assert_int_equal(out.type, SMILE_TYPE_LOCK);
	assert_int_equal(out.cause, SMILE_CAUSE_SWAP);
	assert_int_equal(out.index, 15);
	assert_int_equal(out.count, 7);
	assert_int_equal(out.source, 9);
	assert_int_equal(out.destination, 8);
	assert_true(out.address == 0xfffff000);
	assert_int_equal(out.length_bytes, 4096);
	assert_int_equal(out.event, 0);

	record = record_response(record_overflow(2, SMILE_TYPE_ANY, 0x2004, 3));
	assert_int_equal(Monitor_record_decode(&record, &out), 0);
	assert_int_equal(out.kind, SMILE_KIND_OVERFLOW);
	assert_int_equal(out.type, SMILE_TYPE_ANY);
	assert_int_equal(out.response, 1);
	assert_int_equal(out.cause, SMILE_CAUSE_OVERFLOW);
	assert_int_equal(out.count, 65535);
	assert_int_equal(out.length_bytes, 12);
}

static void record_decode_static_event_has_no_range(void **state)
{
	struct smile_record record = record_static_event(3, 15, 65534);
	struct Monitor_record out;

	assert_int_equal(Monitor_record_decode(&record, &out), 0);
	assert_int_equal(out.type, SMILE_TYPE_EVENT);
	assert_int_equal(out.event, 15);
	assert_int_equal(out.index, 3);
	assert_int_equal(out.count, 65534);
	assert_int_equal(out.source, 9);
	assert_int_equal(out.destination, 0);
	assert_true(out.address == 0 && out.length_bytes == 0);
}

/* Copy a valid record, and change one bit or field of the copy. */
static struct smile_record with(struct smile_record record, int word, uint32_t mask, uint32_t value)
{
	record.word[word] = htole32((le32toh(record.word[word]) & ~mask) | value);
	return record;
}

static void record_decode_impossible_static_is_refused(void **state)
{
	struct smile_record good = record_static(1, SMILE_TYPE_READ, 0, 1, 5);
	struct smile_record full = record_overflow(1, SMILE_TYPE_READ, 0, 1);
	struct smile_record event = record_static_event(1, 0, 5);
	const struct smile_record bad[] = {
		with(good, 0, 0xf00, 1 << 8), /* cause capacity */
		with(good, 0, 0xf00, 2 << 8), /* cause overflow */
		with(good, 0, 0xffff0000, 0), /* count 0 */
		with(good, 0, 0x70, 5 << 4), /* type 5 */
		with(good, 2, 3, 2), /* half a word */
		record_static(1, SMILE_TYPE_READ, 4092, 2, 5), /* over the page's end */
		with(good, 3, 0xfc000000, 16U << 26), /* counter 16 */
		with(full, 0, 0xf00, 3 << 8), /* cause swap */
		with(full, 0, 0xffff0000, 65534U << 16),
		with(event, 2, 0xff, 16), /* global event 16 */
		with(event, 0, 0x80, 0x80), /* response */
		with(event, 1, 0xffff0000, 1 << 16), /* destination */
		with(event, 3, 0x03ff0000, 1 << 16), /* length */
		with(event, 3, 0xffff, 1), /* address */
		with(event, 0, 0xf, SMILE_KIND_DYNAMIC),
	};
	struct Monitor_record out = {.kind = 99};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(Monitor_record_decode(&bad[i], &out), -EPROTO);
		assert_int_equal(out.kind, 99);
	}
}

static void record_decode_impossible_is_refused_and_output_kept(void **state)
{
	struct smile_record bad[] = {
		{{0}},
		{{htole32(8)}},
		record_dynamic(4, 0, 1, 0, 1, 1),
		record_dynamic(SMILE_TYPE_READ, 0, 1, 2, 1, 1),
		record_dynamic(SMILE_TYPE_READ, 0, 1, 4092, 2, 1),
		record_dynamic(SMILE_TYPE_READ, 0, 1, 0, 1, 1),
		record_dynamic(SMILE_TYPE_READ, 0, 1, 0, 1, 0),
		record_mark(16, 1, 0),
		record_mark(65535, 1, 0),
		with(record_mark(3, 0, 0), 0, 0xf00, 0),
		with(record_mark(3, 0, 0), 0, 0xf00, 4 << 8),
		record_lost((uint64_t)INT64_MAX + 1, 0),
		record_lost(UINT64_MAX - 4, 0),
	};
	struct Monitor_record out = {.kind = 99};

	bad[5].word[0] = htole32(1 | 1 << 4 | 4 << 8 | 1 << 16);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(Monitor_record_decode(&bad[i], &out), -EPROTO);
		assert_int_equal(out.kind, 99);
	}
}

/* In each kind of record, set each bit that must be zero. */
static void record_decode_bits_that_must_be_zero_are_looked_at(void **state)
{
	struct Monitor_record out;
	struct smile_record good[] = {
		record_dynamic(SMILE_TYPE_READ, 0, 1, 0, 1, 1),
		record_static(1, SMILE_TYPE_READ, 0, 1, 5),
		record_overflow(1, SMILE_TYPE_READ, 0, 1),
		record_mark(15, 1, 0),
		{{htole32(5)}},
		record_lost(INT64_MAX, UINT32_MAX),
		{{htole32(7)}},
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(Monitor_record_decode(&good[i], &out), 0);
		for (uint32_t bit = 0x1000; bit <= 0x8000; bit <<= 1) {
			struct smile_record bad = with(good[i], 0, bit, bit);

			out.kind = 99;
			assert_int_equal(Monitor_record_decode(&bad, &out), -EPROTO);
			assert_int_equal(out.kind, 99);
		}
	}
}

/* A record may have any event, but only the first sixteen can be phase marks. */
static void record_decode_high_event_is_no_mark(void **state)
{
	struct smile_record record = record_mark(65535, 0, 7);
	struct Monitor_record out;

	assert_int_equal(Monitor_record_decode(&record, &out), 0);
	assert_true(out.event == 65535 && !out.phase && out.time_ns == 7);
}

/*
 * Change any single bit. Counting many records must give the same result as decoding them one by
 * one.
 */
static void records_count_agrees_with_decode(void **state)
{
	const struct smile_record good[] = {
		record_dynamic(SMILE_TYPE_WRITE, 2, 65535, 0xfedcba987650, 4, 17),
		record_dynamic(SMILE_TYPE_READ, 0, 1, 0xffc, 1, 65535),
		record_response(record_dynamic(SMILE_TYPE_LOCK, 3, 1, 0x1000, 1024, 1)),
		record_mark(9, 1, 0x123456789abcdef0),
		record_static(15, SMILE_TYPE_LOCK, 0xfffff000, 1024, 7),
	};
	unsigned plain = 0, valid = 0;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		for (unsigned bit = 0; bit < 8 * SMILE_RECORD_BYTES; bit++) {
			struct smile_record record = good[i];
			struct Monitor_record out = {0};
			uint64_t sum = 1;
			int wanted;

			record.word[bit / 32] ^= htole32(1U << bit % 32);
			wanted = Monitor_record_decode(&record, &out) == 0;
			valid += (unsigned)wanted;
			wanted = wanted && out.kind == SMILE_KIND_DYNAMIC;
			assert_int_equal(smile_records_count(&record, 1, &sum), wanted);
			assert_int_equal(sum, wanted ? out.count : 0);
			plain += (unsigned)wanted;
		}
	}
	assert_in_range(plain, 200, 3 * 128 - 1);
	assert_true(valid > plain);
}

/*
 * Put the changed record at each place among valid records. If it cannot be counted, the count
 * stops there.
 */
static void records_count_agrees_among_many(void **state)
{
	const struct smile_record good[] = {
		record_dynamic(SMILE_TYPE_WRITE, 2, 65535, 0xfedcba987650, 4, 17),
		record_dynamic(SMILE_TYPE_READ, 0, 1, 0xffc, 1, 65535),
		record_response(record_dynamic(SMILE_TYPE_LOCK, 3, 1, 0x1000, 1024, 1)),
		record_mark(9, 1, 0x123456789abcdef0),
	};
	unsigned plain = 0;

	for (unsigned i = 0; i < 4 * 128; i++) {
		struct smile_record records[40], bad = good[i / 128];
		struct Monitor_record out = {0};
		uint64_t sum, before = 0;
		size_t place = i * 7 % 40, counted;
		int is_plain;

		bad.word[i % 128 / 32] ^= htole32(1U << i % 32);
		for (size_t j = 0; j < 40; j++) {
			records[j] = j == place ? bad : good[j % 3];
			if (j < place)
				before += le32toh(records[j].word[0]) >> 16;
		}
		is_plain = Monitor_record_decode(&bad, &out) == 0 && out.kind == SMILE_KIND_DYNAMIC;
		counted = smile_records_count(records, 40, &sum);
		assert_int_equal(counted, is_plain ? 40 : place);
		if (is_plain)
			assert_true(sum > before + out.count || place > 36);
		else
			assert_true(sum == before);
		plain += (unsigned)is_plain;
	}
	assert_in_range(plain, 200, 3 * 128 - 1);
}

static void records_count_stops_at_what_is_no_count(void **state)
{
	const struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 0, 1, 0, 1, 65535),
		record_dynamic(SMILE_TYPE_READ, 0, 1, 8, 1, 65535),
		record_mark(1, 1, 5),
		record_dynamic(SMILE_TYPE_READ, 0, 1, 8, 1, 1),
	};
	uint64_t sum;

	assert_int_equal(smile_records_count(records, 4, &sum), 2);
	assert_int_equal(sum, 2 * 65535);
	assert_int_equal(smile_records_count(records + 2, 2, &sum), 0);
	assert_int_equal(sum, 0);
	assert_int_equal(smile_records_count(records, 0, &sum), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(record_decode_dynamic_gives_every_field),
		cmocka_unit_test(record_decode_response_is_reported_apart),
		cmocka_unit_test(record_decode_mark_gives_event_phase_and_time),
		cmocka_unit_test(record_decode_lost_gives_both_counts),
		cmocka_unit_test(record_decode_static_gives_every_field),
		cmocka_unit_test(record_decode_static_event_has_no_range),
		cmocka_unit_test(record_decode_impossible_static_is_refused),
		cmocka_unit_test(record_decode_impossible_is_refused_and_output_kept),
		cmocka_unit_test(record_decode_bits_that_must_be_zero_are_looked_at),
		cmocka_unit_test(record_decode_high_event_is_no_mark),
		cmocka_unit_test(records_count_agrees_with_decode),
		cmocka_unit_test(records_count_agrees_among_many),
		cmocka_unit_test(records_count_stops_at_what_is_no_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
