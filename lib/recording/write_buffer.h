/* SPDX-License-Identifier: MIT */
/*
 * Write buffer: appends to a file in large aligned blocks.
 *
 * What lives here: the buffer, and its offset in the file. Each block begins at a multiple of the
 * block size. With such blocks, the file system stores the file in a few large extents, and writing
 * takes half the time. Space for a growing file is allocated in advance. The caller must report
 * errors. May use the C library.
 */
#ifndef LIB_RECORDING_WRITE_BUFFER_H
#define LIB_RECORDING_WRITE_BUFFER_H

#include <stddef.h>
#include <stdint.h>

#define WRITE_BUFFER_BYTES 65536U

/*
 * When the file reaches the size WRITE_BUFFER_RESERVE_FROM, space is allocated in advance, in units
 * of the size below.
 */
#define WRITE_BUFFER_RESERVE_FROM (1U << 20)
#define WRITE_BUFFER_RESERVE (4U << 20)

/**
 * struct write_buffer - The end of a file.
 * @bytes: bytes that were not written yet, [WRITE_BUFFER_BYTES]
 * @used: number of bytes in @bytes
 * @at: offset in the file of the first byte of @bytes
 * @reserved: end of the allocated space; 0: no space is allocated
 * @refused: the file system cannot allocate space in advance
 * @fd: the file
 * @error: the first error, which all later calls return
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

/* Begin to append at @at, which is the end of the file. Return: 0; -ENOMEM. */
int smile_write_buffer_begin(struct write_buffer *buffer, int fd, uint64_t at);

/*
 * Append bytes. Return: 0; -errno. After an error, the file has all bytes before @buffer->at, and
 * all later calls return the same error.
 */
int smile_write_buffer_put(struct write_buffer *buffer, const void *data, size_t bytes);

/* Write the bytes that were not written yet. Return: 0; -errno. */
int smile_write_buffer_flush(struct write_buffer *buffer);

/*
 * Drop the bytes that were not written yet, and release the space allocated after the end of the
 * file. The file must still be open.
 */
void smile_write_buffer_end(struct write_buffer *buffer);

#endif /* LIB_RECORDING_WRITE_BUFFER_H */
