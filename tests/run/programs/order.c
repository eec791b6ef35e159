/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program whose threads take turns with locks and barriers, for the tests of `smile run`. Its
 * accesses must not depend on the host. Argument: threads.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS_MAX 64
#define ROUNDS 20

static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile long shared[512];
static volatile long own[THREADS_MAX][512];

static void *work(void *opaque)
{
	uintptr_t thread = (uintptr_t)opaque;

	for (long round = 0; round < ROUNDS; round++) {
		for (uintptr_t i = 0; i <= 8 * thread; i++)
			own[thread][i % 512] += round;
		pthread_mutex_lock(&mutex);
		shared[round] += (long)thread;
		pthread_mutex_unlock(&mutex);
		if (round % 4 == 3)
			pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS_MAX];
	long count = argc > 1 ? atol(argv[1]) : 4, sum = 0;

	if (count < 1 || count > THREADS_MAX ||
	    pthread_barrier_init(&barrier, NULL, (unsigned)count))
		return 2;
	for (uintptr_t t = 1; t < (uintptr_t)count; t++)
		if (pthread_create(&threads[t], NULL, work, (void *)t))
			return 2;
	work(NULL);
	for (long t = 1; t < count; t++)
		pthread_join(threads[t], NULL);
	for (long i = 0; i < 512; i++)
		sum += shared[i];
	printf("%ld\n", sum);
	return sum != ROUNDS * count * (count - 1) / 2;
}
