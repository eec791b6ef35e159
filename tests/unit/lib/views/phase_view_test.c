/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/views/phase_view.c: the accesses of each phase. */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/lib_fixture.h"

static struct Monitor *with(const char *name, unsigned int node, const struct smile_record *records,
			    size_t count)
{
	struct Monitor *mon;

	write_recording(scratch_path(name), node, records, count, -1);
	assert_int_equal(Monitor_open(&mon, scratch_path(name)), 0);
	return mon;
}

static void drain(struct Monitor *mon)
{
	while (Monitor_poll(mon, 0) > 0)
		continue;
}

static void phases_are_closed_by_marks_only(void **state)
{
	struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 10),
		record_mark(3, 0, 50),
		record_dynamic(SMILE_TYPE_READ, 2, 0, 0, 1, 5),
		record_mark(0, 1, 100),
		record_mark(1, 1, 200),
		record_dynamic(SMILE_TYPE_READ, 1, 0, 4096, 1, 7),
	};
	struct Monitor *mon = with("phase.rec", 0, records, 6);
	struct Monitor_phase phases[4];
	uint64_t counts[3][3];

	drain(mon);
	assert_int_equal(Monitor_phases(mon, phases, 4), 3);
	assert_true(phases[0].accesses == 15 && !phases[0].open && phases[0].end_ns == 100);
	assert_true(phases[1].accesses == 0 && !phases[1].open && phases[1].event == 1);
	assert_true(phases[2].accesses == 7 && phases[2].open);
	assert_int_equal(Monitor_phase_info(mon, 0, 0, &counts[0][0], 3, 3), 3);
	assert_true(counts[0][1] == 10 && counts[0][2] == 5 && counts[0][0] == 0);
	assert_true(counts[2][1] == 0);
	assert_int_equal(Monitor_phase_info(mon, 0, 1, &counts[0][0], 3, 3), 3);
	assert_true(counts[0][1] == 0 && counts[2][1] == 7);
	assert_int_equal(Monitor_phase_info(mon, 0, 2, &counts[0][0], 3, 3), -ENOENT);
	Monitor_close(mon);
}

static void phases_last_empty_open_one_is_left_out(void **state)
{
	struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 10),
		record_mark(0, 1, 100),
		record_lost(1, 0),
	};
	struct Monitor *mon = with("phase.rec", 0, records, 3);

	drain(mon);
	assert_int_equal(Monitor_phases(mon, NULL, 0), 1);
	Monitor_close(mon);
}

static void phases_of_merged_recordings_share_ordinals(void **state)
{
	struct smile_record first[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 10),
		record_mark(0, 1, 100),
		record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 1),
		record_mark(0, 1, 200),
	};
	struct smile_record second[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 10),
		record_dynamic(SMILE_TYPE_READ, 0, 1, 4096, 1, 3),
		record_mark(0, 1, 120),
		record_mark(0, 1, 190),
	};
	struct Monitor_phase phases[4];
	struct Monitor *mon;
	uint64_t packets[4];

	write_recording(scratch_path("second.rec"), 1, second, 4, -1);
	mon = with("first.rec", 0, first, 4);
	assert_int_equal(Monitor_attach(mon, scratch_path("first.rec")), -EEXIST);
	assert_int_equal(Monitor_attach(mon, scratch_path("second.rec")), 0);
	drain(mon);
	assert_int_equal(Monitor_attach(mon, scratch_path("second.rec")), -EBUSY);
	assert_int_equal(Monitor_phases(mon, phases, 4), 2);
	/* Both cards counted the requests of node 1 to node 0. The view must count them once. */
	assert_true(phases[0].accesses == 13 && phases[0].end_ns == 120);
	assert_true(phases[1].accesses == 1 && phases[1].end_ns == 200);
	Monitor_get_packets(mon, packets, 2);
	assert_true(packets[1 * 2 + 0] == 11 && packets[0 * 2 + 1] == 3);
	assert_int_equal(Monitor_ended(mon), 1);
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(phases_are_closed_by_marks_only),
		cmocka_unit_test(phases_last_empty_open_one_is_left_out),
		cmocka_unit_test(phases_of_merged_recordings_share_ordinals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
