/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/map/extent.c: sorted ranges of addresses, to which further ranges are added below.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/map/extent.h"
#include "tests/unit/lib_fixture.h"

static struct extents made(const uint64_t (*bounds)[2], size_t count, uint32_t first)
{
	struct extents extents = {0};

	for (size_t i = 0; i < count; i++)
		assert_int_equal(smile_extents_push(&extents, bounds[i][0], bounds[i][1],
						    bounds[i][0], first + (uint32_t)i),
				 0);
	assert_int_equal(smile_extents_settle(&extents), 0);
	return extents;
}

static void expect(const struct extents *extents, const uint64_t (*wanted)[3], size_t count)
{
	assert_int_equal(extents->count, count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(extents->items[i].start, wanted[i][0]);
		assert_int_equal(extents->items[i].end, wanted[i][1]);
		assert_int_equal(extents->items[i].variable, wanted[i][2]);
	}
}

static void settle_sorts_and_the_last_one_wins(void **state)
{
	const uint64_t bounds[][2] = {{50, 60}, {10, 40}, {20, 30}};
	const uint64_t wanted[][3] = {{10, 20, 1}, {20, 30, 2}, {30, 40, 1}, {50, 60, 0}};
	struct extents extents = made(bounds, 3, 0);

	expect(&extents, wanted, 4);
	/* If an extent is split, the rest keeps the base of the whole extent. */
	assert_int_equal(extents.items[2].base, 10);
	smile_extents_free(&extents);
}

#define PLACES 200U

/* Compare with an array of bytes: a byte belongs to the extent that was added last. */
static void settle_is_what_bytes_say(void **state)
{
	unsigned int seed = 1;

	for (unsigned int turn = 0; turn < 300; turn++) {
		uint32_t owners[PLACES], found[PLACES];
		struct extents extents = {0};

		memset(owners, 0xff, sizeof(owners));
		memset(found, 0xff, sizeof(found));
		for (uint32_t i = 0; i < 1 + turn % 40; i++) {
			uint64_t start = (uint64_t)rand_r(&seed) % (PLACES - 1);
			uint64_t end = start + 1 + (uint64_t)rand_r(&seed) % (PLACES - start);

			if (end > PLACES)
				end = PLACES;
			assert_int_equal(smile_extents_push(&extents, start, end, start, i), 0);
			for (uint64_t at = start; at < end; at++)
				owners[at] = i;
		}
		assert_int_equal(smile_extents_settle(&extents), 0);
		for (size_t i = 0; i < extents.count; i++) {
			const struct Monitor_extent *extent = &extents.items[i];

			assert_true(extent->start < extent->end && extent->base <= extent->start);
			/*
			 * Extents are sorted and do not overlap. Adjacent extents that could be one
			 * are one.
			 */
			assert_true(!i || extent[-1].end < extent->start ||
				    (extent[-1].end == extent->start &&
				     extent[-1].variable != extent->variable));
			for (uint64_t at = extent->start; at < extent->end; at++)
				found[at] = extent->variable;
		}
		assert_memory_equal(found, owners, sizeof(owners));
		smile_extents_free(&extents);
	}
}

static void under_adds_what_is_free(void **state)
{
	const uint64_t above[][2] = {{10, 20}, {30, 40}, {100, 200}};
	const uint64_t below[][2] = {{0, 35}, {35, 90}, {120, 130}, {190, 210}, {300, 310}};
	const uint64_t wanted[][3] = {{0, 10, 10},  {10, 20, 0},   {20, 30, 10},   {30, 40, 1},
				      {40, 90, 11}, {100, 200, 2}, {200, 210, 13}, {300, 310, 14}};
	struct extents top = made(above, 3, 0), bottom = made(below, 5, 10);

	assert_int_equal(smile_extents_under(&top, &bottom, 1), 0);
	expect(&top, wanted, 8);
	smile_extents_free(&top);
	smile_extents_free(&bottom);
}

static void under_leaves_out_what_is_too_short(void **state)
{
	const uint64_t above[][2] = {{10, 20}, {29, 40}};
	const uint64_t below[][2] = {{0, 50}};
	const uint64_t wanted[][3] = {{0, 10, 5}, {10, 20, 0}, {29, 40, 1}, {40, 50, 5}};
	struct extents top = made(above, 2, 0), bottom = made(below, 1, 5);

	assert_int_equal(smile_extents_under(&top, &bottom, 10), 0);
	expect(&top, wanted, 4);
	smile_extents_free(&top);
	smile_extents_free(&bottom);
}

static void find_gives_the_one_that_ends_behind(void **state)
{
	const uint64_t bounds[][2] = {{10, 20}, {30, 40}};
	struct extents extents = made(bounds, 2, 0);

	assert_int_equal(smile_extents_find(&extents, 0), 0);
	assert_int_equal(smile_extents_find(&extents, 19), 0);
	assert_int_equal(smile_extents_find(&extents, 20), 1);
	assert_int_equal(smile_extents_find(&extents, 39), 1);
	assert_int_equal(smile_extents_find(&extents, 40), 2);
	smile_extents_free(&extents);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settle_sorts_and_the_last_one_wins),
		cmocka_unit_test(settle_is_what_bytes_say),
		cmocka_unit_test(under_adds_what_is_free),
		cmocka_unit_test(under_leaves_out_what_is_too_short),
		cmocka_unit_test(find_gives_the_one_that_ends_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
