/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Id table: maps ids to pointers.
 *
 * What lives here: a table of pointers, based on the hash table of include/base.
 */
#ifndef RUN_SCHEDULE_ID_TABLE_H
#define RUN_SCHEDULE_ID_TABLE_H

#include <base/hash_table.h>

/**
 * struct table_entry - An entry of the table.
 * @key: the id + 1
 * @value: the pointer
 */
struct table_entry {
	uint64_t key;
	void *value;
};

/**
 * table_find() - Get the pointer for the id @key; NULL if the table does not have the id.
 */
static inline void *table_find(const struct hash_table *table, uint64_t key)
{
	const struct table_entry *entry = hash_table_find(table, key + 1, sizeof(*entry));

	return entry ? entry->value : NULL;
}

/**
 * table_set() - Set the pointer for id @key.
 *
 * Return: 0 or -ENOMEM.
 */
static inline int table_set(struct hash_table *table, uint64_t key, void *value)
{
	struct table_entry *entry = hash_table_add(table, key + 1, sizeof(*entry));

	if (!entry)
		return -ENOMEM;
	entry->value = value;
	return 0;
}

/**
 * table_make() - Get the pointer for the id @key. If the table does not have the id, allocate
 * @bytes bytes, all zero, and add a pointer to them.
 *
 * Return: the pointer; NULL if memory is missing.
 */
static inline void *table_make(struct hash_table *table, uint64_t key, size_t bytes)
{
	void *value = table_find(table, key);

	if (value)
		return value;
	value = calloc(1, bytes);
	if (value && table_set(table, key, value) < 0) {
		free(value);
		return NULL;
	}
	return value;
}

/**
 * table_drop() - Remove id @key, and free the memory to which its pointer points.
 */
static inline void table_drop(struct hash_table *table, uint64_t key)
{
	struct table_entry *entry = hash_table_find(table, key + 1, sizeof(*entry));

	if (!entry)
		return;
	free(entry->value);
	hash_table_remove(table, entry, sizeof(*entry));
}

/**
 * table_next() - Iterate over all pointers, in no particular order. The table must not change
 * during the iteration.
 * @position: state of the iteration; *@position must be 0 before the first call
 *
 * Return: the next pointer; NULL after the last one.
 */
static inline void *table_next(const struct hash_table *table, size_t *position)
{
	const struct table_entry *entry = hash_table_next(table, position, sizeof(*entry));

	return entry ? entry->value : NULL;
}

#endif /* RUN_SCHEDULE_ID_TABLE_H */
