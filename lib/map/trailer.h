/* SPDX-License-Identifier: MIT */
/*
 * Trailer: the map in a file, after the records.
 *
 * What lives here: the fields of a trailer, for the writer and the reader. docs/recording.md
 * describes them.
 *
 *	HOMES       runs, each: u64 first page, u32 pages, u32 node; ascending, also from field to
 *	            field
 *	REGION      u32 bytes of the numbers, these two included; u32 kind; u64 start; u64 end; u64
 *	            offset; u64 bias; then the name
 *	PHASE       u64 clock at its beginning, ns; then the name
 *	PARAMETERS  JSON
 *	LOCALS      u32 node, u32 zero; then counts, each: u64 page, u64 accesses, u32 phase, u32
 *	            type. At least one field for a node whose local accesses are known
 *	FAILED      u32 node, u32 zero, u64 accesses of its adapter that have failed
 *	INTERVALS   as LOCALS, of accesses to any page, and u32 interval instead of the phase.
 *	            Without memory for the field of intervals.h, this one is written
 *
 * Fields of the heap are in map_heap_trailer.c, of the stacks in stack_frames.c, of intervals in
 * intervals.c, of accesses in front of the caches in fronts.c, of clocks in clocks.c.
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

/* @file keeps the error. */
void smile_trailer_write(FILE *file, const struct map *map);

/*
 * Write, up to @room bytes, only the fields that do not change while the program runs, in an order
 * that does not change: a clock without pairs, regions.
 */
void smile_trailer_write_known(FILE *file, const struct map *map, size_t room);

/*
 * Add these fields to @map, up to the first field that is not complete yet. Return: the number of
 * their bytes.
 */
size_t smile_trailer_known(struct map *map, const unsigned char *data, size_t bytes);

/* Parse a trailer. Return: NULL; or a text that names the error, and @map is then empty. */
const char *smile_trailer_parse(struct map *map, const unsigned char *data, size_t bytes);

#endif /* LIB_MAP_TRAILER_H */
