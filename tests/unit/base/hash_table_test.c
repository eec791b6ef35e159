/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of include/base/hash_table.h, a table of entries that each have a number as key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <base/hash_table.h>

#include "tests/unit/no_memory.h"

#define KEYS 3000U

/* An entry has three words, so that the size of the table in bytes is no power of two. */
struct entry {
	uint64_t key;
	uint64_t value[2];
};

static struct entry *find(const struct hash_table *table, uint64_t key)
{
	return hash_table_find(table, key, sizeof(struct entry));
}

static struct entry *add(struct hash_table *table, uint64_t key)
{
	return hash_table_add(table, key, sizeof(struct entry));
}

static void hash_table_empty_has_nothing(void **state)
{
	struct hash_table table = {0};
	size_t position = 0;

	assert_null(find(&table, 1));
	assert_null(hash_table_next(&table, &position, sizeof(struct entry)));
	assert_int_equal(hash_table_size(&table), 0);
	hash_table_free(&table);
}

static void hash_table_add_findsOrMakesZero(void **state)
{
	struct hash_table table = {0};
	struct entry *entry = add(&table, UINT64_MAX);

	assert_true(entry->key == UINT64_MAX && entry->value[0] == 0 && entry->value[1] == 0);
	entry->value[1] = 7;
	assert_ptr_equal(add(&table, UINT64_MAX), entry);
	assert_ptr_equal(find(&table, UINT64_MAX), entry);
	assert_int_equal(entry->value[1], 7);
	assert_int_equal(table.used, 1);
	assert_null(find(&table, 1));
	hash_table_free(&table);
	assert_null(find(&table, UINT64_MAX));
}

/* An odd key is a small number; an even key also has its number in the highest bits. */
static uint64_t key_of(uint64_t i)
{
	return i % 2 ? i : i << 52 | i;
}

static void hash_table_grown_keepsAll(void **state)
{
	struct hash_table table = {0};
	const struct entry *entry;
	size_t position = 0, seen = 0;
	uint64_t sum = 0;

	for (uint64_t i = 1; i <= KEYS; i++)
		add(&table, key_of(i))->value[0] = i;
	assert_int_equal(table.used, KEYS);
	assert_true(table.used <= hash_table_size(&table) / 4 * 3);
	for (uint64_t i = 1; i <= KEYS; i++)
		assert_true(find(&table, key_of(i))->value[0] == i);
	while ((entry = hash_table_next(&table, &position, sizeof(*entry)))) {
		assert_true(entry->key == key_of(entry->value[0]));
		sum += entry->value[0];
		seen++;
	}
	assert_int_equal(seen, KEYS);
	assert_true(sum == KEYS * (KEYS + 1ULL) / 2);
	hash_table_free(&table);
}

/* Compare the table with an array after each change. */
static void hash_table_remove_movesWhatFollows(void **state)
{
	static uint64_t values[256];
	struct hash_table table = {0};
	uint64_t random = 1, used = 0;

	for (uint64_t turn = 1; turn <= 20000; turn++) {
		size_t i;

		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		/*
		 * Use up to 44 of the 64 slots, so that there are long sequences without a free
		 * slot.
		 */
		i = random >> 40 & (turn / 1000 % 2 ? 255 : 31);
		if (values[i]) {
			assert_true(find(&table, i + 1)->value[0] == values[i]);
			hash_table_remove(&table, find(&table, i + 1), sizeof(struct entry));
			values[i] = 0;
			used--;
		} else if (used < 44) {
			struct entry *entry = add(&table, i + 1);

			assert_true(entry->value[0] == 0);
			entry->value[0] = values[i] = turn;
			used++;
		}
		assert_int_equal(table.used, used);
		for (i = 0; i < 256; i++) {
			const struct entry *entry = find(&table, i + 1);

			assert_true(entry ? entry->value[0] == values[i] : !values[i]);
		}
	}
	assert_int_equal(hash_table_size(&table), 64);
	hash_table_free(&table);
}

static void hash_table_reserved_staysWhereItIs(void **state)
{
	struct hash_table table = {0};
	const struct entry *first;

	assert_int_equal(hash_table_reserve(&table, 100, sizeof(*first)), 0);
	first = hash_table_put(&table, 1, sizeof(*first));
	for (uint64_t key = 2; key <= 100; key++)
		hash_table_put(&table, key, sizeof(*first));
	assert_ptr_equal(find(&table, 1), first);
	assert_int_equal(table.used, 100);
	hash_table_free(&table);
}

static void hash_table_withoutMemory_staysAsItIs(void **state)
{
	struct hash_table table = {0};

	no_memory = 1;
	assert_null(add(&table, 1));
	no_memory = 0;
	for (uint64_t key = 1; key <= 48; key++)
		assert_non_null(add(&table, key));
	no_memory = 1;
	assert_null(add(&table, 49));
	assert_int_equal(hash_table_reserve(&table, 1000, sizeof(struct entry)), -ENOMEM);
	no_memory = 0;
	assert_int_equal(table.used, 48);
	for (uint64_t key = 1; key <= 48; key++)
		assert_non_null(find(&table, key));
	assert_non_null(add(&table, 49));
	hash_table_free(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hash_table_empty_has_nothing),
		cmocka_unit_test(hash_table_add_findsOrMakesZero),
		cmocka_unit_test(hash_table_grown_keepsAll),
		cmocka_unit_test(hash_table_remove_movesWhatFollows),
		cmocka_unit_test(hash_table_reserved_staysWhereItIs),
		cmocka_unit_test(hash_table_withoutMemory_staysAsItIs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
