/* SPDX-License-Identifier: MIT */
/*
 * Cubes: sets of numbers as mask and value, which is how the instrument compares.
 *
 * What lives here: a range of numbers, and any set of 8-bit numbers, as few cubes. It may use libc.
 */
#ifndef LIB_INSTRUMENT_CUBES_H
#define LIB_INSTRUMENT_CUBES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number is in the cube if its masked bits are those of the value. */
struct cube {
	uint64_t mask;
	uint64_t value;
};

/* Of 48-bit ranges, two for each bit but the first are the most. */
#define CUBES_MAX 256U

/**
 * struct cubes - Cubes; a number is in the set if it is in one of them.
 * @count: how many are needed; beyond CUBES_MAX they are counted, not kept
 * @cube: the cubes
 */
struct cubes {
	size_t count;
	struct cube cube[CUBES_MAX];
};

/* Add the numbers @first to @last, of @bits bits. */
void smile_cubes_range(struct cubes *cubes, uint64_t first, uint64_t last, unsigned int bits);

/*
 * The smallest range around @first to @last, of @bits bits, of at most @room cubes, which is not 0.
 * Its ends are multiples of powers of two.
 */
void smile_cubes_fit(uint64_t *first, uint64_t *last, unsigned int bits, size_t room);

/* Add the 8-bit numbers that are true in @member[256], in as few cubes as a greedy search finds. */
void smile_cubes_members(struct cubes *cubes, const bool *member);

#endif /* LIB_INSTRUMENT_CUBES_H */
