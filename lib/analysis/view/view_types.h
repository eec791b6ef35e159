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

/*
 * The largest number of reported types: for variables of other types, readers have only the
 * address.
 */
#define VIEW_TYPES_MAX 4096
/* The largest number of members of all structs: further structs are reported without members. */
#define VIEW_MEMBERS_MAX 32768
/* The largest number of members of one struct: a larger struct is reported as a whole. */
#define VIEW_MEMBERS_EACH_MAX 1024

/**
 * struct view_type - A type.
 * @known: @type and its parts are known; else nothing is known about this number
 * @type: as from Monitor_type_info(); all 0 and without a name if it is not @known
 * @parts: dimensions of an array, members of a struct; shape [@part_count]
 * @part_count: number of parts
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
 * @count: the largest needed number plus one
 * @members: number of members of all structs
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
 * @needed: numbers from Monitor_variable_type(); shape [@needed_count]
 *
 * Return: 0; -ENOMEM. Call view_types_free() in either case.
 */
int view_types_load(struct view_types *types, struct Monitor *mon, const uint32_t *needed,
		    size_t needed_count);

void view_types_free(struct view_types *types);

#endif /* LIB_ANALYSIS_VIEW_VIEW_TYPES_H */
