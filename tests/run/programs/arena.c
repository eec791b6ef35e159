/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program with its own allocator, which divides one large block. Each thread has its own items in
 * the block, and all threads share a table.
 *
 * Prints the sum of all items.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4
#define ITEMS 8192
#define ROUNDS 4
#define ARENA_BYTES (16 << 20)

static char *arena;
static size_t arena_used;
static double *items[THREADS], *table;

static void *arena_take(size_t bytes)
{
	void *block = arena + arena_used;

	arena_used += (bytes + 15) / 16 * 16;
	return block;
}

static void *work(void *opaque)
{
	double *own = items[(size_t)opaque];

	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < ITEMS; i++)
			own[i] += table[i % 512];
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	double sum = 0;

	arena = malloc(ARENA_BYTES);
	table = arena_take(512 * sizeof(*table));
	for (int i = 0; i < 512; i++)
		table[i] = i;
	for (int i = 0; i < THREADS; i++)
		items[i] = arena_take(ITEMS * sizeof(*items[i]));
	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		sum += items[i][ITEMS - 1];
	}
	printf("%.0f\n", sum);
	free(arena);
	return 0;
}
