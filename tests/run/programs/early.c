/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program that loads a word LOADS times, in assembly, from each place where its code can run
 * outside of main():
 *
 * 	LOADS=N LATE=LIBRARY early
 *
 * What lives here: the code at these places. A constructor loads the library LATE. Built with
 * -DLIBRARY, this file is a library with the same code. A program has 8 places that load LOADS
 * words, a library has 5. Both also have a function that selects one of several functions; the
 * loader calls it while it links, and it loads CHOICES words.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef CHOICES
#define CHOICES 100
#endif

static const uint64_t constant = 7;
static uint64_t variable = 7;
static long loads = -1;

/* Read LOADS from @environment. getenv() finds nothing before the C library has the environment. */
static long loads_of(char **environment)
{
	long found = 0;

	for (; environment && *environment; environment++) {
		const char *text = *environment;

		if (text[0] != 'L' || text[1] != 'O' || text[2] != 'A' || text[3] != 'D' ||
		    text[4] != 'S' || text[5] != '=')
			continue;
		for (text += 6; *text; text++)
			found = found * 10 + (*text - '0');
	}
	return found;
}

static void load(const uint64_t *at)
{
	uint64_t value;
	long i;

	for (i = loads; i > 0; i--)
		__asm__ volatile("movq (%1), %0" : "=r"(value) : "r"(at) : "memory");
}

static int one(void)
{
	return 1;
}

/* It cannot read LOADS. */
static int (*choose(void))(void)
{
	uint64_t value;
	int i;

	for (i = 0; i < CHOICES; i++)
		__asm__ volatile("movq (%1), %0" : "=r"(value) : "r"(&variable) : "memory");
	return one;
}

static int chosen(void) __attribute__((ifunc("choose")));

static void *work(void *at)
{
	load(at);
	return NULL;
}

static void at_end(void)
{
	load(&constant);
}

__attribute__((constructor)) static void first(int argc, char **argv, char **environment)
{
	static uint64_t *block;
	pthread_t thread;

	(void)argc;
	(void)argv;
	loads = loads_of(environment);
	block = malloc(sizeof(*block));
	*block = 1;
	load(block);
	load(&constant);
	pthread_create(&thread, NULL, work, block);
	pthread_join(thread, NULL);
	atexit(at_end);
#ifndef LIBRARY
	if (getenv("LATE"))
		dlopen(getenv("LATE"), RTLD_NOW);
#endif
	chosen();
}

__attribute__((destructor)) static void last(void)
{
	load(&variable);
}

#ifndef LIBRARY
/* The loader calls this before the constructors of all libraries. */
static void before(int argc, char **argv, char **environment)
{
	(void)argc;
	(void)argv;
	loads = loads_of(environment);
	load(&variable);
}
__attribute__((section(".preinit_array"), used)) static void (*const before_all)(int, char **,
										 char **) = before;

static _Thread_local uint64_t *local;

static pthread_key_t key;

static void thread_ends(void *at)
{
	load(at);
}

static void *keep(void *at)
{
	local = at;
	load(local);
	pthread_setspecific(key, at);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	pthread_key_create(&key, thread_ends);
	pthread_create(&thread, NULL, keep, &variable);
	pthread_join(thread, NULL);
	return 0;
}
#endif
