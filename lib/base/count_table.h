/* SPDX-License-Identifier: MIT */
/*
 * Count table: stores a 64-bit count for each 128-bit key.
 *
 * What lives here: an open-addressing hash table. It has only the operations that the histograms
 * need: adding to a count, looking up a count, and walking over all counts. The table grows with
 * the number of different keys and never shrinks.
 */
#ifndef LIB_BASE_COUNT_TABLE_H
#define LIB_BASE_COUNT_TABLE_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct count_cell - One key and its count.
 * @high: first half of the key
 * @low: second half of the key
 * @count: the count; 0: the cell is free
 */
struct count_cell {
	uint64_t high;
	uint64_t low;
	uint64_t count;
};

/**
 * struct count_table - The table. If all members are 0, the table is empty.
 * @cells: shape [@size]
 * @size: number of cells: a power of two, or 0
 * @used: number of used cells
 */
struct count_table {
	struct count_cell *cells;
	size_t size;
	size_t used;
};

/*
 * Add @count, which is not 0, to the count of a key. Return: 0; -ENOMEM, in which case nothing was
 * added.
 */
int smile_count_table_add(struct count_table *table, uint64_t high, uint64_t low, uint64_t count);

/*
 * Find or add the cell of a key. A new cell has the count 0, which the caller must change to a
 * larger count. Return: the cell; NULL if memory is missing.
 */
struct count_cell *smile_count_table_cell(struct count_table *table, uint64_t high, uint64_t low);

/* Allocate memory for @more new keys, so that adding the keys cannot fail. Return: 0; -ENOMEM. */
int smile_count_table_reserve(struct count_table *table, size_t more);

/* Get a key's count. Return: the count; 0 if the key has no cell. */
uint64_t smile_count_table_get(const struct count_table *table, uint64_t high, uint64_t low);

/*
 * Walk over the used cells. The walk continues at *@position, which the function advances. Return:
 * the next used cell; NULL at the end.
 */
const struct count_cell *smile_count_table_next(const struct count_table *table, size_t *position);

void smile_count_table_free(struct count_table *table);

#endif /* LIB_BASE_COUNT_TABLE_H */
