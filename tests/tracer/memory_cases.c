/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Memory that is mapped and unmapped while threads run, is lent to stacks, or contains code; and
 * children that the program's libc creates.
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

/* The number of stores of two bytes, to any address. */
static unsigned int shorts(void)
{
	unsigned int count = 0;
	unsigned int i;

	for (i = 0; i < check_reader.threads; i++)
		count += check_count(&check_reader.thread[i], STREAM_WRITE, 2, 0, ~0ULL);
	return count;
}

/* The number of frames that a thread has reported; each only once. */
static unsigned int frames(const struct reader_thread *t)
{
	const uint64_t *one, *other;
	unsigned int count, before;

	for (count = 0; (one = check_record(t, STREAM_FRAME, count)) != NULL; count++) {
		for (before = 0; before < count; before++) {
			other = check_record(t, STREAM_FRAME, before);
			assert_false(other[0] == one[0] && other[1] == one[1]);
		}
	}
	return count;
}

static void memory_counts_again_after_it_was_a_stack(void **state)
{
	check_reader.preload = check_preload;
	check_run_of("memory", "stack");
	check_exit(0);
	check_whole();
	assert_int_equal(check_reader.ready, STREAM_MARKED);
	assert_int_equal(check_page(40, STREAM_WRITE, 8), 4);
	assert_int_equal(check_page(47, STREAM_WRITE, 8), 5);
	assert_int_equal(check_arena(), 9);
	assert_int_equal(check_region(ARENA_AT(40, 0), false)->kind, STREAM_REGION_PRIVATE);
	assert_int_equal(check_reader.threads, 2);
	assert_int_equal(frames(&check_reader.thread[0]), 0);
	assert_int_equal(frames(&check_reader.thread[1]), 0);
}

static void a_programs_stack_counts_if_asked_for(void **state)
{
	const uint64_t *frame;

	check_reader.options = "stacks=on";
	check_reader.preload = check_preload;
	check_run_of("memory", "stack");
	check_exit(0);
	assert_in_range(check_page(40, STREAM_WRITE, 8), 7, 1000);
	/*
	 * main() with its calls that create and join the thread, into which stack() may be inlined;
	 * and _start.
	 */
	assert_int_equal(check_reader.threads, 2);
	assert_in_range(frames(&check_reader.thread[0]), 3, 6);
	frame = check_record(&check_reader.thread[0], STREAM_FRAME, 0);
	assert_true(frame[1] > frame[2] && frame[2] > STACKS);
	assert_true(check_record(&check_reader.thread[0], STREAM_FRAME, 1)[1] > frame[1]);
	/* The function of the thread, on the stack that the program gave to it. */
	assert_int_equal(frames(&check_reader.thread[1]), 1);
	frame = check_record(&check_reader.thread[1], STREAM_FRAME, 0);
	assert_in_range(frame[1], ARENA_AT(40, 0), ARENA_AT(47, 2048));
	assert_int_equal(frame[2], 0);
}

static void pages_beside_a_cut_count_all_the_time(void **state)
{
	unsigned int count = 0;
	unsigned int i;

	check_run_of("memory", "cut");
	check_exit(0);
	check_whole();
	for (i = 0; i < check_reader.threads; i++)
		count += check_count(&check_reader.thread[i], STREAM_WRITE, 8, LARGE,
				     LARGE + ARENA_PAGE);
	assert_int_equal(count, 600000);
	assert_non_null(check_region(LARGE, false));
	assert_in_range(check_reader.unmaps, 10, 5000);
}

static void addresses_change_hands(void **state)
{
	check_run_of("memory", "turns");
	check_exit(0);
	check_whole();
	assert_int_equal(shorts(), 3 * 3000 + 3 * 1500);
}

static void entries_of_regions_are_used_again(void **state)
{
	check_run_of("memory", "pieces");
	check_exit(0);
	check_whole();
	assert_int_equal(shorts(), 10000);
	/* Every region had an entry: a region without one would make this count one larger. */
	assert_int_equal(atomic_load(&check_reader.header->regions), STREAM_REGIONS);
	assert_int_equal(check_reader.regions, check_reader.unmaps + check_reader.live);
	assert_in_range(check_reader.unmaps, 10000, 10100);
}

static void code_that_the_program_makes_counts(void **state)
{
	check_run_of("memory", "made");
	check_exit(0);
	assert_int_equal(check_page(51, STREAM_READ, 4), 1001);
	assert_int_equal(check_page(51, STREAM_WRITE, 4), 1000);
}

static void shared_memory_outlives_its_first_mapping(void **state)
{
	check_run_of("memory", "alias");
	check_exit(0);
	check_whole();
	assert_int_equal(check_page(16, STREAM_WRITE, 8), 1 + 2);
	assert_int_equal(check_page(24, STREAM_WRITE, 8), 3);
	assert_int_equal(check_page(25, STREAM_WRITE, 8), 7 + 10);
	assert_int_equal(check_arena(), 23);
	assert_non_null(check_region(ARENA_AT(24, 0), false));
	assert_int_equal(check_region(ARENA_AT(24, 0), false)->kind, STREAM_REGION_SHARED);
	assert_int_equal(check_region(ARENA_AT(16, 0), false)->kind, STREAM_REGION_PRIVATE);
}

static void children_of_libc_are_made_by_somebody(void **state)
{
	const struct reader_thread *parent = &check_reader.thread[0];
	const uint64_t *begin, *create;
	unsigned int i;

	check_reader.preload = check_preload;
	check_run_of("memory", "spawn");
	check_exit(3);
	check_whole();
	assert_int_equal(check_reader.threads, 3);
	for (i = 0; i < 2; i++) {
		create = check_record(parent, STREAM_CREATE, i);
		assert_non_null(create);
		assert_int_equal(create[1], 1);
		assert_int_not_equal(check_value(create), 0);
		begin = check_record(&check_reader.thread[1 + i], STREAM_BEGIN, 0);
		assert_non_null(begin);
		assert_int_equal(begin[1], check_value(create));
		assert_non_null(check_record(&check_reader.thread[1 + i], STREAM_EXEC, 0));
	}
	assert_null(check_record(parent, STREAM_CREATE, 2));
	assert_int_not_equal(check_value(check_record(parent, STREAM_CREATE, 0)),
			     check_value(check_record(parent, STREAM_CREATE, 1)));
}

static void programs_see_no_descriptor_of_the_tracer(void **state)
{
	check_run_of("memory", "descriptors");
	check_exit(0);
	assert_int_equal(check_reader.ready, STREAM_UNMARKED);
}

#define CASE(name) cmocka_unit_test_teardown(name, check_clean)

const struct CMUnitTest memory_cases[] = {
	CASE(memory_counts_again_after_it_was_a_stack), CASE(a_programs_stack_counts_if_asked_for),
	CASE(pages_beside_a_cut_count_all_the_time),	CASE(addresses_change_hands),
	CASE(entries_of_regions_are_used_again),	CASE(code_that_the_program_makes_counts),
	CASE(shared_memory_outlives_its_first_mapping), CASE(children_of_libc_are_made_by_somebody),
	CASE(programs_see_no_descriptor_of_the_tracer),
};
const size_t memory_cases_count = sizeof(memory_cases) / sizeof(memory_cases[0]);
