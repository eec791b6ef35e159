/* SPDX-License-Identifier: MIT */
/*
 * Slab: many small blocks of memory, by size, all freed together.
 *
 * What lives here: the memory of the counts of a million pages. Freed blocks are kept for new
 * blocks of the same size; nothing is searched or merged, so the memory of neighbouring blocks is
 * not accessed. Large blocks come from the C library. May use the C library.
 */
#ifndef LIB_BASE_SLAB_H
#define LIB_BASE_SLAB_H

#include <stddef.h>
#include <stdint.h>

/*
 * Sizes and addresses are multiples of this; addresses of blocks of 64 bytes are multiples of 64.
 */
#define SLAB_STEP 32U

/* Larger blocks come from the C library. */
#define SLAB_MOST 512U

#define SLAB_SIZES (SLAB_MOST / SLAB_STEP)

struct slab_chunk;
struct slab_block;

/**
 * struct slab_size - Blocks of one size.
 * @given_back: freed blocks, to be used again
 * @next: the next block that was never used
 * @left: number of blocks that were never used
 */
struct slab_size {
	struct slab_block *given_back;
	char *next;
	size_t left;
};

/**
 * struct slab - All zero is an empty slab.
 * @sizes: the blocks, by size
 * @chunks: memory of the blocks, the last chunk first
 * @bytes: size of all chunks
 * @next: unused memory of the last chunk
 * @left: bytes of @next
 */
struct slab {
	struct slab_size sizes[SLAB_SIZES];
	struct slab_chunk *chunks;
	size_t bytes;
	char *next;
	size_t left;
};

/* Return: a block of zeros; NULL without memory. */
void *smile_slab_get(struct slab *slab, size_t bytes);

/* Free a block, with the size with which it was allocated. NULL does nothing. */
void smile_slab_put(struct slab *slab, void *block, size_t bytes);

/* The same if the slab is freed next: accesses no memory that is freed with the slab. */
void smile_slab_drop(void *block, size_t bytes);

/* Free all blocks, except those of more than SLAB_MOST bytes. */
void smile_slab_free(struct slab *slab);

#endif /* LIB_BASE_SLAB_H */
