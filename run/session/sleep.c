// SPDX-License-Identifier: MIT
/*
 * run/session: whether a thread of the program sleeps.
 *
 * What lives here: a thread's state from /proc, for the schedule, which asks for it at each wait at
 * a futex. So the files stay open: to read one takes a microsecond, to open it ten.
 */
#include "run/session/session_inside.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Read the thread's state into @line. Return: bytes; below 1 if it has ended. */
static ssize_t state_read(const struct run_sleeper *sleeper, char *line, size_t bytes)
{
	return sleeper->tid ? pread(sleeper->fd, line, bytes, 0) : -1;
}

static void sleeper_open(struct run_sleeper *sleeper, uint32_t tid)
{
	char path[64];

	if (sleeper->tid)
		close(sleeper->fd);
	/* That of the thread alone; /proc/TID/stat adds up its whole process. */
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/task/%" PRIu32 "/stat", tid, tid);
	sleeper->fd = open(path, O_RDONLY | O_CLOEXEC);
	sleeper->tid = sleeper->fd < 0 ? 0 : tid;
}

bool run_process_sleeps(void *opaque, uint32_t tid)
{
	struct run *run = opaque;
	struct run_sleeper *sleeper = &run->sleepers[tid % RUN_SLEEPERS];
	const char *rest;
	char line[512];
	ssize_t got = sleeper->tid == tid ? state_read(sleeper, line, sizeof(line) - 1) : -1;

	/* It was another thread, with the same number or of the same entry. */
	if (got <= 0) {
		sleeper_open(sleeper, tid);
		got = state_read(sleeper, line, sizeof(line) - 1);
	}
	/* A thread that has ended does not come either. */
	if (got <= 0)
		return true;
	line[got] = '\0';
	/* The name, in parentheses, can hold anything; the state follows the last of them. */
	rest = strrchr(line, ')');
	/* D: a moment in the kernel on its way, as for a page. */
	return !rest || strlen(rest) < 3 || (rest[2] != 'R' && rest[2] != 'D');
}
