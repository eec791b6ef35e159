// SPDX-License-Identifier: MIT
/*
 * Pieces: finds the memory of an element of a variable, such as "[3].x", by the variable's type.
 * Uses the public API.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/memory.h"
#include "lib/analysis/pieces/pieces.h"

/* Limits for damaged debug information, which can define a type that is a part of itself. */
#define DEPTH_MAX 32
#define PARTS_MAX 4096

/**
 * struct walk - The position that the path has reached in the variable.
 * @at: rest of the path
 * @whole: the whole path, for messages
 * @name: name of the variable, for messages
 * @type: number of the type at the position
 * @range: memory at the position
 */
struct walk {
	struct Monitor *mon;
	const char *at;
	const char *whole;
	const char *name;
	uint32_t type;
	struct piece_range range;
};

static int walk_error(const struct walk *walk, int error, const char *what)
{
	return Monitor_error_set(error, "%s%s: %s", walk->name, walk->whole, what);
}

/* Read a number from the path, and advance in the path. Return: 0; -EINVAL. */
static int number_take(struct walk *walk, int64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoll(walk->at, &end, 10);
	if (errno || end == walk->at || isspace((unsigned char)*walk->at))
		return walk_error(walk, EINVAL,
				  "an index is a whole number, or two with - between");
	walk->at = end;
	return 0;
}

/* Read the index of a part: "3" or "3-7". Return: 0; -EINVAL. */
static int index_take(struct walk *walk, const struct Monitor_type_part *part, uint64_t *first,
		      uint64_t *count)
{
	int64_t from, to;
	int error = number_take(walk, &from);

	to = from;
	if (!error && *walk->at == '-') {
		walk->at++;
		error = number_take(walk, &to);
	}
	if (error)
		return error;
	if (from < part->lower || to < from ||
	    (part->count && (uint64_t)(to - part->lower) >= part->count))
		return Monitor_error_set(EINVAL,
					 "%s%s: the index %" PRId64 " is out of range: use %" PRId64
					 " to %" PRId64,
					 walk->name, walk->whole, from < part->lower ? from : to,
					 part->lower, part->lower + (int64_t)part->count - 1);
	*first = (uint64_t)(from - part->lower);
	*count = (uint64_t)(to - from) + 1;
	return 0;
}

/*
 * Check the rest of the path after the indices of an array. @count: the number of items that the
 * last index selects.
 */
static int array_end(struct walk *walk, const struct Monitor_type *type, uint64_t count)
{
	if (count > 1 && *walk->at)
		return walk_error(walk, EINVAL, "nothing can follow a range of indices");
	/* A row has no type of its own, so no path can follow it. */
	if (walk->range.bytes != type->item_bytes * count && *walk->at)
		return walk_error(walk, EINVAL, "give all indices in front of a member");
	walk->type = type->item;
	return 0;
}

/*
 * Read the indices of a C array: "[3][4]". The last index varies fastest. If the last index is
 * missing, the path selects a row.
 */
static int array_step(struct walk *walk, const struct Monitor_type *type,
		      const struct Monitor_type_part *parts, size_t dimensions)
{
	uint64_t stride = type->item_bytes, first = 0, count = 1;

	if (*walk->at != '[')
		return walk_error(walk, EINVAL, "an element of this array is NAME[I]");
	for (size_t i = 1; i < dimensions; i++)
		stride *= parts[i].count;
	for (size_t i = 0; i < dimensions && *walk->at == '['; i++) {
		int error;

		/* A range of items is contiguous in memory only if no further index follows it. */
		if (count > 1)
			return walk_error(walk, EINVAL, "only the last index can be a range");
		if (i)
			stride = parts[i].count ? stride / parts[i].count : stride;
		walk->at++;
		error = index_take(walk, &parts[i], &first, &count);
		if (error)
			return error;
		if (*walk->at++ != ']')
			return walk_error(walk, EINVAL, "a ] is missing");
		walk->range.offset += first * stride;
		walk->range.bytes = count * stride;
	}
	return array_end(walk, type, count);
}

/*
 * Read the indices of a Fortran array: "(3,4)". The first index varies fastest. No index may be
 * missing.
 */
static int fortran_step(struct walk *walk, const struct Monitor_type *type,
			const struct Monitor_type_part *parts, size_t dimensions)
{
	uint64_t stride = type->item_bytes, first = 0, count = 1, items = 1;

	if (*walk->at != '(')
		return walk_error(walk, EINVAL, "an element of this array is NAME(I,...)");
	for (size_t i = 0; i < dimensions; i++) {
		int error;

		if (*walk->at != (i ? ',' : '('))
			return walk_error(walk, EINVAL, "give all indices");
		walk->at++;
		error = index_take(walk, &parts[i], &first, &count);
		if (error)
			return error;
		if (i && count > 1)
			return walk_error(walk, EINVAL, "only the first index can be a range");
		items = i ? items : count;
		walk->range.offset += first * stride;
		stride *= parts[i].count;
	}
	if (*walk->at != ')')
		return walk_error(walk, EINVAL, "a ) is missing");
	walk->at++;
	walk->range.bytes = items * type->item_bytes;
	return array_end(walk, type, items);
}

static int member_step(struct walk *walk, const struct Monitor_type *type,
		       const struct Monitor_type_part *parts, size_t members)
{
	const char mark = type->flags & MONITOR_TYPE_FORTRAN ? '%' : '.';
	size_t length;

	if (*walk->at != mark)
		return walk_error(walk, EINVAL, "a member is NAME.MEMBER, in Fortran NAME%MEMBER");
	walk->at++;
	length = strcspn(walk->at, "[.(%");
	for (size_t i = 0; i < members; i++) {
		if (strlen(parts[i].name) != length || strncmp(parts[i].name, walk->at, length))
			continue;
		walk->at += length;
		walk->range.offset += parts[i].offset;
		walk->range.bytes = parts[i].bytes;
		walk->type = parts[i].type;
		return 0;
	}
	return Monitor_error_set(ENOENT, "%s%s: %s has no member '%.*s'", walk->name, walk->whole,
				 *type->name ? type->name : "the type", (int)length, walk->at);
}

static int step(struct walk *walk)
{
	struct Monitor_type_part *parts;
	struct Monitor_type type;
	int count = Monitor_type_info(walk->mon, walk->type, &type, NULL, 0), error;

	if (count < 0)
		return count;
	if (count > PARTS_MAX)
		return walk_error(walk, EINVAL, "its type has too many parts");
	parts = analysis_memory((size_t)count, sizeof(*parts));
	if (!parts)
		return -ENOMEM;
	Monitor_type_info(walk->mon, walk->type, &type, parts, (size_t)count);
	if (type.kind == MONITOR_TYPE_ARRAY && type.flags & MONITOR_TYPE_FORTRAN)
		error = fortran_step(walk, &type, parts, (size_t)count);
	else if (type.kind == MONITOR_TYPE_ARRAY)
		error = array_step(walk, &type, parts, (size_t)count);
	else if (type.kind == MONITOR_TYPE_STRUCT)
		error = member_step(walk, &type, parts, (size_t)count);
	else
		error = walk_error(walk, ENOENT, "its type has no named parts");
	free(parts);
	return error;
}

int pieces_path(struct Monitor *mon, const struct Monitor_variable *variable, uint32_t index,
		const char *path, struct piece_range *range)
{
	struct walk walk = {.mon = mon,
			    .at = path,
			    .whole = path,
			    .name = variable->name,
			    .range = {0, variable->bytes}};
	int error = 0, type;

	if (*path) {
		type = Monitor_variable_type(mon, index);
		if (type == -ENOENT)
			return walk_error(&walk, ENOENT,
					  "the type is not known: compile the program with -g");
		if (type < 0)
			return type;
		walk.type = (uint32_t)type;
	}
	for (int depth = 0; !error && *walk.at; depth++)
		error = depth < DEPTH_MAX ? step(&walk)
					  : walk_error(&walk, EINVAL, "it is nested too deeply");
	if (!error && walk.range.offset + walk.range.bytes > variable->bytes)
		error = walk_error(&walk, EINVAL, "its type reaches beyond the variable");
	if (!error)
		*range = walk.range;
	return error;
}
