/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/analysis/difference: a comparison of two views by page, by region and by pair of
 * nodes.
 *
 * Page 4 moved from node 2 to node 1, and has 7 accesses in the second view and none in the first
 * view. Page 5 has 8 accesses in the first view and 3 in the second view. Page 6 has one access in
 * the first view and none in the second view.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/difference/comparison.h"
#include "tests/unit/lib_fixture.h"

#define PAGE(number) ((uint64_t)(number)*SMILE_PAGE_BYTES)

static void views_open(struct comparison *comparison)
{
	const struct smile_record first[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(5), 1, 5),
		record_dynamic(SMILE_TYPE_LOCK, 1, 0, PAGE(5), 1, 3),
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(6), 1, 1),
	};
	const struct smile_record second[] = {
		record_dynamic(SMILE_TYPE_WRITE, 1, 0, PAGE(5), 1, 3),
		record_dynamic(SMILE_TYPE_READ, 0, 1, PAGE(4), 1, 6),
		record_dynamic(SMILE_TYPE_WRITE, 2, 1, PAGE(4), 1, 1),
	};

	*comparison = (struct comparison){
		.mon = {recording_opened(first, 3), recording_opened(second, 3)}};
	assert_int_equal(Monitor_home_add(comparison->mon[0], 4, 1, 2), 0);
	assert_int_equal(Monitor_home_add(comparison->mon[0], 5, 2, 0), 0);
	assert_int_equal(Monitor_home_add(comparison->mon[1], 4, 1, 1), 0);
}

static void views_close(struct comparison *comparison)
{
	comparison_free(comparison);
	Monitor_close(comparison->mon[0]);
	Monitor_close(comparison->mon[1]);
}

static void pages_are_by_distance(void **state)
{
	struct comparison comparison;

	views_open(&comparison);
	assert_int_equal(comparison_load(&comparison), 0);
	assert_int_equal(comparison.page_count, 3);
	assert_int_equal(comparison.nodes, 3);
	assert_int_equal(comparison.pages[0].rows->page, 4);
	assert_int_equal(comparison.pages[0].apart, 7);
	assert_int_equal(comparison.pages[0].count, 2);
	assert_true(comparison_page_moved(&comparison.pages[0]));
	assert_int_equal(comparison.pages[1].rows->page, 5);
	assert_int_equal(comparison.pages[1].apart, 5);
	assert_false(comparison_page_moved(&comparison.pages[1]));
	assert_int_equal(comparison.pages[1].counts.reads[0], 5);
	assert_int_equal(comparison.pages[1].counts.writes[1], 3);
	assert_int_equal(comparison.pages[1].counts.locks[0], 3);
	/*
	 * The home of the page in the second view is unknown, so the page is not reported as moved.
	 */
	assert_int_equal(comparison.pages[2].rows->page, 6);
	assert_false(comparison_page_moved(&comparison.pages[2]));
	views_close(&comparison);
}

static void sums_are_of_all_pages(void **state)
{
	struct comparison comparison;

	views_open(&comparison);
	assert_int_equal(comparison_load(&comparison), 0);
	assert_int_equal(comparison.counts.accesses[0], 9);
	assert_int_equal(comparison.counts.accesses[1], 10);
	assert_int_equal(comparison.apart, 13);
	assert_int_equal(comparison.moved, 1);
	assert_true(comparison_percent(&comparison) == 100.0 * 13 / 9);
	views_close(&comparison);
}

static void a_page_of_another_comparison_is_found(void **state)
{
	const uint32_t moved[2] = {2, 1}, stayed[2] = {0, 0};
	struct comparison_counts counts;
	struct comparison comparison;

	views_open(&comparison);
	assert_int_equal(comparison_load(&comparison), 0);
	counts = comparison_page_counts(&comparison, 4, moved);
	assert_true(counts.accesses[0] == 0 && counts.accesses[1] == 7);
	assert_true(counts.reads[1] == 6 && counts.writes[1] == 1);
	for (size_t i = 0; i < comparison.row_count; i++)
		if (comparison.rows[i].page == 4 && comparison.rows[i].source == 2)
			counts = comparison_node_counts(&comparison, &comparison.rows[i]);
	assert_int_equal(counts.accesses[1], 1);
	assert_int_equal(comparison_page_counts(&comparison, 4, stayed).accesses[1], 0);
	assert_int_equal(comparison_page_counts(&comparison, 7, stayed).accesses[0], 0);
	assert_ptr_equal(comparison_region_find(&comparison, &comparison.regions[0]),
			 &comparison.regions[0]);
	views_close(&comparison);
}

static void a_threshold_leaves_out_nearer_pages(void **state)
{
	struct comparison comparison;

	views_open(&comparison);
	assert_int_equal(comparison_load(&comparison), 0);
	assert_int_equal(comparison_pages_apart(&comparison, 0), 3);
	assert_int_equal(comparison_pages_apart(&comparison, 5), 2);
	assert_int_equal(comparison_pages_apart(&comparison, 6), 1);
	assert_int_equal(comparison_pages_apart(&comparison, 8), 0);
	views_close(&comparison);
}

/* Only the second program has the region of pages 4 and 5. */
static void regions_are_of_either_program(void **state)
{
	const struct Monitor_region heap = {
		.start = PAGE(4), .end = PAGE(6), .kind = MONITOR_REGION_HEAP, .name = ""};
	struct comparison comparison;

	views_open(&comparison);
	assert_int_equal(Monitor_region_add(comparison.mon[1], &heap), 0);
	assert_int_equal(comparison_load(&comparison), 0);
	assert_int_equal(comparison.region_count, 2);
	assert_string_equal(comparison.regions[0].name, "heap");
	assert_string_equal(comparison.regions[0].kind, "heap");
	assert_int_equal(comparison.regions[0].start, PAGE(4));
	assert_int_equal(comparison.regions[0].pages, 2);
	assert_int_equal(comparison.regions[0].moved, 1);
	assert_int_equal(comparison.regions[0].apart, 12);
	assert_int_equal(comparison.regions[0].counts.accesses[0], 8);
	assert_int_equal(comparison.regions[0].counts.accesses[1], 10);
	assert_string_equal(comparison.regions[1].name, "-");
	assert_string_equal(comparison.regions[1].kind, "");
	assert_int_equal(comparison.regions[1].pages, 1);
	assert_int_equal(comparison.regions[1].apart, 1);
	views_close(&comparison);
}

static void a_view_does_not_differ_from_itself(void **state)
{
	struct comparison comparison, same;

	views_open(&comparison);
	same = (struct comparison){.mon = {comparison.mon[1], comparison.mon[1]}};
	assert_int_equal(comparison_load(&same), 0);
	assert_int_equal(same.page_count, 2);
	assert_int_equal(comparison_pages_apart(&same, 0), 0);
	assert_true(comparison_percent(&same) == 0);
	comparison_free(&same);
	views_close(&comparison);
}

static void views_without_accesses_are_compared(void **state)
{
	struct comparison comparison = {
		.mon = {recording_opened(NULL, 0), recording_opened(NULL, 0)}};

	assert_int_equal(comparison_load(&comparison), 0);
	assert_int_equal(comparison.page_count, 0);
	assert_int_equal(comparison.region_count, 0);
	assert_true(comparison_percent(&comparison) == 0);
	views_close(&comparison);
}

/* If only the second view has accesses, the difference has the highest possible percentage. */
static void accesses_in_the_second_alone_are_100_percent(void **state)
{
	const struct smile_record one = record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(5), 1, 5);
	struct comparison comparison = {
		.mon = {recording_opened(NULL, 0), recording_opened(&one, 1)}};

	assert_int_equal(comparison_load(&comparison), 0);
	assert_true(comparison_percent(&comparison) == 100);
	views_close(&comparison);
}

static void other_cards_are_refused(void **state)
{
	struct comparison comparison = {.mon = {recording_opened(NULL, 0), NULL}};

	write_recording(scratch_path("five.rec"), 5, NULL, 0, -1);
	assert_int_equal(Monitor_open(&comparison.mon[1], scratch_path("five.rec")), 0);
	assert_int_equal(comparison_load(&comparison), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "of node"));
	views_close(&comparison);
}

static void pairs_are_by_distance_then_by_node(void **state)
{
	uint64_t first[] = {0, 5, 2, 9, 0, 1, 4, 4, 0};
	uint64_t second[] = {0, 7, 2, 2, 0, 3, 4, 6, 0};
	uint64_t *packets[2] = {first, second};
	struct comparison_pair *pairs;

	assert_int_equal(comparison_pairs(packets, 3, &pairs), 4);
	assert_true(pairs[0].from == 1 && pairs[0].to == 0 && pairs[0].apart == 7);
	assert_true(pairs[1].from == 0 && pairs[1].to == 1 && pairs[1].apart == 2);
	assert_true(pairs[2].from == 1 && pairs[2].to == 2 && pairs[2].apart == 2);
	assert_true(pairs[3].from == 2 && pairs[3].to == 1 && pairs[3].apart == 2);
	free(pairs);
	packets[1] = first;
	assert_int_equal(comparison_pairs(packets, 3, &pairs), 0);
	assert_null(pairs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_are_by_distance),
		cmocka_unit_test(sums_are_of_all_pages),
		cmocka_unit_test(a_page_of_another_comparison_is_found),
		cmocka_unit_test(a_threshold_leaves_out_nearer_pages),
		cmocka_unit_test(regions_are_of_either_program),
		cmocka_unit_test(a_view_does_not_differ_from_itself),
		cmocka_unit_test(views_without_accesses_are_compared),
		cmocka_unit_test(accesses_in_the_second_alone_are_100_percent),
		cmocka_unit_test(other_cards_are_refused),
		cmocka_unit_test(pairs_are_by_distance_then_by_node),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
