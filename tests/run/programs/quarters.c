/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program whose main() fills a global table and a block of the heap. Each thread then uses a
 * quarter of both. An argument is the size of the block. There are also constants, which the last
 * thread uses most.
 *
 * usage: quarters STATUS SCALE [in]
 *
 * The block has SCALE x 64 pages. With "in", the program reads its standard input first. It prints
 * the sum of all data, and ends with STATUS.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4
#define PAGE_ITEMS 512
#ifndef TABLE_PAGES
#define TABLE_PAGES 64
#endif
#define BLOCK_PAGES 64
#define ROUNDS 20

/* With MOVED, the table has another address, as in another build of the program. */
#ifdef MOVED
double before[4096] = {1};
#endif
static double table[TABLE_PAGES * PAGE_ITEMS];
static const double weights[2 * PAGE_ITEMS] = {1, 2, 3};
static double *block;
static size_t block_items;

static double update(double *items, size_t count, size_t me)
{
	double sum = 0;

	for (size_t i = me * count / THREADS; i < (me + 1) * count / THREADS; i++)
		sum += items[i] = items[i] * 0.5 + 1;
	return sum;
}

static void *work(void *opaque)
{
	size_t me = (size_t)opaque;
	double *sum = calloc(1, sizeof(*sum));
	volatile const double *constants = weights;

	for (int round = 0; round < ROUNDS; round++) {
		*sum += update(table, TABLE_PAGES * PAGE_ITEMS, me);
		*sum += update(block, block_items, me);
		for (int i = 0; me == THREADS - 1 && i < 2 * PAGE_ITEMS; i++)
			*sum += constants[i];
	}
	return sum;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	double all = 0;
	char line[64];
	void *sum;

	if (argc < 3)
		return 2;
	while (argc > 3 && fgets(line, sizeof(line), stdin))
		all += atof(line);
	block_items = (size_t)atoi(argv[2]) * BLOCK_PAGES * PAGE_ITEMS;
	block = malloc(block_items * sizeof(*block));
	for (size_t i = 0; i < TABLE_PAGES * PAGE_ITEMS; i++)
		table[i] = (double)i;
	for (size_t i = 0; i < block_items; i++)
		block[i] = (double)i;
	for (size_t t = 0; t < THREADS; t++)
		pthread_create(&threads[t], NULL, work, (void *)t);
	for (size_t t = 0; t < THREADS; t++) {
		pthread_join(threads[t], &sum);
		all += *(double *)sum;
	}
	printf("%g\n", all);
	return atoi(argv[1]);
}
