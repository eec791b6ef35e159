/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/counts/page_counts.c: the counts of each page.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/counts/page_counts.h"
#include "tests/unit/lib/counts/counts_get.h"
#include "tests/unit/no_memory.h"

#define LAST_PAGE 0xfffffffffULL

static void add(struct page_counts_table *pages, uint64_t page, uint32_t home, uint32_t count)
{
	struct page_counts *slot;

	assert_int_equal(smile_page_counts_reserve(pages, 1), 0);
	slot = smile_page_counts_get(pages, smile_page_counts_key(page, home));
	assert_true(smile_counts_add(&slot->accesses, &pages->slab, 0, count) >= 0);
}

static void pages_of_empty_are_not_there(void **state)
{
	struct page_counts_table pages = {0};
	const struct page_counts **sorted;
	size_t position = 0;

	assert_null(smile_page_counts_find(&pages, 0, 0));
	assert_null(smile_page_counts_next(&pages, &position));
	sorted = smile_page_counts_sorted(&pages);
	assert_non_null(sorted);
	assert_null(sorted[0]);
	free(sorted);
	smile_page_counts_free(&pages);
}

static void pages_are_kept_apart_by_number_and_home(void **state)
{
	struct page_counts_table pages = {0};

	add(&pages, 0, 0, 1);
	add(&pages, 0, 65535, 2);
	add(&pages, LAST_PAGE, 0, 3);
	add(&pages, LAST_PAGE, 65535, 4);
	add(&pages, LAST_PAGE, 65535, 1);
	assert_int_equal(pages.table.used, 4);
	assert_true(counts_get(&smile_page_counts_find(&pages, 0, 65535)->accesses, 0) == 2);
	assert_true(counts_get(&smile_page_counts_find(&pages, LAST_PAGE, 65535)->accesses, 0) ==
		    5);
	assert_true(smile_page_counts_number(smile_page_counts_find(&pages, LAST_PAGE, 0)) ==
		    LAST_PAGE);
	assert_int_equal(smile_page_counts_home(smile_page_counts_find(&pages, 0, 65535)), 65535);
	assert_null(smile_page_counts_find(&pages, 1, 0));
	/* A number that does not fit in a key must not find another page. */
	assert_null(smile_page_counts_find(&pages, 0, 65536));
	assert_null(smile_page_counts_find(&pages, 1ULL << 48, 0));
	smile_page_counts_free(&pages);
}

static void pages_are_sorted(void **state)
{
	struct page_counts_table pages = {0};
	const struct page_counts **sorted;

	for (uint64_t i = 0; i < 50000; i++)
		add(&pages, i * 7919 % 50000 / 2, i * 7919 % 2, 1);
	assert_int_equal(pages.table.used, 50000);
	sorted = smile_page_counts_sorted(&pages);
	for (uint64_t i = 0; i < 50000; i++) {
		assert_true(smile_page_counts_number(sorted[i]) == i / 2);
		assert_int_equal(smile_page_counts_home(sorted[i]), i % 2);
	}
	assert_null(sorted[50000]);
	free(sorted);
	smile_page_counts_free(&pages);
}

/* The page numbers differ in the first bit, the last bit, or any bit between them. */
static void pages_are_sorted_by_all_of_their_number(void **state)
{
	struct page_counts_table pages = {0};
	const struct page_counts **sorted;
	uint64_t number = 1;

	for (unsigned int i = 0; i < 5000; i++) {
		number = number * 6364136223846793005ULL + 1442695040888963407ULL;
		add(&pages, number >> 20 >> i % 44, (uint32_t)(number >> 8) & 0xffff & ~(i % 3), 1);
	}
	sorted = smile_page_counts_sorted(&pages);
	for (size_t i = 1; i < pages.table.used; i++)
		assert_true(sorted[i - 1]->key < sorted[i]->key);
	assert_null(sorted[pages.table.used]);
	free(sorted);
	smile_page_counts_free(&pages);
}

static void pages_that_differ_in_one_bit_are_sorted(void **state)
{
	for (unsigned int bit = 0; bit < 36; bit++) {
		struct page_counts_table pages = {0};
		const struct page_counts **sorted;

		add(&pages, 1ULL << bit, 0, 1);
		add(&pages, 0, 0, 1);
		sorted = smile_page_counts_sorted(&pages);
		assert_true(smile_page_counts_number(sorted[0]) == 0);
		assert_true(smile_page_counts_number(sorted[1]) == 1ULL << bit);
		free(sorted);
		smile_page_counts_free(&pages);
	}
}

static void pages_without_memory_stay_as_they_are(void **state)
{
	struct page_counts_table pages = {0};
	uint64_t count = 0;

	no_memory = 1;
	assert_int_equal(smile_page_counts_reserve(&pages, 1), -ENOMEM);
	no_memory = 0;
	for (; count < 100; count++)
		add(&pages, count, 0, 1);
	no_memory = 1;
	assert_null(smile_page_counts_sorted(&pages));
	assert_int_equal(smile_page_counts_reserve(&pages, 1000), -ENOMEM);
	no_memory = 0;
	assert_int_equal(pages.table.used, 100);
	for (; count < 1000; count++)
		add(&pages, count, 0, 1);
	for (uint64_t i = 0; i < 1000; i++)
		assert_true(counts_get(&smile_page_counts_find(&pages, i, 0)->accesses, 0) == 1);
	smile_page_counts_free(&pages);
}

static void pages_stay_where_they_are_while_there_is_room(void **state)
{
	struct page_counts_table pages = {0};
	struct page_counts *first;

	for (uint64_t i = 0; i < 3000; i += 100) {
		assert_int_equal(smile_page_counts_reserve(&pages, 100), 0);
		first = smile_page_counts_get(&pages, smile_page_counts_key(i, 1));
		for (uint64_t k = i; k < i + 100; k++)
			smile_page_counts_get(&pages, smile_page_counts_key(k, 1));
		assert_ptr_equal(smile_page_counts_get(&pages, smile_page_counts_key(i, 1)), first);
		assert_int_equal(pages.table.used, i + 100);
	}
	smile_page_counts_free(&pages);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_of_empty_are_not_there),
		cmocka_unit_test(pages_are_kept_apart_by_number_and_home),
		cmocka_unit_test(pages_are_sorted),
		cmocka_unit_test(pages_are_sorted_by_all_of_their_number),
		cmocka_unit_test(pages_that_differ_in_one_bit_are_sorted),
		cmocka_unit_test(pages_without_memory_stay_as_they_are),
		cmocka_unit_test(pages_stay_where_they_are_while_there_is_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
