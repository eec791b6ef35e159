/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program with system calls that QEMU executes in another way than Linux, for the tests of `smile
 * run`. Its output must be the same as without QEMU.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define BYTES 4096

static char *map(void *at, size_t bytes, int flags)
{
	return mmap(at, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
}

static void print(const char *name, long result)
{
	printf("%s: %ld\n", name, result);
	fflush(stdout);
}

static void run_mappings(void)
{
	char *first = map(NULL, BYTES, MAP_PRIVATE), *low;
	int i;

	errno = 0;
	print("other memory is not replaced",
	      map(first, BYTES, MAP_PRIVATE | MAP_FIXED_NOREPLACE) == MAP_FAILED &&
		      errno == EEXIST);
	munmap(first, BYTES);
	print("at a free address", map(first, BYTES, MAP_PRIVATE | MAP_FIXED_NOREPLACE) == first);
	for (i = 0; i < 100; i++) {
		low = map(NULL, 20 * BYTES, MAP_PRIVATE | MAP_32BIT);
		if (low == MAP_FAILED || (uintptr_t)low + 20 * BYTES > 1UL << 31)
			break;
		memset(low, 1, 20 * BYTES);
	}
	print("mappings below 2 GB", i);
}

/* Return: the first byte of the memory in a child; -1 if the child does not have this memory. */
static int in_child(const volatile char *memory)
{
	pid_t child = fork();
	int status;

	if (!child) {
		signal(SIGSEGV, SIG_DFL);
		_exit(*memory);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void run_advice(void)
{
	volatile char *memory = map(NULL, BYTES, MAP_PRIVATE);
	volatile char *shared = map(NULL, BYTES, MAP_SHARED);

	*memory = 5;
	print("a child's copy", in_child(memory));
	madvise((void *)memory, BYTES, MADV_WIPEONFORK);
	print("wiped in a child", in_child(memory));
	madvise((void *)memory, BYTES, MADV_KEEPONFORK);
	print("kept in a child", in_child(memory));
	madvise((void *)memory, BYTES, MADV_DONTFORK);
	print("not in a child", in_child(memory));
	madvise((void *)memory, BYTES, MADV_DOFORK);
	print("again in a child", in_child(memory));
	print("in the parent", *memory);
	*shared = 7;
	madvise((void *)shared, BYTES, MADV_REMOVE);
	print("removed", *shared);
}

/* Get the error of an execution, or 0. */
static int spawn(const char *file, bool search)
{
	char *argv[] = {"program", NULL};
	int error, status;
	pid_t child;

	error = search ? posix_spawnp(&child, file, NULL, NULL, argv, environ)
		       : posix_spawn(&child, file, NULL, NULL, argv, environ);
	if (!error)
		waitpid(child, &status, 0);
	return error;
}

static void run_executions(void)
{
	print("a program", spawn("/bin/true", false));
	print("a program in PATH", spawn("true", true));
	print("a path and PATH", spawn("/bin/true", true));
	print("no file", spawn("/no/such/program", false));
	print("no file in PATH", spawn("no-such-program", true));
	print("a directory", spawn("/", false));
	print("not executable", spawn("/etc/passwd", false));
}

int main(void)
{
	run_mappings();
	run_advice();
	run_executions();
	return 0;
}
