/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of run/session/migration.c: which pages move, and when; the times depend only on requests.
 * There are two or more nodes. An access costs: local 1, read 1000, write 20 cycles. A move costs
 * 64 writes and 10,000 cycles, or 11,280 cycles. An epoch has 20,000 cycles; the moves are decided
 * twice in each epoch.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>

#include <base/field.h>
#include <hw/blink.h>

#include "emu/machine/traffic.h"
#include "run/session/migration.h"

#define PAGE(number) ((uint64_t)(number)*SMILE_PAGE_BYTES)
#define MOVE_CYCLES 11280U
#define EPOCH_CYCLES 20000U
#define LOOK_CYCLES 10000U
/* At this cycle, 1 % of the elapsed time is enough for many moves. */
#define LATE 1000000000U
/* The number of reads that cost as much as two moves, plus one. */
#define READS_ENOUGH (2 * MOVE_CYCLES / 999 + 1)

static const struct migrate_config times = {
	.epoch_cycles = EPOCH_CYCLES,
	.look_cycles = LOOK_CYCLES,
};

/**
 * struct stage - A machine. Page p is on node p modulo 4.
 */
struct stage {
	struct machine *machine;
	struct migrate *migrate;
	uint64_t delays[MACHINE_NODES_MAX];
	uint64_t cycle;
	unsigned processors[4];
};

/* Decide on moves at cycle @cycle. Return: the number of pages that moved. */
static uint64_t look(struct stage *stage, uint64_t cycle)
{
	uint64_t before = migrate_totals(stage->migrate).moves;

	for (unsigned n = 0; n < 4; n++)
		stage->delays[n] = 0;
	stage->cycle = cycle;
	assert_int_equal(migrate_look(stage->migrate, cycle, false, stage->delays), 0);
	return migrate_totals(stage->migrate).moves - before;
}

static int setup(void **state)
{
	static struct stage stage;
	static const struct machine_ops ops = {0};
	const struct machine_config config = {.nodes = 4, .processors = 4};

	stage = (struct stage){0};
	assert_int_equal(machine_create(&stage.machine, &config, &ops, NULL), 0);
	for (unsigned n = 0; n < 4; n++)
		stage.processors[n] = (unsigned)machine_processor_add(stage.machine, n);
	stage.migrate = migrate_create(stage.machine, &times);
	assert_non_null(stage.migrate);
	look(&stage, LATE);
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

/* Access a page for the first time, so that it gets a home. */
static void touch(struct stage *stage, uint64_t page)
{
	machine_step(stage->machine, stage->processors[0], 0, SMILE_TYPE_READ, PAGE(page), 4);
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

/* Node @source reads page @page of node @home @count times. */
static void reads(struct stage *stage, unsigned home, unsigned source, uint64_t page,
		  unsigned count)
{
	const struct traffic_shape shape = traffic_shape(SMILE_TYPE_READ);
	const struct traffic_frame frames[] = {
		traffic_request(&shape, source, home, PAGE(page), 3, 0),
		traffic_response(&shape, source, home, 0), traffic_event(home, 1)};
	uint8_t bytes[BLINK_BYTES_MAX];

	for (unsigned i = 0; i < count; i++) {
		/* Both nodes receive all frames. Only the request at the home is counted. */
		for (unsigned f = 0; f < 3; f++) {
			traffic_store(bytes, &frames[f]);
			assert_int_equal(migrate_count(stage->migrate, source, bytes), 0);
			assert_int_equal(migrate_count(stage->migrate, home, bytes), 0);
		}
	}
}

/* Go to the end of the epoch. Return: the number of pages that moved. */
static uint64_t epoch(struct stage *stage)
{
	return look(stage, stage->cycle - stage->cycle % EPOCH_CYCLES + EPOCH_CYCLES);
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
	assert_int_equal(moves[0].cycle, LATE + EPOCH_CYCLES);
	assert_false(moves[0].back);
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

static void a_page_that_all_use_nearly_alike_stays(void **state)
{
	struct stage *stage = *state;

	touch(stage, 5);
	reads(stage, 1, 0, 5, 1000);
	reads(stage, 1, 2, 5, 1000);
	reads(stage, 1, 3, 5, 1900);
	assert_int_equal(epoch(stage), 0);
	reads(stage, 1, 3, 5, 100 + READS_ENOUGH);
	assert_int_equal(epoch(stage), 1);
	assert_int_equal(home_of(stage, 5), 3);
}

/* The accesses of the old home are remote now. The page moves back before the epoch ends. */
static void a_wrong_move_is_taken_back_at_once(void **state)
{
	struct stage *stage = *state;
	const struct migrate_move *moves;

	touch(stage, 5);
	reads(stage, 1, 3, 5, READS_ENOUGH);
	assert_int_equal(epoch(stage), 1);
	reads(stage, 3, 1, 5, 20);
	assert_int_equal(look(stage, stage->cycle + LOOK_CYCLES), 1);
	assert_int_equal(home_of(stage, 5), 1);
	assert_int_equal(stage->delays[1], MOVE_CYCLES);
	assert_int_equal(migrate_totals(stage->migrate).back, 1);
	assert_int_equal(migrate_moves(stage->migrate, &moves), 2);
	assert_true(moves[1].back);
}

/* A page returns to a node only if the node uses it twice as much as at the last return. */
static void a_page_oscillates_ever_less(void **state)
{
	struct stage *stage = *state;
	uint64_t moves[4] = {0};

	touch(stage, 5);
	for (unsigned i = 0; i < 4000; i++) {
		unsigned home = home_of(stage, 5);

		if (home != 3)
			reads(stage, home, 3, 5, 10);
		if (home != 1)
			reads(stage, home, 1, 5, 20);
		moves[i / 1000] += epoch(stage);
	}
	assert_true(moves[0] >= 2 && moves[0] <= 20);
	assert_true(moves[2] + moves[3] <= 2);
	assert_int_equal(home_of(stage, 5), 1);
}

/* A page moves only if 1 % of the elapsed time covers the possible loss by the move. */
static void nothing_moves_before_its_loss_is_small(void **state)
{
	struct stage *stage = *state;
	const uint64_t stake = 5 * MOVE_CYCLES / 2 + LOOK_CYCLES;

	migrate_destroy(stage->migrate);
	stage->migrate = migrate_create(
		stage->machine,
		&(struct migrate_config){.epoch_cycles = EPOCH_CYCLES, .look_cycles = LOOK_CYCLES});
	assert_non_null(stage->migrate);
	stage->cycle = 0;
	for (uint64_t page = 0; page < 64; page++) {
		touch(stage, 4 * page);
		reads(stage, 0, 2, 4 * page, READS_ENOUGH);
	}
	assert_int_equal(epoch(stage), 0);
	assert_int_equal(look(stage, 100 * stake - EPOCH_CYCLES), 0);
	assert_int_equal(look(stage, 100 * stake + EPOCH_CYCLES), 1);
}

/*
 * If a node spends its time on remote accesses, the time that moves save can be used for other
 * moves.
 */
static void what_is_saved_pays_for_moves(void **state)
{
	struct stage *stage = *state;
	uint64_t moved = 0;

	migrate_destroy(stage->migrate);
	stage->migrate = migrate_create(
		stage->machine,
		&(struct migrate_config){.epoch_cycles = EPOCH_CYCLES, .look_cycles = LOOK_CYCLES});
	assert_non_null(stage->migrate);
	look(stage, 100 * (5 * MOVE_CYCLES / 2 + LOOK_CYCLES));
	for (uint64_t page = 0; page < 8; page++)
		touch(stage, 4 * page);
	for (unsigned i = 0; i < 16; i++) {
		for (uint64_t page = 0; page < 8; page++)
			if (home_of(stage, 4 * page) == 0)
				reads(stage, 0, 2, 4 * page, 100);
		moved += epoch(stage);
	}
	assert_int_equal(moved, 8);
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
		TEST(a_page_that_all_use_nearly_alike_stays),
		TEST(a_wrong_move_is_taken_back_at_once),
		TEST(a_page_oscillates_ever_less),
		TEST(nothing_moves_before_its_loss_is_small),
		TEST(what_is_saved_pays_for_moves),
		TEST(a_moved_page_is_accessed_at_its_new_home),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
