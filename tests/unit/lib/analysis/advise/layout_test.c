/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/analysis/advise/layout.c: patterns in the advised nodes of a variable's pages. The
 * recordings name no variables, so the parts are reported in pages.
 */
#include <stdlib.h>

#include "lib/analysis/advise/advise.h"
#include "tests/unit/lib_fixture.h"

#define PAGES_MOST 32

/**
 * struct pages - The pages of one variable, from page 100.
 * @rows: the advice; a page has one or more rows
 * @indices: the indices of the rows
 */
struct pages {
	struct Monitor_advice rows[PAGES_MOST];
	size_t indices[PAGES_MOST];
};

/*
 * Row i advises to move page 100 + i / @homes to node @nodes[i]. Return: the data of the variable,
 * with the pattern that was found. The caller must free the parts.
 */
static struct Monitor_advise_data found(struct pages *pages, const char *nodes, size_t homes)
{
	struct Monitor_advise advise = {.rows = pages->rows, .nodes = 4};
	struct Monitor_advise_data data = {.rows = pages->indices, .start = 100 * SMILE_PAGE_BYTES};

	for (; nodes[data.count]; data.count++) {
		size_t i = data.count;

		assert_true(i < PAGES_MOST);
		pages->indices[i] = i;
		pages->rows[i] = (struct Monitor_advice){
			.page = 100 + i / homes,
			.home = (uint32_t)(i % homes),
			.node = (uint32_t)(nodes[i] - '0'),
		};
	}
	data.sums.wrong = data.count;
	advise.count = data.count;
	advise_layout_find(&advise, &data);
	return data;
}

static void is_mixed(const char *nodes, size_t homes)
{
	struct pages pages;
	struct Monitor_advise_data data = found(&pages, nodes, homes);

	assert_int_equal(data.layout, MONITOR_LAYOUT_MIXED);
	assert_null(data.parts);
}

static void blocks_are_found(void **state)
{
	struct pages pages;
	struct Monitor_advise_data data = found(&pages, "000111222", 1);

	assert_int_equal(data.layout, MONITOR_LAYOUT_BLOCKS);
	assert_int_equal(data.part_count, 3);
	assert_int_equal(data.parts[1].first, 3);
	assert_int_equal(data.parts[1].last, 5);
	free(data.parts);
}

static void turns_are_found(void **state)
{
	struct pages pages;
	struct Monitor_advise_data data = found(&pages, "001100110011", 1);

	assert_int_equal(data.layout, MONITOR_LAYOUT_CYCLIC);
	assert_int_equal(data.part_count, 2);
	assert_int_equal(data.parts[1].first, 2);
	assert_int_equal(data.parts[1].last, 3);
	free(data.parts);
}

/* This is the case with cards: each of their nodes has a page with this number. */
static void pages_on_two_homes_are_mixed(void **state)
{
	is_mixed("10", 2);
	is_mixed("1010", 2);
	is_mixed("01010101", 2);
	is_mixed("0011", 2);
	is_mixed("000111", 2);
}

static void one_node_for_both_homes_is_one(void **state)
{
	struct pages pages;
	struct Monitor_advise_data data = found(&pages, "2222", 2);

	assert_int_equal(data.layout, MONITOR_LAYOUT_NODE);
	assert_int_equal(data.part_count, 1);
	assert_int_equal(data.parts[0].node, 2);
	assert_int_equal(data.parts[0].last, 1);
	free(data.parts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_found),
		cmocka_unit_test(turns_are_found),
		cmocka_unit_test(pages_on_two_homes_are_mixed),
		cmocka_unit_test(one_node_for_both_homes_is_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
