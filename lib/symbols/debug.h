/* SPDX-License-Identifier: MIT */
/*
 * Debug: declarations for the readers of debug information: debug.c, debug_frame.c, debug_source.c,
 * debug_unit.c.
 */
#ifndef LIB_SYMBOLS_DEBUG_H
#define LIB_SYMBOLS_DEBUG_H

#include "lib/symbols/object.h"

/* Limit on nested scopes; deeper nesting is invalid. */
#define DEBUG_DEPTH 64

/**
 * struct debug_frame - A frame, and its function.
 */
struct debug_frame {
	const struct Monitor_stack_frame *frame;
	const struct object_function *function;
};

/**
 * struct debug_walk - A walk through a file.
 * @bias: added to an address of the debug information
 * @fortran: the compilation unit's language
 * @frame: find the variables of this frame; NULL: find variables with a fixed address
 * @found: receives the variables
 * @opaque: passed to @found
 */
struct debug_walk {
	uint64_t bias;
	int fortran;
	const struct debug_frame *frame;
	object_variable_found *found;
	void *opaque;
};

/*
 * debug_unit.c: the unit itself or, if its own file has only its addresses (-gsplit-dwarf), the
 * unit with its contents in the other file.
 */
Dwarf_Die smile_debug_unit(const Dwarf_Die *unit);

/*
 * Whether the contents of the unit are in another file, which is missing. @name: receives its name;
 * NULL if not. Return: the directory to which the name is relative.
 */
const char *smile_debug_absent(Dwarf_Die *unit, const char **name);

/* The unit that has code at an address of the file; its own addresses have @bias added. */
int smile_debug_unit_at(struct object *object, Dwarf_Addr address, Dwarf_Die *unit,
			Dwarf_Addr *bias);

/* A file in the unit's table of files. Return: NULL: the table does not have it. */
const char *smile_debug_file(const Dwarf_Attribute *number);

/* The place of @die's declaration; unchanged if it is not known. */
void smile_debug_declared(Dwarf_Die *die, const char **file, uint32_t *line);

/*
 * debug_frame.c: the function at @pc of a unit, not a function that was inlined into it. Return: 0:
 * none.
 */
int smile_debug_function_of(Dwarf_Die *unit, Dwarf_Addr pc, Dwarf_Die *function);

int smile_debug_is_fortran(Dwarf_Die *unit);

/* Whether the name of a DW_TAG_* precedes the names of its contents. */
int smile_debug_is_scope(int tag);

/* The name of @die with its scopes: "sim::step". */
void smile_debug_name(Dwarf_Die *die, char *text, size_t bytes);

/* Walk over the contents of @die, whose name is @scope. Return: 0; the result of walk.found(). */
int smile_debug_walk(const struct debug_walk *walk, Dwarf_Die *die, const char *scope);

/*
 * debug_frame.c: the address of a variable in a frame. Return: 0: the variable is not in memory at
 * this instruction.
 */
int smile_debug_frame_address(const struct debug_frame *frame, Dwarf_Die *die, uint64_t *address);

#endif /* LIB_SYMBOLS_DEBUG_H */
