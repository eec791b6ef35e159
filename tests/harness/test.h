/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The harness of test programs in C that cannot use cmocka.
 *
 * What lives here: the closing line of a suite, which run.sh reads. May use the C library.
 */
#ifndef TESTS_HARNESS_TEST_H
#define TESTS_HARNESS_TEST_H

#include <stdio.h>

/* The last call of a program. Return: its exit status. */
static inline int suite_end(unsigned int passed, unsigned int failed, unsigned int skipped)
{
	printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
	return failed != 0;
}

#endif /* TESTS_HARNESS_TEST_H */
