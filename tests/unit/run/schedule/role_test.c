/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of roles: the order in which threads first take a lock is reported and enforced, until the
 * replay gives the order up. May use schedule_fixture.h and the C library.
 */
#include <string.h>

#include "tests/unit/run/schedule/schedule_fixture.h"

#define LOCK 0x7000
#define OTHER 0x8000
#define SITE 0x401234

/* A thread executes some instructions, and then keeps a lock for 1000 instructions. */
static void script_section(struct script *script, uint64_t instructions, uint64_t lock)
{
	script_work(script, instructions);
	script_control(script, STREAM_SITE, SITE + instructions, 0);
	script_control(script, STREAM_ACQUIRE, lock, 1, (uint64_t)0);
	script_work(script, 1000);
	script_control(script, STREAM_RELEASE, lock, 0);
}

/* If no order is enforced, thread 2 takes the lock first, then thread 1, then thread 0. */
static void crew(struct stage *stage)
{
	stage_crew_begin(stage, 2);
	for (unsigned i = 0; i < 3; i++) {
		script_section(&stage->scripts[i], 300 - 100 * i, LOCK);
		script_section(&stage->scripts[i], 10, LOCK);
	}
	stage_crew_end(stage);
}

static void assert_order(const struct stage *stage, unsigned a, unsigned b, unsigned c)
{
	struct schedule_role role;
	size_t position = 0;

	assert_true(schedule_role(stage->schedule, &position, &role));
	assert_int_equal(role.lock, LOCK);
	assert_int_equal(role.count, 3);
	assert_int_equal(role.threads[0], a);
	assert_int_equal(role.threads[1], b);
	assert_int_equal(role.threads[2], c);
	assert_false(schedule_role(stage->schedule, &position, &role));
}

static void order_of_first_turns_is_reported(void **state)
{
	struct stage *stage = *state;
	struct schedule_role role;
	size_t position = 0;

	crew(stage);
	stage_play(stage, 9);
	assert_order(stage, 2, 1, 0);
	assert_true(schedule_role(stage->schedule, &position, &role));
	assert_int_equal(role.site, SITE + 100);
	assert_int_equal(role.turns, 6);
	assert_true(role.even);
}

static void threads_that_take_more_than_others_are_reported(void **state)
{
	struct stage *stage = *state;
	struct schedule_role role;
	size_t position = 0;

	stage_crew_begin(stage, 2);
	for (unsigned i = 0; i < 3; i++)
		for (unsigned turn = 0; turn < 3 + i / 2; turn++)
			script_section(&stage->scripts[i], 100, LOCK);
	stage_crew_end(stage);
	stage_play(stage, 9);
	assert_true(schedule_role(stage->schedule, &position, &role));
	assert_int_equal(role.turns, 10);
	assert_false(role.even);
}

static void locks_after_a_barrier_or_another_lock_give_no_roles(void **state)
{
	struct stage *stage = *state;
	struct schedule_role role;
	size_t position = 0;

	stage_crew_begin(stage, 2);
	for (unsigned i = 0; i < 3; i++) {
		if (i == 2)
			script_control(&stage->scripts[i], STREAM_BARRIER, 0x9000, 1, (uint64_t)1);
		if (i == 1)
			script_section(&stage->scripts[i], 1, OTHER);
		script_section(&stage->scripts[i], 10, LOCK);
	}
	stage_crew_end(stage);
	stage_play(stage, 9);
	/* If only one thread takes a lock, there is no order. */
	assert_false(schedule_role(stage->schedule, &position, &role));
}

/*
 * After a barrier, each of three threads takes each lock three times; the last thread, four times.
 */
static void uneven_after_a_barrier(struct stage *stage, unsigned locks)
{
	stage_crew_begin(stage, 2);
	for (unsigned i = 0; i < 3; i++) {
		script_control(&stage->scripts[i], STREAM_BARRIER, 0x9000, 1, (uint64_t)3);
		for (unsigned turn = 0; turn < (3 + i / 2) * locks; turn++)
			script_section(&stage->scripts[i], 100, LOCK + 0x40 * (turn % locks));
	}
	stage_crew_end(stage);
	stage_play(stage, 9);
}

static void later_locks_that_some_take_more_often_may_hand_out_work(void **state)
{
	struct stage *stage = *state;
	struct schedule_role role;
	size_t position = 0;

	uneven_after_a_barrier(stage, 3);
	for (unsigned lock = 0; lock < 3; lock++) {
		assert_true(schedule_role(stage->schedule, &position, &role));
		assert_int_equal(role.turns, 10);
		assert_true(role.later);
		assert_false(role.even);
	}
	assert_false(schedule_role(stage->schedule, &position, &role));
}

static void later_locks_of_which_there_are_more_than_threads_do_not(void **state)
{
	struct stage *stage = *state;
	struct schedule_role role;
	size_t position = 0;

	uneven_after_a_barrier(stage, 4);
	assert_false(schedule_role(stage->schedule, &position, &role));
}

/* After a barrier, two threads take 20 items. An item of the second thread takes longer. */
static void one_later_lock_that_threads_leave_together_may_hand_out_work(void **state)
{
	static const unsigned turns[] = {15, 5};
	struct stage *stage = *state;
	struct schedule_role role;
	size_t position = 0;

	stage_crew_begin(stage, 1);
	for (unsigned i = 0; i < 2; i++) {
		script_control(&stage->scripts[i], STREAM_BARRIER, 0x9000, 1, (uint64_t)2);
		for (unsigned turn = 0; turn < turns[i]; turn++)
			script_section(&stage->scripts[i], i ? 5000 : 1000, LOCK);
	}
	stage_crew_end(stage);
	stage_play(stage, 9);
	assert_true(schedule_role(stage->schedule, &position, &role));
	assert_int_equal(role.turns, 20);
	assert_true(role.later);
}

static void one_later_lock_does_not(void **state)
{
	struct stage *stage = *state;
	struct schedule_role role;
	size_t position = 0;

	uneven_after_a_barrier(stage, 1);
	assert_false(schedule_role(stage->schedule, &position, &role));
}

/*
 * The first thread takes each lock before it creates the other threads. Later, each thread takes
 * only its own lock.
 */
static void pools_of_which_each_thread_has_its_own_hand_out_nothing(void **state)
{
	struct schedule_role role;
	struct stage *stage = *state;
	size_t position = 0;

	stage->count = 3;
	script_begin(&stage->scripts[0], STAGE_PID, 0);
	script_section(&stage->scripts[0], 1, OTHER);
	for (unsigned i = 0; i < 3; i++)
		script_section(&stage->scripts[0], 100, LOCK + 0x40 * i);
	for (unsigned i = 0; i < 3; i++) {
		if (i) {
			script_control(&stage->scripts[0], STREAM_CREATE, 10 + i, 1, (uint64_t)0);
			script_begin(&stage->scripts[i], STAGE_PID, 10 + i);
		}
		script_control(&stage->scripts[i], STREAM_BARRIER, 0x9000, 1, (uint64_t)3);
		for (unsigned turn = 0; turn < 9; turn++)
			script_section(&stage->scripts[i], 100, LOCK + 0x40 * i);
	}
	stage_crew_end(stage);
	stage_play(stage, 9);
	assert_false(schedule_role(stage->schedule, &position, &role));
}

/*
 * Each of three threads puts messages into the boxes of the other threads, and empties its own box.
 */
static void boxes(struct stage *stage, bool wakes)
{
	stage_crew_begin(stage, 2);
	for (unsigned i = 0; i < 3; i++) {
		script_control(&stage->scripts[i], STREAM_BARRIER, 0x9000, 1, (uint64_t)3);
		for (unsigned turn = 0; turn < 9; turn++) {
			script_section(&stage->scripts[i], 100, LOCK + 0x40 * (turn % 3));
			if (wakes && turn % 3 != i)
				script_control(&stage->scripts[i], STREAM_SIGNAL,
					       0xa000 + 0x40 * (turn % 3), 1, (uint64_t)0);
			if (turn % 3 == i)
				script_section(&stage->scripts[i], 100, LOCK + 0x40 * i);
		}
	}
	stage_crew_end(stage);
	stage_play(stage, 9);
}

static void boxes_for_messages_hand_out_no_work(void **state)
{
	struct schedule_role role;
	struct stage *stage = *state;
	size_t position = 0;

	boxes(stage, true);
	assert_false(schedule_role(stage->schedule, &position, &role));
}

static void boxes_whose_threads_are_not_woken_may_be_queues(void **state)
{
	struct schedule_role role;
	struct stage *stage = *state;
	size_t position = 0;

	boxes(stage, false);
	assert_true(schedule_role(stage->schedule, &position, &role));
	assert_true(role.later);
}

/* Each of two threads takes a lock as its first action, @one and @other times. */
static struct schedule_role taken_first(struct stage *stage, unsigned one, unsigned other)
{
	struct schedule_role role = {0};
	size_t position = 0;

	stage_crew_begin(stage, 1);
	for (unsigned turn = 0; turn < one; turn++)
		script_section(&stage->scripts[0], 2000, LOCK);
	for (unsigned turn = 0; turn < other; turn++)
		script_section(&stage->scripts[1], 6000, LOCK);
	stage_crew_end(stage);
	stage_play(stage, 9);
	assert_true(schedule_role(stage->schedule, &position, &role));
	assert_false(role.even);
	return role;
}

/* The second thread is slower. Both take the lock until there are no more items. */
static void a_lock_that_threads_leave_together_hands_out_work(void **state)
{
	assert_false(taken_first(*state, 21, 9).later);
}

static void a_lock_that_threads_leave_one_by_one_may_protect_something_else(void **state)
{
	assert_true(taken_first(*state, 9, 11).later);
}

static void waits_for_a_lock_are_added_up(void **state)
{
	struct schedule_lock_wait wait;
	struct stage *stage = *state;
	size_t position = 0;

	/* At cycles 0, 100 and 200, the threads request a lock. Each keeps it for 1000 cycles. */
	stage_crew_begin(stage, 2);
	for (unsigned i = 0; i < 3; i++)
		script_section(&stage->scripts[i], 100 * i, LOCK);
	script_section(&stage->scripts[2], 100, OTHER);
	stage_crew_end(stage);
	stage_play(stage, 9);
	assert_true(schedule_lock_wait(stage->schedule, &position, &wait));
	assert_int_equal(wait.lock, LOCK);
	assert_int_equal(wait.turns, 3);
	assert_int_equal(wait.cycles, 900 + 1800);
	assert_false(schedule_lock_wait(stage->schedule, &position, &wait));
	assert_int_equal(schedule_lock_waits(stage->schedule, stage_thread(stage, 1).node), 900);
	assert_int_equal(schedule_lock_waits(stage->schedule, stage_thread(stage, 2).node), 1800);
}

/* After the second of three meetings, the threads take work from a queue. */
static void it_is_known_between_which_meetings_work_was_handed_out(void **state)
{
	struct stage *stage = *state;
	uint64_t end;

	stage_crew_begin(stage, 2);
	for (unsigned i = 0; i < 3; i++) {
		script_control(&stage->scripts[i], STREAM_BARRIER, 0x9000, 1, (uint64_t)3);
		script_section(&stage->scripts[i], 100, OTHER);
		script_control(&stage->scripts[i], STREAM_BARRIER, 0x9000, 1, (uint64_t)3);
		for (unsigned turn = 0; turn < 4 + i; turn++) {
			script_control(&stage->scripts[i], STREAM_ACQUIRE, LOCK, 1,
				       (uint64_t)STREAM_LOOP);
			script_control(&stage->scripts[i], STREAM_RELEASE, LOCK, 0);
			script_work(&stage->scripts[i], 100);
		}
		script_control(&stage->scripts[i], STREAM_BARRIER, 0x9000, 1, (uint64_t)3);
	}
	stage_crew_end(stage);
	stage_play(stage, 9);
	end = schedule_meetings(stage->schedule);
	assert_true(end >= 5);
	assert_true(schedule_hands_out(stage->schedule, 0, end));
	assert_false(schedule_hands_out(stage->schedule, 0, 3));
	assert_true(schedule_hands_out(stage->schedule, 4, 4));
	assert_false(schedule_hands_out(stage->schedule, 5, end));
}

static void chunks_of_a_loop_are_handed_out(void **state)
{
	struct stage *stage = *state;
	struct schedule_role role;
	size_t position = 0;

	stage_crew_begin(stage, 2);
	for (unsigned i = 0; i < 3; i++) {
		struct script *script = &stage->scripts[i];

		script_control(script, STREAM_BARRIER, 0x9000, 1, (uint64_t)3);
		script_control(script, STREAM_ACQUIRE, LOCK, 1, (uint64_t)STREAM_LOOP);
		script_control(script, STREAM_RELEASE, LOCK, 0);
	}
	stage_crew_end(stage);
	stage_play(stage, 9);
	assert_true(schedule_role(stage->schedule, &position, &role));
	assert_true(role.loop);
	assert_false(role.later);
}

static struct stage *ordered(const unsigned *threads, size_t count)
{
	static struct schedule_order order;
	const struct schedule_config config = {.orders = &order, .orders_count = 1};

	order = (struct schedule_order){.lock = LOCK, .threads = threads, .count = count};
	return stage_new(NULL, &config);
}

static void an_order_is_held_to(void **state)
{
	static const unsigned threads[] = {0, 2, 1};
	struct stage *stage = ordered(threads, 3);

	crew(stage);
	stage_play(stage, 9);
	assert_order(stage, 0, 2, 1);
	/*
	 * Thread 0 gets the lock at 300. Later, threads get it in the order of their requests: 2 at
	 * 1300, 0 at 1310.
	 */
	assert_true(stage_thread(stage, 2).cycle > 2300);
	assert_int_equal(stage_statistics(stage).acquisitions, 6);
	assert_int_equal(stage->notices[SCHEDULE_NOTICE_ROLE], 0);
	stage_free(stage);
}

static void threads_that_are_not_named_take_it_at_any_time(void **state)
{
	static const unsigned threads[] = {0, 1};
	struct stage *stage = ordered(threads, 2);

	crew(stage);
	stage_play(stage, 9);
	assert_order(stage, 2, 0, 1);
	stage_free(stage);
}

static void a_thread_that_ends_without_it_is_not_waited_for(void **state)
{
	static const unsigned threads[] = {1, 2, 0};
	struct stage *stage = ordered(threads, 3);
	struct schedule_role role;
	size_t position = 0;

	stage_crew_begin(stage, 2);
	script_section(&stage->scripts[0], 1, LOCK);
	script_work(&stage->scripts[1], 5000);
	script_section(&stage->scripts[2], 1, LOCK);
	stage_crew_end(stage);
	stage_play(stage, 9);
	assert_true(schedule_role(stage->schedule, &position, &role));
	assert_int_equal(role.count, 2);
	assert_int_equal(role.threads[0], 2);
	assert_int_equal(role.threads[1], 0);
	assert_true(stage_thread(stage, 2).cycle >= 6000);
	assert_int_equal(stage->notices[SCHEDULE_NOTICE_ROLE], 0);
	stage_free(stage);
}

/* Thread 1 takes the lock only after a barrier. The other threads take it before the barrier. */
static void an_order_that_stops_all_threads_is_given_up(void **state)
{
	static const unsigned threads[] = {1, 0, 2};
	struct stage *stage = ordered(threads, 3);

	stage_crew_begin(stage, 2);
	for (unsigned i = 0; i < 3; i++) {
		if (i != 1)
			script_section(&stage->scripts[i], i + 1, LOCK);
		script_control(&stage->scripts[i], STREAM_BARRIER, 0x9000, 1, (uint64_t)3);
		if (i == 1)
			script_section(&stage->scripts[i], i + 1, LOCK);
	}
	stage_crew_end(stage);
	stage_play(stage, 9);
	assert_int_equal(stage->notices[SCHEDULE_NOTICE_ROLE], 1);
	assert_non_null(strstr(stage->notice, "0x7000"));
	assert_non_null(strstr(stage->notice, "thread 1"));
	assert_int_equal(stage->notices[SCHEDULE_NOTICE_DEADLOCK], 0);
	assert_int_equal(stage_statistics(stage).acquisitions, 3);
	stage_free(stage);
}

static void a_tried_lock_is_not_held_to_an_order(void **state)
{
	static const unsigned threads[] = {0, 1, 2};
	struct stage *stage = ordered(threads, 3);

	stage_crew_begin(stage, 2);
	for (unsigned i = 0; i < 3; i++) {
		script_work(&stage->scripts[i], 5000 - 2000 * i);
		script_control(&stage->scripts[i], STREAM_ACQUIRE, LOCK, 1, (uint64_t)STREAM_TRY);
		script_work(&stage->scripts[i], 10);
		script_control(&stage->scripts[i], STREAM_RELEASE, LOCK, 0);
	}
	stage_crew_end(stage);
	stage_play(stage, 9);
	assert_order(stage, 2, 1, 0);
	stage_free(stage);
}

/* An atomic instruction, and then a lock. Either of them may give the thread its number. */
static void script_atomic(struct script *script, uint64_t instructions)
{
	script_work(script, instructions);
	script_control(script, STREAM_SITE, SITE, 0);
	script_control(script, STREAM_ACQUIRE, LOCK, 1, (uint64_t)(STREAM_ORDER | STREAM_ROLE));
	script_access(script, STREAM_LOCK, 4096, 2, 1);
	script_control(script, STREAM_RELEASE, LOCK, 0);
	script_section(script, 1, OTHER);
}

static void atomic_crew(struct stage *stage)
{
	stage_crew_begin(stage, 2);
	for (unsigned i = 0; i < 3; i++)
		script_atomic(&stage->scripts[i], 300 - 100 * i);
	stage_crew_end(stage);
	stage_play(stage, 9);
}

static void atomic_instructions_give_roles_and_are_no_locks(void **state)
{
	struct schedule_role roles[3] = {{0}};
	struct stage *stage = *state;
	size_t position = 0, atomic;

	atomic_crew(stage);
	assert_int_equal(stage_statistics(stage).acquisitions, 3);
	assert_true(schedule_role(stage->schedule, &position, &roles[0]));
	assert_true(schedule_role(stage->schedule, &position, &roles[1]));
	assert_false(schedule_role(stage->schedule, &position, &roles[2]));
	atomic = roles[1].atomic;
	assert_int_not_equal(roles[0].atomic, roles[1].atomic);
	assert_int_equal(roles[atomic].lock, LOCK);
	assert_int_equal(roles[atomic].site, SITE);
	assert_int_equal(roles[atomic].threads[0], 2);
	assert_int_equal(roles[atomic].threads[2], 0);
	assert_int_equal(roles[!atomic].lock, OTHER);
}

static void an_order_of_an_atomic_instruction_is_held_to(void **state)
{
	static const unsigned threads[] = {0, 2, 1};
	struct stage *stage = ordered(threads, 3);
	struct schedule_role role;
	size_t position = 0;

	atomic_crew(stage);
	do
		assert_true(schedule_role(stage->schedule, &position, &role));
	while (!role.atomic);
	assert_int_equal(role.threads[0], 0);
	assert_int_equal(role.threads[1], 2);
	assert_int_equal(role.threads[2], 1);
	stage_free(stage);
}

static void results_are_the_same_however_the_words_come(void **state)
{
	static const unsigned threads[] = {1, 0, 2};
	uint64_t digests[3];

	for (uint64_t seed = 0; seed < 3; seed++) {
		struct stage *stage = ordered(threads, 3);

		crew(stage);
		stage_play(stage, seed + 1);
		assert_order(stage, 1, 0, 2);
		digests[seed] = stage_digest(stage);
		stage_free(stage);
	}
	assert_int_equal(digests[0], digests[1]);
	assert_int_equal(digests[0], digests[2]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STAGE_TEST(order_of_first_turns_is_reported),
		STAGE_TEST(threads_that_take_more_than_others_are_reported),
		STAGE_TEST(locks_after_a_barrier_or_another_lock_give_no_roles),
		STAGE_TEST(later_locks_that_some_take_more_often_may_hand_out_work),
		STAGE_TEST(later_locks_of_which_there_are_more_than_threads_do_not),
		STAGE_TEST(one_later_lock_does_not),
		STAGE_TEST(one_later_lock_that_threads_leave_together_may_hand_out_work),
		STAGE_TEST(pools_of_which_each_thread_has_its_own_hand_out_nothing),
		STAGE_TEST(boxes_for_messages_hand_out_no_work),
		STAGE_TEST(boxes_whose_threads_are_not_woken_may_be_queues),
		STAGE_TEST(a_lock_that_threads_leave_together_hands_out_work),
		STAGE_TEST(a_lock_that_threads_leave_one_by_one_may_protect_something_else),
		STAGE_TEST(waits_for_a_lock_are_added_up),
		STAGE_TEST(it_is_known_between_which_meetings_work_was_handed_out),
		STAGE_TEST(chunks_of_a_loop_are_handed_out),
		cmocka_unit_test(an_order_is_held_to),
		cmocka_unit_test(threads_that_are_not_named_take_it_at_any_time),
		cmocka_unit_test(a_thread_that_ends_without_it_is_not_waited_for),
		cmocka_unit_test(an_order_that_stops_all_threads_is_given_up),
		cmocka_unit_test(a_tried_lock_is_not_held_to_an_order),
		STAGE_TEST(atomic_instructions_give_roles_and_are_no_locks),
		cmocka_unit_test(an_order_of_an_atomic_instruction_is_held_to),
		cmocka_unit_test(results_are_the_same_however_the_words_come),
	};

	return cmocka_run_group_tests_name("schedule_role", tests, NULL, NULL);
}
