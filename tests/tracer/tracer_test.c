/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the tracer with programs whose accesses are known.
 *
 *	tracer_test PLUGIN PRELOAD DIRECTORY-OF-GUESTS
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "tests/tracer/check.h"

int main(int argc, char **argv)
{
	struct CMUnitTest *cases;
	size_t count = access_cases_count + memory_cases_count + process_cases_count;
	struct CMUnitTest *to;

	if (argc != 4) {
		fprintf(stderr, "usage: %s PLUGIN PRELOAD DIRECTORY-OF-GUESTS\n", argv[0]);
		return 2;
	}
	check_plugin = argv[1];
	check_preload = argv[2];
	check_guests = argv[3];
	cases = calloc(count, sizeof(*cases));
	if (!cases)
		return 1;
	memcpy(cases, access_cases, access_cases_count * sizeof(*cases));
	to = cases + access_cases_count;
	memcpy(to, memory_cases, memory_cases_count * sizeof(*cases));
	to += memory_cases_count;
	memcpy(to, process_cases, process_cases_count * sizeof(*cases));
	return _cmocka_run_group_tests("tracer", cases, count, NULL, NULL);
}
