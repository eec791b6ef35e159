/* SPDX-License-Identifier: MIT */
/*
 * Trailer: writes and reads the map in the file of a recording, where it follows the records.
 *
 * What lives here: the fields of a trailer, and the functions that write and read them.
 * docs/recording.md describes the fields.
 *
 * HOMES       runs, each: u64 first page, u32 pages, u32 node; ascending, also from field to field
 * REGION      u32 number of bytes of the numbers, including this one; u32 kind; u64 start; u64 end;
 * u64 offset; u64 bias; then the name PHASE       u64 card's clock at the beginning of the phase,
 * ns; then the name PARAMETERS  JSON LOCALS      u32 node, u32 zero; then counts, each: u64 page,
 * u64 accesses, u32 phase, u32 type. A node whose local accesses are known has at least one field
 * FAILED      u32 node, u32 zero, u64 number of failed accesses of the node's adapter INTERVALS
 * like LOCALS, but for accesses to any page, and with a u32 interval instead of the phase. This
 * field is written only if memory for the field of intervals.h is missing
 *
 * Other files have the other fields of a trailer. map_heap_trailer.c has the fields of the heap,
 * and stack_frames.c has the field of the stack frames. intervals.c has the fields of accesses by
 * interval, fronts.c has the fields of the processors' accesses before any cache, and clocks.c has
 * the fields of clocks.
 */
#ifndef LIB_MAP_TRAILER_H
#define LIB_MAP_TRAILER_H

#include <stdio.h>

#include "lib/map/map.h"

#define TRAILER_TAG_HOMES 16
#define TRAILER_TAG_REGION 17
#define TRAILER_TAG_PHASE 18
#define TRAILER_TAG_PARAMETERS 19
#define TRAILER_TAG_LOCALS 21
#define TRAILER_TAG_INTERVALS 25
#define TRAILER_TAG_FAILED 27

#define TRAILER_RUN_BYTES 16U
#define TRAILER_REGION_BYTES 40U
#define TRAILER_LOCALS_HEAD_BYTES 8U
#define TRAILER_LOCAL_BYTES 24U
#define TRAILER_FAILED_BYTES 16U

/* Write a trailer. After a write error, ferror(3) reports the error for @file. */
void smile_trailer_write(FILE *file, const struct map *map);

/*
 * Write only the fields that do not change while the program runs, which are regions, and clocks
 * without pairs. Write at most @room bytes. The order of these fields does not change either.
 */
void smile_trailer_write_known(FILE *file, const struct map *map, size_t room);

/*
 * Add to @map the fields that smile_trailer_write_known() has written, up to the first field that
 * is not complete yet. Return: the number of bytes of these fields.
 */
size_t smile_trailer_known(struct map *map, const unsigned char *data, size_t bytes);

/*
 * Parse a trailer. Return: NULL if the trailer is valid; otherwise a text that describes the error.
 * After an error, @map is empty.
 */
const char *smile_trailer_parse(struct map *map, const unsigned char *data, size_t bytes);

#endif /* LIB_MAP_TRAILER_H */
