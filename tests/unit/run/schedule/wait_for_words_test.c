/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of wait_for_words.c: which words end a wait, and how a writer ends it. May use
 * schedule_fixture.h, POSIX threads, futex(2) and the C library.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/unit/run/schedule/schedule_fixture.h"

#define LOCK 0x7300U
/* Longer than any test may take. */
#define LONG_NS (3600ULL * 1000000000U)

static struct stream_channel *channel(const struct stage *stage, unsigned number)
{
	return (struct stream_channel *)((char *)stage->memory + STREAM_CHANNELS_AT) + number;
}

/* Replay until no word is left. */
static void settle(struct stage *stage)
{
	while (schedule_run(stage->schedule, 1000) > 0)
		;
	assert_int_equal(schedule_run(stage->schedule, 1000), 0);
}

/*
 * Thread 0 has the lock, and it is its turn. Thread 1 waits for the lock. Each has 10 more words.
 */
static void begin(struct stage *stage)
{
	stage_crew_begin(stage, 1);
	script_control(&stage->scripts[0], STREAM_ACQUIRE, LOCK, 1, (uint64_t)0);
	script_work(&stage->scripts[1], 10);
	script_control(&stage->scripts[1], STREAM_ACQUIRE, LOCK, 1, (uint64_t)0);
	for (unsigned i = 0; i < 2; i++) {
		stage_claim(stage, &stage->scripts[i], i);
		stage_write_all(stage, &stage->scripts[i]);
	}
	script_work(&stage->scripts[0], 20);
	for (unsigned i = 0; i < 2; i++)
		for (unsigned j = 0; j < 10; j++)
			script_work(&stage->scripts[i], 1);
	stage_write(stage, &stage->scripts[0], 1);
	settle(stage);
	assert_int_equal(stage_thread(stage, 0).cycle, 20);
}

static void schedule_stirs_if_the_thread_whose_turn_it_is_writes(void **state)
{
	struct stage *stage = *state;

	begin(stage);
	assert_false(schedule_stirs(stage->schedule));
	stage_write(stage, &stage->scripts[1], 1);
	assert_false(schedule_stirs(stage->schedule));
	stage_write(stage, &stage->scripts[0], 1);
	assert_true(schedule_stirs(stage->schedule));
	settle(stage);
	assert_false(schedule_stirs(stage->schedule));
}

static void schedule_stirs_if_a_channel_is_claimed(void **state)
{
	struct stage *stage = *state;

	begin(stage);
	stage->count = 3;
	script_begin(&stage->scripts[2], STAGE_PID, 0);
	script_end(&stage->scripts[2]);
	stage_claim(stage, &stage->scripts[2], 2);
	assert_true(schedule_stirs(stage->schedule));
	settle(stage);
	assert_false(schedule_stirs(stage->schedule));
	stage_write_all(stage, &stage->scripts[2]);
	assert_true(schedule_stirs(stage->schedule));
}

static void schedule_wait_does_not_sleep_if_there_are_words(void **state)
{
	struct stage *stage = *state;

	begin(stage);
	stage_write(stage, &stage->scripts[0], 1);
	schedule_wait(stage->schedule, LONG_NS);
	assert_int_equal(atomic_load(&stage->header->asleep), 0);
	assert_true(schedule_run(stage->schedule, 1000) > 0);
}

static void schedule_hurries_for_a_thread_that_waits_or_has_waited(void **state)
{
	struct stage *stage = *state;

	begin(stage);
	/* Thread 0 has just taken the lock. */
	assert_true(schedule_hurries(stage->schedule));
	schedule_wait(stage->schedule, 1000);
	assert_int_equal(atomic_load(&channel(stage, 0)->wanted), STREAM_WANTED_ALL);
	assert_int_equal(atomic_load(&channel(stage, 1)->wanted), STREAM_WANTED_NOT);
	assert_false(schedule_hurries(stage->schedule));
	schedule_wait(stage->schedule, 1000);
	assert_int_equal(atomic_load(&channel(stage, 0)->wanted), STREAM_WANTED_RECORDS);
	atomic_store(&channel(stage, 1)->waits, 1);
	assert_true(schedule_hurries(stage->schedule));
	schedule_wait(stage->schedule, 1000);
	assert_int_equal(atomic_load(&channel(stage, 0)->wanted), STREAM_WANTED_ALL);
	assert_int_equal(atomic_load(&channel(stage, 1)->wanted), STREAM_WANTED_NOT);
}

static void schedule_hurries_for_no_thread_that_is_alone(void **state)
{
	struct stage *stage = *state;

	stage->count = 1;
	script_begin(&stage->scripts[0], STAGE_PID, 0);
	for (unsigned i = 0; i < 2; i++)
		script_control(&stage->scripts[0], STREAM_ACQUIRE, LOCK + i, 1, (uint64_t)0);
	stage_claim(stage, &stage->scripts[0], 0);
	stage_write_all(stage, &stage->scripts[0]);
	settle(stage);
	assert_int_equal(atomic_load(&channel(stage, 0)->turn), 2);
	assert_false(schedule_hurries(stage->schedule));
}

static void schedule_wait_ends_in_time(void **state)
{
	struct stage *stage = *state;

	begin(stage);
	schedule_wait(stage->schedule, 1000);
	assert_int_equal(atomic_load(&stage->header->asleep), 0);
	assert_int_equal(schedule_run(stage->schedule, 1000), 0);
}

/* Write a word as a writer does while the reader sleeps, or is about to sleep. */
static void *write_and_wake(void *argument)
{
	struct stage *stage = argument;

	while (!atomic_load(&stage->header->asleep))
		sched_yield();
	assert_true(atomic_load(&channel(stage, 0)->wanted));
	assert_false(atomic_load(&channel(stage, 1)->wanted));
	stage_write(stage, &stage->scripts[0], 1);
	atomic_thread_fence(memory_order_seq_cst);
	if (atomic_exchange(&stage->header->asleep, 0))
		syscall(SYS_futex, &stage->header->asleep, FUTEX_WAKE, 1, NULL, NULL, 0);
	return NULL;
}

static void schedule_wait_ends_when_a_producer_has_written(void **state)
{
	struct stage *stage = *state;
	pthread_t producer;

	begin(stage);
	for (unsigned i = 0; i < 10; i++) {
		assert_int_equal(pthread_create(&producer, NULL, write_and_wake, stage), 0);
		schedule_wait(stage->schedule, LONG_NS);
		assert_int_equal(pthread_join(producer, NULL), 0);
		assert_true(schedule_stirs(stage->schedule));
		settle(stage);
	}
	assert_int_equal(stage_thread(stage, 0).cycle, 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STAGE_TEST(schedule_stirs_if_the_thread_whose_turn_it_is_writes),
		STAGE_TEST(schedule_stirs_if_a_channel_is_claimed),
		STAGE_TEST(schedule_wait_does_not_sleep_if_there_are_words),
		STAGE_TEST(schedule_hurries_for_a_thread_that_waits_or_has_waited),
		STAGE_TEST(schedule_hurries_for_no_thread_that_is_alone),
		STAGE_TEST(schedule_wait_ends_in_time),
		STAGE_TEST(schedule_wait_ends_when_a_producer_has_written),
	};

	return cmocka_run_group_tests_name("wait_for_words", tests, NULL, NULL);
}
