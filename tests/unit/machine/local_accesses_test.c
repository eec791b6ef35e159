/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of emu/machine/local_accesses.c: for each page, the accesses of a node to its own memory,
 * or to all memory, are compared with counts in an array.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/machine/machine_fixture.h"

#define PAGE SMILE_PAGE_BYTES
#define PAGES 600U

static struct machine *machine_new(bool locals)
{
	const struct machine_config config = {.nodes = 4, .processors = 6, .locals = locals};
	struct machine *machine;

	assert_int_equal(machine_create(&machine, &config, NULL, NULL), 0);
	for (unsigned p = 0; p < 6; p++)
		assert_int_equal(machine_processor_add(machine, p % 4), p);
	return machine;
}

static void machine_locals_are_counted_by_page_and_type(void **state)
{
	struct machine *machine = machine_new(true);
	struct machine_local *locals;

	/* Page 4 is on node 0, and page 5 on node 1. Processors 1 and 5 are on node 1. */
	machine_read(machine, 0, 4 * PAGE, 8);
	machine_read(machine, 1, 5 * PAGE, 8);
	machine_write(machine, 5, 5 * PAGE + 100, 4);
	machine_lock(machine, 5, 5 * PAGE + 8, 8);
	machine_read(machine, 2, 5 * PAGE, 8);
	/* The access is in two pages. Two of its three parts are local. */
	machine_write(machine, 0, 5 * PAGE - 24, 32);
	assert_int_equal(machine_locals(machine, &locals), 2);
	assert_int_equal(locals[0].page, 4);
	assert_int_equal(locals[0].node, 0);
	assert_int_equal(locals[0].counts[SMILE_TYPE_READ], 1);
	assert_int_equal(locals[0].counts[SMILE_TYPE_WRITE], 2);
	assert_int_equal(locals[0].counts[SMILE_TYPE_LOCK], 0);
	assert_int_equal(locals[1].page, 5);
	assert_int_equal(locals[1].node, 1);
	assert_int_equal(locals[1].counts[SMILE_TYPE_READ], 1);
	assert_int_equal(locals[1].counts[SMILE_TYPE_WRITE], 1);
	assert_int_equal(locals[1].counts[SMILE_TYPE_LOCK], 1);
	free(locals);
	/* Each count is reported once. */
	assert_int_equal(machine_locals(machine, &locals), 0);
	free(locals);
	machine_read(machine, 0, 4 * PAGE, 8);
	assert_int_equal(machine_locals(machine, &locals), 1);
	assert_int_equal(locals[0].counts[SMILE_TYPE_READ], 1);
	assert_int_equal(locals[0].counts[SMILE_TYPE_WRITE], 0);
	free(locals);
	machine_destroy(machine);
}

static void machine_locals_of_many_pages_are_exact(void **state)
{
	static uint64_t wanted[PAGES][SMILE_TYPE_COUNT];
	struct machine *machine = machine_new(true);
	struct machine_local *locals;
	uint64_t random = 1, sums[SMILE_TYPE_COUNT] = {0};
	int64_t count;

	memset(wanted, 0, sizeof(wanted));
	for (unsigned i = 0; i < 100000; i++) {
		unsigned processor, type;
		uint64_t page;

		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		processor = (unsigned)(random >> 60) % 6;
		page = (random >> 40) % PAGES;
		type = 1 + (unsigned)(random >> 33) % 3;
		machine_access(machine, processor, type, page * PAGE, 8);
		if (page % 4 == processor % 4)
			wanted[page][type]++;
	}
	count = machine_locals(machine, &locals);
	assert_true(count > 500 && count <= PAGES);
	for (int64_t i = 0; i < count; i++) {
		assert_true(i == 0 || locals[i].page > locals[i - 1].page);
		assert_int_equal(locals[i].node, locals[i].page % 4);
		assert_memory_equal(locals[i].counts, wanted[locals[i].page],
				    sizeof(locals[i].counts));
		for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
			sums[type] += locals[i].counts[type];
	}
	for (unsigned n = 0; n < 4; n++) {
		struct machine_statistics statistics;

		machine_statistics(machine, n, &statistics);
		for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
			sums[type] -= statistics.local[type];
	}
	for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
		assert_int_equal(sums[type], 0);
	free(locals);
	machine_destroy(machine);
}

static void machine_accesses_are_counted_wherever_a_page_lies(void **state)
{
	const struct machine_config config = {.nodes = 4, .processors = 6, .accesses = true};
	struct machine_local *accesses;
	struct machine *machine;

	assert_int_equal(machine_create(&machine, &config, NULL, NULL), 0);
	for (unsigned p = 0; p < 6; p++)
		assert_int_equal(machine_processor_add(machine, p % 4), p);
	/* Page 5 is on node 1. Processors 1 and 5 are also on node 1. */
	machine_read(machine, 1, 5 * PAGE, 8);
	machine_write(machine, 5, 5 * PAGE, 8);
	machine_lock(machine, 3, 5 * PAGE, 8);
	/* The home of a page, or a change of the home, has no effect. */
	machine_read(machine, 2, 5 * PAGE, 8);
	assert_int_equal(machine_move(machine, 5, 2), 0);
	machine_read(machine, 2, 5 * PAGE, 8);
	assert_int_equal(machine_accesses(machine, &accesses), 3);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(accesses[i].page, 5);
		assert_int_equal(accesses[i].node, 1 + i);
	}
	assert_int_equal(accesses[0].counts[SMILE_TYPE_READ], 1);
	assert_int_equal(accesses[0].counts[SMILE_TYPE_WRITE], 1);
	assert_int_equal(accesses[1].counts[SMILE_TYPE_READ], 2);
	assert_int_equal(accesses[2].counts[SMILE_TYPE_LOCK], 1);
	free(accesses);
	assert_int_equal(machine_accesses(machine, &accesses), 0);
	free(accesses);
	assert_int_equal(machine_locals(machine, &accesses), 0);
	free(accesses);
	machine_destroy(machine);
}

static void machine_locals_are_not_counted_unless_asked_for(void **state)
{
	struct machine *machine = machine_new(false);
	struct machine_local *locals;

	for (unsigned page = 0; page < PAGES; page++)
		machine_read(machine, page % 4, page * PAGE, 8);
	assert_int_equal(machine_locals(machine, &locals), 0);
	free(locals);
	machine_destroy(machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machine_locals_are_counted_by_page_and_type),
		cmocka_unit_test(machine_locals_of_many_pages_are_exact),
		cmocka_unit_test(machine_accesses_are_counted_wherever_a_page_lies),
		cmocka_unit_test(machine_locals_are_not_counted_unless_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
