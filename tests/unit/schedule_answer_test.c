/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of what is answered to a thread at its turn: which child process ended first, and whether a lock
 * that is only tried is free. It may use schedule_fixture.h and the C library.
 */
#include "tests/unit/schedule_fixture.h"

#define LOCK 0x7300U
#define CHILD_KEY 20U

static void work(struct script *script, uint64_t instructions)
{
	script_control(script, STREAM_WORK, instructions, 0);
}

static const struct stream_channel *channel(const struct stage *stage, unsigned number)
{
	return (struct stream_channel *)((char *)stage->memory + STREAM_CHANNELS_AT) + number;
}

/* Write what the scripts have more, each into the channel of its number, and replay it. */
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

/* Processes 1 to @children, of keys 21 and on, made by the first at cycle 0. */
static void family_begin(struct stage *stage, unsigned children)
{
	stage->count = 1 + children;
	script_begin(&stage->scripts[0], STAGE_PID, 1);
	for (unsigned c = 1; c <= children; c++) {
		script_control(&stage->scripts[0], STREAM_CREATE, CHILD_KEY + c, 1, (uint64_t)1);
		script_begin(&stage->scripts[c], STAGE_PID + c, CHILD_KEY + c);
	}
}

/* The first process waits for any child, and gets this one, or 0; it is its turn number @turn. */
static void reap(struct stage *stage, unsigned turn, unsigned child)
{
	script_control(&stage->scripts[0], STREAM_REAP, 0, 0);
	step(stage);
	assert_int_equal(channel(stage, 0)->turn, turn);
	assert_int_equal(channel(stage, 0)->answer, child ? CHILD_KEY + child : 0);
}

static void schedule_run_any_child_is_the_first_that_ended(void **state)
{
	struct stage *stage = *state;

	family_begin(stage, 3);
	for (unsigned c = 1; c <= 3; c++) {
		work(&stage->scripts[c], 400 - 100 * c);
		script_end(&stage->scripts[c]);
	}
	work(&stage->scripts[0], 250);
	/* That of 100 and that of 200 have ended, that of 300 is waited for. */
	reap(stage, 1, 3);
	reap(stage, 2, 2);
	assert_int_equal(stage_thread(stage, 0).cycle, 250);
	reap(stage, 3, 1);
	assert_int_equal(stage_thread(stage, 0).cycle, 300);
	/* There are no more. */
	reap(stage, 4, 0);
	assert_int_equal(stage_statistics(stage).joins, 4);
}

static void schedule_run_any_child_is_waited_for_by_the_first(void **state)
{
	struct stage *stage = *state;
	struct script *other = &stage->scripts[3];

	family_begin(stage, 2);
	script_control(&stage->scripts[0], STREAM_CREATE, 9, 1, (uint64_t)0);
	stage->count++;
	script_begin(other, STAGE_PID, 9);
	work(other, 10);
	script_control(other, STREAM_REAP, 0, 0);
	work(&stage->scripts[0], 20);
	script_control(&stage->scripts[0], STREAM_REAP, 0, 0);
	step(stage);
	assert_int_equal(channel(stage, 0)->turn + channel(stage, 3)->turn, 0);
	work(&stage->scripts[1], 50);
	script_end(&stage->scripts[1]);
	work(&stage->scripts[2], 60);
	step(stage);
	assert_int_equal(channel(stage, 3)->turn, 1);
	assert_int_equal(channel(stage, 3)->answer, CHILD_KEY + 1);
	assert_int_equal(channel(stage, 0)->turn, 0);
	script_end(&stage->scripts[2]);
	script_end(other);
	step(stage);
	assert_int_equal(channel(stage, 0)->turn, 1);
	assert_int_equal(channel(stage, 0)->answer, CHILD_KEY + 2);
}

static void schedule_run_any_child_is_none_that_was_waited_for(void **state)
{
	struct stage *stage = *state;

	family_begin(stage, 2);
	for (unsigned c = 1; c <= 2; c++) {
		work(&stage->scripts[c], 10 * c);
		script_end(&stage->scripts[c]);
	}
	work(&stage->scripts[0], 100);
	script_control(&stage->scripts[0], STREAM_JOIN, CHILD_KEY + 1, 0);
	reap(stage, 1, 2);
	reap(stage, 2, 0);
}

static void schedule_run_any_child_ends_with_its_last_thread(void **state)
{
	struct stage *stage = *state;
	struct script *worker = &stage->scripts[3];

	family_begin(stage, 2);
	script_control(&stage->scripts[1], STREAM_CREATE, 9, 1, (uint64_t)0);
	stage->count++;
	script_begin(worker, STAGE_PID + 1, 9);
	work(worker, 500);
	script_end(worker);
	work(&stage->scripts[1], 10);
	script_end(&stage->scripts[1]);
	work(&stage->scripts[2], 100);
	script_end(&stage->scripts[2]);
	reap(stage, 1, 2);
	assert_int_equal(stage_thread(stage, 0).cycle, 100);
	reap(stage, 2, 1);
	assert_int_equal(stage_thread(stage, 0).cycle, 500);
}

/* What it does there nobody tells: while it is there the host says who is first. */
static void schedule_run_any_child_is_for_the_host_where_one_executes(void **state)
{
	struct stage *stage = *state;

	family_begin(stage, 2);
	work(&stage->scripts[1], 10);
	script_text(&stage->scripts[1], STREAM_EXEC, "program");
	script_end(&stage->scripts[1]);
	work(&stage->scripts[2], 30);
	reap(stage, 1, 0);
	assert_int_equal(stage_thread(stage, 0).cycle, 10);
	reap(stage, 2, 0);
	script_control(&stage->scripts[0], STREAM_JOIN, CHILD_KEY + 1, 0);
	work(&stage->scripts[2], 70);
	script_end(&stage->scripts[2]);
	reap(stage, 3, 2);
}

/* One thread has a lock from cycle 0 to 5000; the first tries it, and goes on in any case. */
static void owner_begin(struct stage *stage, uint64_t how)
{
	struct script *owner = &stage->scripts[1];

	stage->count = 2;
	script_begin(&stage->scripts[0], STAGE_PID, 1);
	script_control(&stage->scripts[0], STREAM_CREATE, 9, 1, (uint64_t)0);
	script_begin(owner, STAGE_PID, 9);
	script_control(owner, STREAM_ACQUIRE, LOCK, 1, how);
	work(owner, 5000);
	script_control(owner, STREAM_RELEASE, LOCK, 0);
	script_end(owner);
	work(&stage->scripts[0], 100);
}

/* Return: what is answered. */
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
	/* As long as an atomic access to another node. */
	assert_int_equal(stage_thread(stage, 0).cycle, 100 + remote);
	assert_int_equal(try_lock(stage, STREAM_SHARED), 1);
	work(first, 5000);
	assert_int_equal(try_lock(stage, 0), 0);
	assert_int_equal(stage_thread(stage, 0).cycle, 5100 + 2 * remote);
	/* Its own: once more only where it may have it again. */
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
	work(&stage->scripts[0], 6000);
	/* The other reader is gone, and it is one itself. */
	assert_int_equal(try_lock(stage, 0), 1);
	script_control(&stage->scripts[0], STREAM_RELEASE, LOCK, 0);
	assert_int_equal(try_lock(stage, 0), 0);
}

static int stage_setup(void **state)
{
	*state = stage_new(NULL, NULL);
	return 0;
}

static int stage_teardown(void **state)
{
	stage_free(*state);
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, stage_setup, stage_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(schedule_run_any_child_is_the_first_that_ended),
		TEST(schedule_run_any_child_is_waited_for_by_the_first),
		TEST(schedule_run_any_child_is_none_that_was_waited_for),
		TEST(schedule_run_any_child_ends_with_its_last_thread),
		TEST(schedule_run_any_child_is_for_the_host_where_one_executes),
		TEST(schedule_run_lock_that_is_tried_is_free_or_not),
		TEST(schedule_run_lock_that_is_tried_is_shared_with_readers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
