/* SPDX-License-Identifier: MIT */
/*
 * Fronts: accesses of processors in front of the caches, as a recording holds them.
 *
 * What lives here: their part of the map, a list of groups of exact counts
 * (lib/counts/groups.h) for each node and phase, and its fields in the trailer. It may use
 * lib/base/, lib/counts/groups.h and field.h.
 *
 * A field has the node (4 bytes), the phase (4), and groups to its end. A node has at least one
 * field if all its accesses are known.
 */
#ifndef LIB_MAP_FRONTS_H
#define LIB_MAP_FRONTS_H

#include <stdint.h>
#include <stdio.h>

#include "lib/map/field.h"
#include "lib/counts/groups.h"

#define FRONTS_TAG 28
#define FRONTS_HEAD_BYTES 8U

/**
 * struct front - Groups of a node in a phase.
 * @node: it
 * @phase: it
 * @units: of the groups; [@size]
 * @count: how many
 * @size: room
 */
struct front {
	uint32_t node;
	uint32_t phase;
	struct smile_record *units;
	size_t count;
	size_t size;
};

/**
 * struct fronts - All of them; all zero: none.
 * @items: in the order in which they were added; a node and phase can have several; [@size]
 * @count: how many
 * @size: room
 * @packer: the group that is being made, which goes into the last of @items; NULL: there was none
 */
struct fronts {
	struct front *items;
	size_t count;
	size_t size;
	struct group_packer *packer;
};

/*
 * Add counts of neighbouring blocks, of @record->length_bytes each. Return: 0; -EINVAL, -ENOMEM
 * with a message.
 */
int smile_fronts_add(struct fronts *fronts, uint32_t phase, const struct Monitor_record *record,
		     const uint32_t *counts, size_t count);

/* All accesses of @node are known. Return: 0; -ENOMEM with a message. */
int smile_fronts_node_add(struct fronts *fronts, uint32_t node);

int smile_fronts_known(const struct fronts *fronts, uint32_t node);

/* Settle the group that is being made: put it into the list. Return: 0; -ENOMEM with a message. */
int smile_fronts_settle(struct fronts *fronts);

/**
 * typedef fronts_each - Called for some counts of a phase.
 * @records: COUNT records, or what a decoder refuses; shape [@count]
 *
 * Return: 0; another value ends the walk.
 */
typedef int fronts_each(void *opaque, uint32_t phase, const struct smile_record *records,
			size_t count);

/**
 * struct fronts_walk - The functions of a walk.
 * @each: for some counts
 * @is_whole: are the counts of this page asked for as sums?
 * @sums: for such a page's sums of a group. Return: 0; another value ends the walk
 */
struct fronts_walk {
	fronts_each *each;
	int (*is_whole)(void *opaque, uint64_t page);
	int (*sums)(void *opaque, uint32_t phase, const struct group_sums *sums);
};

/* Visit all counts of settled groups. Return: 0; what a call has returned, if not 0. */
int smile_fronts_walk(const struct fronts *fronts, const struct fronts_walk *walk, void *opaque);

/* Do two agree on the nodes that both know? */
int smile_fronts_agree(const struct fronts *a, const struct fronts *b);

/*
 * Into @sum, which is empty: what @from has of nodes that @into does not know; and room for those
 * of @into, which is settled. Return: 0; -ENOMEM with a message.
 */
int smile_fronts_sum(struct fronts *sum, const struct fronts *into, const struct fronts *from);

/* @sum was made of @old: move those of @old, which come first then. */
void smile_fronts_keep(struct fronts *sum, struct fronts *old);

/* Write the fields of settled groups. @file keeps the error. */
void smile_fronts_write(FILE *file, const struct fronts *fronts);

/* Take in a field. Return: NULL; or what is wrong. */
const char *smile_fronts_field(struct fronts *fronts, const struct field *field);

void smile_fronts_free(struct fronts *fronts);

#endif /* LIB_MAP_FRONTS_H */
