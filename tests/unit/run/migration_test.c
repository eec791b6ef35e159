/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of emu/run/migration.c: which pages move when, by requests alone. Two or more nodes, local
 * 1, read 1000, write 20 cycles; a move costs 64 writes and 10,000 cycles: 11,280.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>

#include <hw/blink.h>

#include "emu/run/migration.h"

#define PAGE(number) ((uint64_t)(number)*SMILE_PAGE_BYTES)
#define MOVE_CYCLES 11280U
/* Reads that cost two moves, and one more. */
#define READS_ENOUGH (2 * MOVE_CYCLES / 999 + 1)

/**
 * struct stage - A machine, on which page p is on node p modulo 4.
 */
struct stage {
	struct machine *machine;
	struct migrate *migrate;
	uint64_t delays[MACHINE_NODES_MAX];
	uint64_t cycle;
	unsigned processors[4];
};

static int setup(void **state)
{
	static struct stage stage;
	static const struct machine_ops ops = {0};
	const struct machine_config config = {.nodes = 4, .processors = 4};

	stage = (struct stage){0};
	assert_int_equal(machine_create(&stage.machine, &config, &ops, NULL), 0);
	for (unsigned n = 0; n < 4; n++)
		stage.processors[n] = (unsigned)machine_processor_add(stage.machine, n);
	stage.migrate = migrate_create(stage.machine);
	assert_non_null(stage.migrate);
	*state = &stage;
	return 0;
}

static int teardown(void **state)
{
	struct stage *stage = *state;

	migrate_destroy(stage->migrate);
	machine_destroy(stage->machine);
	return 0;
}

/* A page has a home from its first access on. */
static void touch(struct stage *stage, uint64_t page)
{
	machine_access(stage->machine, stage->processors[0], SMILE_TYPE_READ, PAGE(page), 4);
}

static unsigned home_of(struct stage *stage, uint64_t page)
{
	struct machine_page *pages;
	int64_t count = machine_pages(stage->machine, &pages);
	unsigned home = 99;

	for (int64_t i = 0; i < count; i++)
		if (pages[i].page == page)
			home = pages[i].home;
	free(pages);
	return home;
}

/* Node @source has read @page of node @home so often. */
static void reads(struct stage *stage, unsigned home, unsigned source, uint64_t page,
		  unsigned count)
{
	const uint64_t request = PAGE(page) | SMILE_PUT(BLINK_REQUEST_TARGET, (uint64_t)home) |
				 SMILE_PUT(BLINK_REQUEST_SOURCE, (uint64_t)source) |
				 SMILE_PUT(BLINK_REQUEST_TYPE, (uint64_t)SMILE_TYPE_READ);

	for (unsigned i = 0; i < count; i++) {
		/* Both ends see it; it counts at the home. */
		assert_int_equal(migrate_count(stage->migrate, source, &request, 1), 0);
		assert_int_equal(migrate_count(stage->migrate, home, &request, 1), 0);
	}
}

/* Return: pages that moved. */
static uint64_t epoch(struct stage *stage)
{
	uint64_t before = migrate_totals(stage->migrate).moves;

	for (unsigned n = 0; n < 4; n++)
		stage->delays[n] = 0;
	stage->cycle += 1000;
	assert_int_equal(migrate_epoch(stage->migrate, stage->cycle, stage->delays), 0);
	return migrate_totals(stage->migrate).moves - before;
}

static void a_page_moves_to_the_node_that_uses_it(void **state)
{
	struct stage *stage = *state;
	const struct migrate_move *moves;

	touch(stage, 5);
	reads(stage, 1, 3, 5, READS_ENOUGH);
	assert_int_equal(epoch(stage), 1);
	assert_int_equal(home_of(stage, 5), 3);
	assert_int_equal(stage->delays[3], MOVE_CYCLES);
	assert_int_equal(stage->delays[1], 0);
	assert_int_equal(migrate_moves(stage->migrate, &moves), 1);
	assert_int_equal(moves[0].page, 5);
	assert_int_equal(moves[0].from, 1);
	assert_int_equal(moves[0].to, 3);
	assert_int_equal(moves[0].cycle, 1000);
	assert_int_equal(migrate_totals(stage->migrate).cycles, MOVE_CYCLES);
}

static void use_adds_up_over_epochs(void **state)
{
	struct stage *stage = *state;

	touch(stage, 5);
	reads(stage, 1, 3, 5, READS_ENOUGH - 1);
	assert_int_equal(epoch(stage), 0);
	assert_int_equal(epoch(stage), 0);
	reads(stage, 1, 3, 5, 1);
	assert_int_equal(epoch(stage), 1);
}

static void a_page_that_all_use_alike_stays(void **state)
{
	struct stage *stage = *state;

	touch(stage, 5);
	for (unsigned n = 0; n < 4; n++)
		if (n != 1)
			reads(stage, 1, n, 5, 1000);
	assert_int_equal(epoch(stage), 0);
	assert_int_equal(home_of(stage, 5), 1);
}

/* The home's own use shows once it is remote: it gets the page back, and keeps it. */
static void a_wrong_move_is_taken_back_once(void **state)
{
	struct stage *stage = *state;
	unsigned moves = 0;

	touch(stage, 5);
	for (unsigned i = 0; i < 40; i++) {
		unsigned home = home_of(stage, 5);

		if (home != 3)
			reads(stage, home, 3, 5, 40);
		if (home != 1)
			reads(stage, home, 1, 5, 200);
		moves += (unsigned)epoch(stage);
	}
	assert_int_equal(home_of(stage, 5), 1);
	assert_int_equal(moves, 2);
}

static void few_pages_move_until_moves_are_known_to_be_right(void **state)
{
	struct stage *stage = *state;

	for (uint64_t page = 0; page < 64; page++) {
		touch(stage, 4 * page);
		reads(stage, 0, 2, 4 * page, READS_ENOUGH);
	}
	assert_int_equal(epoch(stage), 8);
	/* The old home, node 0, has not used them since. */
	assert_int_equal(epoch(stage), 56);
	assert_int_equal(epoch(stage), 0);
}

static void a_moved_page_is_accessed_at_its_new_home(void **state)
{
	struct stage *stage = *state;
	struct machine_statistics before, after;

	touch(stage, 5);
	machine_statistics(stage->machine, 0, &before);
	assert_int_equal(machine_move(stage->machine, 5, 0), 0);
	touch(stage, 5);
	machine_statistics(stage->machine, 0, &after);
	assert_int_equal(after.local[SMILE_TYPE_READ], before.local[SMILE_TYPE_READ] + 1);
	assert_int_equal(after.remote[SMILE_TYPE_READ], before.remote[SMILE_TYPE_READ]);
	assert_int_equal(machine_move(stage->machine, 5, 4), -EINVAL);
	assert_int_equal(machine_move(stage->machine, 6, 0), -ENOENT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_page_moves_to_the_node_that_uses_it),
		TEST(use_adds_up_over_epochs),
		TEST(a_page_that_all_use_alike_stays),
		TEST(a_wrong_move_is_taken_back_once),
		TEST(few_pages_move_until_moves_are_known_to_be_right),
		TEST(a_moved_page_is_accessed_at_its_new_home),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
