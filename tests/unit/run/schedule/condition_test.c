/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of conditions, semaphores, turns and pauses: the time at which each thread continues. No
 * thread may wait for ever. May use schedule_fixture.h and the C library.
 */
#include <string.h>

#include "tests/unit/run/schedule/schedule_fixture.h"

#define CONDITION 0x7100U
#define SEMAPHORE 0x7200U
#define LOCK 0x7300U

static struct stream_channel *channel(const struct stage *stage, unsigned number)
{
	return (struct stream_channel *)((char *)stage->memory + STREAM_CHANNELS_AT) + number;
}

static uint32_t turns(const struct stage *stage, unsigned number)
{
	return channel(stage, number)->turn;
}

static void sleep_at(struct script *script)
{
	script_control(script, STREAM_ACQUIRE, LOCK, 1, (uint64_t)0);
	script_control(script, STREAM_SLEEP, CONDITION, 1, (uint64_t)LOCK);
	script_control(script, STREAM_ACQUIRE, LOCK, 1, (uint64_t)0);
	script_control(script, STREAM_RELEASE, LOCK, 0);
}

static void schedule_run_signal_wakes_who_slept_longest(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 2);
	script_work(&stage->scripts[1], 20);
	sleep_at(&stage->scripts[1]);
	script_work(&stage->scripts[2], 10);
	sleep_at(&stage->scripts[2]);
	script_work(&stage->scripts[0], 100);
	script_control(&stage->scripts[0], STREAM_SIGNAL, CONDITION, 1, (uint64_t)0);
	script_work(&stage->scripts[0], 100);
	script_control(&stage->scripts[0], STREAM_SIGNAL, CONDITION, 1, (uint64_t)0);
	stage_crew_end(stage);
	stage_play(stage, 1);
	assert_int_equal(stage_thread(stage, 2).cycle, 100);
	assert_int_equal(stage_thread(stage, 1).cycle, 200);
	assert_int_equal(stage_statistics(stage).deadlocks, 0);
}

static void schedule_run_signal_to_all_wakes_all(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 3);
	for (unsigned w = 1; w <= 3; w++)
		sleep_at(&stage->scripts[w]);
	script_work(&stage->scripts[0], 70);
	script_control(&stage->scripts[0], STREAM_SIGNAL, CONDITION, 1, (uint64_t)1);
	stage_crew_end(stage);
	stage_play(stage, 2);
	for (unsigned w = 1; w <= 3; w++)
		assert_int_equal(stage_thread(stage, w).cycle, 70);
	assert_int_equal(stage_statistics(stage).deadlocks, 0);
}

static void schedule_run_sleeper_that_nobody_signals_goes_on(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 1);
	sleep_at(&stage->scripts[1]);
	script_work(&stage->scripts[1], 5);
	stage_crew_end(stage);
	stage_play(stage, 3);
	assert_int_equal(stage_thread(stage, 1).instructions, 5);
	assert_int_equal(stage_statistics(stage).deadlocks, 1);
	assert_int_equal(stage->notices[SCHEDULE_NOTICE_DEADLOCK], 1);
}

static void schedule_run_semaphore_counts(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 1);
	script_control(&stage->scripts[0], STREAM_SEMAPHORE, SEMAPHORE, 1, (uint64_t)2);
	script_work(&stage->scripts[0], 300);
	script_control(&stage->scripts[0], STREAM_POST, SEMAPHORE, 1, (uint64_t)0);
	script_work(&stage->scripts[1], 1);
	for (unsigned i = 0; i < 3; i++) {
		script_control(&stage->scripts[1], STREAM_WAIT, SEMAPHORE, 2, (uint64_t)0,
			       (uint64_t)9);
		script_work(&stage->scripts[1], 10);
	}
	stage_crew_end(stage);
	stage_play(stage, 4);
	/*
	 * The first two waits end at cycles 1 and 11. The third wait ends after the post at cycle
	 * 300.
	 */
	assert_int_equal(stage_thread(stage, 1).cycle, 310);
	assert_int_equal(stage_statistics(stage).deadlocks, 0);
}

/* The signal handler ends the wait of thread 1. It is the first to request a turn. */
static void schedule_run_signal_handler_ends_a_wait(void **state)
{
	struct stage *stage = *state;
	const uint64_t none = 0;

	stage_crew_begin(stage, 1);
	for (unsigned i = 0; i < 10000; i++)
		script_work(&stage->scripts[0], 1);
	script_work(&stage->scripts[1], 1);
	script_control(&stage->scripts[1], STREAM_WAIT, SEMAPHORE, 2, none, none);
	script_control(&stage->scripts[1], STREAM_POST, SEMAPHORE, 1, none);
	script_work(&stage->scripts[1], 10);
	stage_crew_end(stage);
	for (unsigned i = 0; i < 2; i++) {
		stage_claim(stage, &stage->scripts[i], i);
		stage_write_all(stage, &stage->scripts[i]);
	}
	atomic_store(&channel(stage, 1)->interrupted, 1);
	atomic_store(&stage->header->interrupted, 1);
	while (schedule_run(stage->schedule, 100) > 0)
		;
	/* Thread 0 works until cycle 10000. Thread 1 must continue before. */
	assert_true(stage_thread(stage, 1).cycle < 10000);
	assert_int_equal(stage_statistics(stage).deadlocks, 0);
	assert_int_equal(stage_statistics(stage).host_waits, 1);
}

/*
 * On the host, thread 0 created the semaphore with a count of 1; thread 1 took it, posted it twice,
 * and waited. In simulated time, thread 0 creates the semaphore last. The record of the first wait
 * contains the count that the semaphore then had on the host.
 */
static void schedule_run_created_semaphore_keeps_its_changes(void **state)
{
	struct stage *stage = *state;
	const uint64_t none = 0;

	stage_crew_begin(stage, 1);
	script_work(&stage->scripts[0], 500);
	script_control(&stage->scripts[0], STREAM_SEMAPHORE, SEMAPHORE, 1, STREAM_CREATED | 1);
	script_work(&stage->scripts[0], 1);
	for (unsigned i = 0; i < 2; i++)
		script_control(&stage->scripts[0], STREAM_WAIT, SEMAPHORE, 2, none, none);
	script_work(&stage->scripts[0], 1);
	script_work(&stage->scripts[1], 10);
	script_control(&stage->scripts[1], STREAM_WAIT, SEMAPHORE, 2, (uint64_t)STREAM_TAKEN, none);
	for (unsigned i = 0; i < 2; i++)
		script_control(&stage->scripts[1], STREAM_POST, SEMAPHORE, 1, none);
	script_work(&stage->scripts[1], 10);
	stage_crew_end(stage);
	stage_play(stage, 4);
	assert_int_equal(stage_thread(stage, 0).cycle, 502);
	assert_int_equal(stage_thread(stage, 1).cycle, 20);
	assert_int_equal(stage_statistics(stage).deadlocks, 0);
}

/*
 * On the host, thread 2 was first to take the semaphore, so thread 1 reports a count of 0. In
 * simulated time, thread 1 waits first, and thread 0 creates the semaphore later.
 */
static void schedule_run_created_semaphore_ends_a_wait(void **state)
{
	struct stage *stage = *state;
	const uint64_t none = 0;

	stage_crew_begin(stage, 2);
	script_work(&stage->scripts[0], 50);
	script_control(&stage->scripts[0], STREAM_SEMAPHORE, SEMAPHORE, 1, STREAM_CREATED | 1);
	script_work(&stage->scripts[1], 10);
	script_control(&stage->scripts[1], STREAM_WAIT, SEMAPHORE, 2, none, none);
	script_work(&stage->scripts[1], 10);
	script_control(&stage->scripts[1], STREAM_WAIT, SEMAPHORE, 2, none, none);
	script_work(&stage->scripts[2], 100);
	script_control(&stage->scripts[2], STREAM_WAIT, SEMAPHORE, 2, (uint64_t)STREAM_TAKEN,
		       (uint64_t)1);
	for (unsigned i = 0; i < 2; i++) {
		script_work(&stage->scripts[2], 200);
		script_control(&stage->scripts[2], STREAM_POST, SEMAPHORE, 1, none);
	}
	stage_crew_end(stage);
	stage_play(stage, 4);
	/* The first wait ends at cycle 50, the second one at the second post. */
	assert_int_equal(stage_thread(stage, 1).cycle, 500);
	assert_int_equal(stage_statistics(stage).deadlocks, 0);
}

static void schedule_run_semaphore_unheard_of_has_the_count_reported(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 1);
	script_work(&stage->scripts[0], 90);
	script_control(&stage->scripts[0], STREAM_POST, SEMAPHORE, 1, (uint64_t)7);
	script_control(&stage->scripts[1], STREAM_WAIT, SEMAPHORE, 2, (uint64_t)0, (uint64_t)1);
	script_control(&stage->scripts[1], STREAM_WAIT, SEMAPHORE, 2, (uint64_t)0, (uint64_t)7);
	stage_crew_end(stage);
	stage_play(stage, 5);
	assert_int_equal(stage_thread(stage, 1).cycle, 90);
}

/* A loop has such a semaphore for each of its parts, so the schedule keeps none of them. */
static void schedule_run_semaphore_for_one_wait_begins_anew(void **state)
{
	struct stage *stage = *state;
	struct script *second = &stage->scripts[1];

	stage_crew_begin(stage, 1);
	for (unsigned i = 0; i < 2; i++) {
		script_work(&stage->scripts[0], 100);
		script_control(&stage->scripts[0], STREAM_POST, SEMAPHORE, 1, (uint64_t)0);
		script_control(second, STREAM_WAIT, SEMAPHORE, 2, (uint64_t)STREAM_ONCE,
			       (uint64_t)0);
	}
	/* Before a later thread reports the count of this address, the count is unknown. */
	script_work(second, 50);
	script_control(second, STREAM_WAIT, SEMAPHORE, 2, (uint64_t)0, (uint64_t)1);
	stage_crew_end(stage);
	stage_play(stage, 5);
	assert_int_equal(stage_thread(stage, 1).cycle, 250);
	assert_int_equal(stage_statistics(stage).deadlocks, 0);
}

static void schedule_run_turns_are_given_when_it_is_replayed(void **state)
{
	struct stage *stage = *state;
	struct script *first = &stage->scripts[0], *second = &stage->scripts[1];

	assert_int_equal(stage->header->turns, 1);
	stage_crew_begin(stage, 1);
	script_control(first, STREAM_ACQUIRE, LOCK, 1, (uint64_t)0);
	script_work(&stage->scripts[1], 10);
	script_control(second, STREAM_ACQUIRE, LOCK, 1, (uint64_t)0);
	stage_claim(stage, first, 0);
	stage_claim(stage, second, 1);
	stage_write_all(stage, first);
	stage_write_all(stage, second);
	assert_int_equal(stage_run(stage), 0);
	assert_int_equal(turns(stage, 0), 1);
	assert_int_equal(turns(stage, 1), 0);
}

static void schedule_run_lock_taken_out_of_turn_is_whose_it_is(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 1);
	script_work(&stage->scripts[1], 10);
	script_control(&stage->scripts[1], STREAM_ACQUIRE, LOCK, 1, (uint64_t)STREAM_TAKEN);
	script_work(&stage->scripts[1], 10);
	script_control(&stage->scripts[1], STREAM_RELEASE, LOCK, 0);
	script_work(&stage->scripts[0], 5);
	script_control(&stage->scripts[0], STREAM_ACQUIRE, LOCK, 1, (uint64_t)0);
	/*
	 * By the simulated clocks, thread 0 gets the lock. It does not continue while thread 1 has
	 * the lock on the host.
	 */
	stage_claim(stage, &stage->scripts[0], 0);
	stage_claim(stage, &stage->scripts[1], 1);
	stage_write(stage, &stage->scripts[0], stage->scripts[0].count);
	stage_write(stage, &stage->scripts[1], stage->scripts[1].count);
	for (unsigned i = 0; i < 10; i++)
		assert_int_equal(stage_run(stage), 0);
	assert_int_equal(turns(stage, 0), 1);
	schedule_dead(stage->schedule, STAGE_PID);
	assert_int_equal(schedule_finish(stage->schedule), 0);
	assert_int_equal(stage_thread(stage, 1).instructions, 20);
}

static void schedule_run_thread_at_rest_holds_nobody(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 1);
	script_control(&stage->scripts[1], STREAM_REST, 0, 0);
	script_control(&stage->scripts[1], STREAM_BARRIER, 0x8000, 1, (uint64_t)2);
	script_work(&stage->scripts[1], 3);
	script_work(&stage->scripts[0], 400);
	script_control(&stage->scripts[0], STREAM_BARRIER, 0x8000, 1, (uint64_t)2);
	stage_crew_end(stage);
	stage_play(stage, 6);
	assert_int_equal(stage_thread(stage, 1).cycle, 403);
	assert_int_equal(stage_statistics(stage).host_waits, 0);
	assert_int_equal(stage_statistics(stage).deadlocks, 0);
}

static void schedule_run_chance_is_reported_once(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 0);
	script_control(&stage->scripts[0], STREAM_CHANCE, STREAM_CHANCE_TASK, 0);
	script_control(&stage->scripts[0], STREAM_CHANCE, STREAM_CHANCE_TRY, 0);
	stage_crew_end(stage);
	stage_play(stage, 7);
	assert_int_equal(stage_statistics(stage).chances, 2);
	assert_int_equal(stage->notices[SCHEDULE_NOTICE_CHANCE], 1);
	assert_non_null(strstr(stage->notice, "task"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STAGE_TEST(schedule_run_signal_wakes_who_slept_longest),
		STAGE_TEST(schedule_run_signal_to_all_wakes_all),
		STAGE_TEST(schedule_run_sleeper_that_nobody_signals_goes_on),
		STAGE_TEST(schedule_run_semaphore_counts),
		STAGE_TEST(schedule_run_signal_handler_ends_a_wait),
		STAGE_TEST(schedule_run_created_semaphore_keeps_its_changes),
		STAGE_TEST(schedule_run_created_semaphore_ends_a_wait),
		STAGE_TEST(schedule_run_semaphore_unheard_of_has_the_count_reported),
		STAGE_TEST(schedule_run_semaphore_for_one_wait_begins_anew),
		STAGE_TEST(schedule_run_turns_are_given_when_it_is_replayed),
		STAGE_TEST(schedule_run_lock_taken_out_of_turn_is_whose_it_is),
		STAGE_TEST(schedule_run_thread_at_rest_holds_nobody),
		STAGE_TEST(schedule_run_chance_is_reported_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
