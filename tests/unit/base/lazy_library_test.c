// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Tests of loading a library: either all requested functions of the library are found, or the load
 * fails.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include <base/lazy_library.h>

#define FUNCTIONS(X) X(a, bs) X(a, toi)

struct table {
	FUNCTIONS(LAZY_LIBRARY_MEMBER)
};

static const char *const names[] = {FUNCTIONS(LAZY_LIBRARY_NAME)};

static void functions_are_in_the_order_of_their_names(void **state)
{
	struct table table = {0};

	assert_int_equal(lazy_library_open("libc.so.6", names, 2, &table), 0);
	assert_int_equal(table.bs(-7), 7);
	assert_int_equal(table.toi("12"), 12);
}

static void a_library_that_is_not_there_is_an_error(void **state)
{
	struct table table = {0};

	assert_int_equal(lazy_library_open("libsmile-none.so.0", names, 2, &table), -ELIBACC);
}

static void a_function_that_is_not_there_is_an_error(void **state)
{
	static const char *const others[] = {"abs", "smile_none"};
	struct table table = {0};

	assert_int_equal(lazy_library_open("libc.so.6", others, 2, &table), -ELIBACC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_in_the_order_of_their_names),
		cmocka_unit_test(a_library_that_is_not_there_is_an_error),
		cmocka_unit_test(a_function_that_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
