/* SPDX-License-Identifier: MIT */
/*
 * View types: the types of variables with their parts, so that any element can be named.
 *
 * What lives here: a list of types by number, within the limits below. May use the public API and
 * memory.h.
 */
#ifndef LIB_ANALYSIS_VIEW_VIEW_TYPES_H
#define LIB_ANALYSIS_VIEW_VIEW_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

/* Most types that are reported: of variables of other types, readers know only the place. */
#define VIEW_TYPES_MAX 4096
/* Most members of all structs: further structs are reported without members. */
#define VIEW_MEMBERS_MAX 32768
/* Most members of one struct: a struct with more is reported as a whole. */
#define VIEW_MEMBERS_EACH_MAX 1024

/**
 * struct view_type - A type.
 * @known: @type and its parts are; else nothing is known of this number
 * @type: as of Monitor_type_info(); all 0 and without a name if it is not @known
 * @parts: dimensions of an array, members of a struct; shape [@part_count]
 * @part_count: how many
 */
struct view_type {
	int known;
	struct Monitor_type type;
	struct Monitor_type_part *parts;
	size_t part_count;
};

/**
 * struct view_types - Types by number.
 * @list: shape [@count]
 * @count: those up to the largest number that is needed
 * @members: of all structs
 */
struct view_types {
	struct view_type *list;
	size_t count;
	size_t members;
};

/**
 * view_types_load() - Get all types that are needed: the given ones, and the parts of types that
 * are reported.
 * @types: all 0
 * @needed: numbers, as of Monitor_variable_type(); shape [@needed_count]
 *
 * Return: 0; -ENOMEM. Call view_types_free() in either case.
 */
int view_types_load(struct view_types *types, struct Monitor *mon, const uint32_t *needed,
		    size_t needed_count);

void view_types_free(struct view_types *types);

#endif /* LIB_ANALYSIS_VIEW_VIEW_TYPES_H */
