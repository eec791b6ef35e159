/* SPDX-License-Identifier: MIT */
/* Pool: stores strings that are freed together. See pool.h. */
#include <stdlib.h>
#include <string.h>

#include <base/fnv.h>

#include "lib/base/pool.h"
#include "lib/base/count_table.h"

#define POOL_CHUNK_BYTES 16384U

/**
 * struct pool_chunk - Memory for many strings.
 * @next: the previous chunk
 * @used: number of used bytes of @text
 * @size: number of bytes of @text
 */
struct pool_chunk {
	struct pool_chunk *next;
	size_t used;
	size_t size;
	char text[];
};

const char *smile_pool_copy(struct pool *pool, const char *text)
{
	size_t bytes = strlen(text) + 1;
	struct pool_chunk *chunk = pool->chunks;
	char *copy;

	if (!*text)
		return "";
	if (!chunk || chunk->size - chunk->used < bytes) {
		size_t size = bytes > POOL_CHUNK_BYTES ? bytes : POOL_CHUNK_BYTES;

		chunk = malloc(sizeof(*chunk) + size);
		if (!chunk)
			return NULL;
		*chunk = (struct pool_chunk){.next = pool->chunks, .size = size};
		pool->chunks = chunk;
	}
	copy = memcpy(chunk->text + chunk->used, text, bytes);
	chunk->used += bytes;
	return copy;
}

const char *smile_pool_once(struct pool *pool, struct count_table *known, const char *text)
{
	uint64_t key = fnv_add(FNV_BEGIN, text, strlen(text)), there, turn = 0;
	const char *copy;

	/* If different texts have the same hash, their keys have the numbers 0, 1 and so on. */
	for (; (there = smile_count_table_get(known, key, turn)); turn++) {
		copy = (const char *)(uintptr_t)there;
		if (!strcmp(copy, text))
			return copy;
	}
	copy = smile_pool_copy(pool, text);
	if (!copy || smile_count_table_add(known, key, turn, (uint64_t)(uintptr_t)copy) < 0)
		return NULL;
	return copy;
}

void smile_pool_free(struct pool *pool)
{
	while (pool->chunks) {
		struct pool_chunk *chunk = pool->chunks;

		pool->chunks = chunk->next;
		free(chunk);
	}
}
