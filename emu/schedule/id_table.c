/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * How things are found. It may use what table.h names.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "id_table.h"

#define TABLE_SHIFT_FIRST (64U - 6U) /* 64 entries */

static size_t table_slots(const struct table *table)
{
	return table->entries ? (size_t)1 << (64 - table->shift) : 0;
}

static size_t table_slot(const struct table *table, uint64_t key)
{
	return (size_t)(key * 0x9e3779b97f4a7c15ULL >> table->shift);
}

/* The entry of @key, or the free one where it belongs. The table is never full. */
static struct table_entry *table_entry(const struct table *table, uint64_t key)
{
	size_t mask = table_slots(table) - 1;
	size_t slot = table_slot(table, key);

	while (table->entries[slot].value && table->entries[slot].key != key)
		slot = (slot + 1) & mask;
	return &table->entries[slot];
}

void *table_find(const struct table *table, uint64_t key)
{
	return table->entries ? table_entry(table, key)->value : NULL;
}

static int table_grow(struct table *table)
{
	struct table larger = {.count = table->count};

	larger.shift = table->entries ? table->shift - 1 : TABLE_SHIFT_FIRST;
	larger.entries = calloc((size_t)1 << (64 - larger.shift), sizeof(larger.entries[0]));
	if (!larger.entries)
		return -ENOMEM;
	for (size_t i = 0; i < table_slots(table); i++) {
		if (table->entries[i].value)
			*table_entry(&larger, table->entries[i].key) = table->entries[i];
	}
	free(table->entries);
	*table = larger;
	return 0;
}

int table_set(struct table *table, uint64_t key, void *value)
{
	struct table_entry *entry;

	if (table->count >= table_slots(table) / 2 && table_grow(table) < 0)
		return -ENOMEM;
	entry = table_entry(table, key);
	table->count += !entry->value;
	*entry = (struct table_entry){key, value};
	return 0;
}

void table_remove(struct table *table, uint64_t key)
{
	size_t mask = table_slots(table) - 1;
	size_t hole, slot;

	if (!table_find(table, key))
		return;
	hole = (size_t)(table_entry(table, key) - table->entries);
	table->count--;
	/* What follows without a gap may have wanted this place: it moves up. */
	for (slot = (hole + 1) & mask; table->entries[slot].value; slot = (slot + 1) & mask) {
		size_t wanted = table_slot(table, table->entries[slot].key);

		if (((slot - wanted) & mask) >= ((slot - hole) & mask)) {
			table->entries[hole] = table->entries[slot];
			hole = slot;
		}
	}
	table->entries[hole].value = NULL;
}

void *table_next(const struct table *table, size_t *position)
{
	while (*position < table_slots(table)) {
		void *value = table->entries[(*position)++].value;

		if (value)
			return value;
	}
	return NULL;
}

void table_free(struct table *table)
{
	free(table->entries);
	memset(table, 0, sizeof(*table));
}
