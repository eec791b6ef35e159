/* SPDX-License-Identifier: MIT */
/*
 * Cubes: represents a set of numbers by pairs of a mask and a value. The instrument compares
 * numbers in this form.
 *
 * What lives here: the conversion of a range of numbers, and of any set of 8-bit numbers, into a
 * small number of cubes. May use libc.
 */
#ifndef LIB_INSTRUMENT_CUBES_H
#define LIB_INSTRUMENT_CUBES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A cube is the set of all numbers whose masked bits equal the masked bits of @value. */
struct cube {
	uint64_t mask;
	uint64_t value;
};

/*
 * The largest number of cubes in a set. A range of 48-bit numbers needs fewer: at most two cubes
 * for each bit except the first.
 */
#define CUBES_MAX 256U

/**
 * struct cubes - A set of numbers: all numbers that at least one of its cubes contains.
 * @count: number of cubes that the set needs; cubes beyond CUBES_MAX are counted but not stored
 * @cube: the cubes
 */
struct cubes {
	size_t count;
	struct cube cube[CUBES_MAX];
};

/* Add the numbers from @first to @last, which have @bits bits. */
void smile_cubes_range(struct cubes *cubes, uint64_t first, uint64_t last, unsigned int bits);

/*
 * Enlarge the range from @first to @last until it needs at most @room cubes. The result is the
 * smallest such range, and its ends are multiples of powers of two. @bits: number of bits of a
 * number. @room: not 0.
 */
void smile_cubes_fit(uint64_t *first, uint64_t *last, unsigned int bits, size_t room);

/*
 * Add the 8-bit numbers whose element in @member[256] is true. A greedy search keeps the number of
 * cubes small.
 */
void smile_cubes_members(struct cubes *cubes, const bool *member);

#endif /* LIB_INSTRUMENT_CUBES_H */
