/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Allocates memory for tasks. As in libgomp, this memory is in the program's heap. This file may
 * use task_pool_parts.h and operator_new.h.
 */
#include <stdlib.h>

#include "run/preload/openmp/task_pool_parts.h"
#include "run/preload/base/operator_new.h"
#include "run/preload/base/preload.h"

#define POOL_BLOCK 512U /* the size of a block, which is large enough for nearly all tasks */

struct block {
	struct block *next;
};

void block_free(struct task_pool *pool, void *memory, size_t bytes)
{
	struct block *block = memory;

	if (bytes > POOL_BLOCK) {
		free(block);
		return;
	}
	block->next = pool->blocks;
	pool->blocks = block;
}

/*
 * Blocks are allocated in chunks. A chunk has as many blocks as a thread may have tasks. For this
 * reason, chunks are rarely allocated, and rarely affect the addresses of the program's own blocks.
 */
struct chunk {
	_Alignas(POOL_ALIGN) struct chunk *next;
	_Alignas(POOL_ALIGN) char blocks[POOL_TASKS][POOL_BLOCK];
};

static void *block_from(size_t bytes, const void *site)
{
	void *block;

	allocation_site = site;
	block = malloc(bytes);
	allocation_site = NULL;
	return block;
}

void *block_new(struct task_pool *pool, size_t bytes, const void *site)
{
	struct block *block;
	struct chunk *chunk;

	if (bytes > POOL_BLOCK)
		return block_from(bytes, site);
	if (!pool->blocks) {
		chunk = block_from(sizeof(*chunk), site);
		if (!chunk)
			return NULL;
		chunk->next = pool->chunks;
		pool->chunks = chunk;
		for (size_t i = POOL_TASKS; i-- > 0;)
			block_free(pool, chunk->blocks[i], POOL_BLOCK);
	}
	block = pool->blocks;
	pool->blocks = block->next;
	return block;
}

void blocks_end(struct task_pool *pool)
{
	while (pool->chunks) {
		struct chunk *chunk = pool->chunks;

		pool->chunks = chunk->next;
		free(chunk);
	}
}
