/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Sparse: counts of single blocks, for chunks in which few blocks are accessed.
 *
 * What lives here: a table of one source's blocks, 8 bytes each, at most three quarters full; the
 * blocks of a chunk are close together. Once a chunk has so many blocks that counts in an array
 * need less memory, the tally moves them to such an array. It may use include/ and the C library
 * without <stdio.h>.
 */
#ifndef EMU_MACHINE_SPARSE_H
#define EMU_MACHINE_SPARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Low bits of a cell. A count that does not fit into them moves to a chunk. */
#define SPARSE_COUNT_BITS 10U
#define SPARSE_COUNT ((1ULL << SPARSE_COUNT_BITS) - 1)

/**
 * struct sparse - The blocks of a source; all zero except @chunk_bits and @limit if there are none.
 * @cells: a block's number above its count; 0: an empty cell; shape [@size]
 * @size: a power of two, or 0
 * @used: number of blocks
 * @chunk_bits: log2 of a chunk's blocks, which have the same number above these bits
 * @limit: number of blocks from which on a chunk's counts are in an array
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

/* Would the table with another block need twice its memory? */
static inline bool sparse_full(const struct sparse *sparse)
{
	return 4 * sparse->used >= 3 * sparse->size;
}

/*
 * Count a block, whose number has 54 bits and is not 0. Return: 0; 1 if it was not counted, since
 * its count is too large or its chunk has too many blocks; -ENOMEM.
 */
int sparse_count(struct sparse *sparse, uint64_t block);

/* Move the blocks of the chunk of @block to its counts. */
void sparse_move(struct sparse *sparse, uint64_t block, uint16_t *counts);

/* Move all blocks to the front of their own memory, where they no longer form a table. */
void sparse_gather(struct sparse *sparse);

void sparse_clear(struct sparse *sparse);

#endif /* EMU_MACHINE_SPARSE_H */
