/* SPDX-License-Identifier: MIT */
/*
 * Intervals: accesses of nodes by interval, in a trailer.
 *
 * What lives here: their field, whose pages each have a sequence in the code of
 * lib/base/packed.h. docs/recording.md describes it in prose.
 *
 *	u32 node, u32 zero; then pages, ascending, each: varint distance from the previous page,
 *	for the first page from -1; varint number of entries; then a sequence of these entries.
 *	Its positions are intervals, and its counts are reads, writes and locks
 */
#ifndef LIB_MAP_INTERVALS_H
#define LIB_MAP_INTERVALS_H

#include <stdio.h>

#include "lib/map/field.h"
#include "lib/map/locals.h"

#define INTERVALS_TAG 26
#define INTERVALS_HEAD_BYTES 8U

/*
 * Entries of all nodes, at most. A few bytes can stand for a thousand entries, so that without a
 * limit a small file could take all memory. More are in fields of TRAILER_TAG_INTERVALS.
 */
#define INTERVALS_ENTRIES_MAX (1U << 22)

/*
 * Write the accesses of a node. Return: 0, @file keeps the error; -ENOMEM, and nothing was written.
 */
int smile_intervals_write(FILE *file, const struct locals_node *list);

/* Return: NULL; or what is wrong. */
const char *smile_intervals_field(struct locals *intervals, const struct field *field);

#endif /* LIB_MAP_INTERVALS_H */
