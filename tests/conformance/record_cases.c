/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Conformance cases: the record stream.
 * May use fixture.h, traffic.h and the public API.
 */
#include <errno.h>
#include <string.h>

#include "tests/conformance/cases.h"
#include "tests/conformance/traffic.h"

static void expect_dynamic(const struct Monitor_record *record, unsigned int cause,
			   unsigned int index, unsigned int type, unsigned int count,
			   unsigned int source, unsigned int destination, uint64_t address,
			   unsigned int length_bytes)
{
	assert_int_equal(record->kind, SMILE_KIND_DYNAMIC);
	assert_int_equal(record->cause, cause);
	assert_int_equal(record->index, index);
	assert_int_equal(record->type, type);
	assert_int_equal(record->response, 0);
	assert_int_equal(record->count, count);
	assert_int_equal(record->source, source);
	assert_int_equal(record->destination, destination);
	assert_int_equal(record->address, address);
	assert_int_equal(record->length_bytes, length_bytes);
	assert_int_equal(record->time_ns | record->lost | record->marks_lost | record->event, 0);
}

void Monitor_records_read_knownFrames_decodeToKnownRecords(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();
	struct Monitor_record record[6];

	config.entries = 2;
	config.max_range_bytes = 16;
	config.phase_events = 1 << 4;
	conformance_open(c, &config);
	conformance_frame_add(c, BLINK_READSB, 2, 1, 0, 0x80000002800cULL);
	conformance_frame_add(c, BLINK_READSB, 2, 1, 0, 0x800000028000ULL);
	conformance_frame_add(c, BLINK_LOCKSB, 3, 4, 0, 0x1000);
	conformance_frame_add(c, BLINK_NWRITE64, 0x1234, 0xfedc, 0, 0x2ffc);
	conformance_frame_add(c, BLINK_EVENT00, 3, 0, 0, 0x1234);
	conformance_frame_add(c, BLINK_EVENT00, 3, 0, 0, 4);
	conformance_frame_add(c, BLINK_READSB, 2, 1, 0, 0x3000);
	conformance_frame_add(c, BLINK_EVENT00, 2, 0, 0, 4);
	conformance_feed(c);
	conformance_records_await(c, 7);
	conformance_finish(c);

	assert_int_equal(c->record_count, 7);
	for (unsigned int i = 0; i < 6; i++)
		assert_int_equal(Monitor_record_decode(&c->records[i], &record[i]), 0);
	expect_dynamic(&record[0], SMILE_CAUSE_CAPACITY, 0, SMILE_TYPE_READ, 2, 2, 1,
		       0x800000028000ULL, 16);
	expect_dynamic(&record[1], SMILE_CAUSE_CAPACITY, 1, SMILE_TYPE_LOCK, 1, 3, 4, 0x1000, 4);
	assert_int_equal(record[2].kind, SMILE_KIND_EVENT);
	assert_int_equal(record[2].event, 0x1234);
	assert_int_equal(record[2].phase, 0);
	assert_int_equal(record[2].cause, SMILE_RAISED_BLINK);
	assert_int_equal(record[2].source, 3);
	assert_int_equal(record[2].time_ns, c->now_ns - 300);
	expect_dynamic(&record[3], SMILE_CAUSE_SWAP, 0, SMILE_TYPE_WRITE, 1, 0x1234, 0xfedc, 0x2ffc,
		       4);
	assert_int_equal(record[4].kind, SMILE_KIND_EVENT);
	assert_int_equal(record[4].event, 4);
	assert_int_equal(record[4].phase, 1);
	assert_int_equal(record[4].time_ns, c->now_ns - 200);
	expect_dynamic(&record[5], SMILE_CAUSE_SWAP, 0, SMILE_TYPE_READ, 1, 2, 1, 0x3000, 4);
}

void Monitor_record_decode_impossible_isRefused(void **state)
{
	struct Monitor_record before;
	struct Monitor_record out;
	struct smile_record record;

	memset(&before, 0x5a, sizeof(before));
	for (unsigned int kind = 0; kind < 16; kind++) {
		if ((kind >= SMILE_KIND_DYNAMIC && kind <= SMILE_KIND_TRACE) ||
		    kind == MONITOR_KIND_COUNT)
			continue;
		memset(&record, 0, sizeof(record));
		((uint8_t *)&record)[0] = kind;
		((uint8_t *)&record)[2] = 1;
		out = before;
		assert_int_equal(Monitor_record_decode(&record, &out), -EPROTO);
		assert_memory_equal(&out, &before, sizeof(out));
	}
}
