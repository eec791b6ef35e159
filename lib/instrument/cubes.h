/* SPDX-License-Identifier: MIT */
/*
 * Cubes: represent sets of numbers as masks and values, which is the form in which the instrument
 * compares numbers.
 *
 * What lives here: the conversion of a range of numbers, and of any set of 8-bit numbers, into a
 * small number of cubes. May use libc.
 */
#ifndef LIB_INSTRUMENT_CUBES_H
#define LIB_INSTRUMENT_CUBES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A cube contains the numbers whose masked bits equal the masked bits of @value. */
struct cube {
	uint64_t mask;
	uint64_t value;
};

/* A range of 48-bit numbers needs at most two cubes for each bit except the first bit. */
#define CUBES_MAX 256U

/**
 * struct cubes - A set of numbers: all numbers that at least one of its cubes contains.
 * @count: number of needed cubes; cubes beyond CUBES_MAX are counted but not stored
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
 * smallest such range; its ends are multiples of powers of two. The numbers have @bits bits, and
 * @room is not 0.
 */
void smile_cubes_fit(uint64_t *first, uint64_t *last, unsigned int bits, size_t room);

/*
 * Add the 8-bit numbers whose element in @member[256] is true. A greedy search keeps the number of
 * cubes small.
 */
void smile_cubes_members(struct cubes *cubes, const bool *member);

#endif /* LIB_INSTRUMENT_CUBES_H */
