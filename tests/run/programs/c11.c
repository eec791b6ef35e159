/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program with C11 threads whose accesses are known, for the tests of `smile run`. It uses a
 * mutex, atomics, and a heap that the first thread has filled.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include "known.h"

#define THREADS 4
#define ROUNDS 25

static struct {
	volatile long counter[512];
	atomic_long sum;
	long fill[511];
} data KNOWN_ALIGNED;
static volatile long *heap;
static mtx_t mutex;

static int work(void *opaque)
{
	long thread = (long)(intptr_t)opaque;

	for (int i = 0; i < ROUNDS; i++) {
		mtx_lock(&mutex);
		data.counter[0]++;
		mtx_unlock(&mutex);
		atomic_fetch_add(&data.sum, thread);
	}
	for (long i = 0; i < 10 * thread; i++)
		heap[512 * thread + i] = i;
	return (int)thread;
}

int main(void)
{
	thrd_t threads[THREADS];
	int result, sum = 0;

	heap = aligned_alloc(KNOWN_PAGE, THREADS * KNOWN_PAGE);
	if (!heap || mtx_init(&mutex, mtx_plain) != thrd_success)
		return 2;
	for (long t = 1; t < THREADS; t++)
		if (thrd_create(&threads[t], work, (void *)t) != thrd_success)
			return 2;
	work(NULL);
	for (int t = 1; t < THREADS; t++) {
		thrd_join(threads[t], &result);
		sum += result;
	}
	if (sum != 6 || data.counter[0] != ROUNDS * THREADS || data.sum != 6 * ROUNDS)
		return 1;
	for (int t = 0; t < THREADS; t++) {
		known(data.counter, t, ROUNDS + (t == 0), ROUNDS, 0);
		known(&data.sum, t, t == 0, 0, ROUNDS);
		known(heap + 512 * t, t, 0, 10 * (unsigned long)t, 0);
	}
	return 0;
}
