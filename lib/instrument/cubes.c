/* SPDX-License-Identifier: MIT */
/*
 * Cubes: divides ranges of numbers into aligned blocks, and covers sets of 8-bit numbers with the
 * largest possible cubes. See cubes.h for the meaning of cube.
 */
#include "lib/instrument/cubes.h"

#include <string.h>

#define NUMBERS 256U
#define NUMBER_BITS 8U

static void cubes_add(struct cubes *cubes, uint64_t mask, uint64_t value)
{
	if (cubes->count < CUBES_MAX)
		cubes->cube[cubes->count] = (struct cube){.mask = mask, .value = value};
	cubes->count++;
}

void smile_cubes_range(struct cubes *cubes, uint64_t first, uint64_t last, unsigned int bits)
{
	uint64_t all = bits < 64 ? (1ULL << bits) - 1 : UINT64_MAX, block;

	for (;;) {
		/*
		 * Find the largest aligned block that begins at @first and ends within the range.
		 */
		block = 1;
		while (block && !(first & block) && last - first >= 2 * block - 1 &&
		       block <= all / 2 + 1)
			block *= 2;
		cubes_add(cubes, all & ~(block - 1), first);
		if (last - first < block)
			return;
		first += block;
	}
}

static size_t range_count(uint64_t first, uint64_t last, unsigned int bits)
{
	struct cubes cubes = {0};

	smile_cubes_range(&cubes, first, last, bits);
	return cubes.count;
}

void smile_cubes_fit(uint64_t *first, uint64_t *last, unsigned int bits, size_t room)
{
	uint64_t best_first = 0, best_last = bits < 64 ? (1ULL << bits) - 1 : UINT64_MAX;

	for (unsigned int down = 0; down < bits; down++) {
		for (unsigned int up = 0; up < bits; up++) {
			uint64_t low = *first >> down << down;
			uint64_t high = *last | ((1ULL << up) - 1);

			if (high - low < best_last - best_first &&
			    range_count(low, high, bits) <= room) {
				best_first = low;
				best_last = high;
			}
		}
	}
	*first = best_first;
	*last = best_last;
}

/*
 * Count the members of the set that the cube covers and that no other cube covers yet. Return: the
 * count; -1 if the cube contains a number that is not in the set.
 */
static int cube_gain(const bool *member, const bool *covered, unsigned int mask, unsigned int value)
{
	unsigned int rest = ~mask & (NUMBERS - 1), part = 0;
	int gain = 0;

	do {
		if (!member[value | part])
			return -1;
		gain += !covered[value | part];
		part = (part - rest) & rest;
	} while (part);
	return gain;
}

void smile_cubes_members(struct cubes *cubes, const bool *member)
{
	bool covered[NUMBERS] = {false};

	for (;;) {
		unsigned int best_mask = 0, best_value = 0, best_free = 0;
		int best = 0;

		for (unsigned int mask = 0; mask < NUMBERS; mask++) {
			unsigned int free = NUMBER_BITS - (unsigned int)__builtin_popcount(mask);

			for (unsigned int value = 0; value < NUMBERS; value++) {
				int gain;

				if (value & ~mask || !member[value])
					continue;
				gain = cube_gain(member, covered, mask, value);
				if (gain > best || (gain > 0 && gain == best && free > best_free)) {
					best = gain;
					best_mask = mask;
					best_value = value;
					best_free = free;
				}
			}
		}
		if (!best)
			return;
		cubes_add(cubes, best_mask, best_value);
		for (unsigned int value = 0; value < NUMBERS; value++)
			covered[value] |= (value & best_mask) == best_value;
	}
}
