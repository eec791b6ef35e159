/* SPDX-License-Identifier: MIT */
/*
 * Gather: what is put at the end of a file, written in large pieces.
 *
 * What lives here: a buffer, and where in the file it goes. Pieces begin at multiples of their size:
 * a file system keeps such a piece in few large parts, and so takes half the time for it. It may use
 * unistd.h; the caller tells errors.
 */
#ifndef LIB_GATHER_H
#define LIB_GATHER_H

#include <stddef.h>
#include <stdint.h>

#define GATHER_BYTES 65536U

/**
 * struct gather - The end of a file.
 * @bytes: what waits, [GATHER_BYTES]
 * @used: how much does
 * @at: where it goes: bytes of the file
 * @fd: the file
 * @error: the first one; it stays
 */
struct gather {
	unsigned char *bytes;
	size_t used;
	uint64_t at;
	int fd;
	int error;
};

/* The file's end is at @at. Return: 0; -ENOMEM. */
int smile_gather_begin(struct gather *gather, int fd, uint64_t at);

/* Return: 0; -errno, now and ever after; what lies before @gather->at is in the file. */
int smile_gather_put(struct gather *gather, const void *data, size_t bytes);

/* Write what waits. Return: as smile_gather_put(). */
int smile_gather_flush(struct gather *gather);

/* What waits is forgotten. */
void smile_gather_end(struct gather *gather);

#endif /* LIB_GATHER_H */
