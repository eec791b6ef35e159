/* SPDX-License-Identifier: MIT */
/*
 * Type tree: reports the structure of the types of variables, for callers that compose the names of
 * elements themselves.
 *
 * What lives here: the public functions that give each type a number and report it under this
 * number; and the walk over the members of a type. smile_type_find() visits the members in the same
 * order.
 */
#include <dwarf.h>
#include <string.h>

#include <base/array.h>

#include "lib/base/error.h"
#include "lib/monitor/monitor.h"

static int no_memory(void)
{
	return smile_error(ENOMEM, "no memory for the types of the program's memory");
}

/* Find or add a type. Return: the number of the type, from 0; -ENOMEM. */
static int64_t number_of(struct catalogue *catalogue, const struct type *type)
{
	uint64_t at = (uint64_t)(uintptr_t)type->die.addr, fortran = type->fortran != 0;
	uint64_t known = smile_count_table_get(&catalogue->type_numbers, at, fortran);

	if (known)
		return (int64_t)known - 1;
	if (array_reserve(&catalogue->types, &catalogue->types_size, catalogue->types_count,
			  sizeof(*catalogue->types)) < 0 ||
	    catalogue->types_count >= INT32_MAX ||
	    smile_count_table_add(&catalogue->type_numbers, at, fortran,
				  catalogue->types_count + 1))
		return no_memory();
	catalogue->types[catalogue->types_count] = (struct reported_type){.type = *type};
	return (int64_t)catalogue->types_count++;
}

int Monitor_variable_type(struct Monitor *mon, uint32_t variable)
{
	struct catalogue *catalogue;
	int error = smile_catalogue(mon, &catalogue);

	if (error < 0)
		return error;
	if (variable >= catalogue->variables_count)
		return smile_error(EINVAL, "variable %u does not exist", variable);
	if (!catalogue->variables[variable].typed)
		return smile_error(ENOENT, "the type of %s is not known",
				   catalogue->variables[variable].public.name);
	return (int)number_of(catalogue, &catalogue->variables[variable].type);
}

/* ---- parts ---------------------------------------------------------------------------------- */

/**
 * struct parts - The parts of a type that are being collected.
 * @list: shape [@capacity]
 * @count: number of parts so far
 */
struct parts {
	struct catalogue *catalogue;
	struct Monitor_type_part *list;
	size_t capacity;
	size_t count;
};

static void part_add(struct parts *parts, const struct Monitor_type_part *part)
{
	if (parts->count < parts->capacity)
		parts->list[parts->count] = *part;
	parts->count++;
}

static int array_parts(struct parts *parts, const struct type *type, struct Monitor_type *out)
{
	struct type_array array;
	int64_t item;

	if (!smile_type_array(type, &array, 0))
		return 0;
	item = number_of(parts->catalogue, &array.item);
	if (item < 0)
		return (int)item;
	out->kind = MONITOR_TYPE_ARRAY;
	out->item = (uint32_t)item;
	out->item_bytes = array.item_bytes;
	for (int i = 0; i < array.dimensions; i++) {
		struct Monitor_type_part part = {
			.name = "", .lower = array.lower[i], .count = array.count[i]};

		part_add(parts, &part);
	}
	return 0;
}

/* Add one member. Leave out a member that has no bytes of its own. */
static int member_part(struct parts *parts, Dwarf_Die *member, int fortran)
{
	int tag = dwarf_tag(member);
	struct Monitor_type_part part = {.name = ""};
	struct type type;
	const char *name;
	int64_t number;

	if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
	    !smile_type_member(member, &part.offset) || !smile_type_of(member, fortran, &type))
		return 0;
	part.bytes = smile_type_bytes(&type);
	if (!part.bytes)
		return 0;
	number = number_of(parts->catalogue, &type);
	if (number < 0)
		return (int)number;
	name = tag == DW_TAG_member ? dwarf_diename(member) : NULL;
	if (name)
		part.name = name;
	part.type = (uint32_t)number;
	part_add(parts, &part);
	return 0;
}

static int struct_parts(struct parts *parts, struct type *type)
{
	Dwarf_Die member;
	int error = 0;

	if (dwarf_child(&type->die, &member))
		return 0;
	do
		error = member_part(parts, &member, type->fortran);
	while (!error && !dwarf_siblingof(&member, &member));
	return error;
}

static int parts_of(struct parts *parts, struct type *type, struct Monitor_type *out)
{
	if (!smile_type_peel(type))
		return 0;
	switch (dwarf_tag(&type->die)) {
	case DW_TAG_array_type:
		return array_parts(parts, type, out);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		out->kind = MONITOR_TYPE_STRUCT;
		return struct_parts(parts, type);
	case DW_TAG_union_type:
		out->kind = MONITOR_TYPE_UNION;
		return 0;
	default:
		return 0;
	}
}

static const char *name_of(struct catalogue *catalogue, uint32_t number)
{
	struct reported_type *type = &catalogue->types[number];
	char name[OBJECT_NAME_BYTES];

	if (!type->name) {
		smile_type_name(&type->type, name, sizeof(name));
		type->name = smile_pool_copy(&catalogue->pool, name);
	}
	return type->name;
}

int Monitor_type_info(struct Monitor *mon, uint32_t number, struct Monitor_type *out,
		      struct Monitor_type_part *list, size_t capacity)
{
	struct parts parts = {.list = list, .capacity = capacity};
	struct Monitor_type reported = {.kind = MONITOR_TYPE_PLAIN};
	struct type type;
	int error = smile_catalogue(mon, &parts.catalogue);

	if (error < 0)
		return error;
	if (number >= parts.catalogue->types_count)
		return smile_error(EINVAL, "type %u does not exist", number);
	type = parts.catalogue->types[number].type;
	reported.name = name_of(parts.catalogue, number);
	if (!reported.name)
		return no_memory();
	reported.bytes = smile_type_bytes(&type);
	reported.flags = type.fortran ? MONITOR_TYPE_FORTRAN : 0;
	error = parts_of(&parts, &type, &reported);
	if (error < 0)
		return error;
	*out = reported;
	return (int)parts.count;
}
