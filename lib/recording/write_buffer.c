/* SPDX-License-Identifier: MIT */
/*
 * Write buffer: collects bytes, and writes them in blocks. See write_buffer.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/recording/write_buffer.h"

/*
 * The alignment of the buffer. The kernel copies data faster if the buffer begins at a page
 * boundary.
 */
#define WRITE_BUFFER_ALIGN 4096U

int smile_write_buffer_begin(struct write_buffer *buffer, int fd, uint64_t at)
{
	*buffer = (struct write_buffer){
		.bytes = aligned_alloc(WRITE_BUFFER_ALIGN, WRITE_BUFFER_BYTES),
		.at = at,
		.fd = fd,
	};
	return buffer->bytes ? 0 : -ENOMEM;
}

/*
 * Return whether @end exceeds the limit of the file size. A file system can count space that is
 * allocated in advance against this limit, and a signal would kill the process.
 */
static int limited(uint64_t end)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) < 0 || end > limit.rlim_cur;
}

/*
 * Allocate space in advance. Allocating many blocks in one call takes less time than allocating
 * each block when it is written. On ext4, this saves a quarter of the time of writing. If the file
 * system cannot allocate space in advance, or has no space left, the file can be written without
 * it.
 */
static void reserve(struct write_buffer *buffer)
{
	const uint64_t end = buffer->at + WRITE_BUFFER_RESERVE;

	if (!buffer->used || buffer->refused || buffer->at < WRITE_BUFFER_RESERVE_FROM ||
	    buffer->at + buffer->used <= buffer->reserved || limited(end))
		return;
	/*
	 * Set the end before the call, because even a failed call may have allocated a part of the
	 * space.
	 */
	buffer->reserved = end;
	if (fallocate(buffer->fd, FALLOC_FL_KEEP_SIZE, (off_t)buffer->at, WRITE_BUFFER_RESERVE) < 0)
		buffer->refused = errno != EINTR;
}

static void give_back(struct write_buffer *buffer)
{
	struct stat status;
	int error = errno;

	if (!buffer->reserved)
		return;
	/* If this fails, the contents of the file are correct, but the file occupies more space. */
	if (fstat(buffer->fd, &status) == 0)
		(void)!ftruncate(buffer->fd, status.st_size);
	buffer->reserved = 0;
	errno = error;
}

int smile_write_buffer_flush(struct write_buffer *buffer)
{
	size_t done = 0;

	if (!buffer->error)
		reserve(buffer);
	while (!buffer->error && done < buffer->used) {
		ssize_t wrote = pwrite(buffer->fd, buffer->bytes + done, buffer->used - done,
				       (off_t)buffer->at);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0) {
			buffer->error = wrote < 0 ? -errno : -EIO;
			break;
		}
		done += (size_t)wrote;
		buffer->at += (uint64_t)wrote;
	}
	buffer->used = 0;
	return buffer->error;
}

int smile_write_buffer_put(struct write_buffer *buffer, const void *data, size_t bytes)
{
	const unsigned char *from = data;

	while (bytes && !buffer->error) {
		size_t room = WRITE_BUFFER_BYTES - (buffer->at + buffer->used) % WRITE_BUFFER_BYTES;
		size_t some = bytes < room ? bytes : room;

		memcpy(buffer->bytes + buffer->used, from, some);
		buffer->used += some;
		from += some;
		bytes -= some;
		if (some == room)
			smile_write_buffer_flush(buffer);
	}
	return buffer->error;
}

void smile_write_buffer_end(struct write_buffer *buffer)
{
	give_back(buffer);
	free(buffer->bytes);
	buffer->bytes = NULL;
	buffer->used = 0;
}
