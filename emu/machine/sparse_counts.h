/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Sparse counts: counts of single blocks, for chunks of memory in which only few blocks are
 * accessed.
 *
 * What lives here: a hash table with the blocks that one source node has accessed. A block takes 8
 * bytes, and the blocks of a chunk are close together in the table. At most three quarters of the
 * table are in use. If so many blocks of a chunk have counts that an array of counts needs less
 * memory, the tally moves them to an array. May use include/ and the C library except <stdio.h>.
 */
#ifndef EMU_MACHINE_SPARSE_COUNTS_H
#define EMU_MACHINE_SPARSE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The number of low bits of a cell that hold the count. If a count does not fit, the tally creates
 * a chunk and moves the count there.
 */
#define SPARSE_COUNT_BITS 10U
#define SPARSE_COUNT ((1ULL << SPARSE_COUNT_BITS) - 1)

/**
 * struct sparse - The blocks of a source. If there are none, all members are zero, except
 * @chunk_bits and @limit.
 * @cells: each cell has the number of a block in its high bits and the count in its low bits; 0: an
 *         empty cell; shape [@size]
 * @size: number of cells: a power of two, or 0
 * @used: number of blocks in the table
 * @chunk_bits: log2 of the number of blocks in a chunk. The numbers of all blocks of a chunk are
 *              equal except in these low bits
 * @limit: if a chunk has at least this many blocks with counts, the counts are in an array
 */
struct sparse {
	uint64_t *cells;
	size_t size;
	size_t used;
	unsigned chunk_bits;
	unsigned limit;
};

static inline uint64_t sparse_block(uint64_t cell)
{
	return cell >> SPARSE_COUNT_BITS;
}

static inline uint32_t sparse_count_of(uint64_t cell)
{
	return (uint32_t)(cell & SPARSE_COUNT);
}

/* Check whether another block requires a table of twice the size. */
static inline bool sparse_full(const struct sparse *sparse)
{
	return 4 * sparse->used >= 3 * sparse->size;
}

/*
 * Count a block; its number has 54 bits and is not 0. Return: 0; -ENOMEM; 1 if the block was not
 * counted, because its count does not fit in the cell, or because its chunk has too many blocks.
 */
int sparse_count(struct sparse *sparse, uint64_t block);

/* Move the counts of all blocks in the chunk of @block from the table to @counts. */
void sparse_move(struct sparse *sparse, uint64_t block, uint16_t *counts);

/*
 * Move all blocks to the start of @cells. The cells are then a plain list, and no longer a table.
 */
void sparse_gather(struct sparse *sparse);

void sparse_clear(struct sparse *sparse);

#endif /* EMU_MACHINE_SPARSE_COUNTS_H */
