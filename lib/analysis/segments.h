/* SPDX-License-Identifier: MIT */
/*
 * Segments: the parts of an ELF file that are loaded into memory. May use the C library alone.
 */
#ifndef LIB_ANALYSIS_SEGMENTS_H
#define LIB_ANALYSIS_SEGMENTS_H

#include <stdint.h>

/**
 * struct segment - A part of a file, at the addresses of its ELF headers.
 * @start: first address
 * @end: one past the last
 * @offset: where in the file it begins
 * @writable: the program can write it
 */
struct segment {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	int writable;
};

/* Receives one. Return: 0 to go on. */
typedef int segment_fn(const struct segment *segment, void *opaque);

/* Pass each segment of a 64-bit file to @take. Return: 0, also if it is no such file; what @take
 * returned.
 */
int segments_read(const char *file, segment_fn *take, void *opaque);

#endif /* LIB_ANALYSIS_SEGMENTS_H */
