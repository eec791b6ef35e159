/* SPDX-License-Identifier: MIT */
/*
 * How bytes are gathered. See gather.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/gather.h"

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

int smile_gather_flush(struct gather *gather)
{
	size_t done = 0;

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
	free(gather->bytes);
	gather->bytes = NULL;
	gather->used = 0;
}
