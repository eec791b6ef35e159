/* SPDX-License-Identifier: MIT */
/*
 * Tests of lib/instrument/cubes.c. A cube is a set of numbers with some fixed bits. The cubes of a
 * range must contain exactly its numbers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/instrument/cubes.h"

static bool holds(const struct cubes *cubes, uint64_t number)
{
	for (size_t i = 0; i < cubes->count; i++)
		if ((number & cubes->cube[i].mask) == cubes->cube[i].value)
			return true;
	return false;
}

static void range_of_8_bits_any_exact(void **state)
{
	static struct cubes cubes;

	for (unsigned int first = 0; first < 256; first++) {
		for (unsigned int last = first; last < 256; last++) {
			cubes.count = 0;
			smile_cubes_range(&cubes, first, last, 8);
			assert_in_range(cubes.count, 1, 14);
			for (unsigned int number = 0; number < 256; number++)
				assert_int_equal(holds(&cubes, number),
						 number >= first && number <= last);
		}
	}
}

/* For each range, test every number in it and around it. */
static void fit_of_6_bits_any_smallest(void **state)
{
	static struct cubes cubes;

	for (unsigned int first = 0; first < 64; first += 3) {
		for (unsigned int last = first; last < 64; last += 2) {
			for (size_t room = 1; room < 5; room++) {
				uint64_t low = first, high = last, least = 64;

				for (unsigned int a = 0; a <= first; a++) {
					for (unsigned int b = last; b < 64; b++) {
						cubes.count = 0;
						smile_cubes_range(&cubes, a, b, 6);
						if (cubes.count <= room && b - a < least)
							least = b - a;
					}
				}
				smile_cubes_fit(&low, &high, 6, room);
				assert_true(low <= first && high >= last);
				assert_int_equal(high - low, least);
				cubes.count = 0;
				smile_cubes_range(&cubes, low, high, 6);
				assert_in_range(cubes.count, 1, room);
			}
		}
	}
}

static void range_of_48_bits_ends_exact(void **state)
{
	static struct cubes cubes;
	const uint64_t last = (1ULL << 48) - 1;

	smile_cubes_range(&cubes, 0, last, 48);
	assert_int_equal(cubes.count, 1);
	assert_int_equal(cubes.cube[0].mask, 0);
	cubes.count = 0;
	smile_cubes_range(&cubes, 1, last - 1, 48);
	assert_int_equal(cubes.count, 94);
	assert_false(holds(&cubes, 0));
	assert_true(holds(&cubes, 1));
	assert_true(holds(&cubes, 1ULL << 47));
	assert_true(holds(&cubes, last - 1));
	assert_false(holds(&cubes, last));
	cubes.count = 0;
	smile_cubes_range(&cubes, last, last, 48);
	assert_int_equal(cubes.count, 1);
	assert_int_equal(cubes.cube[0].mask, last);
}

static void members_random_exact(void **state)
{
	static struct cubes cubes;
	bool member[256];

	srand(1);
	for (unsigned int round = 0; round < 20; round++) {
		for (unsigned int number = 0; number < 256; number++)
			member[number] = rand() % 20 > (int)round;
		cubes.count = 0;
		smile_cubes_members(&cubes, member);
		for (unsigned int number = 0; number < 256; number++)
			assert_int_equal(holds(&cubes, number), member[number]);
	}
}

static void members_of_a_block_one_cube(void **state)
{
	static struct cubes cubes;
	bool member[256] = {false};

	memset(member + 0x40, true, 0x20);
	smile_cubes_members(&cubes, member);
	assert_int_equal(cubes.count, 1);
	assert_int_equal(cubes.cube[0].mask, 0xe0);
	assert_int_equal(cubes.cube[0].value, 0x40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(range_of_8_bits_any_exact),
		cmocka_unit_test(fit_of_6_bits_any_smallest),
		cmocka_unit_test(range_of_48_bits_ends_exact),
		cmocka_unit_test(members_random_exact),
		cmocka_unit_test(members_of_a_block_one_cube),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
