/* SPDX-License-Identifier: MIT */
/*
 * Sum: addition of counts from a file.
 *
 * What lives here: saturating addition. With sums that wrap around, a wrong account could seem
 * balanced. May use <stdint.h>. Not installed.
 */
#ifndef BASE_SUM_H
#define BASE_SUM_H

#include <stdint.h>

/* A sum that would overflow stays at this value. */
#define SUM_MAX UINT64_MAX

static inline uint64_t sum_counts(uint64_t left, uint64_t right)
{
	return right > SUM_MAX - left ? SUM_MAX : left + right;
}

/* Whether both sums are equal and did not overflow. */
static inline int sum_equal(uint64_t left, uint64_t right)
{
	return left == right && left != SUM_MAX;
}

#endif /* BASE_SUM_H */
