/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Hash table: find entries of the caller by a number.
 *
 * What lives here: a hash table with open addressing, linear probing, and a load of at most three
 * quarters. Each entry begins with its key, a uint64_t that is not 0; the rest of a new entry is
 * zero. All entries of a table have the same size, which every call passes as @bytes. If a caller
 * passes a constant, the compiler can generate code for this size. This file may use <stdlib.h> and
 * <string.h>, and is not installed.
 */
#ifndef BASE_HASH_TABLE_H
#define BASE_HASH_TABLE_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define HASH_TABLE_FIRST_BITS 6U

/**
 * struct hash_table - A table. A table that is all zero is empty.
 * @entries: array of 1 << @bits entries
 * @bits: log2 of the number of entries; 0: no entries
 * @used: number of entries in use
 */
struct hash_table {
	void *entries;
	unsigned int bits;
	size_t used;
};

static inline size_t hash_table_size(const struct hash_table *table)
{
	return table->entries ? (size_t)1 << table->bits : 0;
}

static inline void *hash_table_at(const struct hash_table *table, size_t at, size_t bytes)
{
	return (char *)table->entries + at * bytes;
}

/*
 * Get the slot at which the search for a key starts, in a table that has entries. The multiplier,
 * which is 2^64 divided by the golden ratio, distributes the keys evenly.
 */
static inline size_t hash_table_start(const struct hash_table *table, uint64_t key)
{
	return (size_t)(key * 0x9e3779b97f4a7c15ULL >> (64 - table->bits));
}

/* Find the entry of a key, or the free slot for the key, in a table that has entries. */
static inline void *hash_table_place(const struct hash_table *table, uint64_t key, size_t bytes)
{
	size_t mask = ((size_t)1 << table->bits) - 1, at = hash_table_start(table, key);
	const uint64_t *there = hash_table_at(table, at, bytes);

	while (*there && *there != key) {
		at = (at + 1) & mask;
		there = hash_table_at(table, at, bytes);
	}
	return (void *)(uintptr_t)there;
}

/* Find the entry of a key. Return: the entry; NULL if the key has no entry. */
static inline void *hash_table_find(const struct hash_table *table, uint64_t key, size_t bytes)
{
	uint64_t *there = table->entries ? hash_table_place(table, key, bytes) : NULL;

	return there && *there ? there : NULL;
}

/*
 * Iterate over the entries in no particular order. Before the first call, *@position must be 0.
 * Return: the next entry; NULL after the last entry.
 */
static inline void *hash_table_next(const struct hash_table *table, size_t *position, size_t bytes)
{
	while (*position < hash_table_size(table)) {
		uint64_t *there = hash_table_at(table, (*position)++, bytes);

		if (*there)
			return there;
	}
	return NULL;
}

/*
 * Make room for @count entries. Adding these entries then does not move any other entry. Return: 0;
 * -ENOMEM if memory is missing.
 */
static inline int hash_table_reserve(struct hash_table *table, size_t count, size_t bytes)
{
	while (table->used + count > hash_table_size(table) / 4 * 3) {
		struct hash_table larger = {.used = table->used};
		const uint64_t *entry;
		size_t position = 0;

		larger.bits = table->entries ? table->bits + 1 : HASH_TABLE_FIRST_BITS;
		larger.entries = calloc((size_t)1 << larger.bits, bytes);
		if (!larger.entries)
			return -ENOMEM;
		while ((entry = hash_table_next(table, &position, bytes)))
			memcpy(hash_table_place(&larger, *entry, bytes), entry, bytes);
		free(table->entries);
		*table = larger;
	}
	return 0;
}

/* Find the entry of a key, or add an entry for the key. The table must have room. */
static inline void *hash_table_put(struct hash_table *table, uint64_t key, size_t bytes)
{
	uint64_t *there = hash_table_place(table, key, bytes);

	if (!*there) {
		*there = key;
		table->used++;
	}
	return there;
}

/*
 * Make room for one more entry, and call hash_table_put(). Return: the entry; NULL if memory is
 * missing.
 */
static inline void *hash_table_add(struct hash_table *table, uint64_t key, size_t bytes)
{
	return hash_table_reserve(table, 1, bytes) < 0 ? NULL : hash_table_put(table, key, bytes);
}

/* Remove an entry of the table. Other entries may move. */
static inline void hash_table_remove(struct hash_table *table, void *entry, size_t bytes)
{
	size_t mask = hash_table_size(table) - 1;
	size_t hole = (size_t)((char *)entry - (char *)table->entries) / bytes;
	size_t at = (hole + 1) & mask;
	uint64_t *there;

	/*
	 * Close the gap: a search ends at the first free slot. If the search for a later entry
	 * would pass the freed slot, move this entry to the freed slot.
	 */
	while (*(there = hash_table_at(table, at, bytes))) {
		size_t wanted = hash_table_start(table, *there);

		if (((at - wanted) & mask) >= ((at - hole) & mask)) {
			memcpy(hash_table_at(table, hole, bytes), there, bytes);
			hole = at;
		}
		at = (at + 1) & mask;
	}
	memset(hash_table_at(table, hole, bytes), 0, bytes);
	table->used--;
}

static inline void hash_table_free(struct hash_table *table)
{
	free(table->entries);
	*table = (struct hash_table){0};
}

#endif /* BASE_HASH_TABLE_H */
