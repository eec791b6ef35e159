/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Absolute times for waits with a time limit, for the programs in this directory. May use <time.h>.
 */
#ifndef TESTS_RUN_DEADLINE_H
#define TESTS_RUN_DEADLINE_H

#include <time.h>

#define NS_PER_SECOND 1000000000

/* Return: the time in @ns nanoseconds from now, by this clock. @ns is less than a second. */
static inline struct timespec deadline(clockid_t clock, long ns)
{
	struct timespec until;

	clock_gettime(clock, &until);
	until.tv_nsec += ns;
	if (until.tv_nsec >= NS_PER_SECOND) {
		until.tv_nsec -= NS_PER_SECOND;
		until.tv_sec++;
	}
	return until;
}

#endif /* TESTS_RUN_DEADLINE_H */
