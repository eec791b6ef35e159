/* SPDX-License-Identifier: MIT */
/*
 * Debug: finds the compilation units of a file. See debug.h.
 *
 * What lives here: the search for the unit that contains an address; the code that finds the
 * contents of a unit if they are in another file (-gsplit-dwarf); and the code that reads tables of
 * source files.
 *
 * The search uses the address ranges in the units themselves. It does not use the section
 * .debug_aranges, because not all compilers write it, and libdwfl treats the resulting gaps as
 * parts of the previous unit.
 */
#include <dwarf.h>
#include <stdlib.h>

#include <base/array.h>
#include <base/search.h>

#include "lib/symbols/debug.h"

Dwarf_Die smile_debug_unit(const Dwarf_Die *unit)
{
	Dwarf_Die skeleton, split;
	uint8_t type;

	if (!dwarf_cu_info(unit->cu, NULL, &type, &skeleton, &split, NULL, NULL, NULL) &&
	    type == DW_UT_skeleton && dwarf_tag(&split) == DW_TAG_compile_unit)
		return split;
	return *unit;
}

const char *smile_debug_absent(Dwarf_Die *unit, const char **name)
{
	Dwarf_Attribute attribute;
	Dwarf_Die skeleton, split;
	const char *directory = NULL;
	uint8_t type;

	*name = NULL;
	if (dwarf_cu_info(unit->cu, NULL, &type, &skeleton, &split, NULL, NULL, NULL) ||
	    type != DW_UT_skeleton || dwarf_tag(&split) == DW_TAG_compile_unit)
		return "";
	if (dwarf_attr(unit, DW_AT_dwo_name, &attribute) ||
	    dwarf_attr(unit, DW_AT_GNU_dwo_name, &attribute))
		*name = dwarf_formstring(&attribute);
	if (dwarf_attr(unit, DW_AT_comp_dir, &attribute))
		directory = dwarf_formstring(&attribute);
	return directory ? directory : "";
}

/* ---- by address ----------------------------------------------------------------------------- */

static int by_start(const void *left, const void *right)
{
	const struct object_range *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

/* Add the ranges of a unit. Ranges at address 0 belong to code that the linker has removed. */
static void list_ranges(struct object *object, const Dwarf_Die *unit, Dwarf_Addr bias)
{
	Dwarf_Die die = *unit;
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(&die, at, &base, &start, &end)) > 0) {
		if (!start || start >= end ||
		    array_reserve(&object->ranges, &object->ranges_size, object->ranges_count,
				  sizeof(*object->ranges)) < 0)
			continue;
		object->ranges[object->ranges_count++] = (struct object_range){
			.start = start + bias,
			.end = end + bias,
			.bias = bias,
			.unit = *unit,
		};
	}
}

static void list_units(struct object *object)
{
	Dwarf_Die *unit = NULL;
	Dwarf_Addr bias;
	uint64_t furthest = 0;

	object->ranged = 1;
	while ((unit = dwfl_module_nextcu(object->module, unit, &bias)) != NULL)
		list_ranges(object, unit, bias);
	if (object->ranges_count)
		qsort(object->ranges, object->ranges_count, sizeof(*object->ranges), by_start);
	for (size_t i = 0; i < object->ranges_count; i++) {
		if (furthest < object->ranges[i].end)
			furthest = object->ranges[i].end;
		object->ranges[i].furthest = furthest;
	}
}

int smile_debug_unit_at(struct object *object, Dwarf_Addr address, Dwarf_Die *unit,
			Dwarf_Addr *bias)
{
	size_t at;

	if (!object->module)
		return 0;
	if (!object->ranged)
		list_units(object);
	SEARCH_FIRST(at, object->ranges_count, i, object->ranges[i].start > address);
	/*
	 * A unit can have ranges on both sides of another unit, so several ranges before @address
	 * must be checked.
	 */
	while (at-- > 0 && object->ranges[at].furthest > address) {
		if (address >= object->ranges[at].end)
			continue;
		*unit = object->ranges[at].unit;
		*bias = object->ranges[at].bias;
		return 1;
	}
	return 0;
}

/* ---- source files --------------------------------------------------------------------------- */

/*
 * Get the name of a file in a unit's table of files. dwarf_decl_file() of libdw cannot be used for
 * this, because it fails an assertion if the unit is in another file.
 */
const char *smile_debug_file(const Dwarf_Attribute *number)
{
	Dwarf_Attribute attribute = *number;
	Dwarf_Files *files;
	Dwarf_Word index;
	Dwarf_Die unit;
	size_t count;

	if (dwarf_formudata(&attribute, &index) ||
	    dwarf_cu_info(attribute.cu, NULL, NULL, &unit, NULL, NULL, NULL, NULL) ||
	    dwarf_getsrcfiles(&unit, &files, &count) || index >= count)
		return NULL;
	return dwarf_filesrc(files, index, NULL, NULL);
}

void smile_debug_declared(Dwarf_Die *die, const char **file, uint32_t *line)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;
	const char *name;

	if (!dwarf_attr_integrate(die, DW_AT_decl_file, &attribute))
		return;
	name = smile_debug_file(&attribute);
	if (!name || !dwarf_attr_integrate(die, DW_AT_decl_line, &attribute) ||
	    dwarf_formudata(&attribute, &number))
		return;
	*file = name;
	*line = (uint32_t)number;
}
