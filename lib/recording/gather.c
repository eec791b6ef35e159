/* SPDX-License-Identifier: MIT */
/*
 * How bytes are gathered. See gather.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/recording/gather.h"

/* What the kernel copies from lies in whole pages. */
#define GATHER_ALIGN 4096U

int smile_gather_begin(struct gather *gather, int fd, uint64_t at)
{
	*gather = (struct gather){
		.bytes = aligned_alloc(GATHER_ALIGN, GATHER_BYTES),
		.at = at,
		.fd = fd,
	};
	return gather->bytes ? 0 : -ENOMEM;
}

/* A file system may hold room that is asked for against this limit, and then a signal kills. */
static int limited(uint64_t end)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) < 0 || end > limit.rlim_cur;
}

/*
 * Blocks asked for in one go cost less than each when it is written: on ext4 a quarter less time
 * for all. A file system that cannot, or has no room, still takes what is written.
 */
static void reserve(struct gather *gather)
{
	const uint64_t end = gather->at + GATHER_RESERVE;

	if (!gather->used || gather->refused || gather->at < GATHER_RESERVE_FROM ||
	    gather->at + gather->used <= gather->reserved || limited(end))
		return;
	/* What fails may have got some of it. */
	gather->reserved = end;
	if (fallocate(gather->fd, FALLOC_FL_KEEP_SIZE, (off_t)gather->at, GATHER_RESERVE) < 0)
		gather->refused = errno != EINTR;
}

static void give_back(struct gather *gather)
{
	struct stat status;
	int error = errno;

	if (!gather->reserved)
		return;
	/* If it fails the file has what it should have, and takes more room. */
	if (fstat(gather->fd, &status) == 0)
		(void)!ftruncate(gather->fd, status.st_size);
	gather->reserved = 0;
	errno = error;
}

int smile_gather_flush(struct gather *gather)
{
	size_t done = 0;

	if (!gather->error)
		reserve(gather);
	while (!gather->error && done < gather->used) {
		ssize_t wrote = pwrite(gather->fd, gather->bytes + done, gather->used - done,
				       (off_t)gather->at);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0) {
			gather->error = wrote < 0 ? -errno : -EIO;
			break;
		}
		done += (size_t)wrote;
		gather->at += (uint64_t)wrote;
	}
	gather->used = 0;
	return gather->error;
}

int smile_gather_put(struct gather *gather, const void *data, size_t bytes)
{
	const unsigned char *from = data;

	while (bytes && !gather->error) {
		size_t room = GATHER_BYTES - (gather->at + gather->used) % GATHER_BYTES;
		size_t some = bytes < room ? bytes : room;

		memcpy(gather->bytes + gather->used, from, some);
		gather->used += some;
		from += some;
		bytes -= some;
		if (some == room)
			smile_gather_flush(gather);
	}
	return gather->error;
}

void smile_gather_end(struct gather *gather)
{
	give_back(gather);
	free(gather->bytes);
	gather->bytes = NULL;
	gather->used = 0;
}
