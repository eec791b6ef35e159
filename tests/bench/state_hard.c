// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A program that is hard to estimate: each thread makes bursts of accesses of random length at
 * random times to another thread's memory, and phases end at any time. All runs are the same.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define THREADS 4
#define WORDS 65536
#define PHASES 12
#define BURSTS 12

static uint32_t memory[THREADS][WORDS];
static pthread_barrier_t barrier;

static uint32_t draw(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005U + 1442695040888963407U;
	return (uint32_t)(*seed >> 33);
}

/* In each phase a thread prefers another peer and another mix of reads and writes. */
static void phase_work(unsigned int self, unsigned int phase, uint64_t *seed)
{
	for (unsigned int burst = 0; burst < BURSTS; burst++) {
		/* Most bursts are short; some are a hundred times as long. */
		unsigned int length = 20U << draw(seed) % 8;
		unsigned int peer =
			draw(seed) % 4 ? (self + phase) % THREADS : draw(seed) % THREADS;
		unsigned int pause = draw(seed) % 40000, writes = phase % 5;
		volatile uint32_t *words = memory[peer];
		uint32_t sum = 0;

		for (unsigned int k = 0; k < length; k++) {
			unsigned int at = (draw(seed) % 1024 + 1024 * (phase % 64)) % WORDS;

			if (draw(seed) % 5 < writes)
				words[at] = k;
			else
				sum += words[at];
		}
		for (unsigned int k = 0; k < pause; k++)
			sum = sum * 31 + k;
		memory[self][WORDS - 1] = sum;
	}
}

static void *work(void *opaque)
{
	unsigned int self = (unsigned int)(uintptr_t)opaque;
	uint64_t seed = 7 * self + 1;

	for (unsigned int phase = 0; phase < PHASES; phase++) {
		phase_work(self, phase, &seed);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];

	pthread_barrier_init(&barrier, NULL, THREADS);
	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)i))
			return 1;
	for (unsigned int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
