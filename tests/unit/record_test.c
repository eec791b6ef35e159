/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/record.c: sixteen bytes, decoded.
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static void record_decode_response_is_told_apart(void **state)
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

static void record_decode_impossible_is_refused_and_output_kept(void **state)
{
	struct smile_record bad[] = {
		{{0}},
		{{htole32(8)}},
		record_dynamic(4, 0, 1, 0, 1, 1),
		record_dynamic(SMILE_TYPE_READ, 0, 1, 2, 1, 1),
		record_dynamic(SMILE_TYPE_READ, 0, 1, 4092, 2, 1),
		record_dynamic(SMILE_TYPE_READ, 0, 1, 0, 1, 1),
	};
	struct Monitor_record out = {.kind = 99};

	bad[5].word[0] = htole32(1 | 1 << 4 | 4 << 8 | 1 << 16);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(Monitor_record_decode(&bad[i], &out), -EPROTO);
		assert_int_equal(out.kind, 99);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(record_decode_dynamic_gives_every_field),
		cmocka_unit_test(record_decode_response_is_told_apart),
		cmocka_unit_test(record_decode_mark_gives_event_phase_and_time),
		cmocka_unit_test(record_decode_lost_gives_both_counts),
		cmocka_unit_test(record_decode_impossible_is_refused_and_output_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
