/* SPDX-License-Identifier: MIT */
/*
 * Counts: stores a 64-bit count for each 60-bit key.
 *
 * What lives here: an open-addressing hash table. Its entries have one of two forms. In the first
 * form, an entry is a single key and its count, in 8 bytes. In the second form, an entry is a
 * group, which has the counts of eight keys that differ only in their lowest three bits. If a
 * program accesses memory word by word, or from several nodes, a table of groups has few entries,
 * and needs four or five bytes for each count. A table begins with single keys, and changes to
 * groups when groups need less memory. May use slab.h for its memory.
 */
#ifndef LIB_COUNTS_COUNTS_H
#define LIB_COUNTS_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/slab.h"

#define COUNTS_LANE_BITS 3
#define COUNTS_LANES (1U << COUNTS_LANE_BITS)

/**
 * struct counts_single - A key and its count.
 * @key: the key, below 2^32
 * @count: the count, below 2^32; 0: the entry is free
 */
struct counts_single {
	uint32_t key;
	uint32_t count;
};

/**
 * struct counts_group - Eight counts.
 * @key: the quotient of each of the eight keys and COUNTS_LANES, plus one; 0: the entry is free
 * @lanes: the counts modulo 2^32, indexed by the lowest bits of the keys. If a count exceeds 32
 *         bits, its higher bits are in another group
 */
struct counts_group {
	uint64_t key;
	uint32_t lanes[COUNTS_LANES];
};

/**
 * struct counts - The table. If all members are 0, the table is empty.
 * @singles: shape [@size], if the entries are singles
 * @groups: shape [@size], if the entries are groups
 * @size: number of entries for which there is memory
 * @used: number of used entries
 * @grouped: 1: the entries are groups
 * @high: 1: at least one count has reached 2^32
 */
struct counts {
	union {
		struct counts_single *singles;
		struct counts_group *groups;
	};
	uint32_t size;
	uint32_t used : 30;
	uint32_t grouped : 1;
	uint32_t high : 1;
};

/*
 * Get the index at which a search begins. @number: for a single, its key; for a group, the quotient
 * of one of its keys and COUNTS_LANES.
 */
static inline uint32_t smile_counts_start(uint64_t number, uint32_t size)
{
	uint64_t hash = (number + 1) * 0x9e3779b97f4a7c15ULL;

	return (uint32_t)((hash >> 32) * size >> 32);
}

/* Get the address that a search for a key reads first. The table must have entries. */
static inline const void *smile_counts_first(const struct counts *counts, uint64_t key)
{
	if (!counts->grouped)
		return &counts->singles[smile_counts_start(key, counts->size)];
	return &counts->groups[smile_counts_start(key >> COUNTS_LANE_BITS, counts->size)];
}

/* Return whether the table must grow before a further entry can be used. */
static inline int smile_counts_full(const struct counts *counts)
{
	return counts->used >= counts->size - counts->size / 8;
}

/*
 * Find the entry of a key in a table of singles. Return: the entry of the key, or a free entry that
 * can be used for the key; NULL if neither exists.
 */
static inline struct counts_single *smile_counts_single(const struct counts *counts, uint64_t key)
{
	uint32_t at = smile_counts_start(key, counts->size);

	for (uint32_t tries = counts->size; tries; tries--) {
		struct counts_single *single = &counts->singles[at];

		if (!single->count || single->key == key)
			return single;
		if (++at == counts->size)
			at = 0;
	}
	return NULL;
}

/* Find the group that contains a key. Return: the group; NULL if the table has no such group. */
static inline struct counts_group *smile_counts_group(const struct counts *counts, uint64_t key)
{
	uint64_t wanted = (key >> COUNTS_LANE_BITS) + 1;
	uint32_t at = smile_counts_start(key >> COUNTS_LANE_BITS, counts->size);

	for (uint32_t tries = counts->size; tries; tries--) {
		struct counts_group *group = &counts->groups[at];

		if (group->key == wanted)
			return group;
		if (!group->key)
			return NULL;
		if (++at == counts->size)
			at = 0;
	}
	return NULL;
}

/*
 * Add to a key's count in the rare cases that the key has no entry, or that the count exceeds 32
 * bits. Return: as smile_counts_add().
 */
int smile_counts_add_slowly(struct counts *counts, struct slab *slab, uint64_t key, uint32_t count);

/**
 * smile_counts_add() - Add to a key's count.
 * @slab: the slab that has the table's memory; each call for a table must pass the same slab
 * @key: below 2^60
 * @count: not 0
 *
 * This function is always inlined. For most records, the first entry that the function reads is the
 * entry of the key, and a call would take longer than this search.
 *
 * Return: 1 if the key had no count before; 0 if it had a count; -ENOMEM, in which case nothing was
 * added.
 */
static inline __attribute__((always_inline)) int
smile_counts_add(struct counts *counts, struct slab *slab, uint64_t key, uint32_t count)
{
	struct counts_single *single;
	struct counts_group *group;
	uint32_t *lane;

	if (!counts->grouped) {
		single = smile_counts_single(counts, key);
		if (!single || single->count + count < count)
			return smile_counts_add_slowly(counts, slab, key, count);
		if (single->count) {
			single->count += count;
			return 0;
		}
		if (smile_counts_full(counts) || key > UINT32_MAX)
			return smile_counts_add_slowly(counts, slab, key, count);
		*single = (struct counts_single){.key = (uint32_t)key, .count = count};
		counts->used++;
		return 1;
	}
	group = smile_counts_group(counts, key);
	if (!group)
		return smile_counts_add_slowly(counts, slab, key, count);
	lane = &group->lanes[key % COUNTS_LANES];
	if (!*lane && !counts->high) {
		*lane = count;
		return 1;
	}
	/*
	 * A lane of 0 can mean that the count is a multiple of 2^32, or that the key has no count.
	 */
	if (!*lane || *lane + count < *lane)
		return smile_counts_add_slowly(counts, slab, key, count);
	*lane += count;
	return 0;
}

/* Walk over the keys of a table of groups, like smile_counts_next(). */
uint64_t smile_counts_next_grouped(const struct counts *counts, size_t *position, uint64_t *key);

/*
 * Walk over the keys that have a count. *@position must be 0 before the first call; the function
 * advances it. Return: the count of the next key; 0 at the end.
 */
static inline uint64_t smile_counts_next(const struct counts *counts, size_t *position,
					 uint64_t *key)
{
	if (counts->grouped)
		return smile_counts_next_grouped(counts, position, key);
	while (*position < counts->size) {
		const struct counts_single *single = &counts->singles[(*position)++];

		if (!single->count)
			continue;
		*key = single->key;
		return single->count;
	}
	return 0;
}

/* Remove all counts, and give their memory back to the slab. */
void smile_counts_free(struct counts *counts, struct slab *slab);

/* Remove all counts, if the caller will free the whole slab next. */
void smile_counts_drop(struct counts *counts);

#endif /* LIB_COUNTS_COUNTS_H */
