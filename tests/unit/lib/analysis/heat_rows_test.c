// SPDX-License-Identifier: MIT
/*
 * Tests of lib/analysis/heat_rows.c: each row counts the accesses to several pages, by node or by
 * phase.
 */
#include <stdlib.h>

#include "lib/analysis/heat_rows.h"
#include "tests/unit/view_fixture.h"

/* Node 1 accesses page p (0 to 7) of node 0 p + 1 times, and page 3 once more in a second phase. */
static struct Monitor *opened(void)
{
	struct smile_record records[10];
	unsigned count = 0;

	for (unsigned page = 0; page < 8; page++)
		records[count++] = record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(page), 1, page + 1);
	records[count++] = record_mark(1, 1, 1000);
	records[count++] = record_dynamic(SMILE_TYPE_WRITE, 2, 0, PAGE(3), 1, 100);
	return recording_opened(records, count);
}

static void heat_load_with_room_has_a_row_for_each_page(void **state)
{
	struct Monitor *mon = opened();
	struct heat heat;

	assert_int_equal(heat_load(&heat, mon, 0, SIZE_MAX), 0);
	assert_true(heat.row_count == 8 && heat.pages == 8);
	assert_int_equal(heat.columns, heat.nodes);
	assert_true(heat.rows[3].first_page == 3 && heat.rows[3].last_page == 3);
	assert_true(heat.rows[3].counts[1] == 4 && heat.rows[3].counts[2] == 100);
	assert_int_equal(heat.rows[3].all, 104);
	assert_int_equal(heat.rows[3].homes[0], 1);
	heat_free(&heat);
	Monitor_close(mon);
}

static void heat_load_with_few_rows_groups_neighbours(void **state)
{
	struct Monitor *mon = opened();
	struct heat heat;
	uint64_t all = 0;

	assert_int_equal(heat_load(&heat, mon, 0, 3), 0);
	assert_int_equal(heat.row_count, 3);
	assert_true(heat.rows[0].first_page == 0 && heat.rows[0].last_page == 2);
	assert_true(heat.rows[2].first_page == 6 && heat.rows[2].pages == 2);
	for (size_t i = 0; i < heat.row_count; i++)
		all += heat.rows[i].all;
	assert_int_equal(all, 36 + 100);
	heat_free(&heat);
	Monitor_close(mon);
}

static void heat_load_by_phase_counts_each_phase_apart(void **state)
{
	struct Monitor *mon = opened();
	struct heat heat;

	assert_int_equal(heat_load(&heat, mon, 1, SIZE_MAX), 0);
	assert_int_equal(heat.columns, 2);
	assert_true(heat.rows[3].counts[0] == 4 && heat.rows[3].counts[1] == 100);
	heat_free(&heat);
	Monitor_close(mon);
}

static void heat_name_without_regions_is_empty(void **state)
{
	struct Monitor *mon = opened();
	char name[HEAT_NAME_BYTES];
	struct heat heat;

	assert_int_equal(heat_load(&heat, mon, 0, SIZE_MAX), 0);
	assert_string_equal(heat_name(&heat, &heat.rows[0], name), "");
	heat_free(&heat);
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heat_load_with_room_has_a_row_for_each_page),
		cmocka_unit_test(heat_load_with_few_rows_groups_neighbours),
		cmocka_unit_test(heat_load_by_phase_counts_each_phase_apart),
		cmocka_unit_test(heat_name_without_regions_is_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
