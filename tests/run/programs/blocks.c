/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program whose threads allocate memory at the same time. The addresses must not depend on which
 * thread is faster.
 *
 * usage: blocks small|large|grown|aligned|generations|maps|regions|passed|keys|openmp|nested|
 *               many|forks|handlers
 *
 * Each thread allocates blocks, writes to them, reads its neighbour's blocks, and frees some blocks
 * so that other threads can use them. Exit status 1 if a block does not hold the written data.
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "smile/trace.h"

#define THREADS 4
#define BLOCKS 600
#define ROUNDS 6

#define MODES(X)                                                                                   \
	X(small)                                                                                   \
	X(large)                                                                                   \
	X(grown)                                                                                   \
	X(aligned)                                                                                 \
	X(generations)                                                                             \
	X(maps)                                                                                    \
	X(regions)                                                                                 \
	X(passed)                                                                                  \
	X(keys)                                                                                    \
	X(openmp)                                                                                  \
	X(nested)                                                                                  \
	X(many)                                                                                    \
	X(forks)                                                                                   \
	X(handlers)

#define MODE_NUMBER(name) MODE_##name,
#define MODE_NAME(name) #name,
enum mode { MODES(MODE_NUMBER) MODE_COUNT };
static const char *const names[MODE_COUNT] = {MODES(MODE_NAME)};

static enum mode mode;
static pthread_barrier_t barrier;
static volatile uint64_t *blocks[THREADS][BLOCKS];
static int wrong;

/* Pseudo-random numbers that are the same in each run. */
static unsigned int next(uint64_t *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned int)(*state >> 33);
}

static unsigned int count(void)
{
	return mode == MODE_many ? BLOCKS : 24;
}

static size_t bytes_of(uint64_t *state)
{
	if (mode == MODE_large || mode == MODE_maps)
		return 4096 + next(state) % 600000;
	if (mode == MODE_regions)
		return 1 + next(state) % 20000;
	/* The blocks of each thread have more than 64 MB, which is the size of a heap of glibc. */
	if (mode == MODE_many)
		return 125000;
	return 16 + next(state) % 3000;
}

static void *get(void *old, uint64_t *state)
{
	size_t bytes = bytes_of(state);
	void *block;

	if (mode == MODE_grown)
		return realloc(old, bytes * (1 + next(state) % 200));
	if (mode == MODE_regions)
		return old ? old : smile_alloc(bytes, "region");
	if (mode == MODE_maps) {
		block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			     0);
		return block == MAP_FAILED ? NULL : block;
	}
	if (mode == MODE_aligned) {
		if (next(state) % 2)
			return aligned_alloc(4096, (bytes + 4095) & ~(size_t)4095);
		return posix_memalign(&block, 65536, bytes * 30) ? NULL : block;
	}
	return next(state) % 4 ? malloc(bytes) : calloc(1, bytes);
}

static void put(void *block)
{
	if (mode == MODE_grown || mode == MODE_regions || !block)
		return;
	/* Unmap only the first page, so that a later mapping can be placed there. */
	if (mode == MODE_maps)
		munmap(block, 4096);
	else
		free(block);
}

/* The work of a thread: other threads touch its blocks only between the barriers. */
static void round_of(unsigned int self, unsigned int round)
{
	uint64_t state = self * 1000 + round;

	for (unsigned int i = 0; i < count(); i++) {
		volatile uint64_t **block = &blocks[self][i];

		/*
		 * In every second round, free half of the blocks of another thread, which no longer
		 * uses them.
		 */
		if (mode == MODE_passed && round % 2 && i % 2) {
			block = &blocks[(self + 1) % THREADS][i];
			put((void *)*block);
			*block = NULL;
			continue;
		}
		if (*block && mode != MODE_grown && mode != MODE_regions) {
			put((void *)*block);
			*block = NULL;
		}
		*block = get((void *)*block, &state);
		if (!*block)
			abort();
		(*block)[0] = self * 100 + i;
		(*block)[1] = round;
	}
}

static void check_of(unsigned int self)
{
	unsigned int other = (self + 1) % THREADS;

	for (unsigned int i = 0; i < count(); i++) {
		if (blocks[other][i] && blocks[other][i][0] != other * 100 + i)
			__atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
	}
}

static void *body(void *number)
{
	unsigned int self = (unsigned int)(uintptr_t)number;

	for (unsigned int round = 0; round < ROUNDS; round++) {
		round_of(self, round);
		pthread_barrier_wait(&barrier);
		check_of(self);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

/* One round without a barrier. Some threads take longer than others, and they end in any order. */
static void *brief(void *number)
{
	unsigned int self = (unsigned int)(uintptr_t)number;
	uint64_t state = self;
	volatile unsigned int work = 0;

	for (unsigned int i = 0; i < 1000 * (next(&state) % 7); i++)
		work += i;
	round_of(self, 0);
	return NULL;
}

/*
 * The block that the destructor of this key frees was allocated by this thread or by another one.
 */
static pthread_key_t key;

static void key_done(void *block)
{
	free(block);
	free(malloc(3000));
}

static void *keyed(void *number)
{
	pthread_setspecific(key, malloc(500));
	return brief(number);
}

/*
 * A thread takes this lock before it forks. Other threads hold it while they allocate large blocks.
 */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void mutex_take(void)
{
	pthread_mutex_lock(&mutex);
}

static void mutex_give(void)
{
	pthread_mutex_unlock(&mutex);
}

static void *forking(void *number)
{
	for (unsigned int i = 0; i < 20; i++) {
		pid_t child = number ? -1 : fork();

		if (child == 0)
			_exit(0);
		if (child > 0)
			waitpid(child, NULL, 0);
		mutex_take();
		free(malloc(200000));
		mutex_give();
	}
	return NULL;
}

/* A signal handler that maps memory; it interrupts the threads anywhere. */
static void handler(int number)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)number;
	if (page != MAP_FAILED)
		munmap(page, 4096);
}

static void handler_set(long microseconds)
{
	struct itimerval timer = {{0, microseconds}, {0, microseconds}};

	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void run(void *(*routine)(void *))
{
	pthread_t threads[THREADS];

	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, routine, (void *)i))
			abort();
	for (unsigned int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void run_openmp(int nested)
{
	for (unsigned int round = 0; round < ROUNDS; round++) {
#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
		for (unsigned int self = 0; self < THREADS; self++) {
			if (nested) {
#pragma omp parallel num_threads(2)
#pragma omp single
				round_of(self, round);
			} else {
				round_of(self, round);
			}
		}
#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
		for (unsigned int self = 0; self < THREADS; self++)
			check_of(self);
	}
}

int main(int argc, char **argv)
{
	while (mode < MODE_COUNT && (argc < 2 || strcmp(names[mode], argv[1]) != 0))
		mode++;
	if (mode == MODE_COUNT) {
		fprintf(stderr, "usage: blocks MODE\n");
		return 2;
	}
	pthread_barrier_init(&barrier, NULL, THREADS);
	if (mode == MODE_openmp || mode == MODE_nested) {
		run_openmp(mode == MODE_nested);
	} else if (mode == MODE_generations || mode == MODE_keys) {
		pthread_key_create(&key, key_done);
		for (unsigned int i = 0; i < ROUNDS; i++)
			run(mode == MODE_keys ? keyed : brief);
	} else if (mode == MODE_forks) {
		pthread_atfork(mutex_take, mutex_give, mutex_give);
		run(forking);
	} else {
		handler_set(mode == MODE_handlers ? 5000 : 0);
		run(body);
		handler_set(0);
	}
	return wrong;
}
