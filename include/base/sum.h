/* SPDX-License-Identifier: MIT */
/*
 * Sum: addition of counts from a file.
 *
 * What lives here: saturating addition. If sums wrapped around, a wrong loss account could seem to
 * balance. May use <stdint.h>. Not installed.
 */
#ifndef BASE_SUM_H
#define BASE_SUM_H

#include <stdint.h>

/* A sum that would exceed this value stays at it. */
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
