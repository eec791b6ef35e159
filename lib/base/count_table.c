/* SPDX-License-Identifier: MIT */
/*
 * Count table: stores a 64-bit count for each 128-bit key. See count_table.h.
 *
 * What lives here: a hash table with linear probing. At most one half of the table is used.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/base/count_table.h"

#define TABLE_FIRST_SIZE 1024

/*
 * If keys differ only in the last bits of their first half, their cells are neighbours in the
 * table. The counts of adjacent words are therefore in a few cache lines.
 */
#define TABLE_NEIGHBOURS 7U

/*
 * Multiply and fold twice, so that keys which differ in only a few bits are distributed over the
 * whole table.
 */
static size_t hash(uint64_t high, uint64_t low)
{
	uint64_t base = high & ~(uint64_t)TABLE_NEIGHBOURS;
	uint64_t mixed = (base ^ (low << 32 | low >> 32)) * 0x9e3779b97f4a7c15ULL;

	mixed = (mixed ^ mixed >> 29 ^ low) * 0xbf58476d1ce4e5b9ULL;
	mixed ^= mixed >> 32;
	return (size_t)((mixed & ~(uint64_t)TABLE_NEIGHBOURS) | (high & TABLE_NEIGHBOURS));
}

static struct count_cell *find(const struct count_table *table, uint64_t high, uint64_t low)
{
	size_t index = hash(high, low) & (table->size - 1);

	while (table->cells[index].count &&
	       (table->cells[index].high != high || table->cells[index].low != low))
		index = (index + 1) & (table->size - 1);
	return &table->cells[index];
}

static int grow(struct count_table *table, size_t size)
{
	struct count_table larger = {.size = size};
	const struct count_cell *cell;
	size_t position = 0;

	larger.cells = calloc(larger.size, sizeof(*larger.cells));
	if (!larger.cells)
		return smile_error(ENOMEM, "no memory for a histogram of %zu counts", larger.size);
	while ((cell = smile_count_table_next(table, &position)))
		*find(&larger, cell->high, cell->low) = *cell;
	larger.used = table->used;
	free(table->cells);
	*table = larger;
	return 0;
}

int smile_count_table_reserve(struct count_table *table, size_t more)
{
	size_t size = table->size ? table->size : TABLE_FIRST_SIZE;

	while (2 * (table->used + more) > size)
		size *= 2;
	return size == table->size ? 0 : grow(table, size);
}

struct count_cell *smile_count_table_cell(struct count_table *table, uint64_t high, uint64_t low)
{
	struct count_cell *cell;

	if (2 * table->used >= table->size && smile_count_table_reserve(table, 1) < 0)
		return NULL;
	cell = find(table, high, low);
	if (!cell->count) {
		cell->high = high;
		cell->low = low;
		table->used++;
	}
	return cell;
}

int smile_count_table_add(struct count_table *table, uint64_t high, uint64_t low, uint64_t count)
{
	struct count_cell *cell = smile_count_table_cell(table, high, low);

	if (!cell)
		return -ENOMEM;
	cell->count += count;
	return 0;
}

uint64_t smile_count_table_get(const struct count_table *table, uint64_t high, uint64_t low)
{
	return table->size ? find(table, high, low)->count : 0;
}

const struct count_cell *smile_count_table_next(const struct count_table *table, size_t *position)
{
	while (*position < table->size) {
		const struct count_cell *cell = &table->cells[(*position)++];

		if (cell->count)
			return cell;
	}
	return NULL;
}

void smile_count_table_free(struct count_table *table)
{
	free(table->cells);
	*table = (struct count_table){0};
}
