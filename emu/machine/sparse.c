/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Sparse counts: the table of blocks. See sparse.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "sparse.h"

#define TABLE_FIRST 256U

static size_t chunk_start(const struct sparse *sparse, uint64_t chunk)
{
	return (size_t)(chunk * 0x9e3779b97f4a7c15ULL >> 20) & (sparse->size - 1);
}

static uint64_t chunk_of(const struct sparse *sparse, uint64_t block)
{
	return block >> sparse->chunk_bits;
}

static size_t cell_start(const struct sparse *sparse, uint64_t cell)
{
	return chunk_start(sparse, chunk_of(sparse, sparse_block(cell)));
}

static size_t cell_next(const struct sparse *sparse, size_t at)
{
	return (at + 1) & (sparse->size - 1);
}

/* If the table is three quarters full, double its size. */
static int table_grow(struct sparse *sparse)
{
	struct sparse larger = *sparse;

	if (!sparse_full(sparse))
		return 0;
	larger.size = sparse->size ? 2 * sparse->size : TABLE_FIRST;
	larger.cells = calloc(larger.size, sizeof(*larger.cells));
	if (!larger.cells)
		return -ENOMEM;
	for (size_t i = 0; i < sparse->size; i++) {
		size_t at;

		if (!sparse->cells[i])
			continue;
		at = cell_start(&larger, sparse->cells[i]);
		while (larger.cells[at])
			at = cell_next(&larger, at);
		larger.cells[at] = sparse->cells[i];
	}
	free(sparse->cells);
	*sparse = larger;
	return 0;
}

int sparse_count(struct sparse *sparse, uint64_t block)
{
	uint64_t chunk = chunk_of(sparse, block);
	unsigned mates = 0;
	size_t at;

	if (table_grow(sparse) < 0)
		return -ENOMEM;
	for (at = chunk_start(sparse, chunk); sparse->cells[at]; at = cell_next(sparse, at)) {
		uint64_t other = sparse_block(sparse->cells[at]);

		if (other == block) {
			if (sparse_count_of(sparse->cells[at]) == SPARSE_COUNT)
				return 1;
			sparse->cells[at]++;
			return 0;
		}
		mates += chunk_of(sparse, other) == chunk;
	}
	if (mates + 1 >= sparse->limit)
		return 1;
	sparse->cells[at] = block << SPARSE_COUNT_BITS | 1;
	sparse->used++;
	return 0;
}

/*
 * Remove a cell. Then move up each following cell that the removed cell has kept away from a slot
 * nearer to its home slot.
 */
static void cell_remove(struct sparse *sparse, size_t at)
{
	size_t next = at;

	for (;;) {
		next = cell_next(sparse, next);
		if (!sparse->cells[next])
			break;
		/* If this cell's home slot comes after @at, the cell must not move to @at. */
		if (((next - cell_start(sparse, sparse->cells[next])) & (sparse->size - 1)) <
		    ((next - at) & (sparse->size - 1)))
			continue;
		sparse->cells[at] = sparse->cells[next];
		at = next;
	}
	sparse->cells[at] = 0;
	sparse->used--;
}

void sparse_move(struct sparse *sparse, uint64_t block, uint16_t *counts)
{
	uint64_t chunk = chunk_of(sparse, block);
	size_t at;

	if (!sparse->size)
		return;
	at = chunk_start(sparse, chunk);
	while (sparse->cells[at]) {
		uint64_t other = sparse_block(sparse->cells[at]);

		if (chunk_of(sparse, other) != chunk) {
			at = cell_next(sparse, at);
			continue;
		}
		counts[other & ((1ULL << sparse->chunk_bits) - 1)] +=
			(uint16_t)sparse_count_of(sparse->cells[at]);
		/*
		 * Check the slot @at again, since cell_remove() may have moved another cell to it.
		 */
		cell_remove(sparse, at);
	}
}

void sparse_gather(struct sparse *sparse)
{
	size_t count = 0;

	for (size_t i = 0; i < sparse->size; i++)
		if (sparse->cells[i])
			sparse->cells[count++] = sparse->cells[i];
}

void sparse_clear(struct sparse *sparse)
{
	free(sparse->cells);
	sparse->cells = NULL;
	sparse->size = 0;
	sparse->used = 0;
}
