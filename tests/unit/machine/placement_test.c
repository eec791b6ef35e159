/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of emu/machine/placement.c: placement policies, and placement files. May use
 * machine_fixture.h and the C library.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/machine/machine_fixture.h"

#define PAGE SMILE_PAGE_BYTES

static struct machine *machine_with(const char *policy, unsigned nodes)
{
	struct machine_config config = {.nodes = nodes};
	struct machine *machine = NULL;

	assert_int_equal(placement_parse(policy, &config.placement, &config.placement_node), 0);
	assert_int_equal(machine_create(&machine, &config, NULL, NULL), 0);
	return machine;
}

/*
 * Let node @node read one word of each of @count pages from page @first on. Then the homes of these
 * pages must be @homes.
 */
static void homes_check(struct machine *machine, unsigned node, uint64_t first, unsigned count,
			const char *homes)
{
	struct machine_page *pages;
	char text[64] = {0};
	int64_t known;

	for (unsigned i = 0; i < count; i++)
		machine_read(machine, node, (first + i) * PAGE, 4);
	known = machine_pages(machine, &pages);
	assert_true(known >= count);
	for (int64_t i = 0; i < known; i++) {
		assert_true(i == 0 || pages[i].page > pages[i - 1].page);
		if (pages[i].page >= first && pages[i].page < first + count)
			text[pages[i].page - first] = (char)('0' + pages[i].home);
	}
	assert_string_equal(text, homes);
	free(pages);
}

static void placement_parse_what_a_user_writes(void **state)
{
	static const char *const bad[] = {"",	     "node",	"node:",  "node:x",
					  "node:-1", "node:1 ", "blocks", "node:99999999999"};
	const struct placement_policy *policy = NULL;
	unsigned node = 7;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(placement_parse(bad[i], &policy, &node), -EINVAL);
	assert_null(policy);
	assert_int_equal(node, 7);
	assert_int_equal(placement_parse("node:12", &policy, &node), 0);
	assert_string_equal(policy->name, "node");
	assert_int_equal(node, 12);
	for (size_t i = 0; (policy = placement_at(i)) != NULL; i++)
		assert_ptr_equal(placement_find(policy->name), policy);
}

static void placement_block_gives_each_node_a_block_of_each_region(void **state)
{
	struct machine *machine = machine_with("block", 4);

	assert_int_equal(machine_region(machine, 16 * PAGE, 8 * PAGE), 0);
	assert_int_equal(machine_region(machine, 32 * PAGE + 5, 5 * PAGE), 0);
	homes_check(machine, 0, 16, 8, "00112233");
	/* The second region contains parts of six pages, in blocks of two pages. */
	homes_check(machine, 0, 32, 6, "001122");
	/* Pages that are in no region are placed round-robin. */
	homes_check(machine, 0, 41, 4, "1230");
	machine_destroy(machine);
}

static void placement_first_touch_is_the_node_that_comes_first(void **state)
{
	struct machine *machine = machine_with("first-touch", 4);

	assert_true(machine_ordered(machine));
	homes_check(machine, 3, 5, 2, "33");
	homes_check(machine, 1, 4, 4, "1331");
	machine_destroy(machine);
}

static void placement_single_and_node_put_all_on_one(void **state)
{
	struct machine *machine = machine_with("single", 4);

	homes_check(machine, 3, 5, 4, "0000");
	machine_destroy(machine);
	machine = machine_with("node:2", 4);
	assert_false(machine_ordered(machine));
	homes_check(machine, 3, 5, 4, "2222");
	machine_destroy(machine);
}

static void machine_create_node_that_there_is_not_is_refused(void **state)
{
	struct machine_config config = {.nodes = 4, .placement_node = 4};
	struct machine *machine = NULL;

	assert_int_equal(machine_create(&machine, &config, NULL, NULL), -EINVAL);
}

static void machine_place_goes_before_the_policy_and_the_user_before_the_program(void **state)
{
	struct machine *machine = machine_with("single", 4);

	assert_int_equal(machine_place(machine, 10 * PAGE, 10 * PAGE, 1, PLACEMENT_PROGRAM), 0);
	assert_int_equal(machine_place(machine, 12 * PAGE + 1, PAGE, 3, PLACEMENT_USER), 0);
	assert_int_equal(machine_place(machine, 11 * PAGE, 6 * PAGE, 2, PLACEMENT_PROGRAM), 0);
	homes_check(machine, 0, 9, 12, "012332221110");
	machine_destroy(machine);
}

static void machine_place_page_that_was_accessed_stays(void **state)
{
	struct machine *machine = machine_with("single", 4);

	homes_check(machine, 1, 3, 1, "0");
	assert_int_equal(machine_place(machine, 3 * PAGE, 2 * PAGE, 2, PLACEMENT_USER), 0);
	homes_check(machine, 1, 3, 2, "02");
	assert_int_equal(machine_place(machine, 4 * PAGE, PAGE, 1, PLACEMENT_USER), 0);
	homes_check(machine, 2, 3, 2, "02");
	machine_destroy(machine);
}

static void machine_discard_pages_are_new_and_moved_ones_keep_their_homes(void **state)
{
	struct machine *machine = machine_with("first-touch", 64);
	const uint64_t end = 1ULL << SMILE_ADDRESS_BITS;

	/* In the node number 63, all bits are set. */
	homes_check(machine, 63, 10, 4, "oooo");
	homes_check(machine, 2, 10, 4, "oooo");
	assert_int_equal(machine_discard(machine, 11 * PAGE, PAGE + 1, 0), 0);
	/* The home of a discarded page is kept until the next access to the page. */
	homes_check(machine, 2, 10, 1, "o");
	homes_check(machine, 2, 10, 4, "o22o");
	homes_check(machine, 3, 10, 4, "o22o");
	/*
	 * One of the moved pages replaces a page that was never accessed, and the other a page that
	 * was accessed.
	 */
	assert_int_equal(machine_discard(machine, 12 * PAGE, 2 * PAGE, 20 * PAGE), 0);
	homes_check(machine, 4, 20, 2, "2o");
	homes_check(machine, 4, 12, 2, "44");
	assert_int_equal(machine_discard(machine, 12 * PAGE, 2 * PAGE, 10 * PAGE), 0);
	homes_check(machine, 5, 10, 2, "44");
	/* The discarded range is larger than all memory that was accessed. */
	assert_int_equal(machine_discard(machine, 0, end, 0), 0);
	homes_check(machine, 1, 10, 2, "11");
	homes_check(machine, 1, 20, 2, "11");
	/* A large range moves. The run time must not depend on the size of the range. */
	assert_int_equal(machine_discard(machine, 0, end / 2, end / 2), 0);
	homes_check(machine, 6, end / 2 / PAGE + 10, 2, "11");
	homes_check(machine, 6, end / 2 / PAGE + 20, 2, "11");
	homes_check(machine, 7, 10, 2, "77");
	assert_int_equal(machine_discard(machine, end - PAGE, 2 * PAGE, 0), -EINVAL);
	assert_int_equal(machine_discard(machine, 0, 2 * PAGE, end - PAGE), -EINVAL);
	assert_int_equal(machine_discard(machine, 0, 0, 0), -EINVAL);
	machine_destroy(machine);
}

static void machine_unplace_ends_what_the_program_has_placed(void **state)
{
	struct machine *machine = machine_with("single", 4);

	assert_int_equal(machine_unplace(machine, 0, PAGE), 0);
	assert_int_equal(machine_place(machine, 10 * PAGE, 10 * PAGE, 1, PLACEMENT_PROGRAM), 0);
	assert_int_equal(machine_place(machine, 13 * PAGE, PAGE, 2, PLACEMENT_USER), 0);
	assert_int_equal(machine_unplace(machine, 12 * PAGE, 3 * PAGE), 0);
	homes_check(machine, 3, 9, 8, "01102011");
	assert_int_equal(machine_place(machine, 14 * PAGE, PAGE, 3, PLACEMENT_PROGRAM), 0);
	homes_check(machine, 2, 14, 1, "0");
	assert_int_equal(machine_unplace(machine, 0, 0), -EINVAL);
	machine_destroy(machine);
}

static void machine_discard_moves_the_placement_with_the_pages(void **state)
{
	struct machine *machine = machine_with("single", 4);

	assert_int_equal(machine_place(machine, 10 * PAGE, 2 * PAGE, 1, PLACEMENT_PROGRAM), 0);
	assert_int_equal(machine_place(machine, 13 * PAGE, 9 * PAGE, 2, PLACEMENT_PROGRAM), 0);
	assert_int_equal(machine_discard(machine, 10 * PAGE, 4 * PAGE, 20 * PAGE), 0);
	homes_check(machine, 3, 10, 6, "000022");
	homes_check(machine, 3, 20, 5, "11020");
	machine_destroy(machine);
}

static void machine_touch_gives_a_home_to_pages_that_have_none(void **state)
{
	struct machine *machine = machine_with("first-touch", 4);
	const uint64_t end = 1ULL << SMILE_ADDRESS_BITS;

	/* Processor 0 is on node 0. */
	homes_check(machine, 3, 11, 1, "3");
	assert_int_equal(machine_touch(machine, 0, 10 * PAGE + 1, 2 * PAGE), 0);
	homes_check(machine, 1, 9, 5, "10301");
	homes_check(machine, 2, 20, 2, "22");
	assert_int_equal(machine_discard(machine, 20 * PAGE, PAGE, 0), 0);
	assert_int_equal(machine_touch(machine, 0, 20 * PAGE, 2 * PAGE), 0);
	homes_check(machine, 1, 20, 2, "02");
	assert_int_equal(machine_touch(machine, 64, 0, PAGE), -EINVAL);
	assert_int_equal(machine_touch(machine, 0, end - PAGE, 2 * PAGE), -EINVAL);
	machine_destroy(machine);
}

static void machine_place_that_makes_no_sense_is_refused(void **state)
{
	struct machine *machine = machine_with("single", 4);
	const uint64_t end = 1ULL << SMILE_ADDRESS_BITS;

	assert_int_equal(machine_place(machine, 0, 0, 1, PLACEMENT_USER), -EINVAL);
	assert_int_equal(machine_place(machine, 0, 1, 4, PLACEMENT_USER), -EINVAL);
	assert_int_equal(machine_place(machine, end, 1, 1, PLACEMENT_USER), -EINVAL);
	assert_int_equal(machine_place(machine, end - 1, 2, 1, PLACEMENT_USER), -EINVAL);
	assert_int_equal(machine_place(machine, 1, UINT64_MAX, 1, PLACEMENT_USER), -EINVAL);
	assert_int_equal(machine_region(machine, 1, end), -EINVAL);
	assert_int_equal(machine_place(machine, end - 1, 1, 1, PLACEMENT_USER), 0);
	machine_destroy(machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(placement_parse_what_a_user_writes),
		cmocka_unit_test(placement_block_gives_each_node_a_block_of_each_region),
		cmocka_unit_test(placement_first_touch_is_the_node_that_comes_first),
		cmocka_unit_test(placement_single_and_node_put_all_on_one),
		cmocka_unit_test(machine_create_node_that_there_is_not_is_refused),
		cmocka_unit_test(
			machine_place_goes_before_the_policy_and_the_user_before_the_program),
		cmocka_unit_test(machine_place_page_that_was_accessed_stays),
		cmocka_unit_test(machine_discard_pages_are_new_and_moved_ones_keep_their_homes),
		cmocka_unit_test(machine_unplace_ends_what_the_program_has_placed),
		cmocka_unit_test(machine_discard_moves_the_placement_with_the_pages),
		cmocka_unit_test(machine_touch_gives_a_home_to_pages_that_have_none),
		cmocka_unit_test(machine_place_that_makes_no_sense_is_refused),
	};

	return cmocka_run_group_tests_name("placement", tests, NULL, NULL);
}
