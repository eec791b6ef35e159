/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/counts/counts.c: the count of each key is stored as a single entry or, with those of
 * seven adjacent keys, as a group.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <errno.h>
#include <stdint.h>

#include <cmocka.h>

#include <base/random.h>

#include "lib/counts/counts.h"
#include "tests/unit/lib/counts/counts_get.h"
#include "tests/unit/no_memory.h"

static struct slab slab;

static int add(struct counts *counts, uint64_t key, uint32_t count)
{
	return smile_counts_add(counts, &slab, key, count);
}

/* Free all memory. */
static void end(struct counts *counts)
{
	smile_counts_drop(counts);
	smile_slab_free(&slab);
}

static void counts_get_of_empty_is_zero(void **state)
{
	struct counts counts = {0};
	size_t position = 0;
	uint64_t key;

	assert_true(counts_get(&counts, 1) == 0);
	assert_true(smile_counts_next(&counts, &position, &key) == 0);
	end(&counts);
}

static void counts_add_reports_new_keys(void **state)
{
	struct counts counts = {0};

	assert_int_equal(add(&counts, 8, 1), 1);
	assert_int_equal(add(&counts, 8, 1), 0);
	assert_int_equal(add(&counts, 9, 5), 1);
	assert_int_equal(add(&counts, 16, 7), 1);
	assert_int_equal(counts.used, 3);
	assert_true(counts_get(&counts, 8) == 2 && counts_get(&counts, 9) == 5);
	assert_true(counts_get(&counts, 16) == 7 && counts_get(&counts, 10) == 0);
	end(&counts);
}

/* Fill tables of each size, with adjacent keys and with distant keys. */
static void counts_of_many_keys_are_all_there(void **state)
{
	for (uint64_t step = 1; step < (1ULL << 50); step *= 33) {
		struct counts counts = {0};
		uint64_t sum = 0, keys = 0, count, key;
		size_t position = 0;

		for (uint64_t i = 0; i < 2000; i++) {
			assert_int_equal(add(&counts, i * step, (uint32_t)i + 1), 1);
			assert_true(counts_get(&counts, (i + 1) * step) == 0);
		}
		for (uint64_t i = 0; i < 2000; i++)
			assert_int_equal(add(&counts, i * step, 1), 0);
		while ((count = smile_counts_next(&counts, &position, &key))) {
			assert_true(key % step == 0 && count == key / step + 2);
			sum += count;
			keys++;
		}
		assert_true(keys == 2000 && sum == 2000 * 2001 / 2 + 2000);
		end(&counts);
	}
}

static void counts_go_beyond_32_bits(void **state)
{
	struct counts counts = {0};
	uint64_t key, seen = 0, expected;
	size_t position = 0;

	/*
	 * The count is 2^32. Its low 32 bits in the group become 0, and a single entry cannot hold
	 * it.
	 */
	assert_int_equal(add(&counts, 3, 1U << 31), 1);
	assert_int_equal(add(&counts, 3, 1U << 31), 0);
	assert_true(counts_get(&counts, 3) == 1ULL << 32);
	assert_true(smile_counts_next(&counts, &position, &key) == 1ULL << 32 && key == 3);
	assert_true(smile_counts_next(&counts, &position, &key) == 0);
	assert_int_equal(add(&counts, 3, 9), 0);
	expected = (1ULL << 32) + 9;
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(add(&counts, 3, UINT32_MAX), 0);
		expected += UINT32_MAX;
	}
	/* Other counts of the same group and the growth of the table must not change the count. */
	for (uint64_t other = 4; other < 400; other++)
		assert_int_equal(add(&counts, other, 1), 1);
	assert_true(counts_get(&counts, 3) == expected);
	for (position = 0; smile_counts_next(&counts, &position, &key); seen++)
		assert_true(key >= 3 && key < 400);
	assert_true(seen == 397);
	end(&counts);
}

#define RANDOM_KEYS 5000U

static uint64_t state = 1;

/* Compare with sums in an array: keys with few or many adjacent keys, short keys and long keys. */
static void check_random(uint64_t step, uint32_t keys, uint32_t most)
{
	static uint64_t sums[RANDOM_KEYS];
	struct counts counts = {0};
	uint64_t key, count, seen = 0;
	size_t position = 0;

	for (uint32_t i = 0; i < keys; i++)
		sums[i] = 0;
	for (uint32_t i = 0; i < 4 * keys; i++) {
		uint32_t at = random_below(&state, keys), by = 1 + random_below(&state, most);

		assert_int_equal(add(&counts, at * step, by), !sums[at]);
		sums[at] += by;
	}
	for (uint32_t i = 0; i < keys; i++) {
		assert_true(counts_get(&counts, i * step) == sums[i]);
		seen += sums[i] != 0;
	}
	while ((count = smile_counts_next(&counts, &position, &key))) {
		assert_true(key % step == 0 && count == sums[key / step]);
		seen--;
	}
	assert_true(seen == 0);
	end(&counts);
}

static void counts_of_random_keys_are_their_sums(void **unused)
{
	static const uint64_t steps[] = {1, 3, 8, 77, 1ULL << 18, 1ULL << 31, 1ULL << 44};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		for (uint32_t keys = 1; keys <= RANDOM_KEYS; keys = keys * 2 + 1) {
			check_random(steps[i], keys, 9);
			/* Some sums exceed 2^32. */
			check_random(steps[i], keys, 1U << 24);
			check_random(steps[i], keys, 1U << 31);
		}
}

/*
 * Counts of distant keys stay single entries. Counts of adjacent keys become groups, which are
 * smaller.
 */
static void counts_take_the_form_that_takes_less(void **unused)
{
	struct counts apart = {0}, near = {0};

	for (uint32_t i = 0; i < 100; i++) {
		assert_int_equal(add(&apart, (uint64_t)i * 64, 1), 1);
		assert_int_equal(add(&near, i, 1), 1);
	}
	assert_false(apart.grouped);
	assert_true(near.grouped);
	assert_int_equal(near.used, 13);
	assert_true(apart.size * sizeof(*apart.singles) <= 2048);
	assert_true(near.size * sizeof(*near.groups) <= 1024);
	smile_counts_drop(&apart);
	end(&near);
}

/* A single entry has no room for a long key. */
static void counts_of_long_keys_are_groups(void **unused)
{
	const uint64_t longest = (1ULL << 60) - 1;
	struct counts counts = {0};

	assert_int_equal(add(&counts, 5, 7), 1);
	assert_int_equal(add(&counts, UINT32_MAX, 8), 1);
	assert_false(counts.grouped);
	assert_int_equal(add(&counts, (1ULL << 32) + 5, 9), 1);
	assert_true(counts.grouped);
	assert_int_equal(add(&counts, longest, 10), 1);
	assert_true(counts_get(&counts, 5) == 7);
	assert_true(counts_get(&counts, UINT32_MAX) == 8);
	assert_true(counts_get(&counts, (1ULL << 32) + 5) == 9);
	assert_true(counts_get(&counts, longest) == 10);
	end(&counts);
}

/*
 * Each time the table should grow, let the allocation fail. The failed call must change nothing,
 * and succeed later.
 */
static void counts_without_memory_stay_as_they_are(void **unused)
{
	static const uint64_t steps[] = {1, 64, 1ULL << 33};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct counts counts = {0};
		unsigned int refused = 0;

		for (uint64_t k = 0; k < 1500; k++) {
			int added;

			no_memory = 1;
			added = add(&counts, k * steps[i], 1 + (uint32_t)k);
			no_memory = 0;
			if (added < 0) {
				assert_int_equal(added, -ENOMEM);
				assert_true(counts_get(&counts, k * steps[i]) == 0);
				refused++;
				added = add(&counts, k * steps[i], 1 + (uint32_t)k);
			}
			assert_int_equal(added, 1);
			for (uint64_t j = 0; j <= k; j += 1 + k / 50)
				assert_true(counts_get(&counts, j * steps[i]) == 1 + j);
		}
		assert_true(refused >= 3);
		end(&counts);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_get_of_empty_is_zero),
		cmocka_unit_test(counts_add_reports_new_keys),
		cmocka_unit_test(counts_of_many_keys_are_all_there),
		cmocka_unit_test(counts_go_beyond_32_bits),
		cmocka_unit_test(counts_of_random_keys_are_their_sums),
		cmocka_unit_test(counts_take_the_form_that_takes_less),
		cmocka_unit_test(counts_of_long_keys_are_groups),
		cmocka_unit_test(counts_without_memory_stay_as_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
