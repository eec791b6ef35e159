/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Several data structures: a variable, blocks of one allocation site, a mapping whose last pages
 * are never touched, and a named region. Each of four threads uses a part of each structure.
 *
 * usage: several [print|wait|exit|fork]
 *	print	each structure: name, number, address, bytes, and a node or -errno for each page
 *	wait	the same, then until standard input ends
 *	exit	ends by _exit(), with status 3
 *	fork	a child accesses all structures, and the parent continues
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "smile/trace.h"

#define THREADS 4
#define ITEMS 4096 /* items of a thread, in each structure: eight pages */
#define PAGE 4096UL
#define UNTOUCHED (16 * PAGE)

#ifdef REBUILT
double other[5000] = {1};
#endif
static double globals[THREADS * ITEMS];
static double *blocks[THREADS];
static double *mapping, *named;
static pthread_barrier_t barrier;

static double *block_new(size_t items)
{
	return malloc(items * sizeof(double));
}

static void *work(void *argument)
{
	long self = (long)argument;

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < ITEMS; i++) {
			globals[(self + 1) % THREADS * ITEMS + i] += 1;
			blocks[(self + 2) % THREADS][i] += 1;
			mapping[self * ITEMS + i] += 1;
			named[(THREADS - 1 - self) * ITEMS + i] += 1;
		}
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static void print_pages(const char *name, int number, const void *start, size_t bytes)
{
	unsigned long first = (unsigned long)start / PAGE;
	unsigned long last = ((unsigned long)start + bytes - 1) / PAGE;

	printf("%s %d %lu %zu", name, number, (unsigned long)start, bytes);
	for (unsigned long page = first; page <= last; page++) {
		void *address = (void *)(page * PAGE);
		int status = 0;

		syscall(SYS_move_pages, 0, 1UL, &address, NULL, &status, 0);
		printf(" %d", status);
	}
	putchar('\n');
}

static void print_all(void)
{
	print_pages("globals", 0, globals, sizeof(globals));
	for (int i = 0; i < THREADS; i++)
		print_pages("block", i, blocks[i], ITEMS * sizeof(double));
	print_pages("mapping", 0, mapping, THREADS * ITEMS * sizeof(double));
	print_pages("named", 0, named, THREADS * ITEMS * sizeof(double));
	fflush(stdout);
}

static void child_touches(void)
{
	pid_t child = fork();

	if (!child) {
		free(block_new(ITEMS));
		memset(globals, 1, sizeof(globals));
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	pthread_t threads[THREADS];

	pthread_barrier_init(&barrier, NULL, THREADS);
	for (int i = 0; i < THREADS; i++) {
		blocks[i] = block_new(ITEMS);
		memset(blocks[i], 0, ITEMS * sizeof(double));
	}
	mapping = mmap(NULL, THREADS * ITEMS * sizeof(double) + UNTOUCHED, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	named = smile_alloc(THREADS * ITEMS * sizeof(double), "named");
	for (long t = 1; t < THREADS; t++)
		pthread_create(&threads[t], NULL, work, (void *)t);
	work(NULL);
	for (long t = 1; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	if (!strcmp(what, "fork"))
		child_touches();
	if (!strcmp(what, "print") || !strcmp(what, "wait"))
		print_all();
	if (!strcmp(what, "wait"))
		while (getchar() != EOF)
			;
	if (!strcmp(what, "exit"))
		_exit(3);
	return 0;
}
