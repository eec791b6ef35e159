/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program with one kind of memory, to which it makes ACCESSES accesses in assembly:
 *
 * 	views KIND FILE ACCESSES [FORKS]
 *
 * What lives here: for each kind of memory that a program can have, a function that makes it. FILE
 * is any file of at least one page. For the kinds "kept", "moved" and similar ones, a second thread
 * makes the accesses, to pages that the first thread has accessed. FORKS: the length of a chain of
 * forked processes, the last of which makes the accesses.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif
#define PAGE 4096UL
#define PAGES 4UL

static long accesses;
static char globals[PAGES * PAGE] __attribute__((aligned(4096)));
static const char constants[PAGES * PAGE] __attribute__((aligned(4096))) = {1};
static __thread char local[PAGES * PAGE];
static void *early;

static void load(const volatile void *at)
{
	const long count = accesses;
	uint64_t value;
	long i;

	for (i = 0; i < count; i++)
		__asm__ volatile("movq (%1), %0"
				 : "=r"(value)
				 : "r"((const volatile char *)at + i % (long)PAGES * (long)PAGE)
				 : "memory");
}

static void *made(void *at)
{
	if (at == MAP_FAILED) {
		perror("mmap");
		exit(99);
	}
	return at;
}

static void *map(void *at, int prot, int flags, int fd)
{
	return made(mmap(at, PAGES * PAGE, prot, flags | MAP_PRIVATE, fd, 0));
}

static void protect(const void *at, int prot)
{
	if (mprotect((void *)(uintptr_t)at, PAGES * PAGE, prot)) {
		perror("mprotect");
		exit(99);
	}
}

/* Runs before the entry point of the program. */
static void before(void)
{
	early = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		     0);
}
__attribute__((section(".preinit_array"), used)) static void (*const before_main)(void) = before;

static pthread_barrier_t barrier;

/* The main thread reads this thread's data. */
static void *owner(void *at)
{
	*(void **)at = local;
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return NULL;
}

static void thread_local_data(void)
{
	pthread_t thread;
	void *at;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, owner, &at);
	pthread_barrier_wait(&barrier);
	load(at);
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
}

static void *second(void *at)
{
	load(at);
	return NULL;
}

/* Access pages in this thread first. Then change them as @kind says. */
static void touched(const char *kind)
{
	char *at = map(NULL, PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1);
	pthread_t thread;

	memset(at, 1, PAGES * PAGE);
	for (unsigned long i = 0; i < PAGES; i++)
		__asm__ volatile("movq %%rax, (%0)" : : "r"(at + i * PAGE) : "memory");
	if (!strcmp(kind, "given-back")) {
		madvise(at, PAGES * PAGE, MADV_DONTNEED);
	} else if (!strcmp(kind, "replaced")) {
		map(at, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_FIXED, -1);
	} else if (!strcmp(kind, "mapped-again")) {
		munmap(at, PAGES * PAGE);
		map(at, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_FIXED, -1);
	} else if (!strncmp(kind, "moved", 5)) {
		int how = strcmp(kind, "moved-and-kept") ? 0 : MREMAP_DONTUNMAP;
		char *to = map(NULL, PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1);

		to = made(mremap(at, PAGES * PAGE, PAGES * PAGE,
				 MREMAP_MAYMOVE | MREMAP_FIXED | how, to));
		/* New pages are mapped at the old address. */
		if (strcmp(kind, "moved-away"))
			at = to;
		else
			map(at, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_FIXED, -1);
	}
	pthread_create(&thread, NULL, second, at);
	pthread_join(thread, NULL);
}

/* The last child shares the memory that is mapped now, or has a copy of it. */
static void *forked(int forks)
{
	void *shared = made(mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0));
	int status = 0;

	for (; forks; forks--) {
		pid_t child = fork();

		if (!child)
			continue;
		waitpid(child, &status, 0);
		exit(child < 0 ? 99 : WEXITSTATUS(status));
	}
	return shared;
}

int main(int argc, char **argv)
{
	const char *kind = argc > 3 ? argv[1] : "";
	int fd = argc > 3 ? open(argv[2], O_RDONLY) : -1;
	void *at, *shared;

	if (fd < 0)
		return 99;
	accesses = atol(argv[3]);
	shared = forked(argc > 4 ? atoi(argv[4]) : 0);
	if (!strcmp(kind, "anonymous")) {
		load(map(NULL, PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1));
	} else if (!strcmp(kind, "shared")) {
		load(shared);
	} else if (!strcmp(kind, "before-main")) {
		load(made(early));
	} else if (!strcmp(kind, "readable-file")) {
		load(map(NULL, PROT_READ, 0, fd));
	} else if (!strcmp(kind, "executable-file")) {
		load(map(NULL, PROT_READ | PROT_EXEC, 0, fd));
	} else if (!strcmp(kind, "writable-file")) {
		load(map(NULL, PROT_READ | PROT_WRITE, 0, fd));
	} else if (!strcmp(kind, "file-made-writable")) {
		at = map(NULL, PROT_READ, 0, fd);
		protect(at, PROT_READ | PROT_WRITE);
		load(at);
	} else if (!strcmp(kind, "made-readable")) {
		at = map(NULL, PROT_NONE, MAP_ANONYMOUS, -1);
		protect(at, PROT_READ);
		load(at);
	} else if (!strcmp(kind, "own-file")) {
		load(map(NULL, PROT_READ, 0, open("/proc/self/exe", O_RDONLY)));
	} else if (!strcmp(kind, "protected-globals")) {
		protect(globals, PROT_NONE);
		protect(globals, PROT_READ | PROT_WRITE);
		load(globals);
	} else if (!strcmp(kind, "read-only-globals")) {
		protect(globals, PROT_READ);
		load(globals);
	} else if (!strcmp(kind, "constants")) {
		load(constants);
	} else if (!strcmp(kind, "opened-constants")) {
		protect(constants, PROT_READ | PROT_WRITE);
		load(constants);
	} else if (!strcmp(kind, "locked")) {
		mlockall(MCL_CURRENT | MCL_FUTURE);
		load(map(NULL, PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1));
	} else if (!strcmp(kind, "thread-local")) {
		thread_local_data();
	} else if (!strcmp(kind, "thread-local-first")) {
		load(local);
	} else {
		touched(kind);
	}
	return 0;
}
