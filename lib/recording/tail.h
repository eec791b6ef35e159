/* SPDX-License-Identifier: MIT */
/*
 * Tail: the end of a recording that is being written.
 */
#ifndef LIB_RECORDING_TAIL_H
#define LIB_RECORDING_TAIL_H

#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

struct tail;

/*
 * Follow a file whose header was read. @fd, @path: stay the caller's, and must stay valid;
 * @trailer_field: offset of the header's field for the trailer's offset; 0: the header has no such
 * field. NULL without memory.
 */
struct tail *smile_tail_new(int fd, const char *path, uint64_t header_bytes, uint64_t trailer_field,
			    uint64_t start_ns);

void smile_tail_free(struct tail *tail);

/*
 * Read records, beginning with number @at. Return: the number of records; 0 if no further record
 * exists yet, or, with *@over set, if none will follow because the recording was closed or its
 * writer has ended; with *@over set, -EIO, or -EPROTO if the file was replaced or changed.
 */
int smile_tail_read(const struct tail *tail, uint64_t at, struct smile_record *records,
		    size_t capacity, int *over);

#endif /* LIB_RECORDING_TAIL_H */
