/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program that ends before its forked processes start their work, for the tests of `smile run`:
 *
 * 	late LOADS
 *
 * Each of PROCESSES processes is stopped as soon as it exists, and makes LOADS loads when it is
 * continued. The program prints their ids, one on each line, and ends.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PROCESSES 8

static volatile long data;

int main(int argc, char **argv)
{
	long loads = argc > 1 ? atol(argv[1]) : 0;

	for (int i = 0; i < PROCESSES; i++) {
		/* Do not use fork(): the handlers of the preload library would run before it. */
		pid_t child = (pid_t)syscall(SYS_fork);

		if (!child) {
			while (loads-- > 0)
				(void)data;
			_exit(0);
		}
		kill(child, SIGSTOP);
		printf("%d\n", (int)child);
	}
	printf("end\n");
	return 0;
}
