/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of include/base/page_ranges.h: each page has the value that was set last. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <base/page_ranges.h>

#define NAIVE_PAGES 64U

/* Set random ranges, and compare with an array that has an element for each page. */
static void ranges_set_last_one_holds_for_each_page(void **state)
{
	uint64_t naive[NAIVE_PAGES] = {0};
	struct page_ranges ranges = {0};
	uint64_t random = 1;

	for (unsigned round = 1; round < 400; round++) {
		uint64_t first, last;

		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		first = random >> 33 & (NAIVE_PAGES - 1);
		last = first + (random >> 50) % (NAIVE_PAGES - first);
		assert_int_equal(page_ranges_set(&ranges, first, last, round), 0);
		for (uint64_t page = first; page <= last; page++)
			naive[page] = round;
		for (uint64_t page = 0; page < NAIVE_PAGES; page++) {
			const struct page_range *range = page_ranges_find(&ranges, page);

			assert_int_equal(range ? range->value : 0, naive[page]);
		}
	}
	assert_true(ranges.count <= NAIVE_PAGES);
	page_ranges_free(&ranges);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_set_last_one_holds_for_each_page),
	};

	return cmocka_run_group_tests_name("page ranges", tests, NULL, NULL);
}
