/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/base/pool.c: copies of strings. On request, equal strings have one copy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "lib/base/pool.h"
#include "lib/base/count_table.h"

#define TEXTS 5000U

static void equal_texts_are_one(void **state)
{
	static const char *copies[TEXTS];
	struct pool pool = {0};
	struct count_table known = {0};
	char text[32];

	for (unsigned int turn = 0; turn < 3; turn++)
		for (unsigned int i = 0; i < TEXTS; i++) {
			const char *copy;

			snprintf(text, sizeof(text), "function%u::x", i);
			copy = smile_pool_once(&pool, &known, text);
			assert_non_null(copy);
			assert_string_equal(copy, text);
			assert_true(copy != text && (!turn || copy == copies[i]));
			copies[i] = copy;
		}
	assert_int_equal(known.used, TEXTS);
	assert_string_equal(smile_pool_once(&pool, &known, ""), "");
	/* Without the table of known strings, equal strings have separate copies. */
	assert_ptr_not_equal(smile_pool_copy(&pool, "x"), smile_pool_copy(&pool, "x"));
	smile_count_table_free(&known);
	smile_pool_free(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_texts_are_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
