/* SPDX-License-Identifier: MIT */
/* Tail: reads the end of a recording that is being written. */
#ifndef LIB_RECORDING_TAIL_H
#define LIB_RECORDING_TAIL_H

#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

struct tail;

/*
 * Begin to follow a file whose header was read. @fd, @path: the descriptor and the path of the
 * file; they must stay valid, and the caller must free them later. @trailer_field: offset of the
 * field in the header that has the offset of the trailer; 0: the header has no such field. Return:
 * the reader; NULL if memory is missing.
 */
struct tail *smile_tail_new(int fd, const char *path, uint64_t header_bytes, uint64_t trailer_field,
			    uint64_t start_ns);

void smile_tail_free(struct tail *tail);

/*
 * Read records, beginning with record number @at. Return: the number of records; 0 if no further
 * record exists yet; -EIO; -EPROTO if the file was replaced or changed. *@over is set if no further
 * record will follow. This is the case if the recording was closed, if its writer has ended, or
 * after an error.
 */
int smile_tail_read(const struct tail *tail, uint64_t at, struct smile_record *records,
		    size_t capacity, int *over);

#endif /* LIB_RECORDING_TAIL_H */
