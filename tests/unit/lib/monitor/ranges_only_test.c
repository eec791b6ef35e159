/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of views that skip some counts (Monitor_ranges_only(), Monitor_nodes_only()), and of the
 * function that visits all pages.
 */
#include <errno.h>
#include <string.h>

#include "tests/unit/lib_fixture.h"

#define PAGE 100ULL

static struct Monitor *opened(void)
{
	struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 2, 0, PAGE * 4096 + 4, 1, 7),
		record_dynamic(SMILE_TYPE_WRITE, 1, 0, PAGE * 4096 + 8, 1, 5),
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE * 4096 + 8, 1, 4),
		record_mark(1, 1, 1000),
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE * 4096 + 8, 1, 4),
		record_dynamic(SMILE_TYPE_LOCK, 1, 3, (PAGE - 1) * 4096, 1, 9),
		record_dynamic(SMILE_TYPE_READ, 1, 2, PAGE * 4096, 1, 1),
	};
	const char *path = scratch_path("ranges.rec");
	struct Monitor *mon;

	write_recording(path, 0, records, sizeof(records) / sizeof(records[0]), -1);
	assert_int_equal(Monitor_open(&mon, path), 0);
	return mon;
}

static void take_in(struct Monitor *mon)
{
	while (!Monitor_ended(mon))
		assert_true(Monitor_poll(mon, 0) >= 0);
}

struct seen {
	struct Monitor_histogram_row rows[8];
	size_t count;
	size_t pages;
	size_t stop;
};

static int see(const struct Monitor_histogram_row *rows, size_t count, void *opaque)
{
	struct seen *seen = opaque;

	assert_true(count && seen->count + count <= 8);
	memcpy(seen->rows + seen->count, rows, count * sizeof(*rows));
	seen->count += count;
	return ++seen->pages == seen->stop ? 7 : 0;
}

static int see_no_count(const struct Monitor_count *count, void *opaque)
{
	++*(int *)opaque;
	return 0;
}

static void walk_pages_reports_the_histogram_page_by_page(void **state)
{
	struct Monitor_histogram_row rows[8];
	struct Monitor *mon = opened();
	struct seen seen = {.stop = 1};

	take_in(mon);
	assert_int_equal(Monitor_walk_pages(mon, see, &seen), 7);
	assert_true(seen.pages == 1 && seen.count == 1 && seen.rows[0].page == PAGE - 1);
	seen = (struct seen){0};
	assert_int_equal(Monitor_walk_pages(mon, see, &seen), 0);
	assert_int_equal(seen.pages, 3);
	assert_int_equal(seen.count, 4);
	/*
	 * Rows are sorted by page, home and source. The counts of all phases and types are added
	 * up.
	 */
	assert_true(seen.rows[1].page == PAGE && seen.rows[1].home == 0 &&
		    seen.rows[1].source == 1);
	assert_true(seen.rows[1].accesses == 13 && seen.rows[1].reads == 8 &&
		    seen.rows[1].writes == 5);
	assert_true(seen.rows[2].source == 2 && seen.rows[2].ratio == 7.0 / 20);
	assert_true(seen.rows[3].home == 2);
	assert_int_equal(Monitor_histogram_info(mon, rows, 8), 4);
	assert_memory_equal(rows, seen.rows, 4 * sizeof(rows[0]));
	Monitor_close(mon);
}

static void ranges_only_leaves_pages_and_phases_whole(void **state)
{
	uint64_t counts[1024 * 4], matrix[16];
	struct Monitor *mon = opened();
	struct seen seen = {0};
	int walked = 0;

	assert_int_equal(Monitor_ranges_only(mon, 0, 0), 0);
	take_in(mon);
	assert_int_equal(Monitor_walk_pages(mon, see, &seen), 0);
	assert_true(seen.count == 4 && seen.rows[1].accesses == 13);
	assert_int_equal(Monitor_get_packets(mon, matrix, 4), 4);
	assert_true(matrix[1 * 4 + 0] == 13 && matrix[1 * 4 + 3] == 9);
	assert_int_equal(Monitor_phase_info(mon, 0, PAGE, counts, 2, 4), 2);
	assert_true(counts[1] == 9 && counts[4 + 1] == 4);
	assert_int_equal(Monitor_sections_info(mon, 0, PAGE, 4, counts, NULL, 4), -ENODATA);
	assert_int_equal(Monitor_walk_ranges(mon, see_no_count, &walked), 0);
	assert_int_equal(walked, 0);
	assert_int_equal(Monitor_structures_info(mon, NULL, 0), -ENODATA);
	assert_int_equal(Monitor_ranges_only(mon, 0, 1), -EBUSY);
	Monitor_close(mon);
}

static void ranges_only_of_a_page_has_its_sections(void **state)
{
	uint64_t counts[1024 * 4];
	struct Monitor *mon = opened();

	assert_int_equal(Monitor_ranges_only(mon, PAGE, 1), 0);
	take_in(mon);
	assert_int_equal(Monitor_sections_info(mon, 0, PAGE, 4, counts, NULL, 4), 1024);
	assert_true(counts[1 * 4 + 2] == 7 && counts[2 * 4 + 1] == 13);
	assert_int_equal(Monitor_sections_info(mon, 3, PAGE - 1, 4, counts, NULL, 4), -ENODATA);
	Monitor_close(mon);
}

static void nodes_only_reports_transfers_and_phases(void **state)
{
	struct Monitor_phase phases[2];
	struct Monitor_weights weights = {.local = 1, .read = 10, .write = 10, .lock = 10};
	uint64_t matrix[16];
	struct Monitor *mon = opened();
	int walked = 0;

	assert_int_equal(Monitor_nodes_only(mon), 0);
	take_in(mon);
	assert_int_equal(Monitor_get_packets(mon, matrix, 4), 4);
	assert_true(matrix[1 * 4 + 0] == 13 && matrix[2 * 4 + 0] == 7 && matrix[1 * 4 + 3] == 9 &&
		    matrix[1 * 4 + 2] == 1);
	assert_int_equal(Monitor_phases(mon, phases, 2), 2);
	assert_true(phases[0].accesses == 16 && phases[1].accesses == 14);
	assert_int_equal(Monitor_histogram_info(mon, NULL, 0), -ENODATA);
	assert_int_equal(Monitor_histogram_page(mon, PAGE, 0, NULL, 0), -ENODATA);
	assert_int_equal(Monitor_page_home(mon, PAGE), -ENODATA);
	assert_int_equal(Monitor_phase_info(mon, 0, PAGE, matrix, 2, 4), -ENODATA);
	assert_int_equal(Monitor_sections_info(mon, 0, PAGE, 4096, matrix, NULL, 4), -ENODATA);
	assert_int_equal(Monitor_walk_phases(mon, see_no_count, &walked), -ENODATA);
	assert_int_equal(Monitor_walk_ranges(mon, see_no_count, &walked), -ENODATA);
	assert_int_equal(Monitor_structures_info(mon, NULL, 0), -ENODATA);
	assert_int_equal(Monitor_advice(mon, &weights, NULL, 0, 0.5, NULL, 0), -ENODATA);
	assert_int_equal(Monitor_cycles(mon, &weights, NULL, 0, matrix, NULL, 2, 4), -ENODATA);
	assert_int_equal(walked, 0);
	assert_int_equal(Monitor_nodes_only(mon), -EBUSY);
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(walk_pages_reports_the_histogram_page_by_page),
		cmocka_unit_test(ranges_only_leaves_pages_and_phases_whole),
		cmocka_unit_test(ranges_only_of_a_page_has_its_sections),
		cmocka_unit_test(nodes_only_reports_transfers_and_phases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
