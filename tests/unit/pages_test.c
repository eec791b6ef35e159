/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/pages.c: the counts of each page.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/pages.h"

#define LAST_PAGE 0xfffffffffULL

static void add(struct pages *pages, uint64_t page, uint32_t home, uint32_t count)
{
	struct pages_page *slot;

	assert_int_equal(smile_pages_reserve(pages, 1), 0);
	slot = smile_pages_get(pages, smile_pages_key(page, home));
	assert_true(smile_counts_add(&slot->accesses, 0, count) >= 0);
}

static void pages_of_empty_are_not_there(void **state)
{
	struct pages pages = {0};
	const struct pages_page **sorted;
	size_t position = 0;

	assert_null(smile_pages_find(&pages, 0, 0));
	assert_null(smile_pages_next(&pages, &position));
	sorted = smile_pages_sorted(&pages);
	assert_non_null(sorted);
	assert_null(sorted[0]);
	free(sorted);
	smile_pages_free(&pages);
}

static void pages_are_kept_apart_by_number_and_home(void **state)
{
	struct pages pages = {0};

	add(&pages, 0, 0, 1);
	add(&pages, 0, 65535, 2);
	add(&pages, LAST_PAGE, 0, 3);
	add(&pages, LAST_PAGE, 65535, 4);
	add(&pages, LAST_PAGE, 65535, 1);
	assert_int_equal(pages.used, 4);
	assert_true(smile_counts_get(&smile_pages_find(&pages, 0, 65535)->accesses, 0) == 2);
	assert_true(smile_counts_get(&smile_pages_find(&pages, LAST_PAGE, 65535)->accesses, 0) ==
		    5);
	assert_true(smile_pages_number(smile_pages_find(&pages, LAST_PAGE, 0)) == LAST_PAGE);
	assert_int_equal(smile_pages_home(smile_pages_find(&pages, 0, 65535)), 65535);
	assert_null(smile_pages_find(&pages, 1, 0));
	/* No other page is meant by what a key has no room for. */
	assert_null(smile_pages_find(&pages, 0, 65536));
	assert_null(smile_pages_find(&pages, 1ULL << 48, 0));
	smile_pages_free(&pages);
}

static void pages_are_sorted(void **state)
{
	struct pages pages = {0};
	const struct pages_page **sorted;

	for (uint64_t i = 0; i < 50000; i++)
		add(&pages, i * 7919 % 50000 / 2, i * 7919 % 2, 1);
	assert_int_equal(pages.used, 50000);
	sorted = smile_pages_sorted(&pages);
	for (uint64_t i = 0; i < 50000; i++) {
		assert_true(smile_pages_number(sorted[i]) == i / 2);
		assert_int_equal(smile_pages_home(sorted[i]), i % 2);
	}
	assert_null(sorted[50000]);
	free(sorted);
	smile_pages_free(&pages);
}

static void pages_stay_where_they_are_while_there_is_room(void **state)
{
	struct pages pages = {0};
	struct pages_page *first;

	for (uint64_t i = 0; i < 3000; i += 100) {
		assert_int_equal(smile_pages_reserve(&pages, 100), 0);
		first = smile_pages_get(&pages, smile_pages_key(i, 1));
		for (uint64_t k = i; k < i + 100; k++)
			smile_pages_get(&pages, smile_pages_key(k, 1));
		assert_ptr_equal(smile_pages_get(&pages, smile_pages_key(i, 1)), first);
		assert_int_equal(pages.used, i + 100);
	}
	smile_pages_free(&pages);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_of_empty_are_not_there),
		cmocka_unit_test(pages_are_kept_apart_by_number_and_home),
		cmocka_unit_test(pages_are_sorted),
		cmocka_unit_test(pages_stay_where_they_are_while_there_is_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
