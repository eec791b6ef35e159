/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/analysis/view/view_variables.c: variables that were accessed. The variables are
 * memory of a heap that two places of the program (sites) allocated. A block that was first
 * allocated by one site and later by the other is a separate variable.
 */
#include "lib/analysis/view/view_variables.h"
#include "tests/unit/view_fixture.h"

#define HEAP 0x800000ULL
#define NEVER UINT64_MAX

static const struct Monitor_site sites[] = {
	{{0x1234, 0, 0, 0}, 5, 8516, 8416, 0},
	{{0x5678, 0, 0, 0}, 40, 960, 960, 0},
	{{0x9abc, 0, 0, 0}, 1, 64, 64, 0},
};

static const struct Monitor_block blocks[] = {
	{HEAP + 16, 4096, 1, 4096, 1, 5, NEVER, 0, 0},
	{HEAP + 0x2010, 100, 1, 100, 1, 5, 9, 0, 0},
	{HEAP + 0x2010, 24, 1, 24, 1, 10, NEVER, 1, 0},
	{HEAP + 0x4010, 96, 1, 96, 1, 5, NEVER, 0, 0},
	/* A block without accesses. */
	{HEAP + 0x5010, 64, 1, 64, 1, 5, NEVER, 2, 0},
};

static struct view_model loaded(void)
{
	const struct smile_record records[] = {
		/* Accesses of two nodes to blocks of site 0, which have two homes. */
		record_dynamic(SMILE_TYPE_READ, 1, 0, HEAP + 16, 4, 10),
		record_dynamic(SMILE_TYPE_WRITE, 1, 0, HEAP + 0x800, 1, 5),
		record_dynamic(SMILE_TYPE_LOCK, 2, 0, HEAP + 0x800, 1, 3),
		record_dynamic(SMILE_TYPE_READ, 1, 2, HEAP + 0x4010, 1, 7),
		/*
		 * Accesses to the block that both sites allocated, and to the following block of
		 * site 0.
		 */
		record_dynamic(SMILE_TYPE_READ, 1, 0, HEAP + 0x2020, 4, 100),
		/* Accesses to no variable. */
		record_dynamic(SMILE_TYPE_READ, 2, 3, 0x500000, 1, 1000),
	};
	const struct Monitor_region heap = {
		.start = HEAP, .end = HEAP + 0x10000, .kind = MONITOR_REGION_HEAP, .name = ""};
	struct Monitor *mon = recording_opened(records, sizeof(records) / sizeof(records[0]));

	assert_int_equal(Monitor_region_add(mon, &heap), 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(Monitor_site_add(mon, &sites[i]), i);
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
		assert_int_equal(Monitor_block_add(mon, &blocks[i]), 0);
	return view_loaded(mon);
}

static struct view_variables variables_of(const struct view_model *model)
{
	struct view_variables variables = {0};

	assert_int_equal(view_variables_load(&variables, model), 0);
	return variables;
}

static void variables_with_most_accesses_come_first(void **state)
{
	struct view_model model = loaded();
	struct view_variables variables = variables_of(&model);

	assert_int_equal(variables.count, 2);
	assert_string_equal(variables.list[0].variable->name, "allocated at 0x1234");
	assert_int_equal(variables.list[0].accesses, 10 + 5 + 3 + 7 + 100);
	assert_int_equal(variables.list[0].straddling, 100);
	assert_int_equal(variables.list[1].variable->kind, MONITOR_VARIABLE_SEVERAL);
	assert_int_equal(variables.list[1].accesses, 100);
	assert_true(variables.list[0].type < 0);
	view_variables_free(&variables);
	view_closed(&model);
}

static void rows_are_by_source_over_all_homes(void **state)
{
	struct view_model model = loaded();
	struct view_variables variables = variables_of(&model);
	const struct view_variable *site = &variables.list[0];

	assert_true(site->by_node);
	assert_int_equal(site->row_count, 2);
	assert_true(site->rows[0].source == 1 && site->rows[0].accesses == 22);
	assert_true(site->rows[0].reads == 17 && site->rows[0].writes == 5);
	assert_true(site->rows[1].source == 2 && site->rows[1].locks == 3);
	/*
	 * All accesses to the other variable also touch its neighbour, so they belong to neither.
	 */
	assert_int_equal(variables.list[1].row_count, 0);
	view_variables_free(&variables);
	view_closed(&model);
}

static void extents_of_the_heap_are_of_blocks(void **state)
{
	static const struct view_piece expected[] = {
		{HEAP + 16, 4096, 0, 0, 4096},
		/* The rest of the block; its other bytes were later allocated by another site. */
		{HEAP + 0x2028, 76, 1, 24, 100},
		{HEAP + 0x4010, 96, 2, 0, 96},
	};
	struct view_piece pieces[VIEW_PIECES_MAX];
	struct view_model model = loaded();
	struct view_variables variables = variables_of(&model);

	assert_int_equal(variables.list[0].pieces, VIEW_PIECES_BLOCKS);
	assert_int_equal(view_pieces_get(&model, &variables.list[0], pieces), 3);
	assert_memory_equal(pieces, expected, sizeof(expected));
	assert_int_equal(variables.list[1].pieces, VIEW_PIECES_NONE);
	view_variables_free(&variables);
	view_closed(&model);
}

/* A region with a name is reported as a region, not as a variable. */
static void regions_are_no_variables(void **state)
{
	const struct smile_record record = record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(5), 1, 9);
	const struct Monitor_region named = {
		.start = PAGE(5), .end = PAGE(6), .kind = MONITOR_REGION_NAMED, .name = "grid"};
	struct Monitor *mon = recording_opened(&record, 1);
	struct view_variables variables;
	struct view_model model;

	assert_int_equal(Monitor_region_add(mon, &named), 0);
	model = view_loaded(mon);
	variables = variables_of(&model);
	assert_int_equal(variables.count, 0);
	view_variables_free(&variables);
	view_closed(&model);
}

static void a_card_knows_of_no_variables(void **state)
{
	const struct smile_record record = record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(5), 1, 9);
	struct view_model model = view_loaded(recording_opened(&record, 1));
	struct view_variables variables = variables_of(&model);

	assert_int_equal(variables.count, 0);
	view_variables_free(&variables);
	view_closed(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variables_with_most_accesses_come_first),
		cmocka_unit_test(rows_are_by_source_over_all_homes),
		cmocka_unit_test(extents_of_the_heap_are_of_blocks),
		cmocka_unit_test(regions_are_no_variables),
		cmocka_unit_test(a_card_knows_of_no_variables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
