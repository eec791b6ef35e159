/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/analysis/view/view_groups.c: sums of the accesses to adjacent pages. */
#include "lib/analysis/view/view_groups.h"
#include "tests/unit/view_fixture.h"

static struct view_groups grouped(const struct view_model *model)
{
	struct view_groups groups = {0};

	assert_int_equal(view_groups_load(&groups, model), 0);
	return groups;
}

static void few_pages_are_groups_of_their_own(void **state)
{
	const struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(5), 1, 10),
		record_dynamic(SMILE_TYPE_WRITE, 2, 0, PAGE(5), 1, 3),
		record_dynamic(SMILE_TYPE_READ, 2, 0, PAGE(900), 1, 7),
	};
	const uint64_t by_node[] = {0, 10, 3, 0, 0, 7}, by_phase[] = {13, 7};
	struct view_model model = view_loaded(recording_opened(records, 3));
	struct view_groups groups = grouped(&model);

	assert_int_equal(groups.shift, 0);
	assert_int_equal(groups.count, 2);
	assert_int_equal(model.rows.nodes, 3);
	assert_memory_equal(groups.by_node, by_node, sizeof(by_node));
	assert_int_equal(groups.columns, 1);
	assert_memory_equal(groups.by_phase, by_phase, sizeof(by_phase));
	view_groups_free(&groups);
	view_closed(&model);
}

/*
 * Node 0's accesses to its own pages are counted by node. They are counted by phase if the phase is
 * known.
 */
static void phases_are_columns(void **state)
{
	const struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(5), 1, 10),
		record_mark(0, 1, 1000),
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(5), 1, 4),
	};
	const struct Monitor_local own[] = {
		{.page = 5, .node = 0, .phase = 1, .reads = 2, .writes = 1},
		{.page = 5, .node = 0, .phase = MONITOR_PHASE_UNKNOWN, .reads = 100},
	};
	struct Monitor *mon = recording_opened(records, 3);
	struct view_groups groups;
	struct view_model model;

	assert_int_equal(Monitor_local_add(mon, &own[0]), 0);
	assert_int_equal(Monitor_local_add(mon, &own[1]), 0);
	model = view_loaded(mon);
	groups = grouped(&model);
	assert_true(groups.count == 1 && groups.columns == 2 && groups.phase_shift == 0);
	assert_true(groups.by_phase[0] == 10 && groups.by_phase[1] == 4 + 3);
	assert_true(groups.by_node[0] == 103 && groups.by_node[1] == 14);
	view_groups_free(&groups);
	view_closed(&model);
}

/*
 * There is one page more than the highest number of groups. Each group has two pages, the last has
 * one.
 */
static void many_pages_are_put_together(void **state)
{
	static struct smile_record records[VIEW_GROUPS_MAX + 1];
	struct view_groups groups;
	struct view_model model;

	for (unsigned int i = 0; i <= VIEW_GROUPS_MAX; i++)
		records[i] = record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(i), 1, 1 + i % 3);
	model = view_loaded(recording_opened(records, VIEW_GROUPS_MAX + 1));
	groups = grouped(&model);
	assert_int_equal(groups.shift, 1);
	assert_int_equal(groups.count, VIEW_GROUPS_MAX / 2 + 1);
	assert_true(groups.by_phase[0] == 1 + 2 && groups.by_phase[1] == 3 + 1);
	assert_int_equal(groups.by_node[2 * 1 + 1], 4);
	/* 4096 is one more than a multiple of three. */
	assert_int_equal(groups.by_phase[VIEW_GROUPS_MAX / 2], 2);
	view_groups_free(&groups);
	view_closed(&model);
}

/*
 * There is one phase more than the highest number of columns. Each phase has one access more than
 * the phase before.
 */
static void many_phases_are_put_together(void **state)
{
	static struct smile_record records[2 * VIEW_PHASE_COLUMNS_MAX + 2];
	struct view_groups groups;
	struct view_model model;
	size_t count = 0;

	for (unsigned int i = 0; i <= VIEW_PHASE_COLUMNS_MAX; i++) {
		records[count++] = record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(5), 1, i + 1);
		if (i < VIEW_PHASE_COLUMNS_MAX)
			records[count++] = record_mark(0, 1, 1000ULL * (i + 1));
	}
	model = view_loaded(recording_opened(records, count));
	groups = grouped(&model);
	assert_int_equal(groups.phase_shift, 1);
	assert_int_equal(groups.columns, VIEW_PHASE_COLUMNS_MAX / 2 + 1);
	assert_true(groups.by_phase[0] == 1 + 2 && groups.by_phase[1] == 3 + 4);
	assert_int_equal(groups.by_phase[groups.columns - 1], VIEW_PHASE_COLUMNS_MAX + 1);
	view_groups_free(&groups);
	view_closed(&model);
}

static void without_accesses_there_is_no_group(void **state)
{
	struct view_model model = view_loaded(recording_opened(NULL, 0));
	struct view_groups groups = grouped(&model);

	assert_int_equal(groups.count, 0);
	assert_int_equal(groups.columns, 1);
	view_groups_free(&groups);
	view_closed(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_pages_are_groups_of_their_own),
		cmocka_unit_test(phases_are_columns),
		cmocka_unit_test(many_pages_are_put_together),
		cmocka_unit_test(many_phases_are_put_together),
		cmocka_unit_test(without_accesses_there_is_no_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
