/* SPDX-License-Identifier: MIT */
/*
 * Cubes: sets of numbers as masks and values, the form in which the instrument compares them.
 *
 * What lives here: conversions of a range of numbers, and of any set of 8-bit numbers, to a small
 * number of cubes. May use libc.
 */
#ifndef LIB_INSTRUMENT_CUBES_H
#define LIB_INSTRUMENT_CUBES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number is in the cube if its masked bits equal those of the value. */
struct cube {
	uint64_t mask;
	uint64_t value;
};

/* The largest number of cubes for a 48-bit range is two for each bit except the first. */
#define CUBES_MAX 256U

/**
 * struct cubes - A set: the union of its cubes.
 * @count: number of cubes needed; cubes beyond CUBES_MAX are counted, but not stored
 * @cube: the cubes
 */
struct cubes {
	size_t count;
	struct cube cube[CUBES_MAX];
};

/* Add the numbers @first to @last, of @bits bits. */
void smile_cubes_range(struct cubes *cubes, uint64_t first, uint64_t last, unsigned int bits);

/*
 * Find the smallest range around @first to @last, of @bits bits, that needs at most @room cubes;
 * @room is not 0. Its ends are multiples of powers of two.
 */
void smile_cubes_fit(uint64_t *first, uint64_t *last, unsigned int bits, size_t room);

/* Add the 8-bit numbers that are true in @member[256], in as few cubes as a greedy search finds. */
void smile_cubes_members(struct cubes *cubes, const bool *member);

#endif /* LIB_INSTRUMENT_CUBES_H */
