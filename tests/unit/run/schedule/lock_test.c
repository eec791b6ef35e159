/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of locks: which thread gets a lock, at which time, and turns without a lock. May use
 * schedule_fixture.h and the C library.
 */
#include <string.h>

#include "tests/unit/run/schedule/schedule_fixture.h"

#define PAGE SMILE_PAGE_BYTES
#define LOCK 0x7000

/* A thread executes some instructions, and then keeps the lock for 1000 instructions. */
static void script_section(struct script *script, uint64_t instructions, uint64_t how)
{
	script_work(script, instructions);
	script_control(script, STREAM_ACQUIRE, LOCK, 1, how);
	script_work(script, 1000);
	script_control(script, STREAM_RELEASE, LOCK, 0);
}

static void schedule_run_lock_goes_to_the_one_who_wants_it_first(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 2);
	for (unsigned i = 0; i < 3; i++) {
		script_section(&stage->scripts[i], 300 - 100 * i, 0);
		script_work(&stage->scripts[i], 7);
	}
	stage_crew_end(stage);
	stage_play(stage, 9);
	assert_int_equal(stage_thread(stage, 2).cycle, 1107);
	assert_int_equal(stage_thread(stage, 1).cycle, 2107);
	assert_int_equal(stage_thread(stage, 0).cycle, 3107);
	assert_int_equal(stage_statistics(stage).acquisitions, 3);
	assert_int_equal(stage_statistics(stage).contended, 2);
}

static void schedule_run_readers_share_a_lock(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 2);
	for (unsigned i = 0; i < 3; i++) {
		script_section(&stage->scripts[i], 10 * (i + 1), (i != 2));
	}
	stage_crew_end(stage);
	stage_play(stage, 9);
	assert_int_equal(stage_thread(stage, 0).cycle, 1010);
	assert_int_equal(stage_thread(stage, 1).cycle, 1020);
	assert_int_equal(stage_thread(stage, 2).cycle, 2020);
}

static void schedule_run_lock_may_be_taken_again_by_its_owner(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 1);
	for (unsigned i = 0; i < 2; i++) {
		script_work(&stage->scripts[i], i);
		script_control(&stage->scripts[i], STREAM_ACQUIRE, LOCK, 1, (uint64_t)0);
		script_control(&stage->scripts[i], STREAM_ACQUIRE, LOCK, 1, (uint64_t)0);
		script_work(&stage->scripts[i], 50);
		script_control(&stage->scripts[i], STREAM_RELEASE, LOCK, 0);
		script_work(&stage->scripts[i], 50);
		script_control(&stage->scripts[i], STREAM_RELEASE, LOCK, 0);
	}
	stage_crew_end(stage);
	stage_play(stage, 9);
	assert_int_equal(stage_thread(stage, 0).cycle, 100);
	assert_int_equal(stage_thread(stage, 1).cycle, 200);
}

static void schedule_run_turns_alone_go_by_the_clocks_and_do_not_count(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 1);
	for (unsigned i = 0; i < 2; i++) {
		script_section(&stage->scripts[i], 300 - 100 * i, STREAM_ORDER);
	}
	stage_crew_end(stage);
	stage_play(stage, 9);
	assert_int_equal(stage_thread(stage, 1).cycle, 1200);
	assert_int_equal(stage_thread(stage, 0).cycle, 2200);
	assert_int_equal(stage_statistics(stage).acquisitions, 0);
	assert_int_equal(stage_statistics(stage).contended, 0);
}

static void schedule_run_turn_of_who_ends_goes_to_the_next(void **state)
{
	struct stage *stage = *state;

	stage_crew_begin(stage, 2);
	script_control(&stage->scripts[0], STREAM_ACQUIRE, LOCK, 1, (uint64_t)STREAM_ORDER);
	script_work(&stage->scripts[0], 5000);
	script_section(&stage->scripts[1], 20, STREAM_ORDER);
	script_section(&stage->scripts[2], 30, STREAM_ORDER);
	stage_crew_end(stage);
	stage_play(stage, 9);
	assert_int_equal(stage_thread(stage, 1).cycle, 6000);
	assert_int_equal(stage_thread(stage, 2).cycle, 7000);
	assert_int_equal(stage_statistics(stage).deadlocks, 0);
}

/* Read a remote word twice, and take a lock between the reads. Return: the number of hits. */
static uint64_t hits_beside_lock(uint64_t how)
{
	const struct machine_config config = {
		.nodes = 2,
		.watch = MACHINE_WATCH_ALL,
		.cache = {.bytes = 4096, .line_bytes = 64, .ways = 4}};
	struct stage *stage = stage_new(&config, NULL);
	struct machine_statistics statistics;

	stage_crew_begin(stage, 0);
	script_access(&stage->scripts[0], STREAM_READ, 0x401000, 3, 1);
	script_control(&stage->scripts[0], STREAM_ACQUIRE, LOCK, 1, how);
	script_control(&stage->scripts[0], STREAM_RELEASE, LOCK, 0);
	script_access(&stage->scripts[0], STREAM_READ, 0x401000, 3, 1);
	stage_crew_end(stage);
	stage_play(stage, 9);
	assert_int_equal(machine_statistics(stage->machine, 0, &statistics), 0);
	assert_int_equal(statistics.accesses, 2);
	stage_free(stage);
	return statistics.hits;
}

static void schedule_run_turns_alone_leave_caches_as_they_are(void **state)
{
	assert_int_equal(hits_beside_lock(0), 0);
	assert_int_equal(hits_beside_lock(STREAM_ORDER), 1);
}

#define LONG 200000U

/*
 * In simulated time, thread 0 gets the lock first. On the host, thread 1 had it first. In its
 * critical section, thread 1 writes more words than its channel holds, before thread 0 writes
 * further words.
 */
static void section_play(struct stage *stage)
{
	stage_crew_begin(stage, 1);
	script_work(&stage->scripts[1], 10);
	for (unsigned i = 0; i < 2; i++) {
		script_control(&stage->scripts[i], STREAM_ACQUIRE, LOCK, 1, (uint64_t)0);
		for (unsigned j = 0; j < (i ? LONG : 100); j++)
			script_access(&stage->scripts[i], STREAM_WRITE, 0x400000 + j % PAGE * 8, 3,
				      1);
		script_control(&stage->scripts[i], STREAM_RELEASE, LOCK, 0);
	}
	stage_crew_end(stage);
	for (unsigned i = 0; i < 2; i++)
		stage_claim(stage, &stage->scripts[i], i);
	stage_write(stage, &stage->scripts[0], 3 + 2 + 2);
	for (unsigned i = 0; i < 20 && !stage->scripts[1].over; i++) {
		stage_write_all(stage, &stage->scripts[1]);
		assert_int_equal(stage_run(stage), 0);
	}
	assert_true(stage->scripts[1].over);
	stage_write_all(stage, &stage->scripts[0]);
	assert_int_equal(stage_run(stage), 0);
	assert_true(stage_ended(stage));
	assert_int_equal(schedule_finish(stage->schedule), 0);
	assert_int_equal(stage_statistics(stage).accesses[SMILE_TYPE_WRITE], LONG + 100);
}

static void schedule_run_long_section_waits_in_memory(void **state)
{
	struct stage *stage = *state;

	section_play(stage);
	assert_int_equal(stage_statistics(stage).host_orders, 0);
	assert_in_range(stage_statistics(stage).spilled_bytes, 8 * (LONG - 65536), 8 * LONG + 64);
	assert_true(stage_thread(stage, 0).cycle < stage_thread(stage, 1).cycle);
}

static void schedule_run_too_long_section_takes_the_hosts_order(void **state)
{
	const struct schedule_config config = {.spill_bytes = 80000};
	struct stage *stage = stage_new(NULL, &config);

	section_play(stage);
	assert_int_equal(stage_statistics(stage).host_orders, 1);
	assert_int_equal(stage->notices[SCHEDULE_NOTICE_HOST_ORDER], 1);
	assert_in_range(stage_statistics(stage).spilled_bytes, 1, 80000);
	assert_true(stage_thread(stage, 0).cycle > stage_thread(stage, 1).cycle);
	stage_free(stage);
}

/* The program did not wait for some of its turns. The header counts these turns. */
static void schedule_run_turn_not_taken_is_the_hosts_order(void **state)
{
	struct stage *stage = *state;

	atomic_store(&stage->header->untaken, 2);
	assert_int_equal(stage_run(stage), 0);
	assert_int_equal(stage_run(stage), 0);
	assert_int_equal(stage_statistics(stage).host_orders, 2);
	assert_int_equal(stage->notices[SCHEDULE_NOTICE_HOST_ORDER], 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STAGE_TEST(schedule_run_lock_goes_to_the_one_who_wants_it_first),
		STAGE_TEST(schedule_run_readers_share_a_lock),
		STAGE_TEST(schedule_run_lock_may_be_taken_again_by_its_owner),
		STAGE_TEST(schedule_run_turns_alone_go_by_the_clocks_and_do_not_count),
		STAGE_TEST(schedule_run_turns_alone_leave_caches_as_they_are),
		STAGE_TEST(schedule_run_turn_of_who_ends_goes_to_the_next),
		STAGE_TEST(schedule_run_long_section_waits_in_memory),
		STAGE_TEST(schedule_run_too_long_section_takes_the_hosts_order),
		STAGE_TEST(schedule_run_turn_not_taken_is_the_hosts_order),
	};

	return cmocka_run_group_tests_name("schedule_lock", tests, NULL, NULL);
}
