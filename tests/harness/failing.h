/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of tests: they show that a helper that asserts can fail.
 *
 * What lives here: a function that runs a cmocka test in a process of its own. The unit tests and
 * the conformance suite use it to check their helpers. May use cmocka and POSIX.
 */
#ifndef TESTS_HARNESS_FAILING_H
#define TESTS_HARNESS_FAILING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Run @function as a test without output. Return: the number of failed tests, 0 or 1. */
int failures_of(CMUnitTestFunction function, CMFixtureFunction setup, CMFixtureFunction teardown);

#endif /* TESTS_HARNESS_FAILING_H */
