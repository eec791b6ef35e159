/* SPDX-License-Identifier: MIT */
/*
 * Deadline: the remaining time of a time-out, for waits in several steps.
 *
 * What lives here: two functions on the monotonic clock, in milliseconds, as poll() uses them.
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

/* Return: milliseconds until @deadline_ms; 0 if it has passed. */
static inline int smile_left_ms(int64_t deadline_ms)
{
	int64_t left = deadline_ms - smile_now_ms();

	if (left <= 0)
		return 0;
	return left < INT_MAX ? (int)left : INT_MAX;
}

#endif /* LIB_BASE_DEADLINE_H */
