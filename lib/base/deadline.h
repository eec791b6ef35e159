/* SPDX-License-Identifier: MIT */
/*
 * Deadline: computes the remaining time of a time-out, for a function that waits several times.
 *
 * What lives here: two functions that read the monotonic clock in milliseconds, the unit of poll().
 */
#ifndef LIB_BASE_DEADLINE_H
#define LIB_BASE_DEADLINE_H

#include <limits.h>
#include <stdint.h>

#include <base/clock.h>

static inline int64_t smile_now_ms(void)
{
	return (int64_t)(clock_now_ns() / 1000000);
}

/* Get the time from now to @deadline_ms. Return: milliseconds; 0 if @deadline_ms has passed. */
static inline int smile_left_ms(int64_t deadline_ms)
{
	int64_t left = deadline_ms - smile_now_ms();

	if (left <= 0)
		return 0;
	return left < INT_MAX ? (int)left : INT_MAX;
}

#endif /* LIB_BASE_DEADLINE_H */
