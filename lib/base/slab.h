/* SPDX-License-Identifier: MIT */
/*
 * Slab: allocates many small blocks of memory, which are later freed together.
 *
 * What lives here: an allocator for the counts of a million pages. It keeps freed blocks and uses
 * them for new blocks of the same size. It does not merge free blocks or search among them, so it
 * never accesses the memory of neighbouring blocks. For large blocks, it calls the C library. May
 * use the C library.
 */
#ifndef LIB_BASE_SLAB_H
#define LIB_BASE_SLAB_H

#include <stddef.h>
#include <stdint.h>

/*
 * Sizes and addresses of blocks are multiples of this number. Addresses of blocks of 64 bytes are
 * multiples of 64.
 */
#define SLAB_STEP 32U

/*
 * The largest block that comes from the slab's chunks, in bytes. For larger blocks, the slab calls
 * the C library.
 */
#define SLAB_MOST 512U

#define SLAB_SIZES (SLAB_MOST / SLAB_STEP)

struct slab_chunk;
struct slab_block;

/**
 * struct slab_size - Blocks of one size.
 * @given_back: list of freed blocks, which are used again
 * @next: the next block that was never used
 * @left: number of blocks from @next on that were never used
 */
struct slab_size {
	struct slab_block *given_back;
	char *next;
	size_t left;
};

/**
 * struct slab - The slab. If all members are 0, the slab is empty.
 * @sizes: the blocks, by size
 * @chunks: memory of the blocks, the newest chunk first
 * @bytes: size of all chunks
 * @next: unused memory of the newest chunk
 * @left: number of bytes at @next
 */
struct slab {
	struct slab_size sizes[SLAB_SIZES];
	struct slab_chunk *chunks;
	size_t bytes;
	char *next;
	size_t left;
};

/* Allocate a block of zeros. Return: the block; NULL if memory is missing. */
void *smile_slab_get(struct slab *slab, size_t bytes);

/*
 * Free a block. @block: the block; may be NULL. @bytes: the size with which the block was
 * allocated.
 */
void smile_slab_put(struct slab *slab, void *block, size_t bytes);

/*
 * Free a block if the caller will free the whole slab next. The function frees only a large block.
 * It does not access blocks that smile_slab_free() frees.
 */
void smile_slab_drop(void *block, size_t bytes);

/* Free all blocks that are not larger than SLAB_MOST bytes. */
void smile_slab_free(struct slab *slab);

#endif /* LIB_BASE_SLAB_H */
