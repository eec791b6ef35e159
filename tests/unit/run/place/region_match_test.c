/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of run/place/region_match.c: the regions of a plan are found in a process that has them at
 * other addresses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/place/region_match.h"

static void regions_are_alike_but_for_their_number(void **state)
{
	struct plan_region block = {.kind = PLAN_BLOCK, .object = 1, .link = 0x1234};
	struct plan_region other = block, mapping = {.kind = PLAN_PRIVATE, .bytes = 8192};
	struct plan_region named = {.kind = PLAN_NAMED, .name = "grid"}, data = {.kind = PLAN_DATA};

	other.nth = 7;
	other.bytes = 4096;
	assert_true(match_alike(&block, &other));
	other.link = 0x1235;
	assert_false(match_alike(&block, &other));
	other.link = block.link;
	other.object = 2;
	assert_false(match_alike(&block, &other));
	other = mapping;
	assert_true(match_alike(&mapping, &other));
	other.bytes += 4096;
	assert_false(match_alike(&mapping, &other));
	other = mapping;
	other.kind = PLAN_SHARED_MAPPING;
	assert_false(match_alike(&mapping, &other));
	other = named;
	other.bytes = 4096;
	assert_true(match_alike(&named, &other));
	strcpy(other.name, "grid2");
	assert_false(match_alike(&named, &other));
	/* A region of data cannot match itself: there is only one. */
	assert_false(match_alike(&data, &data));
}

static void an_address_keeps_its_number(void **state)
{
	uint64_t addresses[3];
	struct match_family family = {.limit = 3, .addresses = addresses};

	assert_int_equal(match_number(&family, 0x1000), 0);
	assert_int_equal(match_number(&family, 0x2000), 1);
	assert_int_equal(match_number(&family, 0x1000), 0);
	assert_int_equal(match_number(&family, 0x3000), 2);
	assert_int_equal(match_number(&family, 0x4000), MATCH_NONE);
	assert_int_equal(match_number(&family, 0x3000), 2);
}

static void names_have_23_bytes(void **state)
{
	struct plan_region region = {.name = "grid"};

	assert_true(match_name(&region, "grid"));
	assert_false(match_name(&region, "gri"));
	assert_false(match_name(&region, "grid2"));
	strcpy(region.name, "12345678901234567890123");
	assert_true(match_name(&region, "12345678901234567890123"));
	assert_true(match_name(&region, "12345678901234567890123 and more"));
	assert_false(match_name(&region, "1234567890123456789012"));
}

static void a_file_is_known_by_the_end_of_its_path(void **state)
{
	assert_true(match_path("/usr/lib/libx.so.1", "/opt/lib/libx.so.1"));
	assert_true(match_path("libx.so.1", "/opt/lib/libx.so.1"));
	assert_false(match_path("/usr/lib/libx.so.1", "/usr/lib/liby.so.1"));
	assert_true(match_path("", ""));
}

#define BYTES 0x6000

/*
 * Return: the node of page @page of a region that was recorded at @recorded and now is at @start;
 * -1 if none.
 */
static int node_of(uint64_t recorded, uint64_t start, uint64_t page)
{
	static const struct plan_run runs[] = {
		{.first = 16, .last = 17, .node = 1},
		{.first = 18, .last = 18, .node = 2},
		{.first = 20, .last = 21, .node = 3},
	};
	struct plan_region region = {.start = recorded, .bytes = BYTES, .runs = 3};
	const struct plan_run *run;
	uint32_t at = 0;

	run = match_run(&region, runs, start, BYTES, start / MATCH_PAGE + page, &at);
	return run ? (int)run->node : -1;
}

static void pages_follow_their_region(void **state)
{
	const int nodes[] = {1, 1, 2, -1, 3, 3, -1};

	for (uint64_t page = 0; page < 7; page++) {
		assert_int_equal(node_of(0x10000, 0x7f0000000000, page), nodes[page]);
		assert_int_equal(node_of(0x10010, 0x7f0000000010, page), nodes[page]);
		assert_int_equal(node_of(0x10ff0, 0x7f0000000ff0, page), nodes[page]);
	}
}

static void a_page_follows_most_of_its_bytes(void **state)
{
	/*
	 * The region was at the start of a page, and now is 1 KB after one. Most of page 2 is the
	 * recorded page 18.
	 */
	assert_int_equal(node_of(0x10000, 0x7f0000000400, 2), 2);
	assert_int_equal(node_of(0x10000, 0x7f0000000400, 3), -1);
	/*
	 * Now the region is 3 KB after the start of a page. Most of page 2 is the recorded page 17,
	 * and of page 3, page 18.
	 */
	assert_int_equal(node_of(0x10000, 0x7f0000000c00, 2), 1);
	assert_int_equal(node_of(0x10000, 0x7f0000000c00, 3), 2);
	/*
	 * The opposite change. The part of a page before the region's first whole page has no node.
	 */
	assert_int_equal(node_of(0x10c00, 0x7f0000000000, 1), 2);
	assert_int_equal(node_of(0x10000, 0x7f0000000c00, 0), -1);
}

/* Check the nodes of a region that has @pages pages, and had eight when it was recorded. */
static void nodes_are(struct plan_region region, const struct plan_run *runs, uint64_t pages,
		      const char *nodes)
{
	uint64_t start = 0x7f0000000000;
	char found[64] = "";
	uint32_t at = 0;

	region.start = 0x10000;
	region.bytes = 8 * MATCH_PAGE;
	for (uint64_t page = 0; page < pages; page++) {
		const struct plan_run *run = match_run(&region, runs, start, pages * MATCH_PAGE,
						       start / MATCH_PAGE + page, &at);

		found[page] = run ? (char)('0' + run->node) : '-';
	}
	assert_string_equal(found, nodes);
}

static void another_size_is_scaled(void **state)
{
	static const struct plan_run shares[] = {
		{.first = 16, .last = 19, .node = 1},
		{.first = 20, .last = 23, .node = 2},
	};
	static const struct plan_run turns[] = {
		{.first = 16, .last = 16, .node = 0}, {.first = 17, .last = 17, .node = 1},
		{.first = 18, .last = 18, .node = 2}, {.first = 19, .last = 19, .node = 0},
		{.first = 20, .last = 20, .node = 1}, {.first = 21, .last = 21, .node = 2},
		{.first = 22, .last = 22, .node = 0}, {.first = 23, .last = 23, .node = 1},
	};
	const struct plan_region share = {.runs = 2, .scale = PLAN_SCALE_SHARE};
	const struct plan_region turn = {.runs = 8, .scale = PLAN_SCALE_TURN, .turn = 3};
	const struct plan_region none = {.runs = 2, .scale = PLAN_SCALE_NONE};

	nodes_are(share, shares, 8, "11112222");
	nodes_are(share, shares, 16, "1111111122222222");
	nodes_are(share, shares, 4, "1122");
	nodes_are(share, shares, 3, "122");
	nodes_are(turn, turns, 8, "01201201");
	nodes_are(turn, turns, 13, "0120120120120");
	nodes_are(none, shares, 8, "11112222");
	nodes_are(none, shares, 9, "---------");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(regions_are_alike_but_for_their_number),
		cmocka_unit_test(an_address_keeps_its_number),
		cmocka_unit_test(names_have_23_bytes),
		cmocka_unit_test(a_file_is_known_by_the_end_of_its_path),
		cmocka_unit_test(pages_follow_their_region),
		cmocka_unit_test(a_page_follows_most_of_its_bytes),
		cmocka_unit_test(another_size_is_scaled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
