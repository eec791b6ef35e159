/* SPDX-License-Identifier: MIT */
/*
 * Debug: finds the source line of a return address. See object.h.
 *
 * What lives here: the search for the line of a call, and for the functions that were inlined
 * around the call; and the check whether such a function is declared like a function that allocates
 * memory.
 */
#include <dwarf.h>
#include <string.h>

#include "lib/symbols/debug.h"

#define TYPE_DEPTH 32 /* longer chains of typedefs are invalid */

/* ---- declarations --------------------------------------------------------------------------- */

/* Get the type of @die without typedefs. Return: 1; 0 if @die has no type, which means void. */
static int type_below(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attribute;

	for (int depth = 0; depth < TYPE_DEPTH; depth++) {
		if (!dwarf_attr_integrate(die, DW_AT_type, &attribute) ||
		    !dwarf_formref_die(&attribute, type))
			return 0;
		switch (dwarf_tag(type)) {
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
			die = type;
			break;
		default:
			return 1;
		}
	}
	return 0;
}

static int is_integer(Dwarf_Die *type)
{
	Dwarf_Attribute attribute;
	Dwarf_Word encoding;

	return dwarf_tag(type) == DW_TAG_base_type &&
	       dwarf_attr(type, DW_AT_encoding, &attribute) &&
	       !dwarf_formudata(&attribute, &encoding) &&
	       (encoding == DW_ATE_signed || encoding == DW_ATE_unsigned);
}

static int is_pointer(Dwarf_Die *type)
{
	return dwarf_tag(type) == DW_TAG_pointer_type;
}

/* Get the kind of values to which the pointer that a function returns can point. */
static enum object_yield yield_of(Dwarf_Die *function)
{
	Dwarf_Die type, to;

	if (!type_below(function, &type) || !is_pointer(&type))
		return OBJECT_YIELDS_NOTHING;
	if (!type_below(&type, &to))
		return OBJECT_YIELDS_BYTES;
	if (dwarf_tag(&to) == DW_TAG_base_type || is_pointer(&to))
		return OBJECT_YIELDS_VALUES;
	return OBJECT_YIELDS_OBJECT;
}

/*
 * Find a parameter that can be the size of the requested memory, and a parameter through which the
 * function can store the address of the memory.
 */
static void parameters_of(Dwarf_Die *function, struct object_source *source)
{
	Dwarf_Attribute attribute;
	Dwarf_Die child, type, to, origin = *function;

	if (dwarf_attr(function, DW_AT_abstract_origin, &attribute) &&
	    !dwarf_formref_die(&attribute, &origin))
		return;
	if (dwarf_child(&origin, &child))
		return;
	do {
		if (dwarf_tag(&child) != DW_TAG_formal_parameter || !type_below(&child, &type))
			continue;
		source->sized |= is_integer(&type);
		if (source->yield == OBJECT_YIELDS_NOTHING && is_pointer(&type) &&
		    type_below(&type, &to) && is_pointer(&to))
			source->receives = 1;
	} while (!dwarf_siblingof(&child, &child));
}

static void describe(Dwarf_Die *function, struct object_source *source)
{
	smile_debug_name(function, source->function, sizeof(source->function));
	source->declared = 1;
	source->yield = yield_of(function);
	parameters_of(function, source);
}

/* ---- the call ------------------------------------------------------------------------------- */

/*
 * Get the source line in which the inlined function @die is called. Return: 1; 0 if the line is not
 * known.
 */
static int call_of(Dwarf_Die *die, struct object_source *source)
{
	Dwarf_Attribute attribute;
	Dwarf_Word line, column;
	const char *file;

	if (!dwarf_attr(die, DW_AT_call_file, &attribute))
		return 0;
	file = smile_debug_file(&attribute);
	if (!file || !dwarf_attr(die, DW_AT_call_line, &attribute) ||
	    dwarf_formudata(&attribute, &line))
		return 0;
	source->file = file;
	source->line = (uint32_t)line;
	if (dwarf_attr(die, DW_AT_call_column, &attribute) && !dwarf_formudata(&attribute, &column))
		source->column = (uint32_t)column;
	return 1;
}

/*
 * Find the function that was inlined at @pc into @die, or into a block of @die. Return: 1; 0 if no
 * function was inlined there.
 */
static int inlined_at(Dwarf_Die *die, Dwarf_Addr pc, Dwarf_Die *inlined)
{
	Dwarf_Die child;

	if (dwarf_child(die, &child))
		return 0;
	do {
		int tag = dwarf_tag(&child);

		if ((tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) ||
		    dwarf_haspc(&child, pc) <= 0)
			continue;
		if (tag == DW_TAG_lexical_block) {
			Dwarf_Die block = child;

			if (inlined_at(&block, pc, inlined))
				return 1;
			continue;
		}
		*inlined = child;
		return 1;
	} while (!dwarf_siblingof(&child, &child));
	return 0;
}

/*
 * Find the functions at @pc, from the outermost to the innermost. Return: the number of functions.
 */
static int functions_at(Dwarf_Die *unit, Dwarf_Addr pc, Dwarf_Die *functions, int most)
{
	int count = 0;

	if (!smile_debug_function_of(unit, pc, &functions[0]))
		return 0;
	while (++count < most && inlined_at(&functions[count - 1], pc, &functions[count]))
		;
	return count;
}

static void line_of(Dwarf_Die *unit, Dwarf_Addr pc, struct object_source *source)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, pc);
	const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	int number, column;

	if (!file || dwarf_lineno(line, &number))
		return;
	source->file = file;
	source->line = number > 0 ? (uint32_t)number : 0;
	if (!dwarf_linecol(line, &column) && column > 0)
		source->column = (uint32_t)column;
}

int smile_debug_sources(struct object *object, uint64_t address, struct object_source *sources,
			int most)
{
	/* The call instruction precedes the return address. */
	Dwarf_Addr call = address - 1, bias;
	Dwarf_Die unit, root, functions[OBJECT_SOURCES];
	int count = 0, known;
	const char *name;

	memset(sources, 0, (size_t)most * sizeof(*sources));
	for (int i = 0; i < most; i++)
		sources[i].file = "";
	if (!object->module || !address)
		return 1;
	known = smile_debug_unit_at(object, call, &unit, &bias);
	if (known) {
		line_of(&unit, call - bias, &sources[0]);
		root = smile_debug_unit(&unit);
		count = functions_at(&root, call - bias, functions,
				     most < OBJECT_SOURCES ? most : OBJECT_SOURCES);
	}
	for (int i = 0; i < count; i++) {
		describe(&functions[count - 1 - i], &sources[i]);
		sources[i].fortran = smile_debug_is_fortran(&root);
		if (i + 1 < count && !call_of(&functions[count - 1 - i], &sources[i + 1]))
			sources[i + 1].file = "";
	}
	if (count)
		return count;
	name = dwfl_module_addrname(object->module, call);
	if (name)
		smile_symbol_name(name, sources[0].function);
	return 1;
}

int smile_debug_is_system(const char *file)
{
	return !strncmp(file, "/usr/include/", 13) || !strncmp(file, "/usr/lib/", 9) ||
	       strstr(file, "/include/c++/") || strstr(file, "/libstdc++-v3/") ||
	       strstr(file, "/rustc/") || strstr(file, "/library/alloc/src/") ||
	       strstr(file, "/library/std/src/") || strstr(file, "/library/core/src/");
}

void smile_debug_source(struct object *object, uint64_t address, struct object_source *source)
{
	struct object_source sources[OBJECT_SOURCES];
	int count = smile_debug_sources(object, address, sources, OBJECT_SOURCES), i = 0;

	while (i < count - 1 && smile_debug_is_system(sources[i].file))
		i++;
	*source = sources[i];
}
