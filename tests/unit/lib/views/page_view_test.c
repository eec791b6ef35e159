/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/views/page_view.c: the transfers and accesses of each page. */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/lib_fixture.h"

static struct Monitor *sample_opened(void)
{
	struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, 40 * 4096 + 8, 1, 100),
		record_dynamic(SMILE_TYPE_WRITE, 1, 0, 40 * 4096 + 16, 4, 20),
		record_dynamic(SMILE_TYPE_LOCK, 2, 0, 40 * 4096, 1, 5),
		record_dynamic(SMILE_TYPE_READ, 0, 3, 7 * 4096, 1, 9),
		record_dynamic(SMILE_TYPE_READ, 1, 0, 40 * 4096 + 8, 1, 65535),
		record_response(record_dynamic(SMILE_TYPE_READ, 0, 1, 40 * 4096 + 8, 1, 77)),
	};

	return recording_opened(records, sizeof(records) / sizeof(records[0]));
}

static void get_packets_counts_requests_by_source_and_destination(void **state)
{
	struct Monitor *mon = sample_opened();
	uint64_t counts[4][4];

	assert_int_equal(Monitor_nodes(mon), 4);
	assert_int_equal(Monitor_get_packets(mon, &counts[0][0], 4), 4);
	for (int source = 0; source < 4; source++) {
		for (int destination = 0; destination < 4; destination++) {
			uint64_t expected = 0;

			if (source == 1 && destination == 0)
				expected = 100 + 20 + 65535;
			if (source == 2 && destination == 0)
				expected = 5;
			if (source == 0 && destination == 3)
				expected = 9;
			assert_true(counts[source][destination] == expected);
		}
	}
	Monitor_close(mon);
}

static void get_packets_of_fewer_nodes_leaves_the_others_out(void **state)
{
	struct Monitor *mon = sample_opened();
	uint64_t counts[2][2];

	assert_int_equal(Monitor_get_packets(mon, &counts[0][0], 2), 4);
	assert_true(counts[1][0] == 65655);
	assert_true(counts[0][1] == 0);
	Monitor_close(mon);
}

static void histogram_info_rows_are_sorted_and_exact(void **state)
{
	struct Monitor *mon = sample_opened();
	struct Monitor_histogram_row rows[8];

	assert_int_equal(Monitor_histogram_info(mon, NULL, 0), 3);
	assert_int_equal(Monitor_histogram_info(mon, rows, 8), 3);
	assert_true(rows[0].page == 7 && rows[0].home == 3 && rows[0].source == 0);
	assert_true(rows[0].accesses == 9 && rows[0].reads == 9 && rows[0].ratio == 1.0);
	assert_true(rows[1].page == 40 && rows[1].home == 0 && rows[1].source == 1);
	assert_true(rows[1].accesses == 65655 && rows[1].reads == 65635 && rows[1].writes == 20);
	assert_true(rows[2].source == 2 && rows[2].locks == 5 && rows[2].accesses == 5);
	assert_true(rows[1].ratio > 0.9999 && rows[1].ratio + rows[2].ratio == 1.0);
	Monitor_close(mon);
}

static void histogram_info_beyond_capacity_is_not_written(void **state)
{
	struct Monitor *mon = sample_opened();
	struct Monitor_histogram_row rows[2] = {{.page = 1}, {.page = 99}};

	assert_int_equal(Monitor_histogram_info(mon, rows, 1), 3);
	assert_true(rows[0].page == 7);
	assert_true(rows[1].page == 99);
	Monitor_close(mon);
}

static void histogram_page_has_the_rows_of_one_page(void **state)
{
	struct Monitor *mon = sample_opened();
	struct Monitor_histogram_row all[3], rows[3] = {{.page = 99}, {.page = 99}, {.page = 99}};

	assert_int_equal(Monitor_histogram_info(mon, all, 3), 3);
	assert_int_equal(Monitor_histogram_page(mon, 40, 0, NULL, 0), 2);
	assert_int_equal(Monitor_histogram_page(mon, 40, 0, rows, 3), 2);
	assert_memory_equal(rows, all + 1, 2 * sizeof(rows[0]));
	assert_true(rows[2].page == 99);
	assert_int_equal(Monitor_histogram_page(mon, 7, 3, rows, 1), 1);
	assert_memory_equal(rows, all, sizeof(rows[0]));
	/* A page of another node with the same number, and a page without accesses. */
	assert_int_equal(Monitor_histogram_page(mon, 7, 0, rows, 3), 0);
	assert_int_equal(Monitor_histogram_page(mon, 8, 3, rows, 3), 0);
	Monitor_close(mon);
}

static void page_home_reports_node_or_why_not(void **state)
{
	struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, 4096, 1, 1),
		record_dynamic(SMILE_TYPE_READ, 0, 1, 4096, 1, 1),
		record_dynamic(SMILE_TYPE_READ, 0, 2, 8192, 1, 1),
	};
	struct Monitor *mon = recording_opened(records, 3);

	assert_int_equal(Monitor_page_home(mon, 2), 2);
	assert_int_equal(Monitor_page_home(mon, 1), -EMLINK);
	assert_int_equal(Monitor_page_home(mon, 3), -ENOENT);
	assert_non_null(strstr(Monitor_error_message(), "page 3"));
	Monitor_close(mon);
}

/*
 * The rows of a page are sorted, whatever the node ids are. No count of one page is added to
 * another page.
 */
static void histogram_info_rows_of_far_nodes_are_sorted(void **state)
{
	static const uint32_t sources[] = {65535, 64, 0, 4096, 63, 4095, 1, 20000};
	const size_t nodes = sizeof(sources) / sizeof(sources[0]);
	struct smile_record records[3 * 8];
	struct Monitor_histogram_row rows[2 * 8];
	struct Monitor *mon;
	size_t count = 0;

	for (size_t i = 0; i < nodes; i++) {
		records[count++] =
			record_dynamic(SMILE_TYPE_READ, sources[i], 2, 9 * 4096, 1, 1 + (int)i);
		records[count++] = record_dynamic(SMILE_TYPE_WRITE, sources[i], 2, 9 * 4096, 1, 50);
		if (i % 2)
			records[count++] =
				record_dynamic(SMILE_TYPE_LOCK, sources[i], 2, 10 * 4096, 1, 3);
	}
	mon = recording_opened(records, count);
	assert_int_equal(Monitor_histogram_info(mon, rows, 2 * 8), 12);
	for (size_t i = 0; i < 12; i++) {
		size_t which = 0;

		while (sources[which] != rows[i].source)
			which++;
		assert_true(!i || rows[i].page > rows[i - 1].page ||
			    rows[i].source > rows[i - 1].source);
		assert_true(rows[i].home == 2 && rows[i].page == (i < 8 ? 9 : 10));
		assert_true(rows[i].reads == (i < 8 ? 1 + which : 0));
		assert_true(rows[i].writes == (i < 8 ? 50 : 0));
		assert_true(rows[i].locks == (i < 8 ? 0 : 3));
		assert_true(rows[i].accesses == rows[i].reads + rows[i].writes + rows[i].locks);
		assert_true(rows[i].ratio == (double)rows[i].accesses / (i < 8 ? 436 : 12));
	}
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(get_packets_counts_requests_by_source_and_destination),
		cmocka_unit_test(get_packets_of_fewer_nodes_leaves_the_others_out),
		cmocka_unit_test(histogram_info_rows_are_sorted_and_exact),
		cmocka_unit_test(histogram_info_rows_of_far_nodes_are_sorted),
		cmocka_unit_test(histogram_info_beyond_capacity_is_not_written),
		cmocka_unit_test(histogram_page_has_the_rows_of_one_page),
		cmocka_unit_test(page_home_reports_node_or_why_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
