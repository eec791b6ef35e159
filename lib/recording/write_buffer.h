/* SPDX-License-Identifier: MIT */
/*
 * Write buffer: appends to a file in large aligned blocks.
 *
 * What lives here: the buffer, and its offset in the file. Blocks begin at multiples of their size;
 * the file system then stores them in few large extents, in half the time. Space for a growing file
 * is allocated ahead. May use the C library's files; the caller reports errors.
 */
#ifndef LIB_RECORDING_WRITE_BUFFER_H
#define LIB_RECORDING_WRITE_BUFFER_H

#include <stddef.h>
#include <stdint.h>

#define WRITE_BUFFER_BYTES 65536U

/* If the file is at least this long, room for this number of bytes is allocated at a time. */
#define WRITE_BUFFER_RESERVE_FROM (1U << 20)
#define WRITE_BUFFER_RESERVE (4U << 20)

/**
 * struct write_buffer - The end of a file.
 * @bytes: bytes that wait to be written, [WRITE_BUFFER_BYTES]
 * @used: number of bytes
 * @at: their offset in the file
 * @reserved: end of the allocated room; 0: no room is allocated
 * @refused: the file system cannot allocate room
 * @fd: the file
 * @error: the first error, which is kept
 */
struct write_buffer {
	unsigned char *bytes;
	size_t used;
	uint64_t at;
	uint64_t reserved;
	int refused;
	int fd;
	int error;
};

/* Start a buffer at the file's end, @at. Return: 0; -ENOMEM. */
int smile_write_buffer_begin(struct write_buffer *buffer, int fd, uint64_t at);

/*
 * Append bytes. Return: 0; -errno, also for all later calls; all bytes before @buffer->at are then
 * in the file.
 */
int smile_write_buffer_put(struct write_buffer *buffer, const void *data, size_t bytes);

/* Write the bytes that wait. Return: as smile_write_buffer_put(). */
int smile_write_buffer_flush(struct write_buffer *buffer);

/* Drop the bytes that wait, and release room after the file's end. The file must be open. */
void smile_write_buffer_end(struct write_buffer *buffer);

#endif /* LIB_RECORDING_WRITE_BUFFER_H */
