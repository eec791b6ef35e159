/* SPDX-License-Identifier: MIT */
/*
 * ELF segments: the parts of an ELF file that the loader maps into memory. May use only the C
 * library.
 */
#ifndef LIB_ANALYSIS_ELF_SEGMENTS_H
#define LIB_ANALYSIS_ELF_SEGMENTS_H

#include <stdint.h>

/**
 * struct segment - A part of a file, at the addresses of its ELF headers.
 * @start: first address
 * @end: one past the last address
 * @offset: offset in the file
 * @writable: the program can write the segment
 */
struct segment {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	int writable;
};

/* A function that receives a segment. Return: 0 to continue; any other value to stop. */
typedef int segment_fn(const struct segment *segment, void *opaque);

/*
 * Pass each segment of a 64-bit ELF file to @take. A file that is not a 64-bit ELF file has no
 * segments. Return: 0; if @take returned another value, this value.
 */
int segments_read(const char *file, segment_fn *take, void *opaque);

#endif /* LIB_ANALYSIS_ELF_SEGMENTS_H */
