/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program with three threads, worker-0 to worker-2. Each of them writes by faults 256 pages that
 * the first thread has written before.
 *
 * Prints "ready" and waits for a line; "touched" when the threads have written, and waits for a
 * line; "ended" when they have ended, and waits for a line.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define WORKERS 3
#define PAGE_BYTES 4096
#define BYTES (256 * PAGE_BYTES)

static char *memory;
static pthread_barrier_t written, end;

static void line_await(const char *said)
{
	char line[64];

	puts(said);
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		exit(1);
}

static void touch(char *from)
{
	for (size_t at = 0; at < BYTES; at += PAGE_BYTES)
		*(volatile char *)(from + at) = 1;
}

static void *work(void *opaque)
{
	char *own = memory + (size_t)opaque * BYTES, name[16];

	snprintf(name, sizeof(name), "worker-%zu", (size_t)opaque);
	if (pthread_setname_np(pthread_self(), name))
		exit(1);
	madvise(own, BYTES, MADV_DONTNEED);
	touch(own);
	pthread_barrier_wait(&written);
	pthread_barrier_wait(&end);
	return NULL;
}

int main(void)
{
	pthread_t threads[WORKERS];

	memory = mmap(NULL, WORKERS * BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	if (memory == MAP_FAILED)
		return 1;
	madvise(memory, WORKERS * BYTES, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < WORKERS; i++)
		touch(memory + i * BYTES);
	pthread_barrier_init(&written, NULL, WORKERS + 1);
	pthread_barrier_init(&end, NULL, WORKERS + 1);
	line_await("ready");
	for (size_t i = 0; i < WORKERS; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)i))
			return 1;
	pthread_barrier_wait(&written);
	line_await("touched");
	pthread_barrier_wait(&end);
	for (size_t i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
	line_await("ended");
	return 0;
}
