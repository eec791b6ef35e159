/* SPDX-License-Identifier: MIT */
/*
 * Sum: addition of counts from a file.
 *
 * What lives here: saturating addition. If sums wrapped around, a wrong loss account could seem to
 * balance.
 */
#ifndef LIB_BASE_SUM_H
#define LIB_BASE_SUM_H

#include <stdint.h>

/* A sum that would exceed this value stays at it. */
#define SUM_MAX UINT64_MAX

static inline uint64_t smile_sum_add(uint64_t left, uint64_t right)
{
	return right > SUM_MAX - left ? SUM_MAX : left + right;
}

/* Return whether both sums are equal and did not overflow. */
static inline int smile_sum_equal(uint64_t left, uint64_t right)
{
	return left == right && left != SUM_MAX;
}

#endif /* LIB_BASE_SUM_H */
