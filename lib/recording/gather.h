/* SPDX-License-Identifier: MIT */
/*
 * Gather: what is put at the end of a file, written in large pieces.
 *
 * What lives here: a buffer, and where in the file it goes. Pieces begin at multiples of their
 * size: a file system keeps such a piece in few large parts, and so takes half the time for it.
 * Room for a file that grows is asked for ahead. It may use the files of the C library; the caller
 * reports errors.
 */
#ifndef LIB_RECORDING_GATHER_H
#define LIB_RECORDING_GATHER_H

#include <stddef.h>
#include <stdint.h>

#define GATHER_BYTES 65536U

/* A file that has become so long is given room for so much more at a time. */
#define GATHER_RESERVE_FROM (1U << 20)
#define GATHER_RESERVE (4U << 20)

/**
 * struct gather - The end of a file.
 * @bytes: what waits, [GATHER_BYTES]
 * @used: how much does
 * @at: where it goes: bytes of the file
 * @reserved: where the room asked for ends; 0: none was
 * @refused: the file system gives none
 * @fd: the file
 * @error: the first one; it stays
 */
struct gather {
	unsigned char *bytes;
	size_t used;
	uint64_t at;
	uint64_t reserved;
	int refused;
	int fd;
	int error;
};

/* The file's end is at @at. Return: 0; -ENOMEM. */
int smile_gather_begin(struct gather *gather, int fd, uint64_t at);

/* Return: 0; -errno, now and ever after; what lies before @gather->at is in the file. */
int smile_gather_put(struct gather *gather, const void *data, size_t bytes);

/* Write what waits. Return: as smile_gather_put(). */
int smile_gather_flush(struct gather *gather);

/* What waits is forgotten, and room behind the file's end given back. The file must be open. */
void smile_gather_end(struct gather *gather);

#endif /* LIB_RECORDING_GATHER_H */
