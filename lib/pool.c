/* SPDX-License-Identifier: MIT */
/*
 * Pool: strings that are all freed at once. See pool.h.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/pool.h"

#define POOL_CHUNK_BYTES 16384U

/**
 * struct pool_chunk - Memory for many strings.
 * @next: the one before it
 * @used: bytes of @text that are taken
 * @size: bytes of @text
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

void smile_pool_free(struct pool *pool)
{
	while (pool->chunks) {
		struct pool_chunk *chunk = pool->chunks;

		pool->chunks = chunk->next;
		free(chunk);
	}
}
