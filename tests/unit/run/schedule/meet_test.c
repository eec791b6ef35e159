/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of meetings of threads: at a barrier of all threads, at the creation of the first
 * additional thread, and at the end of the last one. May use schedule_fixture.h and the C library.
 */
#include "tests/unit/run/schedule/schedule_fixture.h"

static void work_and_meet(struct stage *stage, unsigned thread, uint64_t cycles, uint64_t threads)
{
	script_work(&stage->scripts[thread], cycles);
	script_control(&stage->scripts[thread], STREAM_BARRIER, 0x8000, 1, threads);
}

static void expect(struct stage *stage, const uint64_t *cycles, unsigned count)
{
	assert_int_equal(stage->meet_count, count);
	for (unsigned i = 0; i < count; i++)
		assert_int_equal(stage->meets[i], cycles[i]);
}

static void threads_meet_at_a_barrier_for_all(void **state)
{
	/* The threads meet at the creation, at two barriers, and at the end. */
	const uint64_t cycles[] = {0, 50, 130, 170};
	struct stage *stage = *state;

	stage_crew_begin(stage, 2);
	for (unsigned thread = 0; thread < 3; thread++) {
		work_and_meet(stage, thread, 10 + 20 * thread, 3);
		work_and_meet(stage, thread, 80 - 20 * thread, 3);
		script_work(&stage->scripts[thread], 20 * thread);
	}
	stage_crew_end(stage);
	stage_play(stage, 9);
	expect(stage, cycles, 4);
}

static void a_barrier_for_some_is_no_meeting(void **state)
{
	const uint64_t cycles[] = {0, 900};
	struct stage *stage = *state;

	stage_crew_begin(stage, 2);
	work_and_meet(stage, 0, 10, 2);
	work_and_meet(stage, 1, 20, 2);
	script_work(&stage->scripts[2], 900);
	stage_crew_end(stage);
	stage_play(stage, 9);
	expect(stage, cycles, 2);
}

static void a_signal_to_all_is_a_meeting_if_all_others_sleep(void **state)
{
	const uint64_t cycles[] = {0, 500, 510};
	struct stage *stage = *state;

	stage_crew_begin(stage, 1);
	script_control(&stage->scripts[1], STREAM_ACQUIRE, 0x9000, 1, (uint64_t)0);
	script_control(&stage->scripts[1], STREAM_SLEEP, 0x8000, 1, (uint64_t)0x9000);
	script_work(&stage->scripts[1], 10);
	script_control(&stage->scripts[1], STREAM_RELEASE, 0x9000, 0);
	script_work(&stage->scripts[0], 500);
	script_control(&stage->scripts[0], STREAM_SIGNAL, 0x8000, 1, (uint64_t)1);
	stage_crew_end(stage);
	stage_play(stage, 9);
	expect(stage, cycles, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STAGE_TEST(threads_meet_at_a_barrier_for_all),
		STAGE_TEST(a_barrier_for_some_is_no_meeting),
		STAGE_TEST(a_signal_to_all_is_a_meeting_if_all_others_sleep),
	};

	return cmocka_run_group_tests_name("schedule_meet", tests, NULL, NULL);
}
