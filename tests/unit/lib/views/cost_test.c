/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/views/cost.c: the cycles of each phase and node, with the recorded homes of pages
 * and with other homes.
 */
#include <errno.h>
#include <string.h>

#include "tests/unit/lib_fixture.h"

#define PAGE(number) ((uint64_t)(number)*SMILE_PAGE_BYTES)

static const struct Monitor_weights weights = {1, 1000, 20, 500};

static struct Monitor *sample(void)
{
	const struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(4), 1, 3),
		record_mark(0, 1, 100),
		record_dynamic(SMILE_TYPE_WRITE, 1, 0, PAGE(4), 1, 5),
		record_dynamic(SMILE_TYPE_LOCK, 2, 0, PAGE(5), 1, 7),
	};
	const struct Monitor_local own[] = {
		{4, 0, 0, 11, 0, 0}, {5, 1, 0, 0, 13, 2}, {5, MONITOR_PHASE_UNKNOWN, 0, 1, 0, 0}};
	struct Monitor *mon = recording_opened(records, 4);

	for (size_t i = 0; i < 3; i++)
		assert_int_equal(Monitor_local_add(mon, &own[i]), 0);
	return mon;
}

static void cycles_are_reported_by_phase_and_node(void **state)
{
	/* Local accesses whose phase is unknown are counted in the last phase. */
	const uint64_t wanted[2][3] = {{11, 3000, 0}, {15 + 1, 100, 3500}};
	const uint64_t counted[2][3] = {{11, 3, 0}, {16, 5, 7}};
	uint64_t cycles[2][3], accesses[2][3];
	struct Monitor *mon = sample();

	memset(cycles, 0xff, sizeof(cycles));
	assert_int_equal(
		Monitor_cycles(mon, &weights, NULL, 0, &cycles[0][0], &accesses[0][0], 2, 3), 2);
	assert_memory_equal(cycles, wanted, sizeof(wanted));
	assert_memory_equal(accesses, counted, sizeof(counted));
	Monitor_close(mon);
}

static void cycles_with_other_homes_are_those_of_that_placement(void **state)
{
	const struct Monitor_home homes[] = {{1, 3, 7, 0}, {4, 1, 1, 0}, {5, 9, 2, 0}};
	const uint64_t wanted[2][3] = {{11000, 3, 0}, {13 * 20 + 2 * 500 + 1000, 5, 7}};
	uint64_t cycles[2][3];
	struct Monitor *mon = sample();

	assert_int_equal(Monitor_cycles(mon, &weights, homes, 3, &cycles[0][0], NULL, 2, 3), 2);
	assert_memory_equal(cycles, wanted, sizeof(wanted));
	/* A page that is not in @homes keeps its home. */
	assert_int_equal(Monitor_cycles(mon, &weights, homes, 1, &cycles[0][0], NULL, 2, 3), 2);
	assert_int_equal(cycles[0][1], 3000);
	Monitor_close(mon);
}

static void cycles_beyond_the_array_are_left_out(void **state)
{
	const uint64_t wanted[1][2] = {{11 + 1, 3000}};
	uint64_t cycles[1][2];
	struct Monitor *mon = sample();

	assert_int_equal(Monitor_cycles(mon, &weights, NULL, 0, &cycles[0][0], NULL, 1, 2), 2);
	assert_memory_equal(cycles, wanted, sizeof(wanted));
	Monitor_close(mon);
}

static void cycles_with_senseless_homes_are_refused(void **state)
{
	const struct Monitor_home wrong[][2] = {{{4, 2, 0, 0}, {5, 1, 0, 0}},
						{{5, 1, 0, 0}, {4, 1, 0, 0}},
						{{5, 0, 0, 0}, {9, 1, 0, 0}},
						{{5, 1ULL << 36, 0, 0}, {9, 1, 0, 0}}};
	uint64_t cycles[2][3] = {{77}};
	struct Monitor *mon = sample();

	for (size_t i = 0; i < 4; i++)
		assert_int_equal(
			Monitor_cycles(mon, &weights, wrong[i], 2, &cycles[0][0], NULL, 2, 3),
			-EINVAL);
	assert_int_equal(cycles[0][0], 77);
	Monitor_close(mon);
}

static void cycles_without_end_stay_at_the_end(void **state)
{
	const struct Monitor_weights heavy = {1, 1ULL << 63, 1ULL << 63, 1ULL << 63};
	uint64_t cycles[2][3];
	struct Monitor *mon = sample();

	assert_int_equal(Monitor_cycles(mon, &heavy, NULL, 0, &cycles[0][0], NULL, 2, 3), 2);
	assert_true(cycles[0][1] == UINT64_MAX);
	assert_true(cycles[0][0] == 11);
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cycles_are_reported_by_phase_and_node),
		cmocka_unit_test(cycles_with_other_homes_are_those_of_that_placement),
		cmocka_unit_test(cycles_beyond_the_array_are_left_out),
		cmocka_unit_test(cycles_with_senseless_homes_are_refused),
		cmocka_unit_test(cycles_without_end_stay_at_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
