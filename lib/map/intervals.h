/* SPDX-License-Identifier: MIT */
/*
 * Intervals: writes and reads the field of a trailer that has the accesses of nodes by interval.
 *
 * What lives here: the writer and the reader of this field. In the field, each page has a sequence
 * in the code of lib/base/packed_sequence.h. docs/recording.md describes the field.
 *
 * 	u32 node, u32 zero; then pages, ascending, each: varint distance from the previous page
 * 	(for the first page, the distance from -1); varint number of entries; then a sequence of
 * 	these entries. Its positions are intervals, and its counts are reads, writes and locks
 */
#ifndef LIB_MAP_INTERVALS_H
#define LIB_MAP_INTERVALS_H

#include <stdio.h>

#include "lib/map/field.h"
#include "lib/map/local_accesses.h"

#define INTERVALS_TAG 26
#define INTERVALS_HEAD_BYTES 8U

/*
 * The largest number of entries of all nodes. A limit is needed because a few bytes can represent a
 * thousand entries, so a small file could exhaust the memory of its reader. Entries beyond the
 * limit are written in fields with the tag TRAILER_TAG_INTERVALS.
 */
#define INTERVALS_ENTRIES_MAX (1U << 22)

/*
 * Write the accesses of a node. Return: 0; -ENOMEM, in which case nothing was written. A write
 * error does not change the result; ferror(3) of @file reports it.
 */
int smile_intervals_write(FILE *file, const struct locals_node *list);

/*
 * Read a field of the trailer. Return: NULL if the field is valid; otherwise a text that describes
 * the error.
 */
const char *smile_intervals_field(struct locals *intervals, const struct field *field);

#endif /* LIB_MAP_INTERVALS_H */
