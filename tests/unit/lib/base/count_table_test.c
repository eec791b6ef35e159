/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/base/count_table.c: one count for each key. */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/lib_fixture.h"
#include "lib/base/count_table.h"

static void table_get_of_empty_is_zero(void **state)
{
	struct count_table table = {0};
	size_t position = 0;

	assert_true(smile_count_table_get(&table, 1, 2) == 0);
	assert_null(smile_count_table_next(&table, &position));
	smile_count_table_free(&table);
}

static void table_add_many_keys_counts_each(void **state)
{
	struct count_table table = {0};
	const struct count_cell *cell;
	uint64_t sum = 0, cells = 0;
	size_t position = 0;

	for (int round = 1; round <= 2; round++) {
		for (uint64_t i = 0; i < 50000; i++)
			assert_int_equal(smile_count_table_add(&table, i << 16, i % 7, i + 1), 0);
	}
	for (uint64_t i = 0; i < 50000; i++)
		assert_true(smile_count_table_get(&table, i << 16, i % 7) == 2 * (i + 1));
	assert_true(smile_count_table_get(&table, 1, 0) == 0);
	while ((cell = smile_count_table_next(&table, &position))) {
		sum += cell->count;
		cells++;
	}
	assert_true(cells == 50000);
	assert_true(sum == 2ULL * 50000 * 50001 / 2);
	assert_int_equal(table.used, 50000);
	smile_count_table_free(&table);
}

static void table_add_beyond_32_bits_is_exact(void **state)
{
	struct count_table table = {0};

	smile_count_table_add(&table, 0, 0, UINT32_MAX);
	smile_count_table_add(&table, 0, 0, 2);
	assert_true(smile_count_table_get(&table, 0, 0) == 0x100000001);
	smile_count_table_free(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_get_of_empty_is_zero),
		cmocka_unit_test(table_add_many_keys_counts_each),
		cmocka_unit_test(table_add_beyond_32_bits_is_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
