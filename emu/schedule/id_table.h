/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Table: things by a number.
 *
 * What lives here: a hash table from a word to a pointer. It may use <stdlib.h> and <string.h>.
 */
#ifndef EMU_SCHEDULE_ID_TABLE_H
#define EMU_SCHEDULE_ID_TABLE_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct table_entry - A number and its thing, which is never NULL; NULL: no entry.
 */
struct table_entry {
	uint64_t key;
	void *value;
};

/**
 * struct table - The table; all zero is an empty one.
 * @entries: [1 << (64 - @shift)]
 * @shift: of the hash
 * @count: entries in use
 */
struct table {
	struct table_entry *entries;
	unsigned shift;
	size_t count;
};

/**
 * table_find() - The thing with number @key, or NULL.
 */
void *table_find(const struct table *table, uint64_t key);

/**
 * table_set() - @key has the thing @value, or a new one.
 *
 * Return: 0; -ENOMEM.
 */
int table_set(struct table *table, uint64_t key, void *value);

/**
 * table_remove() - There is nothing with number @key.
 */
void table_remove(struct table *table, uint64_t key);

/**
 * table_next() - Go through all things, in no order: @position is 0 at first.
 *
 * Return: the thing, or NULL if there are no more. The table must not change meanwhile.
 */
void *table_next(const struct table *table, size_t *position);

void table_free(struct table *table);

#endif /* EMU_SCHEDULE_ID_TABLE_H */
