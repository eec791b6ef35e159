/* SPDX-License-Identifier: MIT */
/*
 * Fronts: accesses of processors in front of the caches, as a recording holds them.
 *
 * What lives here: the accesses in the map, a list of groups of exact counts (lib/counts/groups.h)
 * for each node and phase, and their fields in the trailer. It may use lib/base/,
 * lib/counts/groups.h and field.h.
 *
 * A field has the node (4 bytes), the phase (4 bytes), and groups up to its end. A node has at
 * least one field if all its accesses are known.
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
 * @node: the node
 * @phase: the phase
 * @units: units of the groups; [@size]
 * @count: number of units
 * @size: number of units that @units has room for
 */
struct front {
	uint32_t node;
	uint32_t phase;
	struct smile_record *units;
	size_t count;
	size_t size;
};

/**
 * struct fronts - All fronts; all zero: no fronts.
 * @items: fronts in the order in which they were added; a node and phase can have several; [@size]
 * @count: number of fronts
 * @size: number of fronts that @items has room for
 * @packer: the group that is being built, for the last of @items; NULL: no group was built yet
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

/* Settle the group that is being built: add it to the list. Return: 0; -ENOMEM with a message. */
int smile_fronts_settle(struct fronts *fronts);

/**
 * typedef fronts_each - Called for some counts of a phase.
 * @records: COUNT records, or records that a decoder rejects; shape [@count]
 *
 * Return: 0; another value ends the walk.
 */
typedef int fronts_each(void *opaque, uint32_t phase, const struct smile_record *records,
			size_t count);

/**
 * struct fronts_walk - The functions of a walk.
 * @each: called for some counts
 * @is_whole: whether the walk shall pass only sums for this page
 * @sums: called with the sums of a group of such a page. Return: 0; another value ends the walk
 */
struct fronts_walk {
	fronts_each *each;
	int (*is_whole)(void *opaque, uint64_t page);
	int (*sums)(void *opaque, uint32_t phase, const struct group_sums *sums);
};

/* Visit all counts of settled groups. Return: 0, or the first result of a call that is not 0. */
int smile_fronts_walk(const struct fronts *fronts, const struct fronts_walk *walk, void *opaque);

/* Whether two agree on all nodes that both have. */
int smile_fronts_agree(const struct fronts *a, const struct fronts *b);

/*
 * Copy into @sum, which must be empty, the fronts of @from for nodes that @into does not have, and
 * reserve room for the fronts of @into, which must be settled. Return: 0; -ENOMEM with a message.
 */
int smile_fronts_sum(struct fronts *sum, const struct fronts *into, const struct fronts *from);

/* Move the fronts of @old to the beginning of @sum, which was made for @old. */
void smile_fronts_keep(struct fronts *sum, struct fronts *old);

/* Write the fields of settled groups. @file keeps the error. */
void smile_fronts_write(FILE *file, const struct fronts *fronts);

/* Take in a field. Return: NULL; or a text that names the error. */
const char *smile_fronts_field(struct fronts *fronts, const struct field *field);

void smile_fronts_free(struct fronts *fronts);

#endif /* LIB_MAP_FRONTS_H */
