/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program whose accesses to five pages are known, for the tests of `smile run`. It prints the
 * number of the first page. Thread t of four writes 100 words of page t. After a barrier, it reads
 * 100 words of page t + 1 twice, and adds to one word of page 4 seven times, atomically.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4
#define PAGE 4096
#define WORDS (PAGE / sizeof(double))

static volatile double *data;
static pthread_barrier_t barrier;
static volatile double sums[THREADS];

static void *work(void *opaque)
{
	size_t thread = (uintptr_t)opaque;
	volatile double *own = data + thread * WORDS;
	volatile double *next = data + (thread + 1) % THREADS * WORDS;
	double sum = 0;

	for (size_t i = 0; i < 100; i++)
		own[i] = (double)i;
	pthread_barrier_wait(&barrier);
	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < 100; i++)
			sum += next[i];
	for (size_t i = 0; i < 7; i++)
		__atomic_fetch_add((uint64_t *)(data + THREADS * WORDS), 1, __ATOMIC_SEQ_CST);
	sums[thread] = sum;
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];

	data = aligned_alloc(PAGE, (THREADS + 1) * PAGE);
	if (!data || pthread_barrier_init(&barrier, NULL, THREADS))
		return 1;
	for (uintptr_t t = 1; t < THREADS; t++)
		if (pthread_create(&threads[t], NULL, work, (void *)t))
			return 1;
	work(NULL);
	for (size_t t = 1; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	for (size_t t = 0; t < THREADS; t++)
		if (sums[t] != 9900)
			return 1;
	printf("%lu\n", (unsigned long)((uintptr_t)data / PAGE));
	return 0;
}
