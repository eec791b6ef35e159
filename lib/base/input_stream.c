/* SPDX-License-Identifier: MIT */
/*
 * Input stream: see input_stream.h.
 */
#include "lib/base/input_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/**
 * struct input - The file of a stream.
 * @fd: file descriptor
 * @is_file: the file has offsets; otherwise it is a pipe or a similar file
 * @at: offset of the next byte to read, if @is_file
 */
struct input {
	int fd;
	bool is_file;
	off64_t at;
};

static ssize_t input_read(void *cookie, char *bytes, size_t count)
{
	struct input *input = cookie;
	ssize_t got;

	if (!input->is_file)
		return read(input->fd, bytes, count);
	got = pread(input->fd, bytes, count, input->at);
	if (got > 0)
		input->at += got;
	return got;
}

static int input_seek(void *cookie, off64_t *position, int whence)
{
	struct input *input = cookie;
	struct stat status = {0};
	off64_t from = 0;

	if (!input->is_file || (whence == SEEK_END && fstat(input->fd, &status) < 0)) {
		errno = input->is_file ? errno : ESPIPE;
		return -1;
	}
	if (whence != SEEK_SET)
		from = whence == SEEK_END ? status.st_size : input->at;
	if (*position < -from) {
		errno = EINVAL;
		return -1;
	}
	input->at = *position += from;
	return 0;
}

static int input_close(void *cookie)
{
	struct input *input = cookie;
	int result = close(input->fd);

	free(input);
	return result;
}

FILE *smile_input_stream_open(const char *path, int *fd)
{
	static const cookie_io_functions_t functions = {
		.read = input_read,
		.seek = input_seek,
		.close = input_close,
	};
	struct input *input = malloc(sizeof(*input));
	FILE *file;

	if (!input)
		return NULL;
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd < 0) {
		free(input);
		return NULL;
	}
	*input = (struct input){.fd = *fd, .is_file = lseek(*fd, 0, SEEK_CUR) >= 0};
	file = fopencookie(input, "r", functions);
	if (!file)
		input_close(input);
	return file;
}

size_t smile_input_stream_read(FILE *file, void *items, size_t bytes, size_t count)
{
	size_t got = 0, all = bytes * count;

	errno = 0;
	while (got < all) {
		got += fread((char *)items + got, 1, all - got, file);
		if (got == all || !ferror(file) || errno != EINTR)
			break;
		clearerr(file);
		if (got % bytes == 0)
			break;
	}
	return got / bytes;
}
