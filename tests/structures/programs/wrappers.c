/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Allocation through functions of the program and of the C library. A block must get the name of
 * the line that is marked with the block's name; callers_test.sh finds the lines by the marks.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
#define COUNT 9000

struct node {
	struct node *next;
	char text[COUNT];
};

static char *blocks[32];
static int used;
static char text[COUNT + 1];

static NOINLINE void *get(size_t bytes)
{
	void *block = malloc(bytes);

	if (!block)
		abort();
	return block;
}

static NOINLINE void *get_zeroed(size_t count, size_t bytes)
{
	void *block = get(count * bytes);

	return memset(block, 0, count * bytes);
}

/* It returns doubles, not bytes, but it has two callers. */
static NOINLINE double *vector(int count)
{
	double *block = get_zeroed((size_t)count, sizeof(*block));

	block[0] = count;
	return block;
}

static NOINLINE int into(void **block, size_t bytes)
{
	*block = malloc(bytes);
	return *block ? 0 : -1;
}

/* This is not an allocator: it makes a node. */
static NOINLINE struct node *make_node(void)
{
	struct node *node = get(sizeof(*node)); /* node */

	node->next = NULL;
	return node;
}

/* This is not an allocator either: it needs both blocks itself, and is called twice. */
static NOINLINE void allocate_all(void)
{
	blocks[used++] = get(COUNT); /* first */
	blocks[used++] = get(COUNT); /* second */
}

static void *work(void *unused)
{
	for (int i = 0; i < used; i++)
		for (int k = 0; k < COUNT; k++)
			((volatile char *)blocks[i])[k] = (char)k;
	return unused;
}

static void keep(void *block)
{
	blocks[used++] = block;
}

int main(void)
{
	pthread_t thread;
	size_t room = 0;
	char *line = NULL, *formatted;
	void *block;
	FILE *file;

	memset(text, 'x', COUNT);
	keep(get(COUNT)); /* left */
	keep(get(COUNT)); /* right */
	keep(vector(COUNT / 8)); /* one */
	keep(vector(COUNT / 8)); /* two */
	if (into(&block, COUNT)) /* three */
		return 1;
	keep(block);
	if (into(&block, COUNT)) /* four */
		return 1;
	keep(block);
	keep(make_node());
	keep(make_node());
	allocate_all();
	allocate_all();
	keep(strdup(text)); /* strdup */
	keep(realloc(NULL, COUNT)); /* realloc */
	keep(reallocarray(NULL, COUNT, 1)); /* reallocarray */
	if (posix_memalign(&block, 64, COUNT)) /* posix_memalign */
		return 1;
	keep(block);
	keep(aligned_alloc(64, 9024)); /* aligned_alloc */
	keep(memalign(64, COUNT)); /* memalign */
	keep(valloc(COUNT)); /* valloc */
	keep(pvalloc(COUNT)); /* pvalloc */
	/* These two calls are last, because the blocks that they free would otherwise be allocated
	 * again. */
	if (asprintf(&formatted, "%s", text) < 0) /* asprintf */
		return 1;
	keep(formatted);
	file = fmemopen(text, COUNT, "r");
	if (!file || getline(&line, &room, file) < COUNT) /* getline */
		return 1;
	fclose(file);
	keep(line);
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	return 0;
}
