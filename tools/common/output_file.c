// SPDX-License-Identifier: MIT
/*
 * Output file: see tools/common/output_file.h.
 */
#include "tools/common/output_file.h"

#include <stdlib.h>
#include <string.h>

#include <base/file_lock.h>

#include "tools/common/tool.h"

/* The number of files that a command can hold. */
#define HELD_MAX 8U

/* The files that this process holds and has not written. */
static struct held_file {
	const char *path;
	int fd;
	bool created;
} held[HELD_MAX];
static size_t held_count;

int output_file_failed(const char *path, int error)
{
	if (error == -EBUSY)
		return tool_error("another program is writing %s: wait for its end, or choose "
				  "another name",
				  path);
	return tool_error("cannot write %s: %s", path, strerror(-error));
}

static void held_release(void)
{
	while (held_count) {
		struct held_file *file = &held[--held_count];

		if (file->created)
			unlink(file->path);
		close(file->fd);
	}
}

/* Take a file out of the list. Return: its descriptor; -1 if it is not held. */
static int held_take(const char *path)
{
	for (size_t i = 0; i < held_count; i++) {
		int fd = held[i].fd;

		if (strcmp(held[i].path, path))
			continue;
		held[i] = held[--held_count];
		return fd;
	}
	return -1;
}

int output_file_hold(const char *path)
{
	static bool releases;
	struct held_file file = {.path = path};
	struct stat status;

	if (!path || (!stat(path, &status) && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)))
		return TOOL_OK;
	file.fd = file_lock_open(path, O_WRONLY, &file.created);
	if (file.fd < 0)
		return output_file_failed(path, file.fd);
	if (!releases && !atexit(held_release))
		releases = true;
	if (held_count < HELD_MAX && releases) {
		held[held_count++] = file;
		return TOOL_OK;
	}
	if (file.created)
		unlink(path);
	close(file.fd);
	return TOOL_OK;
}

int output_file_open(const char *path)
{
	int fd = held_take(path);

	if (fd < 0)
		fd = file_lock_open(path, O_WRONLY, NULL);
	if (fd >= 0)
		return fd;
	output_file_failed(path, fd);
	return -1;
}

FILE *output_file_create(const char *path)
{
	int fd = output_file_open(path), error;
	FILE *file;

	if (fd < 0)
		return NULL;
	error = file_lock_empty(fd);
	file = error < 0 ? NULL : fdopen(fd, "w");
	if (file)
		return file;
	output_file_failed(path, error < 0 ? error : -errno);
	close(fd);
	return NULL;
}
