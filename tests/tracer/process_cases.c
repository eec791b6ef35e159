/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Threads and processes, their ends, waits and marks; and operations that are refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "tests/tracer/check.h"
#include "tests/tracer/guest/guest.h"

static void threads_have_channels_of_their_own(void **state)
{
	unsigned int i, n, found = 0;

	check_run("threads");
	check_exit(0);
	check_whole();
	assert_int_equal(check_reader.threads, 5);
	for (i = 1; i < 5; i++) {
		for (n = 0; n < 4; n++) {
			unsigned int count = check_count(&check_reader.thread[i], STREAM_WRITE, 8,
							 ARENA_AT(n, 0), ARENA_AT(n + 1, 0));

			if (!count)
				continue;
			assert_int_equal(count, 1000 * (n + 1));
			found++;
		}
	}
	assert_int_equal(found, 4);
	assert_int_equal(check_arena(), 10000);
}

/*
 * Combine accesses and the instructions between them into one number, by the page of a thread's
 * stores.
 */
static void sign(uint64_t *signs)
{
	const struct reader_thread *t;
	uint64_t word, sign, page = 0;
	unsigned int i;
	size_t n;

	memset(signs, 0, 4 * sizeof(*signs));
	for (i = 1; i < check_reader.threads; i++) {
		t = &check_reader.thread[i];
		sign = 1;
		for (n = 0; n < t->count; n += check_step(word)) {
			word = t->words[n];
			if (check_kind(word) != STREAM_CONTROL)
				page = ((word & STREAM_ADDRESS) - ARENA) / ARENA_PAGE;
			else if (check_op(word) != STREAM_WORK)
				continue;
			sign = sign * 1000003 + word;
		}
		assert_in_range(page, 0, 3);
		signs[page] = sign;
	}
}

static void threads_report_the_same_in_each_run(void **state)
{
	uint64_t first[4], second[4];

	check_reader.preload = check_preload;
	check_run_of("accesses", "threads");
	sign(first);
	reader_free(&check_reader);
	check_reader.preload = check_preload;
	check_run_of("accesses", "threads");
	sign(second);
	assert_int_not_equal(first[0], 0);
	assert_int_not_equal(first[0], first[1]);
	assert_memory_equal(first, second, sizeof(first));
}

static void channels_are_used_again(void **state)
{
	unsigned int i;

	check_run("reuse");
	check_exit(0);
	check_whole();
	assert_int_equal(check_reader.threads, 101);
	assert_int_equal(check_reader.claimed, 101);
	for (i = 0; i < 100; i++)
		assert_int_equal(check_page(i, STREAM_WRITE, 8), i + 1);
	assert_int_equal(check_arena(), 5050);
}

static void children_share_what_is_shared(void **state)
{
	const uint64_t copy = STREAM_PROGRAM_AT(1);
	const struct reader_thread *parent, *child;

	check_run("fork");
	check_exit(4);
	check_whole();
	assert_int_equal(check_reader.threads, 2);
	parent = &check_reader.thread[0];
	child = &check_reader.thread[1];
	assert_int_not_equal(parent->pid, child->pid);
	assert_int_equal(check_count(parent, STREAM_WRITE, 8, ARENA_AT(8, 0), ARENA_AT(9, 0)), 5);
	assert_int_equal(check_count(parent, STREAM_READ, 8, ARENA_AT(8, 0), ARENA_AT(9, 0)), 1);
	assert_int_equal(check_count(child, STREAM_WRITE, 8, ARENA_AT(8, 0), ARENA_AT(9, 0)), 7);
	assert_int_equal(check_count(parent, STREAM_WRITE, 8, ARENA, ARENA_AT(1, 0)), 2);
	/* Private memory is a copy with its own addresses. */
	assert_int_equal(check_value(check_record(child, STREAM_COPY, 0)), 1);
	assert_int_equal(
		check_count(child, STREAM_WRITE, 8, copy + ARENA_AT(0, 0), copy + ARENA_AT(1, 0)),
		3);
	assert_int_equal(check_count(child, ANY, ANY, ARENA, LARGE), 7);
	assert_int_equal(check_count(child, ANY, ANY, copy + ARENA, copy + LARGE), 3);
	assert_int_equal(check_value(check_record(child, STREAM_EXIT, 0)), 4 << 8);
	/* The parent waits for its child. */
	assert_int_equal(check_value(check_record(parent, STREAM_BLOCK, 0)), 61);
	assert_non_null(check_record(parent, STREAM_UNBLOCK, 0));
}

static void crashes_lose_nothing(void **state)
{
	check_run("crash");
	assert_true(WIFSIGNALED(check_reader.status));
	assert_int_equal(WTERMSIG(check_reader.status), 11);
	assert_int_equal(check_page(0, STREAM_WRITE, 8), 10);
	assert_int_equal(check_arena(), 10);
}

static void an_exit_ends_all_threads(void **state)
{
	check_run("exit-thread");
	check_exit(5);
	check_whole();
	assert_int_equal(check_reader.threads, 2);
	assert_int_equal(check_page(0, STREAM_WRITE, 8), 6);
	assert_int_equal(check_page(1, STREAM_WRITE, 8), 1);
	assert_int_equal(check_value(check_record(&check_reader.thread[1], STREAM_EXIT, 0)),
			 5 << 8);
}

static void an_exit_ends_threads_that_run(void **state)
{
	check_run("exit-busy");
	check_exit(6);
	check_whole();
	assert_int_equal(check_reader.threads, 4);
	assert_int_equal(check_page(3, STREAM_WRITE, 8), 5);
}

static void a_process_forks_while_its_threads_run(void **state)
{
	unsigned int i, children = 0;

	check_run("fork-busy");
	check_exit(0);
	check_whole();
	assert_int_equal(check_reader.threads, 2 + 5);
	for (i = 0; i < check_reader.threads; i++) {
		if (check_reader.thread[i].pid == check_reader.thread[0].pid)
			continue;
		assert_int_equal(check_count(&check_reader.thread[i], ANY, ANY, ARENA, LARGE), 100);
		children++;
	}
	assert_int_equal(children, 5);
	assert_int_equal(check_page(8, STREAM_WRITE, 8), 500);
}

/*
 * Otherwise each of the 35 turns takes ten seconds; with a fork, the waits end after one second in
 * all.
 */
static void a_fork_ends_the_wait_for_a_turn(void **state)
{
	check_reader.turns = true;
	check_run("fork-turns");
	check_exit(0);
	/*
	 * Five lost turns take a second; then no thread waits. The first thread may lose one more
	 * meanwhile.
	 */
	assert_in_range(check_reader.untaken, 5, 6);
}

static void threads_with_turns_are_gathered(void **state)
{
	check_reader.gathers = true;
	check_run("gathered");
	check_exit(0);
}

static void a_pipe_may_wait(void **state)
{
	check_run("pipe");
	check_exit(0);
	assert_int_equal(check_value(check_record(&check_reader.thread[0], STREAM_BLOCK, 0)), 1);
	assert_int_equal(check_value(check_record(&check_reader.thread[0], STREAM_BLOCK, 1)), 0);
	assert_int_equal(check_value(check_record(&check_reader.thread[0], STREAM_UNBLOCK, 1)), 0);
}

static void a_wait_whose_time_is_over_tells_the_time(void **state)
{
	static const uint64_t times[] = {3000000, 2000000, 1000000, 3000000};
	const struct reader_thread *t = &check_reader.thread[0];
	uint64_t until;

	check_run("waits");
	check_exit(0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(check_value(check_record(t, STREAM_PASS, i)), times[i]);
	/*
	 * A second from that time on, less the time that the program and the tracer needed
	 * meanwhile.
	 */
	until = check_value(check_record(t, STREAM_PASS, 4));
	assert_true(until > 0 && until <= 1000000000);
	assert_null(check_record(t, STREAM_PASS, 5));
	assert_non_null(check_record(t, STREAM_BLOCK, 7));
}

static void the_first_thread_may_end_first(void **state)
{
	check_run("main-exits");
	check_exit(0);
	check_whole();
	assert_int_equal(check_page(0, STREAM_WRITE, 8), 1);
	assert_int_equal(check_page(1, STREAM_WRITE, 8), 9);
	assert_null(check_record(&check_reader.thread[0], STREAM_EXIT, 0));
	assert_non_null(check_record(&check_reader.thread[1], STREAM_EXIT, 0));
}

static void another_program_is_reported(void **state)
{
	const uint64_t *word;

	check_run("exec");
	check_exit(7);
	check_whole();
	assert_int_equal(check_page(0, STREAM_WRITE, 8), 4);
	word = check_record(&check_reader.thread[0], STREAM_EXEC, 0);
	assert_non_null(word);
	assert_string_equal((const char *)(word + 1), "/bin/sh");
	assert_null(check_record(&check_reader.thread[0], STREAM_EXEC, 1));
}

static void a_slow_reader_loses_nothing(void **state)
{
	check_reader.pause_us = 50000;
	check_run("many");
	check_exit(0);
	check_whole();
	assert_int_equal(check_page(0, STREAM_WRITE, 8), 400000);
}

static void a_stop_lets_the_program_run_on(void **state)
{
	check_reader.stop_early = true;
	check_run("many");
	check_exit(0);
	assert_true(check_page(0, STREAM_WRITE, 8) < 400000);
	assert_int_equal(check_reader.pids, 0);
}

static void a_thread_wakes_a_reader_that_wants_its_words(void **state)
{
	check_reader.asleep = true;
	check_run("exec");
	check_exit(7);
	assert_true(check_reader.claimed > 0);
	assert_false(check_reader.asleep);
}

static void futexes_are_tied(void **state)
{
	const struct reader_thread *waiter;
	uint64_t number;

	check_run("futex");
	check_exit(0);
	check_whole();
	waiter = &check_reader.thread[1];
	assert_non_null(check_record(waiter, STREAM_FUTEX, 0));
	assert_int_equal(check_value(check_record(waiter, STREAM_BLOCK, 0)), 202);
	number = check_value(check_record(waiter, STREAM_UNBLOCK, 0));
	assert_true(number > 0);
	assert_non_null(check_record(&check_reader.thread[0], STREAM_WAKE, 0));
	assert_true(check_value(check_record(&check_reader.thread[0], STREAM_WAKE, 0)) <= number);
}

static void marks_are_passed_on(void **state)
{
	const struct reader_thread *t = &check_reader.thread[0];
	const uint64_t *word;

	check_run("marks");
	check_exit(0);
	word = check_record(t, STREAM_PHASE, 0);
	assert_non_null(word);
	assert_string_equal((const char *)(word + 1), "second half");
	word = check_record(t, STREAM_CREATE, 0);
	assert_int_equal(check_value(word), 0x77);
	assert_int_equal(word[1], 1);
	assert_int_equal(check_value(check_record(t, STREAM_JOIN, 0)), 0x77);
	word = check_record(t, STREAM_BARRIER, 0);
	assert_int_equal(check_value(word), 0x1000);
	assert_int_equal(word[1], 4);
	word = check_record(t, STREAM_ACQUIRE, 0);
	assert_int_equal(check_value(word), 0x2000);
	assert_int_equal(word[1], 1);
	assert_int_equal(check_value(check_record(t, STREAM_RELEASE, 0)), 0x2000);
	assert_null(check_record(t, STREAM_BLOCK, 0));
	word = check_record(t, STREAM_CALLERS, 0);
	assert_int_equal(word[1], 1);
	assert_int_equal(word[2], 0);
	word = check_record(t, STREAM_ALLOCATE, 0);
	assert_int_equal(check_value(word), 0x3000);
	assert_int_equal(word[1], 64);
	/* The second block has the same callers. */
	assert_null(check_record(t, STREAM_CALLERS, 1));
	assert_int_equal(check_value(check_record(t, STREAM_ALLOCATE, 1)), 0x3100);
	assert_int_equal(check_value(check_record(t, STREAM_FREE, 0)), 0x3000);
	word = check_record(t, STREAM_PLACE, 0);
	assert_int_equal(check_value(word), ARENA);
	assert_int_equal(word[1], 8192);
	assert_int_equal(word[2], 3);
	assert_int_equal(check_arena(), 3);
	assert_non_null(check_region(ARENA, false));
	assert_int_equal(check_region(ARENA, false)->kind, STREAM_REGION_NAMED);
	assert_string_equal(check_region(ARENA, false)->path, "matrix");
	assert_int_equal(check_region(ARENA_AT(2, 0), false)->kind, STREAM_REGION_PRIVATE);
}

static void threads_have_the_keys_they_are_given(void **state)
{
	const struct reader_thread *first;
	const uint64_t *begin;
	unsigned int i, n;

	check_reader.preload = check_preload;
	check_run_of("accesses", "threads");
	check_exit(0);
	check_whole();
	assert_int_equal(check_reader.ready, STREAM_MARKED);
	assert_int_equal(check_reader.threads, 5);
	first = &check_reader.thread[0];
	for (i = 0; i < 4; i++) {
		for (n = 1; n < 5; n++) {
			begin = check_record(&check_reader.thread[n], STREAM_BEGIN, 0);
			if (begin[1] == check_value(check_record(first, STREAM_CREATE, i)))
				break;
		}
		assert_int_not_equal(n, 5);
		assert_int_equal(check_value(check_record(first, STREAM_JOIN, i)), begin[1]);
		/* Futexes within a join are not reported. */
		assert_null(check_record(first, STREAM_BLOCK, 0));
	}
	assert_int_equal(check_arena(), 10000);
}

static void foreign_streams_are_refused(void **state)
{
	check_reader.spoil = true;
	check_run_of("accesses", "plain");
	assert_true(WIFEXITED(check_reader.status) && WEXITSTATUS(check_reader.status) != 0);
	assert_non_null(strstr(check_reader.errors, "is not a trace stream"));
	assert_int_equal(check_reader.ready, STREAM_NOT_READY);
}

static void unknown_options_are_refused(void **state)
{
	check_reader.options = "stakcs=on";
	check_run_of("accesses", "plain");
	assert_true(WIFEXITED(check_reader.status) && WEXITSTATUS(check_reader.status) != 0);
	assert_non_null(strstr(check_reader.errors, "unknown option \"stakcs=on\""));
	assert_int_equal(check_reader.ready, STREAM_NOT_READY);
}

static void moved_memory_is_refused(void **state)
{
	setenv("QEMU_GUEST_BASE", "0x100000000000", 1);
	check_run_of("accesses", "plain");
	unsetenv("QEMU_GUEST_BASE");
	assert_true(WIFEXITED(check_reader.status));
	check_exit(127);
	assert_non_null(strstr(check_reader.errors, "has moved the program's memory"));
	assert_int_equal(check_reader.ready, STREAM_LOADED);
	assert_int_equal(check_reader.pids, 0);
}

static void what_is_no_program_ends_at_once(void **state)
{
	const char *guests = check_guests;

	check_guests = "/etc";
	check_run_of("passwd", NULL);
	check_guests = guests;
	assert_true(WIFEXITED(check_reader.status) && WEXITSTATUS(check_reader.status) != 0);
	assert_int_equal(check_reader.ready, STREAM_LOADED);
	assert_int_equal(check_reader.pids, 0);
	assert_int_equal(check_reader.words, 0);
}

static void other_machines_are_refused(void **state)
{
	if (system("command -v qemu-aarch64 >/dev/null"))
		skip();
	check_reader.emulator = "qemu-aarch64";
	check_run_of("accesses", "plain");
	assert_true(WIFEXITED(check_reader.status) && WEXITSTATUS(check_reader.status) != 0);
	assert_non_null(strstr(check_reader.errors, "aarch64"));
	assert_int_equal(check_reader.ready, STREAM_NOT_READY);
}

#define CASE(name) cmocka_unit_test_teardown(name, check_clean)

const struct CMUnitTest process_cases[] = {
	CASE(threads_have_channels_of_their_own),
	CASE(threads_report_the_same_in_each_run),
	CASE(channels_are_used_again),
	CASE(children_share_what_is_shared),
	CASE(crashes_lose_nothing),
	CASE(an_exit_ends_all_threads),
	CASE(an_exit_ends_threads_that_run),
	CASE(a_process_forks_while_its_threads_run),
	CASE(a_fork_ends_the_wait_for_a_turn),
	CASE(threads_with_turns_are_gathered),
	CASE(a_pipe_may_wait),
	CASE(a_wait_whose_time_is_over_tells_the_time),
	CASE(the_first_thread_may_end_first),
	CASE(another_program_is_reported),
	CASE(a_slow_reader_loses_nothing),
	CASE(a_stop_lets_the_program_run_on),
	CASE(a_thread_wakes_a_reader_that_wants_its_words),
	CASE(futexes_are_tied),
	CASE(marks_are_passed_on),
	CASE(threads_have_the_keys_they_are_given),
	CASE(foreign_streams_are_refused),
	CASE(unknown_options_are_refused),
	CASE(moved_memory_is_refused),
	CASE(other_machines_are_refused),
	CASE(what_is_no_program_ends_at_once),
};
const size_t process_cases_count = sizeof(process_cases) / sizeof(process_cases[0]);
