/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program that maps, unmaps, moves, protects and releases memory at random:
 *
 * 	mixes SEED FILE LOADS
 *
 * What lives here: the steps. After each step, the program loads a word LOADS times, in assembly,
 * from a random page. It prints the number of steps with these loads. At times it forks, and waits
 * until the child has also made some steps. FILE is any file of two pages or more.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096UL
#define STEPS 300
#define CHILD_STEPS 20
#define PIECES 40U
#define SHARED_PAGES 64U

static struct {
	char *at;
	unsigned long pages;
} pieces[PIECES];
static unsigned int count;
static uint32_t state;

static unsigned int choose(unsigned int of)
{
	state = state * 1103515245 + 12345;
	return (state >> 16) % of;
}

static void *map(unsigned long pages, int prot, int flags, int fd, unsigned long offset)
{
	void *at = mmap(NULL, pages * PAGE, prot, flags, fd, (off_t)(offset * PAGE));

	if (at == MAP_FAILED) {
		perror("mmap");
		exit(99);
	}
	return at;
}

static void add(int file, int shared)
{
	unsigned long pages = 1 + choose(8);
	char *at;

	switch (choose(4)) {
	case 0:
		at = map(pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		break;
	case 1:
		at = map(pages, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		mprotect(at, pages * PAGE, PROT_READ);
		break;
	case 2:
		pages = pages < 2 ? pages : 2;
		at = map(pages, PROT_READ, MAP_PRIVATE, file, 0);
		break;
	default:
		at = map(pages, PROT_READ | PROT_WRITE, MAP_SHARED, shared, choose(16));
	}
	pieces[count].at = at;
	pieces[count++].pages = pages;
}

static void change(unsigned int i)
{
	char *at = pieces[i].at;
	unsigned long bytes = pieces[i].pages * PAGE;

	switch (choose(5)) {
	case 0:
		munmap(at, bytes);
		pieces[i] = pieces[--count];
		break;
	case 1:
		madvise(at, bytes, MADV_DONTNEED);
		break;
	case 2:
		mprotect(at, bytes, PROT_NONE);
		mprotect(at, bytes, PROT_READ);
		break;
	case 3:
		if (pieces[i].pages > 1)
			munmap(at + bytes - PAGE, PAGE);
		pieces[i].pages -= pieces[i].pages > 1;
		break;
	default:
		/*
		 * Move to addresses that are mapped. The moved pages replace those that were there.
		 */
		at = map(pieces[i].pages, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		pieces[i].at =
			mremap(pieces[i].at, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at);
		if (pieces[i].at == MAP_FAILED)
			exit(99);
	}
}

static void load(const char *at, long loads)
{
	uint64_t value;

	while (loads--)
		__asm__ volatile("movq (%1), %0" : "=r"(value) : "r"(at) : "memory");
}

static int file, shared;
static long loads;
static unsigned int *loaded; /* steps of all processes */

static void walk(int steps)
{
	unsigned int i;

	while (steps--) {
		if (count < PIECES && !choose(3))
			add(file, shared);
		else if (count)
			change(choose(count));
		if (!count)
			continue;
		i = choose(count);
		load(pieces[i].at + choose((unsigned int)pieces[i].pages) * PAGE, loads);
		++*loaded;
		if (choose(30))
			continue;
		if (!fork()) {
			walk(CHILD_STEPS);
			_exit(0);
		}
		wait(NULL);
	}
}

int main(int argc, char **argv)
{
	file = argc == 4 ? open(argv[2], O_RDONLY) : -1;
	shared = memfd_create("shared", 0);
	loads = argc == 4 ? atol(argv[3]) : 0;
	if (file < 0 || ftruncate(shared, SHARED_PAGES * PAGE) < 0)
		return 99;
	state = (uint32_t)atoi(argv[1]);
	loaded = map(1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	walk(STEPS);
	printf("%u\n", *loaded);
	return 0;
}
