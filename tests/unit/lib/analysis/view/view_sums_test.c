/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/analysis/view/view_sums.c: sums of all pages, and the pages that should be moved.
 *
 * The accesses to pages of node 0 are these. Node 1 reads page 5 ten times and locks page 6 once.
 * Node 2 writes page 5 a hundred times. Node 0 reads page 5 nine times and page 9 once. In
 * addition, node 1 reads page 5 of node 3 once. Both pages with number 5 are in a region.
 */
#include "lib/analysis/view/view_sums.h"
#include "tests/unit/view_fixture.h"

static struct view_model loaded(void)
{
	const struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(5), 1, 10),
		record_dynamic(SMILE_TYPE_WRITE, 2, 0, PAGE(5), 1, 100),
		record_dynamic(SMILE_TYPE_LOCK, 1, 0, PAGE(6), 1, 1),
		record_dynamic(SMILE_TYPE_READ, 1, 3, PAGE(5), 1, 1),
	};
	const struct Monitor_local own[] = {
		{.page = 5, .node = 0, .reads = 9},
		{.page = 9, .node = 0, .reads = 1},
	};
	const struct Monitor_region region = {
		.start = PAGE(5), .end = PAGE(6), .kind = MONITOR_REGION_HEAP, .name = ""};
	struct Monitor *mon = recording_opened(records, 4);

	assert_int_equal(Monitor_local_add(mon, &own[0]), 0);
	assert_int_equal(Monitor_local_add(mon, &own[1]), 0);
	assert_int_equal(Monitor_region_add(mon, &region), 0);
	return view_loaded(mon);
}

static void sums_are_of_all_pages(void **state)
{
	struct view_model model = loaded();
	struct view_sums sums = view_sums_all(&model);

	assert_int_equal(sums.pages, 4);
	assert_int_equal(sums.counts.accesses, 122);
	assert_int_equal(sums.counts.own, 10);
	assert_int_equal(sums.counts.reads, 11);
	assert_int_equal(sums.counts.writes, 100);
	assert_int_equal(sums.counts.locks, 1);
	assert_true(sums.lost == 12000 + 1000 + 500);
	/* Page 5 of node 0 is not misplaced, because node 0 uses it, too. */
	assert_int_equal(sums.misplaced, 2);
	assert_true(sums.gain == 1000 + 500);
	view_closed(&model);
}

static void sums_of_a_region_are_of_its_pages(void **state)
{
	struct view_model model = loaded();
	struct view_sums sums = {0};

	assert_int_equal(model.region_count, 1);
	view_sums_regions(&model, &sums);
	assert_int_equal(sums.pages, 2);
	assert_int_equal(sums.counts.accesses, 120);
	assert_int_equal(sums.misplaced, 1);
	assert_true(sums.lost == 13000 && sums.gain == 1000);
	view_closed(&model);
}

/* To move page 5 of node 0 or of node 3 saves 1000 cycles; page 6, 500 cycles; page 9, none. */
static void pages_that_gain_are_hot(void **state)
{
	struct view_model model = loaded();
	size_t hot[4];

	assert_int_equal(view_hot_pages(&model, hot, 4), 3);
	assert_true(hot[0] == 0 && hot[1] == 1 && hot[2] == 2);
	assert_int_equal(view_hot_pages(&model, hot, 1), 1);
	assert_int_equal(hot[0], 0);
	view_closed(&model);
}

static void without_accesses_nothing_is_hot(void **state)
{
	struct view_model model = view_loaded(recording_opened(NULL, 0));
	size_t hot[1];

	assert_int_equal(view_hot_pages(&model, hot, 1), 0);
	assert_int_equal(view_sums_all(&model).pages, 0);
	view_closed(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_of_all_pages),
		cmocka_unit_test(sums_of_a_region_are_of_its_pages),
		cmocka_unit_test(pages_that_gain_are_hot),
		cmocka_unit_test(without_accesses_nothing_is_hot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
