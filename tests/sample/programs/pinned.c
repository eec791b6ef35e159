/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Four threads, each on its own processor, read and write a quarter of an array, which main() has
 * filled before, on processor 0. They continue until standard input has a line. Then main() waits
 * for another line, so that the test can read the nodes of the array's pages. After main() has
 * filled a quarter, only the thread of this quarter accesses it.
 *
 * usage: pinned [heap|free SECONDS [FAULTS]]
 *
 * With heap, the array is a block of the heap. With free, threads are not bound to a processor, and
 * each ends by itself after SECONDS of its processor time, or FAULTS page faults. The program has
 * the phases fill and compute.
 *
 * Prints "array ADDRESS BYTES", then "computes" once all threads run, and "stands" once none
 * accesses the array. Ends with status 3 if all went well.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <smile/trace.h>

#define THREADS 4
#define PAGE_WORDS 1024
#define PAGES 1024
#define QUARTER (PAGES / THREADS)

/* The array has its own pages: other variables in them would be accessed by other threads. */
_Alignas(4096) uint32_t array[PAGES][PAGE_WORDS];

static uint32_t (*used)[PAGE_WORDS] = array;

static atomic_bool over;
static double seconds; /* 0: until it is over */
static long faults; /* 0: any number */
static pthread_barrier_t begun;

/* Bind the calling thread to a processor. Return: 0, or an errno. */
static int processor_set(size_t number)
{
	cpu_set_t processor;

	if (seconds > 0)
		return 0;
	CPU_ZERO(&processor);
	CPU_SET((int)number, &processor);
	return pthread_setaffinity_np(pthread_self(), sizeof(processor), &processor);
}

static bool has_ended(void)
{
	struct timespec now;
	struct rusage own;

	if (seconds <= 0)
		return atomic_load(&over);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	getrusage(RUSAGE_THREAD, &own);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9 > seconds ||
	       (faults && own.ru_minflt > faults);
}

static void *work(void *opaque)
{
	size_t me = (size_t)opaque - 1;
	int refused = processor_set(me);

	pthread_barrier_wait(&begun);
	while (!has_ended())
		for (size_t page = me * QUARTER; page < (me + 1) * QUARTER; page++)
			for (size_t word = me; word < PAGE_WORDS; word += 64)
				used[page][word]++;
	return refused ? opaque : NULL;
}

/* Programs often wrap their allocators in this way. */
static __attribute__((noinline)) void *checked_alloc(size_t bytes)
{
	void *block = aligned_alloc(4096, bytes);

	if (!block)
		abort();
	return block;
}

static __attribute__((noinline)) void used_make(void)
{
	used = checked_alloc(sizeof(array));
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	char line[64];
	void *result;
	int failed;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc > 1 && !strcmp(argv[1], "heap"))
		used_make();
	if (argc > 2)
		seconds = atof(argv[2]);
	if (argc > 3)
		faults = atol(argv[3]);
	failed = processor_set(0);
	smile_phase("fill");
	for (size_t page = 0; page < PAGES; page++)
		used[page][0] = (uint32_t)page;
	printf("array %ju %zu\n", (uintmax_t)(uintptr_t)used, sizeof(array));
	pthread_barrier_init(&begun, NULL, THREADS + 1);
	for (size_t t = 0; t < THREADS; t++)
		if (pthread_create(&threads[t], NULL, work, (void *)(t + 1)))
			return 1;
	pthread_barrier_wait(&begun);
	smile_phase("compute");
	puts("computes");
	failed |= seconds <= 0 && !fgets(line, sizeof(line), stdin);
	atomic_store(&over, true);
	for (size_t t = 0; t < THREADS; t++) {
		pthread_join(threads[t], &result);
		failed |= result != NULL;
	}
	puts("stands");
	failed |= seconds <= 0 && !fgets(line, sizeof(line), stdin);
	return failed ? 1 : 3;
}
