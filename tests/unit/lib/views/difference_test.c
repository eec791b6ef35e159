/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/views/difference.c: pairs of equal rows in two views, and views that cannot be
 * compared.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib_fixture.h"

#define PAGE(number) ((uint64_t)(number)*SMILE_PAGE_BYTES)

static const struct Monitor_difference wanted_global[] = {
	{.page = 4, .source = 0, .home = {2, 1}, {0, 6}, {0, 6}, {0, 0}, {0, 0}},
	{.page = 4, .source = 2, .home = {2, 1}, {0, 1}, {0, 0}, {0, 1}, {0, 0}},
	{.page = 5, .source = 1, .home = {0, 0}, {8, 3}, {5, 0}, {0, 3}, {3, 0}},
	{.page = 6, .source = 1, .home = {0, MONITOR_NO_HOME}, {1, 0}, {1, 0}, {0, 0}, {0, 0}},
};

static void fill(struct smile_record *first, struct smile_record *second)
{
	first[0] = record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(5), 1, 5);
	first[1] = record_dynamic(SMILE_TYPE_LOCK, 1, 0, PAGE(5), 1, 3);
	first[2] = record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(6), 1, 1);
	second[0] = record_dynamic(SMILE_TYPE_WRITE, 1, 0, PAGE(5), 1, 3);
	second[1] = record_dynamic(SMILE_TYPE_READ, 0, 1, PAGE(4), 1, 6);
	second[2] = record_dynamic(SMILE_TYPE_WRITE, 2, 1, PAGE(4), 1, 1);
}

static void difference_matches_pages_that_moved(void **state)
{
	struct smile_record records[2][3];
	struct Monitor *first, *second;
	struct Monitor_difference rows[6];

	fill(records[0], records[1]);
	first = recording_opened(records[0], 3);
	second = recording_opened(records[1], 3);
	/* Both views know the homes: page 4 has moved. The first view has no access to it. */
	assert_int_equal(Monitor_home_add(first, 4, 1, 2), 0);
	assert_int_equal(Monitor_home_add(first, 5, 2, 0), 0);
	assert_int_equal(Monitor_home_add(second, 4, 1, 1), 0);
	memset(rows, 0xff, sizeof(rows));
	assert_int_equal(Monitor_difference(first, second, rows, 6), 4);
	assert_memory_equal(rows, wanted_global, sizeof(wanted_global));
	/* Rows for which the array has no room are still counted. */
	memset(rows, 0xff, sizeof(rows));
	assert_int_equal(Monitor_difference(first, second, rows, 1), 4);
	assert_memory_equal(rows, wanted_global, sizeof(rows[0]));
	assert_int_equal(rows[1].source, UINT32_MAX);
	Monitor_close(first);
	Monitor_close(second);
}

static void difference_without_homes_keeps_pages_of_homes_apart(void **state)
{
	const struct smile_record one[] = {record_dynamic(SMILE_TYPE_READ, 0, 1, PAGE(4), 1, 6)};
	const struct smile_record other[] = {record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(4), 1, 9)};
	struct Monitor *first = recording_opened(one, 1), *second = recording_opened(other, 1);
	struct Monitor_difference rows[2];

	assert_int_equal(Monitor_difference(first, second, rows, 2), 2);
	assert_int_equal(rows[0].home[0], 0);
	assert_int_equal(rows[0].home[1], 0);
	assert_int_equal(rows[0].accesses[0], 0);
	assert_int_equal(rows[0].accesses[1], 9);
	assert_int_equal(rows[1].home[0], 1);
	assert_int_equal(rows[1].home[1], 1);
	assert_int_equal(rows[1].accesses[0], 6);
	assert_int_equal(rows[1].accesses[1], 0);
	Monitor_close(first);
	Monitor_close(second);
}

static void difference_of_a_view_with_itself_is_none(void **state)
{
	struct smile_record records[2][3];
	struct Monitor_difference rows[4];
	struct Monitor *first, *second;

	fill(records[0], records[1]);
	first = recording_opened(records[1], 3);
	second = recording_opened(records[1], 3);
	assert_int_equal(Monitor_difference(first, second, rows, 4), 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(rows[i].accesses[0], rows[i].accesses[1]);
	Monitor_close(first);
	Monitor_close(second);
}

static void difference_of_other_cards_is_refused(void **state)
{
	struct Monitor *first, *second;
	char path[128];

	write_recording(scratch_path("zero.rec"), 0, NULL, 0, -1);
	snprintf(path, sizeof(path), "%s", scratch_path("zero.rec"));
	write_recording(scratch_path("five.rec"), 5, NULL, 0, -1);
	assert_int_equal(Monitor_open(&first, path), 0);
	assert_int_equal(Monitor_open(&second, path), 0);
	assert_int_equal(Monitor_attach(second, scratch_path("five.rec")), 0);
	assert_int_equal(Monitor_difference(first, second, NULL, 0), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "of node 5 in the first"));
	assert_int_equal(Monitor_difference(second, first, NULL, 0), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "of node 5 in the second"));
	assert_int_equal(Monitor_difference(second, second, NULL, 0), 0);
	Monitor_close(first);
	Monitor_close(second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(difference_matches_pages_that_moved),
		cmocka_unit_test(difference_without_homes_keeps_pages_of_homes_apart),
		cmocka_unit_test(difference_of_a_view_with_itself_is_none),
		cmocka_unit_test(difference_of_other_cards_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
