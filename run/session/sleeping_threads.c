// SPDX-License-Identifier: MIT
/*
 * run/session: detects threads that sleep.
 *
 * What lives here: the state of a thread, read from /proc. The schedule needs this state for each
 * wait at a futex. The files are kept open, because reading such a file takes 1 microsecond, and
 * opening such a file takes 10 microseconds.
 */
#include "run/session/session_inside.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * Read the state of a thread into @line. Return: the number of bytes; 0 or a negative number if the
 * thread has ended.
 */
static ssize_t state_read(const struct run_sleeper *sleeper, char *line, size_t bytes)
{
	return sleeper->tid ? pread(sleeper->fd, line, bytes, 0) : -1;
}

static void sleeper_open(struct run_sleeper *sleeper, uint32_t tid)
{
	char path[64];

	if (sleeper->tid)
		close(sleeper->fd);
	/*
	 * This file describes only the thread. In contrast, /proc/TID/stat has sums over the whole
	 * process.
	 */
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

	/*
	 * The open file belongs to an earlier thread, which had the same id or used the same entry.
	 */
	if (got <= 0) {
		sleeper_open(sleeper, tid);
		got = state_read(sleeper, line, sizeof(line) - 1);
	}
	/* A thread that has ended writes no more words, so it counts as sleeping. */
	if (got <= 0)
		return true;
	line[got] = '\0';
	/*
	 * The name of the thread, in parentheses, can contain any characters; the state follows the
	 * last parenthesis.
	 */
	rest = strrchr(line, ')');
	/*
	 * State D is a short wait in the kernel, for example for a page. It does not count as
	 * sleeping.
	 */
	return !rest || strlen(rest) < 3 || (rest[2] != 'R' && rest[2] != 'D');
}
