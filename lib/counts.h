/* SPDX-License-Identifier: MIT */
/*
 * Counts: 64-bit counts by a 60-bit key, eight neighbours together.
 *
 * What lives here: an open-addressing hash table whose entries hold the counts of eight keys that
 * differ in their lowest three bits alone. What is accessed word by word, or by several nodes, needs
 * few entries then, and a count four or five bytes. It may use the C library.
 */
#ifndef LIB_COUNTS_H
#define LIB_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#define COUNTS_LANE_BITS 3
#define COUNTS_LANES (1U << COUNTS_LANE_BITS)

/**
 * struct counts_group - Eight counts.
 * @key: their keys / COUNTS_LANES, plus one; 0: the entry is free
 * @lanes: by the lowest bits of the key: the count modulo 2^32, the rest is in another group
 */
struct counts_group {
	uint64_t key;
	uint32_t lanes[COUNTS_LANES];
};

/**
 * struct counts - The groups.
 * @groups: shape [@size]
 * @size: groups that there is room for
 * @used: groups in use
 * @high: some count has passed 2^32
 *
 * All zero is an empty table.
 */
struct counts {
	struct counts_group *groups;
	uint32_t size;
	uint32_t used : 31;
	uint32_t high : 1;
};

/* Where the search for a group begins. */
static inline uint32_t smile_counts_start(const struct counts *counts, uint64_t key)
{
	uint64_t hash = ((key >> COUNTS_LANE_BITS) + 1) * 0x9e3779b97f4a7c15ULL;

	return (uint32_t)((hash >> 32) * counts->size >> 32);
}

/* The group of a key; NULL if it has none. */
static inline struct counts_group *smile_counts_find(const struct counts *counts, uint64_t key)
{
	uint64_t wanted = (key >> COUNTS_LANE_BITS) + 1;
	uint32_t at = counts->size ? smile_counts_start(counts, key) : 0;

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

/* The same as smile_counts_add(), for a key without a group, or a count that leaves 32 bits. */
int smile_counts_add_slowly(struct counts *counts, uint64_t key, uint32_t count);

/**
 * smile_counts_add() - Add to a key's count.
 * @key: below 2^60
 * @count: not 0
 *
 * Return: 1 if the key had no count before; 0 if it had; -ENOMEM: then nothing was added.
 */
static inline int smile_counts_add(struct counts *counts, uint64_t key, uint32_t count)
{
	struct counts_group *group = smile_counts_find(counts, key);
	uint32_t *lane;

	if (!group)
		return smile_counts_add_slowly(counts, key, count);
	lane = &group->lanes[key % COUNTS_LANES];
	if (!*lane && !counts->high) {
		*lane = count;
		return 1;
	}
	/* Of a lane that is 0, the count could be a multiple of 2^32. */
	if (!*lane || *lane + count < *lane)
		return smile_counts_add_slowly(counts, key, count);
	*lane += count;
	return 0;
}

/* Return: the key's count, 0 if it has none. */
uint64_t smile_counts_get(const struct counts *counts, uint64_t key);

/* Walk: the next key that has a count, from *@position on, which is 0 at first. Return: its count; 0
 * at the end. */
uint64_t smile_counts_next(const struct counts *counts, size_t *position, uint64_t *key);

void smile_counts_free(struct counts *counts);

#endif /* LIB_COUNTS_H */
