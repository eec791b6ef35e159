/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of emu/machine/page_homes.c, the table of pages and their homes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "emu/machine/page_homes.h"

static void pages_add_many_are_all_found(void **state)
{
	struct pages pages = {0};

	assert_int_equal(pages_find(&pages, 0), 0);
	for (uint64_t page = 0; page < 20000; page++)
		assert_int_equal(pages_add(&pages, page * page * 7 % (1ULL << 36), page % 64), 0);
	for (uint64_t page = 0; page < 20000; page++)
		assert_int_equal(pages_home(pages_find(&pages, page * page * 7 % (1ULL << 36))),
				 page % 64);
	assert_int_equal(pages_find(&pages, 5), 0);
	pages_free(&pages);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_add_many_are_all_found),
	};

	return cmocka_run_group_tests_name("page homes", tests, NULL, NULL);
}
