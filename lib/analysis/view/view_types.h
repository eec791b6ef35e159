/* SPDX-License-Identifier: MIT */
/*
 * View types: loads the types of variables and of their parts. With these types, the reader of a
 * document can name any element of a variable.
 *
 * What lives here: a list of types, indexed by the number of the type. The constants below limit
 * its length. May use the public API and memory.h.
 */
#ifndef LIB_ANALYSIS_VIEW_VIEW_TYPES_H
#define LIB_ANALYSIS_VIEW_VIEW_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

/*
 * The largest number of reported types. If the type of a variable is not reported, a reader can
 * give only addresses for the variable's elements.
 */
#define VIEW_TYPES_MAX 4096
/*
 * The largest number of members of all structs together. When this number is reached, further
 * structs are reported without members.
 */
#define VIEW_MEMBERS_MAX 32768
/* The largest number of members of one struct. A larger struct is reported without members. */
#define VIEW_MEMBERS_EACH_MAX 1024

/**
 * struct view_type - A type.
 * @known: @type and its parts are known; otherwise nothing is known about the type with this number
 * @type: as filled in by Monitor_type_info(). If @known is 0, @type is all 0 and has no name
 * @parts: dimensions of an array, or members of a struct; shape [@part_count]
 * @part_count: number of parts
 */
struct view_type {
	int known;
	struct Monitor_type type;
	struct Monitor_type_part *parts;
	size_t part_count;
};

/**
 * struct view_types - Types, indexed by their numbers.
 * @list: shape [@count]
 * @count: the highest number of a needed type, plus one
 * @members: number of members of all structs
 */
struct view_types {
	struct view_type *list;
	size_t count;
	size_t members;
};

/**
 * view_types_load() - Get all types in @needed, the types of their parts, and the types of the
 * parts of those, and so on.
 * @types: all 0
 * @needed: numbers from Monitor_variable_type(); shape [@needed_count]
 *
 * Return: 0; -ENOMEM. Call view_types_free() in either case.
 */
int view_types_load(struct view_types *types, struct Monitor *mon, const uint32_t *needed,
		    size_t needed_count);

void view_types_free(struct view_types *types);

#endif /* LIB_ANALYSIS_VIEW_VIEW_TYPES_H */
