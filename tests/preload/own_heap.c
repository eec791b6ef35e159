/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program with a malloc() of its own, which libc's reallocarray() uses.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "tests/preload/named.h"

static _Alignas(16) char pool[1 << 22];
static size_t used;

/* The block's size is stored before the block. */
void *malloc(size_t bytes)
{
	char *block = pool + used;

	bytes = (bytes + 15) & ~(size_t)15;
	if (bytes > sizeof(pool) - used - 16) {
		errno = ENOMEM;
		return NULL;
	}
	memcpy(block, &bytes, sizeof(bytes));
	used += bytes + 16;
	return block + 16;
}

void free(void *block)
{
}

void *calloc(size_t count, size_t bytes)
{
	void *block = malloc(count * bytes);

	return block ? memset(block, 0, count * bytes) : NULL;
}

void *realloc(void *old, size_t bytes)
{
	void *block = malloc(bytes);
	size_t had;

	if (!old || !block)
		return block;
	memcpy(&had, (char *)old - 16, sizeof(had));
	return memcpy(block, old, had < bytes ? had : bytes);
}

int main(void)
{
	int *volatile block = malloc(16 * sizeof(int));

	block[3] = 7;
	block = reallocarray(block, 64, sizeof(int));
	printf("%d %d\n", block[3], (char *)block >= pool && (char *)block < pool + sizeof(pool));
	return 0;
}
