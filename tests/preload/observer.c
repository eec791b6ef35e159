/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A replacement of the tracer: it writes the reports of the preload library to the file
 * $SMILE_OBSERVE, a line for each call: process, thread, operation, five arguments in hexadecimal.
 *
 * It uses syscall(), since open() and write() are cancellation points, and a thread that is
 * cancelled there would not report its call.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run/preload/base/tracer_call.h"

#define OBSERVER_LINE 160

static char *observer_number(char *to, uint64_t number, unsigned base)
{
	char digits[24];
	int count = 0;

	do {
		digits[count++] = "0123456789abcdef"[number % base];
		number /= base;
	} while (number);
	while (count)
		*to++ = digits[--count];
	*to++ = ' ';
	return to;
}

void trace_call(enum stream_call op, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)
{
	static int fd = -1;
	char line[OBSERVER_LINE], *to = line;
	int saved = errno;

	if (fd < 0)
		fd = (int)syscall(SYS_openat, AT_FDCWD, getenv("SMILE_OBSERVE"),
				  O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	to = observer_number(to, (uint64_t)getpid(), 10);
	to = observer_number(to, (uint64_t)syscall(SYS_gettid), 10);
	to = observer_number(to, op, 10);
	to = observer_number(to, a, 16);
	to = observer_number(to, b, 16);
	to = observer_number(to, c, 16);
	to = observer_number(to, d, 16);
	to = observer_number(to, e, 16);
	to[-1] = '\n';
	if (syscall(SYS_write, fd, line, (size_t)(to - line)) != to - line)
		abort();
	errno = saved;
}
