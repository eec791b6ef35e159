/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * mix [ROUNDS]: a program most of whose accesses miss the caches, for the tables of `smile run`.
 *
 * What lives here: four threads, and three kinds of work between barriers. A stencil reads its
 * neighbours in a grid, a transposition reads the grid by columns, and scattered updates add to
 * words all over a table. The first thread initialises all memory. With 4 rounds, there are 16
 * million accesses.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4U
#define SIDE 512U /* of the grid: 2 MB */
#define TABLE (1U << 19) /* words of the table: 4 MB */
#define UPDATES (1U << 20) /* in a round, of all threads */

static double grid[SIDE][SIDE], other[SIDE][SIDE];
static uint64_t table[TABLE];
static pthread_barrier_t barrier;
static unsigned int rounds = 4;

static void stencil(size_t first, size_t end)
{
	for (size_t i = first ? first : 1; i < end && i < SIDE - 1; i++)
		for (size_t j = 1; j < SIDE - 1; j++)
			other[i][j] = 0.25 * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] +
					      grid[i][j + 1]);
}

static void transpose(size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		for (size_t j = 0; j < SIDE; j++)
			grid[i][j] = other[j][i];
}

/* Threads add to words of one table, and may overwrite another thread's addition. */
static void scatter(uint64_t *state)
{
	for (size_t i = 0; i < UPDATES / THREADS; i++) {
		*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
		table[*state >> 32 & (TABLE - 1)]++;
	}
}

static void *work(void *opaque)
{
	size_t me = (size_t)opaque, first = me * SIDE / THREADS, end = (me + 1) * SIDE / THREADS;
	uint64_t state = me + 1;

	for (unsigned int round = 0; round < rounds; round++) {
		stencil(first, end);
		pthread_barrier_wait(&barrier);
		transpose(first, end);
		scatter(&state);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	if (argc > 1)
		rounds = (unsigned int)strtoul(argv[1], NULL, 10);
	for (size_t i = 0; i < SIDE; i++)
		for (size_t j = 0; j < SIDE; j++)
			grid[i][j] = other[i][j] = (double)(i ^ j);
	for (size_t i = 0; i < TABLE; i++)
		table[i] = i;
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%g %llu\n", grid[1][1], (unsigned long long)table[0]);
	return 0;
}
