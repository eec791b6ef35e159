/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Programs that map, unmap, lend and write executable memory, selected by name: as accesses.c, but
 * for memory that is mapped and unmapped. The stores that count are written in assembly.
 */
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tracer/guest/guest.h"

static void stores(uint64_t at, unsigned int count)
{
	while (count--)
		__asm__ volatile("movq %%rax, (%0)" : : "r"(at) : "memory");
}

/* Store two bytes, a size that no other store here has. */
static void store_short(void *at)
{
	__asm__ volatile("movw %%ax, (%0)" : : "r"(at) : "memory");
}

static void *map(uint64_t start, uint64_t bytes, int prot, int flags, int fd)
{
	void *at = mmap((void *)start, bytes, prot, flags | (start ? MAP_FIXED : 0), fd, 0);

	if (at == MAP_FAILED)
		exit(99);
	return at;
}

/* Pages 32 to 46 are the thread's own stack; the rest of page 47 is not. */
static void *on_own_stack(void *argument)
{
	stores(ARENA_AT(40, 8), 3);
	stores(ARENA_AT(47, 3000), 5);
	return argument;
}

static int stack(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	if (pthread_attr_setstack(&attributes, (void *)ARENA_AT(32, 0), 15 * ARENA_PAGE + 2048) ||
	    pthread_create(&thread, &attributes, on_own_stack, NULL))
		return 99;
	pthread_join(thread, NULL);
	stores(ARENA_AT(40, 8), 4);
	return 0;
}

static _Atomic int ended;
static _Atomic unsigned int cuts;

/*
 * The stores are made in parts. Each part waits until another page has been unmapped, however
 * rarely the other thread runs.
 */
static void *store_much(void *argument)
{
	for (unsigned int i = 0; i < 20; i++) {
		while (cuts < i)
			sched_yield();
		stores(LARGE, 600000 / 20);
	}
	ended = 1;
	return argument;
}

/* A mapping loses one page after another while a thread accesses its start. */
static int cut(void)
{
	uint64_t end = LARGE + 4096 * ARENA_PAGE;
	pthread_t thread;

	map(LARGE, end - LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	pthread_create(&thread, NULL, store_much, NULL);
	while (!ended && end > LARGE + ARENA_PAGE) {
		end -= ARENA_PAGE;
		munmap((void *)end, ARENA_PAGE);
		cuts++;
	}
	pthread_join(thread, NULL);
	return 0;
}

enum { TURNS = 3000 };

static void *map_and_unmap(void *argument)
{
	unsigned int i;
	char *at;

	for (i = 0; i < TURNS; i++) {
		/* The first thread gets this memory. */
		at = mmap((void *)LARGE, ARENA_PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (at == MAP_FAILED)
			exit(99);
		store_short(at);
		if (i & 1) {
			at = mremap(at, ARENA_PAGE, 2 * ARENA_PAGE, MREMAP_MAYMOVE);
			store_short(at + ARENA_PAGE);
		}
		munmap(at, i & 1 ? 2 * ARENA_PAGE : ARENA_PAGE);
	}
	return argument;
}

/* Threads get addresses that other threads have just released. */
static int turns(void)
{
	pthread_t thread[3];
	unsigned int i;

	for (i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, map_and_unmap, NULL);
	for (i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	return 0;
}

/*
 * More mappings than the table has entries, all of different sizes. QEMU 8.1 and later give
 * mappings of equal size the same address, as Linux does.
 */
static int pieces(void)
{
	unsigned int i;
	char *at;

	for (i = 0; i < 10000; i++) {
		at = map(0, ARENA_PAGE * (1 + i % 9973), PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1);
		store_short(at + ARENA_PAGE * (i % 9973));
		munmap(at, ARENA_PAGE * (1 + i % 9973));
	}
	return 0;
}

/* addl $1, 4089(%rip) 1000 times: the access is to the next page. */
static int made(void)
{
	static const unsigned char code[] = {0xb9, 0xe8, 3,    0,    0,	   0x83, 0x05, 0xf4, 0x0f,
					     0,	   0,	 0x01, 0xff, 0xc9, 0x75, 0xf5, 0xc3};
	void *at = map(ARENA_AT(50, 0), 2 * ARENA_PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1);
	void (*run)(void);

	memcpy(at, code, sizeof(code));
	memcpy(&run, &at, sizeof(run));
	run();
	return *(volatile int *)ARENA_AT(51, 0) == 1000 ? 0 : 98;
}

/*
 * Two mappings of the same memory: the first is unmapped, and other memory is mapped in its place.
 */
static int alias(void)
{
	int fd = memfd_create("alias", 0);

	if (fd < 0 || ftruncate(fd, 4 * ARENA_PAGE) < 0)
		return 99;
	map(ARENA_AT(16, 0), 2 * ARENA_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
	map(ARENA_AT(24, 0), 2 * ARENA_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
	map(ARENA_AT(28, 0), 2 * ARENA_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
	stores(ARENA_AT(24, 0), 1);
	map(ARENA_AT(16, 0), 2 * ARENA_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	    -1);
	stores(ARENA_AT(24, 0), 3);
	stores(ARENA_AT(29, 0), 7);
	stores(ARENA_AT(16, 0), 2);
	/* The second page is still the memory that was reported. */
	munmap((void *)ARENA_AT(28, 0), ARENA_PAGE);
	stores(ARENA_AT(29, 0), 10);
	return 0;
}

static int spawn(void)
{
	char shell[] = "sh", option[] = "-c", command[] = "exit 3";
	char *argv[] = {shell, option, command, NULL}, *environment[] = {NULL};
	int status;
	pid_t pid;

	if (system("exit 5") >> 8 != 5)
		return 98;
	if (posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environment) ||
	    waitpid(pid, &status, 0) != pid)
		return 97;
	return WEXITSTATUS(status);
}

/* The tracer's own file must not be among the program's descriptors. */
static int descriptors(void)
{
	char link[64], path[256];
	int fd;

	for (fd = 0; fd < 1024; fd++) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		memset(path, 0, sizeof(path));
		if (readlink(link, path, sizeof(path) - 1) > 0 && strstr(path, "memfd:"))
			return 1;
	}
	return 0;
}

static const struct {
	const char *name;
	int (*run)(void);
} cases[] = {
	{"stack", stack}, {"cut", cut},	    {"turns", turns}, {"pieces", pieces},
	{"made", made},	  {"alias", alias}, {"spawn", spawn}, {"descriptors", descriptors},
};

int main(int argc, char **argv)
{
	size_t i;

	map(ARENA, ARENA_PAGES * ARENA_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	    -1);
	for (i = 0; argc == 2 && i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (!strcmp(argv[1], cases[i].name))
			return cases[i].run();
	}
	return 98;
}
