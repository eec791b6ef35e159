/* SPDX-License-Identifier: MIT */
/*
 * Sum: add counts that were read from a file.
 *
 * What lives here: addition that saturates at the largest number. If sums wrapped around, a damaged
 * recording could seem to have lost no events. This file may use <stdint.h>, and is not installed.
 */
#ifndef BASE_SUM_H
#define BASE_SUM_H

#include <stdint.h>

/* If a sum would exceed this value, it is set to this value. */
#define SUM_MAX UINT64_MAX

static inline uint64_t sum_counts(uint64_t left, uint64_t right)
{
	return right > SUM_MAX - left ? SUM_MAX : left + right;
}

/* Return whether both sums are equal and did not overflow. */
static inline int sum_equal(uint64_t left, uint64_t right)
{
	return left == right && left != SUM_MAX;
}

#endif /* BASE_SUM_H */
