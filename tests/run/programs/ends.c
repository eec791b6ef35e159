/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program that ends in many ways, for the suite of `smile run`.
 *
 *	exit N | segv | abort | wait | fork | exec
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long data[1024];

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "exit";

	for (size_t i = 0; i < 1024; i++)
		data[i] = (long)i;
	if (!strcmp(how, "segv"))
		*(volatile int *)(uintptr_t)(argc + 6) = 1;
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "wait")) {
		puts("waiting");
		fflush(stdout);
		for (;;)
			data[7]++;
	}
	if (!strcmp(how, "fork")) {
		volatile long *shared =
			mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		pid_t pid;

		if (shared == MAP_FAILED || (pid = fork()) < 0)
			return 2;
		if (!pid) {
			for (size_t i = 0; i < 50; i++)
				shared[i] = 1;
			_exit(0);
		}
		if (waitpid(pid, NULL, 0) != pid)
			return 2;
		for (size_t i = 0; i < 50; i++)
			if (shared[i] != 1)
				return 2;
		printf("%lu\n", (unsigned long)shared / 4096);
		return 0;
	}
	if (!strcmp(how, "exec")) {
		execlp("echo", "echo", "executed", (char *)NULL);
		return 2;
	}
	return argc > 2 ? atoi(argv[2]) : 0;
}
