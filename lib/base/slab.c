/* SPDX-License-Identifier: MIT */
/*
 * Slab: allocates many small blocks of memory. See slab.h.
 *
 * What lives here: chunks of memory, whose size grows with the amount of used memory. A chunk is
 * divided into runs, and all blocks of a run have the same size.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/slab.h"

/*
 * The number of bytes of a run. When blocks of some size are needed, a run is taken from a chunk
 * and divided into such blocks.
 */
#define SLAB_RUN_BYTES 4096U

/*
 * The size of the smallest chunk. The size of each further chunk is an eighth of the used memory.
 */
#define SLAB_CHUNK_BYTES 65536U

/**
 * struct slab_chunk - The header of a chunk.
 * @next: the previous chunk
 */
struct slab_chunk {
	struct slab_chunk *next;
	char padding[64 - sizeof(struct slab_chunk *)];
};

/**
 * struct slab_block - The header of a free block.
 * @next: the next free block
 */
struct slab_block {
	struct slab_block *next;
};

static int chunk_add(struct slab *slab)
{
	size_t bytes = slab->bytes / 8;
	struct slab_chunk *chunk;

	if (bytes < SLAB_CHUNK_BYTES)
		bytes = SLAB_CHUNK_BYTES;
	bytes = bytes / SLAB_RUN_BYTES * SLAB_RUN_BYTES;
	chunk = aligned_alloc(sizeof(*chunk), bytes);
	if (!chunk)
		return 0;
	chunk->next = slab->chunks;
	slab->chunks = chunk;
	slab->bytes += bytes;
	slab->next = (char *)(chunk + 1);
	slab->left = bytes - sizeof(*chunk);
	return 1;
}

static int run_add(struct slab *slab, struct slab_size *size, size_t bytes)
{
	size_t run = SLAB_RUN_BYTES;

	if (slab->left < SLAB_RUN_BYTES) {
		/* If the rest of the chunk is smaller than a run, use it as a short run. */
		run = slab->left;
		if (run < bytes) {
			if (!chunk_add(slab))
				return 0;
			run = SLAB_RUN_BYTES;
		}
	}
	size->next = slab->next;
	size->left = run / bytes;
	slab->next += run;
	slab->left -= run;
	return 1;
}

void *smile_slab_get(struct slab *slab, size_t bytes)
{
	size_t index = bytes ? (bytes - 1) / SLAB_STEP : 0, rounded = (index + 1) * SLAB_STEP;
	struct slab_size *size;
	void *block;

	if (bytes > SLAB_MOST)
		return calloc(1, bytes);
	size = &slab->sizes[index];
	block = size->given_back;
	if (block) {
		size->given_back = size->given_back->next;
	} else {
		if (!size->left && !run_add(slab, size, rounded))
			return NULL;
		block = size->next;
		size->next += rounded;
		size->left--;
	}
	return memset(block, 0, rounded);
}

void smile_slab_put(struct slab *slab, void *block, size_t bytes)
{
	struct slab_size *size;
	struct slab_block *given = block;

	if (!block)
		return;
	if (bytes > SLAB_MOST) {
		smile_slab_drop(block, bytes);
		return;
	}
	size = &slab->sizes[bytes ? (bytes - 1) / SLAB_STEP : 0];
	given->next = size->given_back;
	size->given_back = given;
}

void smile_slab_drop(void *block, size_t bytes)
{
	if (bytes > SLAB_MOST)
		free(block);
}

void smile_slab_free(struct slab *slab)
{
	while (slab->chunks) {
		struct slab_chunk *chunk = slab->chunks;

		slab->chunks = chunk->next;
		free(chunk);
	}
	*slab = (struct slab){0};
}
