/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * moved_quarters MEGABYTES: a program with much data, for the bench of the report of exact counts.
 *
 * What lives here: main() writes a block of the heap. Then each of four threads reads and writes a
 * quarter of the block three times; the third time it is the quarter of the next thread.
 */
#include <pthread.h>
#include <stdlib.h>

#define THREADS 4
#define ROUNDS 3

static double *block;
static size_t items;
static pthread_barrier_t barrier;

static void *work(void *opaque)
{
	size_t me = (size_t)opaque;

	for (int round = 0; round < ROUNDS; round++) {
		size_t quarter = (me + (round == ROUNDS - 1)) % THREADS;

		for (size_t i = quarter * items / THREADS; i < (quarter + 1) * items / THREADS; i++)
			block[i] = block[i] * 0.5 + 1;
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	if (argc != 2)
		return 2;
	items = strtoull(argv[1], NULL, 10) * (1U << 20) / sizeof(*block);
	block = malloc(items * sizeof(*block));
	if (!block)
		return 1;
	for (size_t i = 0; i < items; i++)
		block[i] = 1;
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
