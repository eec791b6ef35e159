/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Random: a generator whose numbers depend only on the seed, not on the machine.
 *
 * What lives here: a linear congruential generator that uses only integers. This file may use
 * <stdint.h>, and is not installed.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

/**
 * random_below() - Get the next random number, from 0 to @limit - 1.
 * @state: state of the generator; any value is a seed
 *
 * The next state is state * 6364136223846793005 + 1442695040888963407 modulo 2^64. The number is
 * the product of @limit and the upper 32 bits of this state, divided by 2^32.
 */
static inline uint32_t random_below(uint64_t *state, uint32_t limit)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)((*state >> 32) * limit >> 32);
}

#endif /* BASE_RANDOM_H */
