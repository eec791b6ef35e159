/* SPDX-License-Identifier: MIT */
/*
 * Type: describes the type of a variable, from its debug information. See type.h.
 */
#include <dwarf.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/symbols/type.h"

/* The largest depth of nested types; deeper nesting is invalid. */
#define TYPE_DEPTH 32
/* The largest size of a single value: a complex number or a long double. */
#define VALUE_BYTES_MAX 16

__attribute__((format(printf, 3, 4))) static void add(char *text, size_t bytes, const char *format,
						      ...)
{
	size_t length = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + length, bytes - length, format, arguments);
	va_end(arguments);
}

static int number(Dwarf_Die *die, unsigned int name, int64_t *value)
{
	Dwarf_Attribute attribute;
	Dwarf_Word word;
	Dwarf_Sword sword;

	if (!dwarf_attr_integrate(die, name, &attribute))
		return 0;
	/*
	 * Only values of these two forms are signed. Values of other forms are unsigned, and could
	 * become negative if they were read as signed numbers.
	 */
	if (dwarf_whatform(&attribute) == DW_FORM_sdata ||
	    dwarf_whatform(&attribute) == DW_FORM_implicit_const) {
		if (dwarf_formsdata(&attribute, &sword))
			return 0;
		*value = sword;
		return 1;
	}
	if (dwarf_formudata(&attribute, &word))
		return 0;
	*value = (int64_t)word;
	return 1;
}

int smile_type_of(Dwarf_Die *die, int fortran, struct type *type)
{
	Dwarf_Attribute attribute;

	type->fortran = fortran;
	return dwarf_attr_integrate(die, DW_AT_type, &attribute) &&
	       dwarf_formref_die(&attribute, &type->die);
}

int smile_type_peel(struct type *type)
{
	for (int depth = 0; depth < TYPE_DEPTH; depth++) {
		switch (dwarf_tag(&type->die)) {
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			if (!smile_type_of(&type->die, type->fortran, type))
				return 0;
			break;
		default:
			return 1;
		}
	}
	return 0;
}

/* ---- arrays --------------------------------------------------------------------------------- */

static uint64_t bytes_within(const struct type *type, int depth);

static void dimension(struct type_array *array, Dwarf_Die *die, int fortran)
{
	int64_t lower = fortran ? 1 : 0, upper, count = 0;

	number(die, DW_AT_lower_bound, &lower);
	if (!number(die, DW_AT_count, &count) && number(die, DW_AT_upper_bound, &upper) &&
	    upper >= lower && upper - lower < INT64_MAX)
		count = upper - lower + 1;
	array->lower[array->dimensions] = lower;
	array->count[array->dimensions++] = count > 0 ? (uint64_t)count : 0;
}

int smile_type_array(const struct type *type, struct type_array *array, int depth)
{
	Dwarf_Die die = type->die, child;
	int64_t stride;

	array->dimensions = 0;
	if (dwarf_hasattr(&die, DW_AT_data_location) ||
	    !smile_type_of(&die, type->fortran, &array->item))
		return 0;
	array->item_bytes = bytes_within(&array->item, depth + 1);
	if (number(&die, DW_AT_byte_stride, &stride) && stride > 0)
		array->item_bytes = (uint64_t)stride;
	if (!array->item_bytes || dwarf_child(&die, &child))
		return 0;
	do {
		if (dwarf_tag(&child) != DW_TAG_subrange_type)
			continue;
		if (array->dimensions == TYPE_DIMENSIONS)
			return 0;
		dimension(array, &child, type->fortran);
	} while (!dwarf_siblingof(&child, &child));
	return array->dimensions > 0;
}

static uint64_t array_bytes(const struct type *type, int depth)
{
	struct type_array array;
	uint64_t bytes;

	if (!smile_type_array(type, &array, depth))
		return 0;
	bytes = array.item_bytes;
	for (int i = 0; i < array.dimensions; i++)
		if (__builtin_mul_overflow(bytes, array.count[i], &bytes))
			return 0;
	return bytes;
}

/* ---- bytes ---------------------------------------------------------------------------------- */

static uint64_t bytes_within(const struct type *type, int depth)
{
	struct type peeled = *type;
	int64_t bytes;

	if (depth >= TYPE_DEPTH || !smile_type_peel(&peeled))
		return 0;
	if (dwarf_tag(&peeled.die) == DW_TAG_array_type &&
	    dwarf_hasattr(&peeled.die, DW_AT_data_location))
		return 0;
	if (number(&peeled.die, DW_AT_byte_size, &bytes))
		return bytes > 0 ? (uint64_t)bytes : 0;
	switch (dwarf_tag(&peeled.die)) {
	case DW_TAG_array_type:
		return array_bytes(&peeled, depth);
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return 8;
	case DW_TAG_enumeration_type:
		return smile_type_of(&peeled.die, type->fortran, &peeled)
			       ? bytes_within(&peeled, depth + 1)
			       : 0;
	default:
		return 0;
	}
}

uint64_t smile_type_bytes(const struct type *type)
{
	return bytes_within(type, 0);
}

uint64_t smile_type_item_bytes(const struct type *type)
{
	struct type peeled = *type;
	struct type_array array;
	uint64_t bytes;

	if (!smile_type_peel(&peeled) || dwarf_tag(&peeled.die) != DW_TAG_array_type ||
	    !smile_type_array(&peeled, &array, 0))
		return 0;
	bytes = array.item_bytes;
	for (int i = 0; i < array.dimensions - 1; i++)
		if (__builtin_mul_overflow(
			    bytes, array.count[type->fortran ? i : array.dimensions - 1 - i],
			    &bytes))
			return 0;
	return bytes;
}

/* ---- name ----------------------------------------------------------------------------------- */

static void name_within(const struct type *type, char *text, size_t bytes, int depth);

static void name_target(const struct type *type, char *text, size_t bytes, const char *after,
			int depth)
{
	Dwarf_Die die = type->die;
	struct type target;

	if (!smile_type_of(&die, type->fortran, &target))
		add(text, bytes, "%s", type->fortran ? "type(*)" : "void");
	else
		name_within(&target, text, bytes, depth + 1);
	add(text, bytes, "%s", after);
}

static void name_array(const struct type *type, char *text, size_t bytes, int depth)
{
	struct type_array array;

	if (!smile_type_array(type, &array, depth)) {
		name_target(type, text, bytes, type->fortran ? " (:)" : " []", depth);
		return;
	}
	name_within(&array.item, text, bytes, depth + 1);
	add(text, bytes, " ");
	for (int i = 0; i < array.dimensions; i++) {
		int64_t lower = array.lower[i];
		uint64_t count = array.count[i];

		if (!type->fortran) {
			add(text, bytes, count ? "[%" PRIu64 "]" : "[]", count);
			continue;
		}
		add(text, bytes, "%c", i ? ',' : '(');
		if (lower != 1)
			add(text, bytes, "%" PRId64 ":", lower);
		if (count)
			add(text, bytes, "%" PRId64, lower + (int64_t)count - 1);
		else
			add(text, bytes, lower != 1 ? "" : ":");
	}
	if (type->fortran)
		add(text, bytes, ")");
}

static void name_plain(Dwarf_Die *die, const char *before, char *text, size_t bytes, int fortran)
{
	const char *name = dwarf_diename(die);

	if (fortran && *before)
		add(text, bytes, "type(%s)", name ? name : "?");
	else
		add(text, bytes, "%s%s", before, name ? name : *before ? "{...}" : "?");
}

static int is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_atomic_type;
}

/*
 * Remove one or several qualifiers from a type. Return: the tag of the remaining type; 0 if it is
 * not known.
 */
static int qualified(struct type *type)
{
	for (int depth = 0; depth < TYPE_DEPTH; depth++) {
		if (!is_qualifier(dwarf_tag(&type->die)))
			return dwarf_tag(&type->die);
		if (!smile_type_of(&type->die, type->fortran, type))
			break;
	}
	return 0;
}

/*
 * Return whether the items of an array have the qualifier @qualifier. In debug information, both an
 * array and its items are qualified, but in C only the items are.
 */
static int items_have(struct type array, int qualifier)
{
	for (int depth = 0; depth < TYPE_DEPTH; depth++) {
		int tag = dwarf_tag(&array.die);

		if (tag == qualifier)
			return 1;
		if (!is_qualifier(tag) && tag != DW_TAG_array_type && tag != DW_TAG_typedef)
			break;
		if (!smile_type_of(&array.die, array.fortran, &array))
			break;
	}
	return 0;
}

/*
 * Write a type with its qualifier, such as "const int". The qualifiers of a pointer follow it, as
 * in "int *const".
 */
static void name_qualified(const struct type *type, char *text, size_t bytes, const char *qualifier,
			   int depth)
{
	struct type target = *type;
	int own = dwarf_tag(&target.die), tag = qualified(&target);

	if (tag == DW_TAG_array_type && items_have(target, own))
		qualifier = "";
	if (*qualifier && tag != DW_TAG_pointer_type)
		add(text, bytes, "%s ", qualifier);
	name_target(type, text, bytes, "", depth);
	if (*qualifier && tag == DW_TAG_pointer_type)
		add(text, bytes, "%s%s", text[strlen(text) - 1] == '*' ? "" : " ", qualifier);
}

static void name_within(const struct type *type, char *text, size_t bytes, int depth)
{
	Dwarf_Die die = type->die;
	int64_t length;

	if (depth >= TYPE_DEPTH)
		return;
	switch (dwarf_tag(&die)) {
	case DW_TAG_const_type:
		name_qualified(type, text, bytes, type->fortran ? "" : "const", depth);
		break;
	case DW_TAG_volatile_type:
		name_qualified(type, text, bytes, "volatile", depth);
		break;
	case DW_TAG_atomic_type:
		name_qualified(type, text, bytes, "_Atomic", depth);
		break;
	case DW_TAG_restrict_type:
		name_target(type, text, bytes, "", depth);
		break;
	case DW_TAG_pointer_type:
		name_target(type, text, bytes, " *", depth);
		break;
	case DW_TAG_reference_type:
		name_target(type, text, bytes, " &", depth);
		break;
	case DW_TAG_rvalue_reference_type:
		name_target(type, text, bytes, " &&", depth);
		break;
	case DW_TAG_array_type:
		name_array(type, text, bytes, depth);
		break;
	case DW_TAG_subroutine_type:
		add(text, bytes, "function");
		break;
	case DW_TAG_structure_type:
		name_plain(&die, "struct ", text, bytes, type->fortran);
		break;
	case DW_TAG_union_type:
		name_plain(&die, "union ", text, bytes, 0);
		break;
	case DW_TAG_enumeration_type:
		name_plain(&die, "enum ", text, bytes, 0);
		break;
	case DW_TAG_string_type:
		if (number(&die, DW_AT_byte_size, &length))
			add(text, bytes, "character(len=%" PRId64 ")", length);
		else
			add(text, bytes, "character(len=:)");
		break;
	default:
		name_plain(&die, "", text, bytes, type->fortran);
		break;
	}
}

void smile_type_name(const struct type *type, char *text, size_t bytes)
{
	*text = '\0';
	name_within(type, text, bytes, 0);
}

/* ---- the element at an offset ------------------------------------------------------------ */

/*
 * Get the index in each dimension of the item at an offset, in the order of the source. Return: 1;
 * 0 if the offset is outside of the array.
 */
static int find_item(const struct type_array *array, int fortran, uint64_t item, int64_t *index)
{
	for (int i = 0; i < array->dimensions; i++) {
		int at = fortran ? i : array->dimensions - 1 - i;
		int last = i == array->dimensions - 1;

		/* The number of values of the index that varies slowest can be unknown. */
		if (last && !array->count[at]) {
			index[at] = array->lower[at] + (int64_t)item;
			return 1;
		}
		if (!array->count[at])
			return 0;
		index[at] = array->lower[at] + (int64_t)(item % array->count[at]);
		item /= array->count[at];
	}
	return !item;
}

static int step_into_array(struct type_place *place, uint64_t *offset, char *text, size_t bytes)
{
	struct type_array array;
	int64_t index[TYPE_DIMENSIONS];
	uint64_t item;

	if (!smile_type_array(&place->type, &array, 0))
		return 0;
	item = *offset / array.item_bytes;
	if (!find_item(&array, place->type.fortran, item, index))
		return 0;
	for (int i = 0; i < array.dimensions; i++) {
		if (place->type.fortran)
			add(text, bytes, "%c%" PRId64, i ? ',' : '(', index[i]);
		else
			add(text, bytes, "[%" PRId64 "]", index[i]);
	}
	if (place->type.fortran)
		add(text, bytes, ")");
	*offset -= item * array.item_bytes;
	place->start += item * array.item_bytes;
	place->bytes = array.item_bytes;
	place->type = array.item;
	return 1;
}

int smile_type_member(Dwarf_Die *member, uint64_t *start)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *operations;
	size_t count;
	int64_t at = 0;

	if (dwarf_hasattr(member, DW_AT_data_bit_offset) || dwarf_hasattr(member, DW_AT_bit_size) ||
	    dwarf_hasattr(member, DW_AT_external))
		return 0;
	if (!number(member, DW_AT_data_member_location, &at) &&
	    dwarf_attr(member, DW_AT_data_member_location, &attribute)) {
		if (dwarf_getlocation(&attribute, &operations, &count) || count != 1 ||
		    operations[0].atom != DW_OP_plus_uconst)
			return 0;
		at = (int64_t)operations[0].number;
	}
	*start = (uint64_t)at;
	return at >= 0;
}

static int step_into_struct(struct type_place *place, uint64_t *offset, char *text, size_t bytes)
{
	Dwarf_Die member;

	if (dwarf_child(&place->type.die, &member))
		return 0;
	do {
		int tag = dwarf_tag(&member);
		struct type type;
		uint64_t start, size;
		const char *name;

		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
		    !smile_type_member(&member, &start) ||
		    !smile_type_of(&member, place->type.fortran, &type))
			continue;
		size = smile_type_bytes(&type);
		if (*offset < start || *offset - start >= size)
			continue;
		name = tag == DW_TAG_member ? dwarf_diename(&member) : NULL;
		if (name)
			add(text, bytes, "%c%s", place->type.fortran ? '%' : '.', name);
		*offset -= start;
		place->start += start;
		place->bytes = size;
		place->type = type;
		return 1;
	} while (!dwarf_siblingof(&member, &member));
	return 0;
}

/*
 * Return whether the element is a single value, so that no offset in it need be shown. An element
 * is not a single value if it is a struct or an array, if its size is unknown, or if it is as long
 * as a text.
 */
static int is_value(const struct type_place *place)
{
	struct type type = place->type;
	struct type_array array;

	if (!place->bytes || place->bytes > VALUE_BYTES_MAX)
		return 0;
	if (!smile_type_peel(&type))
		return 1;
	switch (dwarf_tag(&type.die)) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return 0;
	case DW_TAG_array_type:
		return !smile_type_array(&type, &array, 0);
	default:
		return 1;
	}
}

void smile_type_find(const struct type *type, uint64_t offset, char *text, size_t bytes,
		     struct type_place *place)
{
	int stepped = 1;

	*place = (struct type_place){*type, 0, smile_type_bytes(type)};
	for (int depth = 0; depth < TYPE_DEPTH && stepped; depth++) {
		struct type_place next = *place;

		if (!smile_type_peel(&next.type))
			break;
		switch (dwarf_tag(&next.type.die)) {
		case DW_TAG_array_type:
			stepped = step_into_array(&next, &offset, text, bytes);
			break;
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
			stepped = step_into_struct(&next, &offset, text, bytes);
			break;
		default:
			stepped = 0;
		}
		if (stepped)
			*place = next;
	}
	/*
	 * Append the offset in the element if the element is not a single value: in a union,
	 * between two members, or in a long text.
	 */
	if (offset && !is_value(place))
		add(text, bytes, "+%" PRIu64, offset);
}
