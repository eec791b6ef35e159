/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Functions with which a program reports its accesses, for the tests of `smile run`. For each page
 * and node they print a line "known PAGE NODE READS WRITES LOCKS", in transactions of the B-Link.
 * NODE is * for the sum over all nodes. For C and C++.
 */
#ifndef TESTS_RUN_KNOWN_H
#define TESTS_RUN_KNOWN_H

#include <stdint.h>
#include <stdio.h>

#define KNOWN_PAGE 4096
#define KNOWN_ALL (-1)
/* Pages that contain only this variable. */
#define KNOWN_ALIGNED __attribute__((aligned(KNOWN_PAGE)))

static inline void known(const volatile void *start, int node, unsigned long reads,
			 unsigned long writes, unsigned long locks)
{
	char name[16] = "*";

	if (node != KNOWN_ALL)
		snprintf(name, sizeof(name), "%d", node);
	printf("known %lu %s %lu %lu %lu\n", (unsigned long)((uintptr_t)start / KNOWN_PAGE), name,
	       reads, writes, locks);
}

#endif /* TESTS_RUN_KNOWN_H */
