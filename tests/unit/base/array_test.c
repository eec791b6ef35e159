/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of include/base/array.h, an array that grows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <base/array.h>

#include "tests/unit/no_memory.h"

static void array_reserve_growsAndKeepsItems(void **state)
{
	uint64_t *items = NULL;
	size_t size = 0;

	for (size_t i = 0; i < 1000; i++) {
		assert_int_equal(array_reserve(&items, &size, i, sizeof(*items)), 0);
		assert_true(size > i && size <= 2 * i + ARRAY_FIRST);
		items[i] = i;
	}
	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(items[i], i);
	free(items);
}

static void array_reserve_farAhead_isEnough(void **state)
{
	char *items = NULL;
	size_t size = 0;

	assert_int_equal(array_reserve(&items, &size, 1000, 1), 0);
	assert_int_equal(size, 1024);
	items[1000] = 1;
	free(items);
}

static void array_reserve_withoutMemory_leavesAllAsItIs(void **state)
{
	uint64_t *items = NULL, *before;
	size_t size = 0;

	assert_int_equal(array_reserve(&items, &size, 0, sizeof(*items)), 0);
	before = items;
	items[0] = 7;
	no_memory = 1;
	assert_int_equal(array_reserve(&items, &size, ARRAY_FIRST, sizeof(*items)), -ENOMEM);
	no_memory = 0;
	assert_ptr_equal(items, before);
	assert_int_equal(items[0], 7);
	assert_int_equal(size, ARRAY_FIRST);
	free(items);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(array_reserve_growsAndKeepsItems),
		cmocka_unit_test(array_reserve_farAhead_isEnough),
		cmocka_unit_test(array_reserve_withoutMemory_leavesAllAsItIs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
