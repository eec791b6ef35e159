/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Accesses and memory: each access must be reported as often as it was made, with its type and
 * size, and nothing else may be reported.
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

static void plain_moves_come_one_by_one(void **state)
{
	static const unsigned int bytes[] = {1, 2, 4, 8};
	unsigned int i;

	check_run("plain");
	check_exit(0);
	check_whole();
	for (i = 0; i < 4; i++) {
		assert_int_equal(check_page(0, STREAM_READ, bytes[i]), 1);
		assert_int_equal(check_page(0, STREAM_WRITE, bytes[i]), 1);
	}
	assert_int_equal(check_page(1, STREAM_READ, 8), 2);
	assert_int_equal(check_page(1, STREAM_WRITE, 8), 1);
	assert_int_equal(check_page(2, STREAM_READ, 8), 1);
	assert_int_equal(check_page(2, STREAM_WRITE, 8), 1);
	assert_int_equal(check_arena(), 13);
}

static void vectors_come_in_words_of_eight(void **state)
{
	check_run("vector");
	check_whole();
	assert_int_equal(check_page(0, STREAM_WRITE, 8), 2 + 1);
	assert_int_equal(check_page(0, STREAM_READ, 8), 2 + 2 + 2 + 1);
	assert_int_equal(check_page(0, STREAM_READ, 4), 1);
	assert_int_equal(check_arena(), 11);
}

static void avx_comes_in_words_of_eight(void **state)
{
	setenv("QEMU_CPU", "max", 1);
	check_run("avx");
	unsetenv("QEMU_CPU");
	check_exit(0);
	assert_int_equal(check_page(0, STREAM_WRITE, 8), 4);
	assert_int_equal(check_page(0, STREAM_READ, 8), 4 + 4 + 1);
	assert_int_equal(check_arena(), 13);
}

static void strings_come_element_by_element(void **state)
{
	check_run("string");
	assert_int_equal(check_page(0, STREAM_READ, 1), 100);
	assert_int_equal(check_page(1, STREAM_WRITE, 1), 100);
	assert_int_equal(check_page(2, STREAM_WRITE, 8), 16);
	assert_int_equal(check_page(2, STREAM_READ, 4), 1);
	assert_int_equal(check_arena(), 217);
}

static void check_atomics(void)
{
	assert_int_equal(check_page(0, STREAM_LOCK, 1), 1);
	assert_int_equal(check_page(0, STREAM_LOCK, 2), 1);
	assert_int_equal(check_page(0, STREAM_LOCK, 4), 2);
	assert_int_equal(check_page(0, STREAM_LOCK, 8), 5);
	assert_int_equal(check_page(0, STREAM_LOCK, 16), 2);
	assert_int_equal(check_page(0, ANY, ANY), 11);
	assert_int_equal(check_page(1, STREAM_READ, 8), 2);
	assert_int_equal(check_page(1, STREAM_WRITE, 8), 2);
	assert_int_equal(check_arena(), 15);
}

static void atomics_are_one_access_with_one_thread(void **state)
{
	check_run("atomic-alone");
	check_exit(0);
	check_atomics();
}

static void atomics_are_one_access_after_a_second_thread(void **state)
{
	check_run("atomic-parallel");
	check_exit(0);
	check_atomics();
}

static void atomics_are_one_access_in_static_programs(void **state)
{
	check_run_of("accesses_static", "atomic-parallel");
	check_exit(0);
	assert_int_equal(check_reader.ready, STREAM_UNMARKED);
	check_atomics();
	check_whole();
}

static void misaligned_accesses_are_one_at_their_first_byte(void **state)
{
	check_run("misaligned");
	check_exit(0);
	assert_int_equal(check_page(0, STREAM_WRITE, 8), 2);
	assert_int_equal(check_page(1, STREAM_READ, 8), 1);
	assert_int_equal(check_page(2, STREAM_WRITE, 8), 1);
	assert_int_equal(check_page(3, STREAM_WRITE, 8), 1);
	assert_int_equal(check_page(4, STREAM_LOCK, 8), 1);
	assert_int_equal(check_arena(), 6);
}

/* The number of instructions between the first and the @n-th access to the arena's page 0. */
static uint64_t work_until(const struct reader_thread *t, unsigned int n)
{
	uint64_t word, sum = 0;
	bool begun = false;
	size_t i;

	for (i = 0; i < t->count; i += check_step(word)) {
		word = t->words[i];
		if (check_kind(word) == STREAM_CONTROL) {
			if (check_op(word) == STREAM_WORK)
				sum += word & STREAM_ADDRESS;
			continue;
		}
		sum += word >> STREAM_WORK_SHIFT;
		if ((word & STREAM_ADDRESS & ~(ARENA_PAGE - 1)) != ARENA)
			continue;
		if (!begun)
			sum = 0;
		begun = true;
		if (!n--)
			return sum;
	}
	fail_msg("no such access");
	return 0;
}

static void instructions_are_counted_between_accesses(void **state)
{
	check_run("work");
	assert_int_equal(work_until(&check_reader.thread[0], 1), 11);
	assert_int_equal(work_until(&check_reader.thread[0], 2), 11 + 1 + 6000 + 1);
	assert_int_equal(work_until(&check_reader.thread[0], 3), 11 + 1 + 6000 + 1 + 1);
}

static void runs_of_one_program_report_the_same(void **state)
{
	uint64_t first;
	size_t words;

	check_run("work");
	first = work_until(&check_reader.thread[0], 0);
	words = check_reader.thread[0].count;
	reader_free(&check_reader);
	check_run("work");
	assert_int_equal(work_until(&check_reader.thread[0], 0), first);
	assert_int_equal(check_reader.thread[0].count, words);
}

static void shared_memory_has_the_addresses_of_its_first_mapping(void **state)
{
	check_run("aliases");
	check_exit(0);
	assert_int_equal(check_page(16, STREAM_WRITE, 8), 2);
	assert_int_equal(check_page(17, STREAM_WRITE, 8), 3);
	assert_int_equal(check_arena(), 5);
}

static void mappings_come_and_go(void **state)
{
	check_run("maps");
	check_exit(0);
	assert_int_equal(check_page(1, STREAM_WRITE, 8), 3);
	assert_int_equal(check_page(2, STREAM_WRITE, 8), 1);
	assert_int_equal(check_page(61, STREAM_WRITE, 8), 4);
	assert_int_equal(check_arena(), 8);
	assert_non_null(check_region(ARENA_AT(1, 0), true));
	assert_null(check_region(ARENA_AT(1, 0), false));
	assert_null(check_region(ARENA_AT(2, 0), false));
	assert_non_null(check_region(ARENA_AT(61, 0), false));
	assert_non_null(check_record(&check_reader.thread[0], STREAM_UNMAP, 0));
}

static void regions_say_where_objects_lie(void **state)
{
	const struct stream_region *region = reader_regions(&check_reader);
	bool program = false, data = false;
	unsigned int i;

	check_run("plain");
	region = reader_regions(&check_reader);
	for (i = 0; i < atomic_load(&check_reader.header->regions); i++, region++) {
		if (!strstr(region->path, "/accesses"))
			continue;
		program |= region->kind == STREAM_REGION_CODE;
		data |= region->kind == STREAM_REGION_GLOBAL;
		assert_int_equal(region->bias & (ARENA_PAGE - 1), 0);
	}
	assert_true(program);
	assert_true(data);
}

static void segments_are_shared_memory(void **state)
{
	check_run("segments");
	check_exit(0);
	assert_int_equal(check_page(16, STREAM_WRITE, 8), 4);
	assert_int_equal(check_page(17, STREAM_WRITE, 8), 3);
	assert_int_equal(check_arena(), 7);
	assert_non_null(check_region(ARENA_AT(16, 0), true));
	assert_int_equal(check_region(ARENA_AT(16, 0), true)->kind, STREAM_REGION_SHARED);
}

static void stacks_do_not_count(void **state)
{
	check_run("stack");
	check_exit(0);
	assert_int_equal(check_arena(), 1);
	assert_int_equal(check_count(&check_reader.thread[0], STREAM_WRITE, 8, STACKS, ~0ULL), 0);
}

/* With the preload library, which has the addresses of the stacks. */
static void stacks_count_if_asked_for(void **state)
{
	check_reader.options = "stacks=on";
	check_reader.preload = check_preload;
	check_run_of("accesses", "stack");
	check_exit(0);
	check_whole();
	assert_int_equal(check_reader.ready, STREAM_MARKED);
	assert_int_equal(check_arena(), 1);
	assert_true(check_count(&check_reader.thread[0], STREAM_WRITE, 8, STACKS, ~0ULL) >= 2);
}

static void libc_counts_if_asked_for(void **state)
{
	unsigned int without, with;

	check_run("plain");
	without = check_count(&check_reader.thread[0], ANY, ANY, 0, ~0ULL);
	reader_free(&check_reader);
	check_reader.options = "libc=on";
	check_run("plain");
	with = check_count(&check_reader.thread[0], ANY, ANY, 0, ~0ULL);
	assert_int_equal(check_arena(), 13);
	assert_true(with > without);
}

#define CASE(name) cmocka_unit_test_teardown(name, check_clean)

const struct CMUnitTest access_cases[] = {
	CASE(plain_moves_come_one_by_one),
	CASE(vectors_come_in_words_of_eight),
	CASE(avx_comes_in_words_of_eight),
	CASE(strings_come_element_by_element),
	CASE(atomics_are_one_access_with_one_thread),
	CASE(atomics_are_one_access_after_a_second_thread),
	CASE(atomics_are_one_access_in_static_programs),
	CASE(misaligned_accesses_are_one_at_their_first_byte),
	CASE(instructions_are_counted_between_accesses),
	CASE(runs_of_one_program_report_the_same),
	CASE(shared_memory_has_the_addresses_of_its_first_mapping),
	CASE(mappings_come_and_go),
	CASE(regions_say_where_objects_lie),
	CASE(segments_are_shared_memory),
	CASE(stacks_do_not_count),
	CASE(stacks_count_if_asked_for),
	CASE(libc_counts_if_asked_for),
};
const size_t access_cases_count = sizeof(access_cases) / sizeof(access_cases[0]);
