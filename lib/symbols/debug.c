/* SPDX-License-Identifier: MIT */
/*
 * Debug: reads the debug information of a file about variables and code.
 *
 * What lives here: the walk over the variables that have a fixed address, and the functions that
 * compose the names of declarations. Debug information can be invalid, so this code checks it
 * before use. See object.h.
 */
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/symbols/debug.h"

int smile_debug_is_fortran(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
		return 1;
	default:
		return 0;
	}
}

/* ---- names ---------------------------------------------------------------------------------- */

int smile_debug_is_scope(int tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_subprogram:
		return 1;
	default:
		return 0;
	}
}

/* Append text to a string. A part that does not fit is cut off. */
static void append(char *text, size_t bytes, const char *more)
{
	size_t length = strlen(text), added = strnlen(more, bytes - length - 1);

	memcpy(text + length, more, added);
	text[length + added] = '\0';
}

static void scope_add(Dwarf_Die *die, char *text, size_t bytes)
{
	const char *name = dwarf_diename(die);

	if (!name && dwarf_tag(die) == DW_TAG_namespace)
		name = "(anonymous namespace)";
	if (!name)
		return;
	append(text, bytes, name);
	append(text, bytes, "::");
}

/* Get the scopes that precede the name of the declaration @die. */
static void scopes_of(Dwarf_Die *die, char *text, size_t bytes)
{
	Dwarf_Die *scopes;
	int count = dwarf_getscopes_die(die, &scopes);

	*text = '\0';
	/* The first element is the innermost scope, which is the declaration itself, so skip it. */
	for (int i = count - 1; i > 0; i--)
		if (smile_debug_is_scope(dwarf_tag(&scopes[i])))
			scope_add(&scopes[i], text, bytes);
	if (count > 0)
		free(scopes);
}

/*
 * Get the declaration that belongs to a definition, if there is a separate one. If so, the
 * declaration has the name.
 */
static int declaration_of(Dwarf_Die *die, Dwarf_Die *declaration)
{
	Dwarf_Attribute attribute;

	return dwarf_attr(die, DW_AT_specification, &attribute) &&
	       dwarf_formref_die(&attribute, declaration);
}

/*
 * Get the name of a function that the compiler has outlined for OpenMP. The symbol of such a
 * function is the symbol of the original function and a suffix. For example, the name for
 * "_Z5solvei._omp_fn.0" is "solve".
 */
static void outlined_name(const char *name, char *text, size_t bytes)
{
	char symbol[OBJECT_NAME_BYTES], source[OBJECT_NAME_BYTES];
	size_t length = (size_t)(strstr(name, "._omp_fn.") - name);

	snprintf(symbol, sizeof(symbol), "%.*s", (int)(length < sizeof(symbol) ? length : 0), name);
	smile_symbol_name(symbol, source);
	append(text, bytes, *source ? source : name);
}

void smile_debug_name(Dwarf_Die *die, char *text, size_t bytes)
{
	const char *name = dwarf_diename(die);
	Dwarf_Attribute attribute;
	Dwarf_Die origin = *die, declaration;

	/* If the function was inlined, its name is in its abstract origin. */
	if (dwarf_attr(die, DW_AT_abstract_origin, &attribute) &&
	    !dwarf_formref_die(&attribute, &origin))
		origin = *die;
	*text = '\0';
	if (name && strstr(name, "._omp_fn.")) {
		outlined_name(name, text, bytes);
		return;
	}
	scopes_of(declaration_of(&origin, &declaration) ? &declaration : &origin, text, bytes);
	append(text, bytes, name ? name : "");
}

/* ---- variables ------------------------------------------------------------------------------ */

/*
 * Get the fixed address of a variable. Return: 1 if the variable has one address, which is the same
 * in all threads.
 */
static int address_of(const struct debug_walk *walk, Dwarf_Die *die, uint64_t *address)
{
	Dwarf_Attribute attribute, operand;
	Dwarf_Op *operations;
	Dwarf_Addr at;
	size_t count;

	if (!dwarf_attr_integrate(die, DW_AT_location, &attribute) ||
	    dwarf_getlocation(&attribute, &operations, &count) || !count)
		return 0;
	switch (operations[0].atom) {
	case DW_OP_addr:
		at = operations[0].number;
		break;
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		if (dwarf_getlocation_attr(&attribute, &operations[0], &operand) ||
		    dwarf_formaddr(&operand, &at))
			return 0;
		break;
	default:
		return 0;
	}
	if (count == 2 && operations[1].atom == DW_OP_plus_uconst)
		at += operations[1].number;
	else if (count != 1)
		return 0;
	*address = at + walk->bias;
	return 1;
}

static int report_variable(const struct debug_walk *walk, Dwarf_Die *die, const char *scope)
{
	struct object_variable variable = {.file = ""};
	char name[OBJECT_NAME_BYTES], outer[OBJECT_NAME_BYTES];
	const char *own = dwarf_diename(die);
	Dwarf_Die declaration = *die;

	if (!own || !(walk->frame ? smile_debug_frame_address(walk->frame, die, &variable.address)
				  : address_of(walk, die, &variable.address)))
		return 0;
	if (declaration_of(die, &declaration)) {
		scopes_of(&declaration, outer, sizeof(outer));
		scope = outer;
	}
	*name = '\0';
	append(name, sizeof(name), scope);
	append(name, sizeof(name), own);
	variable.name = name;
	variable.typed = smile_type_of(die, walk->fortran, &variable.type);
	if (variable.typed)
		variable.bytes = smile_type_bytes(&variable.type);
	smile_debug_declared(die, &variable.file, &variable.line);
	return walk->found(&variable, walk->opaque);
}

static int walk_scope(const struct debug_walk *walk, Dwarf_Die *die, const char *scope, int depth)
{
	char inner[OBJECT_NAME_BYTES];
	Dwarf_Die child, declaration;
	int error = 0;

	if (depth >= DEBUG_DEPTH || dwarf_child(die, &child))
		return 0;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_formal_parameter:
			if (!walk->frame)
				break;
			/* Fall through. */
		case DW_TAG_variable:
			error = report_variable(walk, &child, scope);
			break;
		case DW_TAG_common_block:
			snprintf(inner, sizeof(inner), "/%s/",
				 dwarf_diename(&child) ? dwarf_diename(&child) : "");
			error = walk_scope(walk, &child, inner, depth + 1);
			break;
		case DW_TAG_subprogram:
			/*
			 * A nested function has its own frame, so its variables are not in this
			 * frame.
			 */
			if (walk->frame)
				break;
			/* Fall through. */
		case DW_TAG_inlined_subroutine:
			*inner = '\0';
			if (declaration_of(&child, &declaration))
				scopes_of(&declaration, inner, sizeof(inner));
			if (!*inner)
				append(inner, sizeof(inner), scope);
			scope_add(&child, inner, sizeof(inner));
			error = walk_scope(walk, &child, inner, depth + 1);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
			*inner = '\0';
			append(inner, sizeof(inner), scope);
			scope_add(&child, inner, sizeof(inner));
			error = walk_scope(walk, &child, inner, depth + 1);
			break;
		case DW_TAG_lexical_block:
			error = walk_scope(walk, &child, scope, depth + 1);
			break;
		default:
			break;
		}
	} while (!error && !dwarf_siblingof(&child, &child));
	return error;
}

int smile_debug_walk(const struct debug_walk *walk, Dwarf_Die *die, const char *scope)
{
	return walk_scope(walk, die, scope, 0);
}

int smile_debug_variables(struct object *object, object_variable_found *found, void *opaque)
{
	struct debug_walk walk = {.found = found, .opaque = opaque};
	Dwarf_Die *unit = NULL;
	Dwarf_Addr bias;
	int error = 0;

	while (object->module && !error &&
	       (unit = dwfl_module_nextcu(object->module, unit, &bias)) != NULL) {
		Dwarf_Die root = smile_debug_unit(unit);

		walk.bias = bias;
		walk.fortran = smile_debug_is_fortran(&root);
		error = walk_scope(&walk, &root, "", 0);
	}
	return error;
}
