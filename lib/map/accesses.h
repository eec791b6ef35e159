/* SPDX-License-Identifier: MIT */
/*
 * Fronts: stores the accesses that the processors made, before caches served some of them, in the
 * form that a recording has.
 *
 * What lives here: these accesses in the map, and their fields in the trailer. For each node and
 * phase, the accesses are a list of groups of exact counts (lib/counts/groups.h). May use
 * lib/base/, lib/counts/groups.h and field.h.
 *
 * A field has the node (4 bytes) and the phase (4 bytes). Groups follow up to the end of the field.
 * A node whose accesses are known has at least one field, even if it made no access.
 */
#ifndef LIB_MAP_ACCESSES_H
#define LIB_MAP_ACCESSES_H

#include <stdint.h>
#include <stdio.h>

#include "lib/map/field.h"
#include "lib/counts/groups.h"

#define ACCESSES_TAG 28
#define ACCESSES_HEAD_BYTES 8U

/**
 * struct front - The groups of a node's accesses in one phase.
 * @node: the node
 * @phase: the phase
 * @units: units of the groups; [@size]
 * @count: number of units
 * @size: number of units for which @units has memory
 */
struct accesses_part {
	uint32_t node;
	uint32_t phase;
	struct smile_record *units;
	size_t count;
	size_t size;
};

/**
 * struct accesses - All accesses. If all members are 0, there are none.
 * @items: parts in the order in which they were added; a node can have several parts for a phase;
 *         [@size]
 * @count: number of fronts
 * @size: number of fronts for which @items has memory
 * @packer: the unfinished group of the last element of @items; NULL: there is no unfinished group
 */
struct accesses {
	struct accesses_part *items;
	size_t count;
	size_t size;
	struct group_packer *packer;
};

/*
 * Add the counts of neighbouring blocks, each with a size of @record->length_bytes. Return: 0;
 * -EINVAL or -ENOMEM, with Monitor_error_message() set.
 */
int smile_accesses_add(struct accesses *accesses, uint32_t phase,
		       const struct Monitor_record *record, const uint32_t *counts, size_t count);

/* Note that all accesses of @node are known. Return: 0; -ENOMEM with a message. */
int smile_accesses_node_add(struct accesses *accesses, uint32_t node);

int smile_accesses_known(const struct accesses *accesses, uint32_t node);

/*
 * Finish the group that is being built, and add it to the last front. Return: 0; -ENOMEM, with
 * Monitor_error_message() set.
 */
int smile_accesses_settle(struct accesses *accesses);

/**
 * typedef accesses_each - A function that receives some counts of a phase.
 * @records: COUNT records, or records that a decoder rejects; shape [@count]
 *
 * Return: 0 to continue; any other value ends the walk.
 */
typedef int accesses_each(void *opaque, uint32_t phase, const struct smile_record *records,
			  size_t count);

/**
 * struct accesses_walk - The functions of a walk.
 * @each: receives counts
 * @is_whole: returns whether, for a page, the walk must pass only sums and no records
 * @sums: receives the sums of a group of a page for which @is_whole returned true. Return: 0 to
 *        continue; any other value ends the walk
 */
struct accesses_walk {
	accesses_each *each;
	int (*is_whole)(void *opaque, uint64_t page);
	int (*sums)(void *opaque, uint32_t phase, const struct group_sums *sums);
};

/*
 * Walk over all counts of finished groups. Return: 0; if a function of @walk returned another
 * value, this value.
 */
int smile_accesses_walk(const struct accesses *accesses, const struct accesses_walk *walk,
			void *opaque);

/*
 * Return whether two lists agree. They agree if they have the same accesses for all nodes that are
 * in both lists.
 */
int smile_accesses_agree(const struct accesses *a, const struct accesses *b);

/*
 * Copy into @sum, which must be empty, the fronts of @from for all nodes that @into does not have.
 * Allocate memory in @sum for the fronts of @into, too; the groups of @into must be finished.
 * Return: 0; -ENOMEM, with Monitor_error_message() set.
 */
int smile_accesses_sum(struct accesses *sum, const struct accesses *into,
		       const struct accesses *from);

/*
 * Move the parts of @old to the beginning of @sum. @old must be the list that was passed as @into
 * to the call that made @sum.
 */
void smile_accesses_keep(struct accesses *sum, struct accesses *old);

/*
 * Write the fields of all finished groups. After a write error, ferror(3) reports the error for
 * @file.
 */
void smile_accesses_write(FILE *file, const struct accesses *accesses);

/*
 * Read a field of the trailer. Return: NULL if the field is valid; otherwise a text that describes
 * the error.
 */
const char *smile_accesses_field(struct accesses *accesses, const struct field *field);

void smile_accesses_free(struct accesses *accesses);

#endif /* LIB_MAP_ACCESSES_H */
