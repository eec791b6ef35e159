/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program that executes other programs, and operations that may fail under emulation, for the
 * tests of `smile run`.
 *
 * 	store: 1000 stores to data, and 500 to memory of the heap
 * 	exec | thread | at PROGRAM [ARGUMENTS]: execute it in this process, from another thread, or
 * 		by a descriptor
 * 	self: execute this program with "store", by its path in /proc
 * 	shell COMMAND: by system(3)
 * 	spawn N PROGRAM [ARGUMENTS]: N children execute it at the same time
 * 	stack MIB: use MIB MiB of the stack
 * 	avx512: execute an instruction of AVX-512
 * 	plugin FILE usual|deep|apart: load FILE, and make it take its lock 100 times
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

volatile long data[1000];

static int store(void)
{
	volatile long *heap = malloc(500 * sizeof(*heap));

	if (!heap)
		return 2;
	for (int i = 0; i < 1000; i++)
		data[i] = i;
	for (int i = 0; i < 500; i++)
		heap[i] = i;
	return printf("stored\n") < 0;
}

static void *execute(void *words)
{
	char **argv = words;

	execvp(*argv, argv);
	exit(127);
}

static void *wait_for_ever(void *opaque)
{
	for (;;)
		pause();
	return opaque;
}

/* Execute the program while another thread waits. */
static int thread(char **argv)
{
	pthread_t threads[2];

	if (pthread_create(&threads[0], NULL, wait_for_ever, NULL) ||
	    pthread_create(&threads[1], NULL, execute, argv))
		return 2;
	pthread_join(threads[1], NULL);
	return 2;
}

static int at(char **argv)
{
	int fd = open(*argv, O_PATH | O_CLOEXEC);

	fexecve(fd, argv, environ);
	return 127;
}

static int spawn(int count, char **argv)
{
	pid_t children[64];
	int status, result = 0;

	for (int i = 0; i < count; i++)
		if (posix_spawnp(&children[i], *argv, NULL, NULL, argv, environ))
			return 127;
	for (int i = 0; i < count; i++)
		if (waitpid(children[i], &status, 0) != children[i] || status)
			result = 2;
	return result;
}

static int stack(size_t bytes)
{
	char array[bytes];

	memset(array, 1, bytes);
	return printf("%d on the stack\n", array[bytes / 2]) < 0;
}

static int plugin(const char *file, const char *how)
{
	int flags = RTLD_NOW | (strcmp(how, "deep") ? 0 : RTLD_DEEPBIND);
	void *loaded =
		strcmp(how, "apart") ? dlopen(file, flags) : dlmopen(LM_ID_NEWLM, file, RTLD_NOW);
	int (*locks)(int) = loaded ? (int (*)(int))dlsym(loaded, "plugin_locks") : NULL;

	return !locks || locks(100) != 100;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	if (!strcmp(how, "store"))
		return store();
	if (!strcmp(how, "self"))
		return execl("/proc/self/exe", "executes", "store", (char *)NULL);
	if (!strcmp(how, "avx512")) {
		/* vmovups %zmm0, %zmm0 */
		__asm__ volatile(".byte 0x62, 0xf1, 0x7c, 0x48, 0x10, 0xc0");
		return 0;
	}
	if (argc > 2 && !strcmp(how, "exec"))
		execute(argv + 2);
	if (argc > 2 && !strcmp(how, "thread"))
		return thread(argv + 2);
	if (argc > 2 && !strcmp(how, "at"))
		return at(argv + 2);
	if (argc > 2 && !strcmp(how, "shell"))
		return system(argv[2]) != 0;
	if (argc > 2 && !strcmp(how, "stack"))
		return stack(strtoul(argv[2], NULL, 10) << 20);
	if (argc > 3 && !strcmp(how, "spawn"))
		return spawn(atoi(argv[2]), argv + 3);
	if (argc > 3 && !strcmp(how, "plugin"))
		return plugin(argv[2], argv[3]);
	return 2;
}
