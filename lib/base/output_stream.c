/* SPDX-License-Identifier: MIT */
/*
 * Output stream: see output_stream.h.
 */
#include "lib/base/output_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <base/file_lock.h>

static int fd_of(void *cookie)
{
	return (int)(intptr_t)cookie;
}

static ssize_t file_read(void *cookie, char *bytes, size_t count)
{
	ssize_t got;

	do
		got = read(fd_of(cookie), bytes, count);
	while (got < 0 && errno == EINTR);
	return got;
}

/*
 * Write all bytes. Return: the number of written bytes. If this number is less than @count, stdio
 * reports an error.
 */
static ssize_t file_write(void *cookie, const char *bytes, size_t count)
{
	size_t done = 0;

	while (done < count) {
		ssize_t wrote = write(fd_of(cookie), bytes + done, count - done);

		if (wrote > 0)
			done += (size_t)wrote;
		else if (wrote == 0 || errno != EINTR)
			break;
	}
	return (ssize_t)done;
}

static int file_seek(void *cookie, off64_t *position, int whence)
{
	off64_t now = lseek64(fd_of(cookie), *position, whence);

	if (now < 0)
		return -1;
	*position = now;
	return 0;
}

/* Linux closes the file even if a signal interrupts close(). */
static int file_close(void *cookie)
{
	return close(fd_of(cookie)) < 0 && errno != EINTR ? EOF : 0;
}

FILE *smile_output_stream(int fd)
{
	struct stat status;

	static const cookie_io_functions_t functions = {
		.read = file_read,
		.write = file_write,
		.seek = file_seek,
		.close = file_close,
	};

	if (fstat(fd, &status) < 0)
		return NULL;
	if (!S_ISREG(status.st_mode))
		return fdopen(fd, "w");
	return fopencookie((void *)(intptr_t)fd, "w+", functions);
}

FILE *smile_output_stream_open(const char *path, int *fd)
{
	int opened = file_lock_open(path, O_WRONLY, NULL), error;
	FILE *file = NULL;

	if (fd)
		*fd = opened;
	errno = opened < 0 ? -opened : 0;
	if (opened < 0)
		return NULL;
	if (file_lock_empty(opened) == 0)
		file = smile_output_stream(opened);
	if (file)
		return file;
	error = errno;
	close(opened);
	errno = error;
	return NULL;
}
