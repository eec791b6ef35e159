/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of what a thread is told at its turn if it tries to take a lock without waiting: whether
 * the lock is free. Other tests are of threads that are announced late. May use schedule_fixture.h
 * and the C library.
 */
#include "tests/unit/run/schedule/schedule_fixture.h"

#define LOCK 0x7300U

static const struct stream_channel *channel(const struct stage *stage, unsigned number)
{
	return (struct stream_channel *)((char *)stage->memory + STREAM_CHANNELS_AT) + number;
}

/* Write the remaining words of script i to channel i, for each script, and replay them. */
static void step(struct stage *stage)
{
	for (unsigned i = 0; i < stage->count; i++) {
		struct script *script = &stage->scripts[i];

		if (!script->claimed)
			stage_claim(stage, script, i);
		stage_write(stage, script, script->count);
	}
	assert_int_equal(stage_run(stage), 0);
}

/* One thread has a lock from cycle 0 to 5000. The first thread tries to take it without waiting. */
static void owner_begin(struct stage *stage, uint64_t how)
{
	struct script *owner = &stage->scripts[1];

	stage->count = 2;
	script_begin(&stage->scripts[0], STAGE_PID, 1);
	script_control(&stage->scripts[0], STREAM_CREATE, 9, 1, (uint64_t)0);
	script_begin(owner, STAGE_PID, 9);
	script_control(owner, STREAM_ACQUIRE, LOCK, 1, how);
	script_work(owner, 5000);
	script_control(owner, STREAM_RELEASE, LOCK, 0);
	script_end(owner);
	script_work(&stage->scripts[0], 100);
}

/* Try to take the lock. Return: what the thread is told. */
static uint64_t try_lock(struct stage *stage, uint64_t how)
{
	uint32_t turn = channel(stage, 0)->turn;

	script_control(&stage->scripts[0], STREAM_ACQUIRE, LOCK, 1, how | STREAM_TRY);
	step(stage);
	assert_int_equal(channel(stage, 0)->turn, turn + 1);
	return channel(stage, 0)->answer;
}

static void schedule_run_lock_that_is_tried_is_free_or_not(void **state)
{
	const unsigned remote = 1000;
	struct stage *stage = *state;
	struct script *first = &stage->scripts[0];

	owner_begin(stage, 0);
	assert_int_equal(try_lock(stage, 0), 1);
	/* An attempt costs as much as an atomic access to another node's memory. */
	assert_int_equal(stage_thread(stage, 0).cycle, 100 + remote);
	assert_int_equal(try_lock(stage, STREAM_SHARED), 1);
	script_work(first, 5000);
	assert_int_equal(try_lock(stage, 0), 0);
	assert_int_equal(stage_thread(stage, 0).cycle, 5100 + 2 * remote);
	/* A thread that has a lock can take it a second time only if the lock is recursive. */
	assert_int_equal(try_lock(stage, 0), 1);
	assert_int_equal(try_lock(stage, STREAM_AGAIN), 0);
	script_control(first, STREAM_RELEASE, LOCK, 0);
	assert_int_equal(try_lock(stage, 0), 1);
	script_control(first, STREAM_RELEASE, LOCK, 0);
	assert_int_equal(try_lock(stage, 0), 0);
	assert_int_equal(stage_statistics(stage).deadlocks, 0);
}

static void schedule_run_lock_that_is_tried_is_shared_with_readers(void **state)
{
	struct stage *stage = *state;

	owner_begin(stage, STREAM_SHARED);
	assert_int_equal(try_lock(stage, 0), 1);
	assert_int_equal(try_lock(stage, STREAM_SHARED), 0);
	script_work(&stage->scripts[0], 6000);
	/* The other reader has released the lock. This thread still has it as a reader. */
	assert_int_equal(try_lock(stage, 0), 1);
	script_control(&stage->scripts[0], STREAM_RELEASE, LOCK, 0);
	assert_int_equal(try_lock(stage, 0), 0);
}

/*
 * The kernel may have told the thread that the lock is free. In this case the state on the host
 * decides, once.
 */
static void schedule_run_lock_that_is_tried_after_a_wait_is_for_the_host(void **state)
{
	struct stage *stage = *state;

	owner_begin(stage, 0);
	script_control(&stage->scripts[0], STREAM_BLOCK, 7, 0);
	script_control(&stage->scripts[0], STREAM_UNBLOCK, 0, 0);
	assert_int_equal(try_lock(stage, 0), STREAM_ANSWER_HOST);
	assert_int_equal(stage_thread(stage, 0).cycle, 100);
	assert_int_equal(try_lock(stage, 0), STREAM_ANSWER_TAKEN);
}

/* If the owner of the lock waits for an unknown event, the state on the host decides, too. */
static void schedule_run_lock_of_a_thread_that_waits_is_for_the_host(void **state)
{
	struct stage *stage = *state;
	struct script *owner = &stage->scripts[1];

	stage->count = 2;
	script_begin(&stage->scripts[0], STAGE_PID, 1);
	script_control(&stage->scripts[0], STREAM_CREATE, 9, 1, (uint64_t)0);
	script_begin(owner, STAGE_PID, 9);
	script_control(owner, STREAM_ACQUIRE, LOCK, 1, (uint64_t)0);
	script_control(owner, STREAM_BLOCK, 7, 0);
	script_work(&stage->scripts[0], 100);
	script_control(&stage->scripts[0], STREAM_ACQUIRE, LOCK, 1, (uint64_t)STREAM_TRY);
	/* Repeat until the replay no longer waits for the owner. */
	for (unsigned i = 0; i < 5000 && channel(stage, 0)->turn == 0; i++)
		step(stage);
	assert_int_equal(channel(stage, 0)->turn, 1);
	assert_int_equal(channel(stage, 0)->answer, STREAM_ANSWER_HOST);
}

/* The creator wrote no words for so long that the replay no longer waits for its CREATE record. */
static void schedule_run_thread_that_is_announced_late_is_the_one_that_began(void **state)
{
	struct stage *stage = *state;
	struct script *first = &stage->scripts[0], *late = &stage->scripts[1];

	stage->count = 2;
	script_begin(first, STAGE_PID, 1);
	script_work(first, 10);
	script_control(first, STREAM_JOIN, 12, 0);
	script_begin(late, STAGE_PID, 9);
	script_work(late, 50);
	script_control(first, STREAM_BLOCK, 7, 0);
	for (unsigned i = 0; i < 20000 && stage_statistics(stage).unannounced == 0; i++)
		step(stage);
	assert_int_equal(stage_statistics(stage).unannounced, 1);
	script_control(first, STREAM_UNBLOCK, 0, 0);
	script_control(first, STREAM_CREATE, 9, 1, (uint64_t)0);
	script_control(first, STREAM_JOIN, 9, 0);
	script_end(first);
	script_end(late);
	step(stage);
	assert_int_equal(stage_statistics(stage).threads, 2);
	assert_int_equal(stage_statistics(stage).creations, 1);
	assert_true(stage_thread(stage, 1).ended);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STAGE_TEST(schedule_run_lock_that_is_tried_is_free_or_not),
		STAGE_TEST(schedule_run_lock_that_is_tried_is_shared_with_readers),
		STAGE_TEST(schedule_run_lock_that_is_tried_after_a_wait_is_for_the_host),
		STAGE_TEST(schedule_run_lock_of_a_thread_that_waits_is_for_the_host),
		STAGE_TEST(schedule_run_thread_that_is_announced_late_is_the_one_that_began),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
