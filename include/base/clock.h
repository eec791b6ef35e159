/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Clock: read the system's clocks in nanoseconds.
 *
 * What lives here: two functions for code that measures time or waits. This file may use <time.h>.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define CLOCK_SECOND_NS 1000000000ULL

static inline uint64_t clock_time_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * CLOCK_SECOND_NS + (uint64_t)now.tv_nsec;
}

/* Read the monotonic clock. */
static inline uint64_t clock_now_ns(void)
{
	return clock_time_ns(CLOCK_MONOTONIC);
}

#endif /* BASE_CLOCK_H */
