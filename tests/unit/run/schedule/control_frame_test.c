/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of STREAM_FRAME in run/schedule/control.c: the functions of a thread are reported, with no
 * other effect.
 */
#include "tests/unit/run/schedule/schedule_fixture.h"

static void play(struct stage *stage, bool frames)
{
	stage->count = 2;
	script_begin(&stage->scripts[0], STAGE_PID, 0);
	script_control(&stage->scripts[0], STREAM_CREATE, 7, 1, (uint64_t)0);
	script_control(&stage->scripts[0], STREAM_JOIN, 7, 0);
	script_end(&stage->scripts[0]);
	script_begin(&stage->scripts[1], STAGE_PID, 7);
	script_access(&stage->scripts[1], STREAM_WRITE, 0x5000, 2, 3);
	if (frames)
		script_control(&stage->scripts[1], STREAM_FRAME, 0x401234, 3, (uint64_t)0x7ff0,
			       (uint64_t)0x7f00, (uint64_t)0x7fe0);
	script_access(&stage->scripts[1], STREAM_READ, 0x6000, 2, 3);
	script_end(&stage->scripts[1]);
	stage_play(stage, 1);
}

static void frames_are_reported_with_their_thread(void **state)
{
	struct stage *stage = stage_new(NULL, NULL);

	play(stage, true);
	assert_int_equal(stage->frame.ip, 0x401234);
	assert_int_equal(stage->frame.cfa, 0x7ff0);
	assert_int_equal(stage->frame.sp, 0x7f00);
	assert_int_equal(stage->frame.bp, 0x7fe0);
	assert_int_equal(stage->frame.thread, 1);
	assert_int_equal(stage->frame.pid, STAGE_PID);
	stage_free(stage);
}

static void frames_take_no_time(void **state)
{
	struct stage *with = stage_new(NULL, NULL), *without = stage_new(NULL, NULL);

	play(with, true);
	play(without, false);
	assert_int_equal(without->frame.ip, 0);
	assert_true(stage_digest(with) == stage_digest(without));
	stage_free(with);
	stage_free(without);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_reported_with_their_thread),
		cmocka_unit_test(frames_take_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
