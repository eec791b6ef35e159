// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * admin_hold TYPE CONFIG: keep a counter of a PMU until the program is killed. Print "held", or the
 * reason of the failure.
 *
 * What lives here: a program that has the same effect as a long perf stat. May use: the C library.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {.size = sizeof(attr)};

	if (argc != 3)
		return 2;
	attr.type = (unsigned int)strtoul(argv[1], NULL, 0);
	attr.config = strtoull(argv[2], NULL, 0);
	if (syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0UL) < 0) {
		printf("not held: %s\n", strerror(errno));
		return 1;
	}
	puts("held");
	fflush(stdout);
	pause();
	return 0;
}
