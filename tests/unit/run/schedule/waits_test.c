/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of waits in the kernel and of threads that run alone: which thread is woken at a futex, how
 * long the replay waits in total, and which threads need not wait for their turns. May use
 * schedule_fixture.h and the C library.
 */
#include "tests/unit/run/schedule/schedule_fixture.h"

#define FUTEX 0x7100U
#define LOCK 0x7300U
#define UP_TO_BLOCK (3U + 1U + 2U + 1U)
#define ROUNDS 60U

static struct stream_channel *channel(const struct stage *stage, unsigned number)
{
	return (struct stream_channel *)((char *)stage->memory + STREAM_CHANNELS_AT) + number;
}

/*
 * Try to replay @times times. After some more times, the replay would no longer wait for a thread.
 */
static void look(struct stage *stage, unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		assert_true(schedule_run(stage->schedule, 1000) >= 0);
}

static void wait_at_futex(struct script *script, uint64_t work, uint64_t cause)
{
	script_work(script, work);
	script_control(script, STREAM_FUTEX, FUTEX, 1, (uint64_t)0);
	script_control(script, STREAM_BLOCK, 202, 0);
	script_control(script, STREAM_UNBLOCK, cause, 0);
	script_work(script, 1);
}

/*
 * Threads 1 and 2 wait at the futex, in this order. Thread 0 wakes one of them at cycle 700, and
 * one at cycle 900.
 */
static void futex_begin(struct stage *stage, uint64_t cause_1, uint64_t cause_2)
{
	stage_crew_begin(stage, 2);
	wait_at_futex(&stage->scripts[1], 10, cause_1);
	wait_at_futex(&stage->scripts[2], 20, cause_2);
	script_work(&stage->scripts[0], 700);
	script_control(&stage->scripts[0], STREAM_FUTEX, FUTEX, 1, (uint64_t)1);
	script_control(&stage->scripts[0], STREAM_WAKE, 5, 0);
	script_work(&stage->scripts[0], 200);
	script_control(&stage->scripts[0], STREAM_FUTEX, FUTEX, 1, (uint64_t)1);
	script_control(&stage->scripts[0], STREAM_WAKE, 6, 0);
	script_work(&stage->scripts[0], 50);
	stage_crew_end(stage);
	for (unsigned i = 0; i < 3; i++)
		stage_claim(stage, &stage->scripts[i], i);
	stage_write_all(stage, &stage->scripts[0]);
	stage_write(stage, &stage->scripts[1], UP_TO_BLOCK);
	stage_write(stage, &stage->scripts[2], UP_TO_BLOCK);
	look(stage, 12);
}

/* The number that the tracer reads depends on the host. It may be the number of a later wake-up. */
static void schedule_run_futex_wakes_who_waited_longest(void **state)
{
	struct stage *stage = *state;

	futex_begin(stage, 6, 6);
	assert_int_equal(stage_thread(stage, 0).cycle, 900);
	stage_write_all(stage, &stage->scripts[2]);
	look(stage, 4);
	assert_int_equal(stage_thread(stage, 2).cycle, 20);
	assert_int_equal(stage_thread(stage, 0).cycle, 900);
	stage_write_all(stage, &stage->scripts[1]);
	assert_int_equal(stage_run(stage), 0);
	assert_int_equal(stage_thread(stage, 0).cycle, 950);
	assert_int_equal(stage_thread(stage, 1).cycle, 701);
	assert_int_equal(stage_thread(stage, 2).cycle, 901);
	assert_int_equal(stage_statistics(stage).host_waits, 0);
	assert_int_equal(stage_statistics(stage).host_orders, 0);
}

static void schedule_run_futex_that_woke_another_is_the_hosts_choice(void **state)
{
	struct stage *stage = *state;

	futex_begin(stage, 6, 5);
	stage_write_all(stage, &stage->scripts[2]);
	look(stage, 12);
	assert_int_equal(stage_thread(stage, 0).cycle, 950);
	assert_true(stage_thread(stage, 2).ended);
	assert_int_equal(stage_statistics(stage).host_waits, 1);
	stage_write_all(stage, &stage->scripts[1]);
	assert_int_equal(stage_run(stage), 0);
	assert_int_equal(stage_thread(stage, 1).cycle, 901);
	assert_int_equal(stage_statistics(stage).host_waits, 1);
}

/*
 * The wait of thread 1 has a time limit of @ns, at 200 MHz. Thread 2 waits without a limit. At
 * cycle 700, thread 0 wakes one of the two threads.
 */
static void timed_begin(struct stage *stage, uint64_t ns)
{
	struct script *timed = &stage->scripts[1];

	stage_crew_begin(stage, 2);
	script_work(timed, 10);
	script_control(timed, STREAM_FUTEX, FUTEX, 1, (uint64_t)0);
	script_control(timed, STREAM_BLOCK, 202, 0);
	script_control(timed, STREAM_PASS, ns, 0);
	script_control(timed, STREAM_UNBLOCK, 0, 0);
	script_work(timed, 1);
	wait_at_futex(&stage->scripts[2], 20, 5);
	script_work(&stage->scripts[0], 600);
	script_work(&stage->scripts[0], 100);
	script_control(&stage->scripts[0], STREAM_FUTEX, FUTEX, 1, (uint64_t)1);
	script_control(&stage->scripts[0], STREAM_WAKE, 5, 0);
	script_work(&stage->scripts[0], 200);
	stage_crew_end(stage);
	for (unsigned i = 0; i < 3; i++)
		stage_claim(stage, &stage->scripts[i], i);
	stage_write(stage, &stage->scripts[0], 3 + 2 + 2 + 1);
	stage_write(stage, timed, UP_TO_BLOCK);
	stage_write(stage, &stage->scripts[2], UP_TO_BLOCK);
	look(stage, 12);
	assert_int_equal(stage_thread(stage, 0).cycle, 600);
	stage_write_all(stage, timed);
	stage_write_all(stage, &stage->scripts[0]);
	stage_write_all(stage, &stage->scripts[2]);
	assert_int_equal(stage_run(stage), 0);
	assert_int_equal(stage_thread(stage, 0).cycle, 900);
	assert_int_equal(stage_thread(stage, 2).cycle, 701);
}

/* The time limit ends the wait of thread 1. The wake-up ends the wait of thread 2. */
static void schedule_run_futex_with_a_limit_waits_that_long(void **state)
{
	struct stage *stage = *state;

	timed_begin(stage, 4000);
	assert_int_equal(stage_thread(stage, 1).cycle, 10 + 800 + 1);
	assert_int_equal(stage_statistics(stage).host_waits, 0);
	assert_int_equal(stage_statistics(stage).host_orders, 0);
}

/* When thread 1 continued, the replay had already passed the cycle of the time limit. */
static void schedule_run_futex_whose_limit_comes_late_is_reported(void **state)
{
	struct stage *stage = *state;

	timed_begin(stage, 1000);
	assert_int_equal(stage_thread(stage, 1).cycle, 601);
	assert_int_equal(stage_statistics(stage).host_waits, 1);
}

static bool sleeps(void *opaque, uint32_t tid)
{
	return true;
}

/*
 * Thread 0 has continued after all its wake-ups, and thread 1 sleeps. So thread 1 began to wait
 * after them.
 */
static void schedule_run_futex_that_woke_nobody_is_not_waited_for(void **state)
{
	static const struct schedule_ops ops = {.sleeps = sleeps};
	const struct schedule_config config = {.ops = &ops};
	struct stage *stage = stage_new(NULL, &config);

	stage_crew_begin(stage, 1);
	wait_at_futex(&stage->scripts[1], 10, 0);
	for (unsigned i = 0; i < ROUNDS; i++) {
		script_work(&stage->scripts[0], 100);
		script_control(&stage->scripts[0], STREAM_FUTEX, FUTEX, 1, (uint64_t)1);
		script_control(&stage->scripts[0], STREAM_WAKE, 5 + i, 0);
	}
	script_work(&stage->scripts[0], 1);
	stage_crew_end(stage);
	for (unsigned i = 0; i < 2; i++)
		stage_claim(stage, &stage->scripts[i], i);
	stage_write_all(stage, &stage->scripts[0]);
	stage_write(stage, &stage->scripts[1], UP_TO_BLOCK);
	look(stage, 2 * (ROUNDS + 2));
	assert_int_equal(stage_thread(stage, 0).cycle, ROUNDS * 100 + 1);
	stage_write_all(stage, &stage->scripts[1]);
	assert_int_equal(stage_run(stage), 0);
	assert_true(stage_thread(stage, 1).ended);
	assert_int_equal(stage_statistics(stage).host_orders, 0);
	stage_free(stage);
}

/*
 * Thread 1 does not sleep. While the replay asks for its state, its wait ends, and it writes
 * further words.
 */
static bool goes_on(void *opaque, uint32_t tid)
{
	struct stage *stage = opaque;

	stage_write_all(stage, &stage->scripts[1]);
	return false;
}

/*
 * The replay may wait for news only if it has read all words. It must read words that arrive while
 * it asks for a thread's state.
 */
static void schedule_run_replays_words_that_come_while_it_looks(void **state)
{
	static const struct schedule_ops ops = {.sleeps = goes_on};
	const struct schedule_config config = {.ops = &ops};
	struct stage *stage = stage_new(NULL, &config);

	stage_crew_begin(stage, 1);
	wait_at_futex(&stage->scripts[1], 10, 0);
	stage_crew_end(stage);
	for (unsigned i = 0; i < 2; i++)
		stage_claim(stage, &stage->scripts[i], i);
	stage_write_all(stage, &stage->scripts[0]);
	stage_write(stage, &stage->scripts[1], UP_TO_BLOCK);
	look(stage, 1);
	assert_int_equal(stage_thread(stage, 1).cycle, 10);
	assert_true(schedule_run(stage->schedule, 1000) > 0);
	assert_true(stage_thread(stage, 1).ended);
	stage_free(stage);
}

/*
 * Thread 1 waits for its turn, and thread 0 is blocked. Return: the number of attempts until thread
 * 1 overtakes thread 0.
 */
static unsigned attempts(struct stage *stage)
{
	uint64_t acquisitions = stage_statistics(stage).acquisitions;
	unsigned count = 0;

	stage_write(stage, &stage->scripts[0], 1);
	stage_write(stage, &stage->scripts[1], 1 + 2 + 1);
	atomic_store(&channel(stage, 1)->waits, 1);
	while (stage_statistics(stage).acquisitions == acquisitions && count < 100) {
		look(stage, 1);
		count++;
	}
	stage_write(stage, &stage->scripts[0], 2);
	look(stage, 1);
	return count;
}

static void schedule_run_waits_in_the_kernel_take_a_second_in_all(void **state)
{
	struct stage *stage = *state;
	unsigned first, last = 0;

	stage_crew_begin(stage, 1);
	for (unsigned i = 0; i < ROUNDS; i++) {
		script_control(&stage->scripts[0], STREAM_BLOCK, 7, 0);
		script_control(&stage->scripts[0], STREAM_UNBLOCK, 0, 0);
		script_work(&stage->scripts[0], 1);
		script_work(&stage->scripts[1], 10);
		script_control(&stage->scripts[1], STREAM_ACQUIRE, LOCK, 1, (uint64_t)0);
		script_control(&stage->scripts[1], STREAM_RELEASE, LOCK, 0);
	}
	for (unsigned i = 0; i < 2; i++)
		stage_claim(stage, &stage->scripts[i], i);
	stage_write(stage, &stage->scripts[0], 3 + 2);
	stage_write(stage, &stage->scripts[1], 3);
	look(stage, 2);
	first = attempts(stage);
	assert_true(first > SCHEDULE_PATIENCE_DEFAULT / 2);
	assert_int_equal(stage_statistics(stage).host_orders, 0);
	for (unsigned i = 1; i < ROUNDS; i++)
		last = attempts(stage);
	assert_true(last < 6);
	assert_true(stage_statistics(stage).host_orders > 0);
	assert_int_equal(stage->notices[SCHEDULE_NOTICE_HOST_ORDER], 1);
}

static uint32_t alone(const struct stage *stage, unsigned number)
{
	return atomic_load(&channel(stage, number)->alone);
}

static void schedule_run_thread_that_is_alone_is_told(void **state)
{
	struct stage *stage = *state;
	struct script *first = &stage->scripts[0], *second = &stage->scripts[1];

	stage->count = 2;
	script_begin(first, STAGE_PID, 0);
	script_work(first, 5);
	script_control(first, STREAM_CREATE, 11, 1, (uint64_t)0);
	script_control(first, STREAM_JOIN, 11, 0);
	script_work(first, 5);
	script_begin(second, STAGE_PID, 11);
	script_end(second);
	stage_claim(stage, first, 0);
	stage_write(stage, first, 3 + 1);
	look(stage, 2);
	assert_int_equal(alone(stage, 0), STREAM_ALONE(STREAM_ALONE_RUN, 0, 0));
	/* The replay does not know the channel of the second thread yet. */
	stage_write(stage, first, 2);
	look(stage, 2);
	assert_int_equal(alone(stage, 0), 0);
	stage_claim(stage, second, 1);
	stage_write(stage, second, 3);
	look(stage, 2);
	assert_int_equal(alone(stage, 0), 0);
	assert_int_equal(alone(stage, 1), 0);
	stage_write_all(stage, second);
	stage_write(stage, first, 1);
	look(stage, 2);
	/* The first thread knows only that it joins a thread that has ended. */
	assert_int_equal(alone(stage, 0), STREAM_ALONE(STREAM_ALONE_RUN, 1, 0));
}

static void schedule_run_threads_of_two_processes_are_alone_in_them(void **state)
{
	struct stage *stage = *state;
	struct script *first = &stage->scripts[0], *second = &stage->scripts[1];

	stage->count = 2;
	script_begin(first, STAGE_PID, 0);
	script_control(first, STREAM_CREATE, 11, 1, (uint64_t)1);
	script_work(first, 5);
	script_begin(second, STAGE_PID + 1, 11);
	script_work(second, 5);
	for (unsigned i = 0; i < 2; i++) {
		stage_claim(stage, &stage->scripts[i], i);
		stage_write_all(stage, &stage->scripts[i]);
	}
	look(stage, 3);
	assert_int_equal(alone(stage, 0), STREAM_ALONE(STREAM_ALONE_PROCESS, 1, 0));
	assert_int_equal(alone(stage, 1), STREAM_ALONE(STREAM_ALONE_PROCESS, 0, 0));
}

/*
 * On the host, thread 1 had the lock first, and then woke thread 0. In simulated time, thread 0 has
 * the lock first, so each of them waits for the other. Both must continue, although thread 2 sleeps
 * in the kernel and may need them to continue.
 */
static void schedule_run_other_order_than_the_hosts_ends_beside_a_sleeping_thread(void **state)
{
	static const struct schedule_ops ops = {.sleeps = sleeps};
	const struct schedule_config config = {.ops = &ops};
	struct stage *stage = stage_new(NULL, &config);
	struct script *first = &stage->scripts[0], *second = &stage->scripts[1];

	stage_crew_begin(stage, 2);
	script_control(first, STREAM_ACQUIRE, LOCK, 1, (uint64_t)0);
	script_control(first, STREAM_BLOCK, 202, 0);
	script_control(first, STREAM_UNBLOCK, 9, 0);
	script_control(first, STREAM_RELEASE, LOCK, 0);
	script_work(second, 500);
	script_control(second, STREAM_ACQUIRE, LOCK, 1, (uint64_t)STREAM_TAKEN);
	script_work(second, 30);
	script_control(second, STREAM_RELEASE, LOCK, 0);
	script_control(second, STREAM_WAKE, 9, 0);
	script_control(&stage->scripts[2], STREAM_BLOCK, 0, 0);
	script_control(&stage->scripts[2], STREAM_UNBLOCK, 0, 0);
	stage_crew_end(stage);
	for (unsigned i = 0; i < 3; i++)
		stage_claim(stage, &stage->scripts[i], i);
	stage_write(stage, &stage->scripts[2], 3 + 1);
	stage_write_all(stage, first);
	stage_write_all(stage, second);
	assert_int_equal(stage_run(stage), 0);
	assert_true(stage_thread(stage, 0).ended);
	assert_true(stage_thread(stage, 1).ended);
	assert_false(stage_thread(stage, 2).ended);
	assert_int_equal(stage_thread(stage, 1).cycle, 530);
	assert_int_equal(stage_thread(stage, 0).cycle, 500);
	assert_int_equal(stage_statistics(stage).deadlocks, 1);
	stage_write_all(stage, &stage->scripts[2]);
	assert_int_equal(stage_run(stage), 0);
	assert_true(stage_ended(stage));
	stage_free(stage);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STAGE_TEST(schedule_run_futex_wakes_who_waited_longest),
		STAGE_TEST(schedule_run_futex_that_woke_another_is_the_hosts_choice),
		STAGE_TEST(schedule_run_futex_with_a_limit_waits_that_long),
		STAGE_TEST(schedule_run_futex_whose_limit_comes_late_is_reported),
		STAGE_TEST(schedule_run_other_order_than_the_hosts_ends_beside_a_sleeping_thread),
		cmocka_unit_test(schedule_run_futex_that_woke_nobody_is_not_waited_for),
		cmocka_unit_test(schedule_run_replays_words_that_come_while_it_looks),
		STAGE_TEST(schedule_run_waits_in_the_kernel_take_a_second_in_all),
		STAGE_TEST(schedule_run_thread_that_is_alone_is_told),
		STAGE_TEST(schedule_run_threads_of_two_processes_are_alone_in_them),
	};

	return cmocka_run_group_tests_name("schedule_waits", tests, NULL, NULL);
}
