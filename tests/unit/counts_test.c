/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/counts.c: counts by key, eight neighbours together.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/counts.h"

static void counts_get_of_empty_is_zero(void **state)
{
	struct counts counts = {0};
	size_t position = 0;
	uint64_t key;

	assert_true(smile_counts_get(&counts, 1) == 0);
	assert_true(smile_counts_next(&counts, &position, &key) == 0);
	smile_counts_free(&counts);
}

static void counts_add_tells_new_keys(void **state)
{
	struct counts counts = {0};

	assert_int_equal(smile_counts_add(&counts, 8, 1), 1);
	assert_int_equal(smile_counts_add(&counts, 8, 1), 0);
	assert_int_equal(smile_counts_add(&counts, 9, 5), 1);
	assert_int_equal(smile_counts_add(&counts, 16, 7), 1);
	assert_int_equal(counts.used, 2);
	assert_true(smile_counts_get(&counts, 8) == 2 && smile_counts_get(&counts, 9) == 5);
	assert_true(smile_counts_get(&counts, 16) == 7 && smile_counts_get(&counts, 10) == 0);
	smile_counts_free(&counts);
}

/* Of each size that a table passes through, full ones too: keys near each other and far apart. */
static void counts_of_many_keys_are_all_there(void **state)
{
	for (uint64_t step = 1; step < (1ULL << 50); step *= 33) {
		struct counts counts = {0};
		uint64_t sum = 0, keys = 0, count, key;
		size_t position = 0;

		for (uint64_t i = 0; i < 2000; i++) {
			assert_int_equal(smile_counts_add(&counts, i * step, (uint32_t)i + 1), 1);
			assert_true(smile_counts_get(&counts, (i + 1) * step) == 0);
		}
		for (uint64_t i = 0; i < 2000; i++)
			assert_int_equal(smile_counts_add(&counts, i * step, 1), 0);
		while ((count = smile_counts_next(&counts, &position, &key))) {
			assert_true(key % step == 0 && count == key / step + 2);
			sum += count;
			keys++;
		}
		assert_true(keys == 2000 && sum == 2000 * 2001 / 2 + 2000);
		smile_counts_free(&counts);
	}
}

static void counts_go_beyond_32_bits(void **state)
{
	struct counts counts = {0};
	uint64_t key, seen = 0, expected;
	size_t position = 0;

	/* 2^32 exactly: of its lane nothing is left. */
	assert_int_equal(smile_counts_add(&counts, 3, 1U << 31), 1);
	assert_int_equal(smile_counts_add(&counts, 3, 1U << 31), 0);
	assert_true(smile_counts_get(&counts, 3) == 1ULL << 32);
	assert_true(smile_counts_next(&counts, &position, &key) == 1ULL << 32 && key == 3);
	assert_true(smile_counts_next(&counts, &position, &key) == 0);
	assert_int_equal(smile_counts_add(&counts, 3, 9), 0);
	expected = (1ULL << 32) + 9;
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(smile_counts_add(&counts, 3, UINT32_MAX), 0);
		expected += UINT32_MAX;
	}
	/* Others in the same group, and growth, leave it as it is. */
	for (uint64_t other = 4; other < 400; other++)
		assert_int_equal(smile_counts_add(&counts, other, 1), 1);
	assert_true(smile_counts_get(&counts, 3) == expected);
	for (position = 0; smile_counts_next(&counts, &position, &key); seen++)
		assert_true(key >= 3 && key < 400);
	assert_true(seen == 397);
	smile_counts_free(&counts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_get_of_empty_is_zero),
		cmocka_unit_test(counts_add_tells_new_keys),
		cmocka_unit_test(counts_of_many_keys_are_all_there),
		cmocka_unit_test(counts_go_beyond_32_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
