/* SPDX-License-Identifier: MIT */
/*
 * Debug: what the readers of debug information share: debug.c, debug_frame.c, debug_source.c,
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
 * struct debug_walk - On the way through a file.
 * @bias: what to add to an address of the debug information
 * @fortran: the compilation unit's language
 * @frame: what is in it is looked for; NULL: what has an address of its own
 * @found: receives the variables
 * @opaque: its own
 */
struct debug_walk {
	uint64_t bias;
	int fortran;
	const struct debug_frame *frame;
	object_variable_found *found;
	void *opaque;
};

/* debug_unit.c: of a unit whose all but addresses stands in another file, the unit there; else
 * itself.
 */
Dwarf_Die smile_debug_unit(const Dwarf_Die *unit);

/*
 * Does all but addresses stand in another file, which is not there? Return: the directory that its
 * @name, which is NULL if not, is relative to.
 */
const char *smile_debug_absent(Dwarf_Die *unit, const char **name);

/* The unit that has code at an address of the file; its own addresses have @bias added. */
int smile_debug_unit_at(struct object *object, Dwarf_Addr address, Dwarf_Die *unit,
			Dwarf_Addr *bias);

/* The file of a unit's table of files. Return: NULL: there is none. */
const char *smile_debug_file(const Dwarf_Attribute *number);

/* Where @die is declared; unchanged if that is not known. */
void smile_debug_declared(Dwarf_Die *die, const char **file, uint32_t *line);

/* Append to a string what fits. */
void smile_debug_append(char *text, size_t bytes, const char *more);

/* debug_frame.c: the function at @pc of a unit, whatever was inlined into it. Return: 0: none. */
int smile_debug_function_of(Dwarf_Die *unit, Dwarf_Addr pc, Dwarf_Die *function);

int smile_debug_is_fortran(Dwarf_Die *unit);

/* Is what a DW_TAG_* holds called after it? */
int smile_debug_is_scope(int tag);

/* The name of @die with what stands before it: "sim::step". */
void smile_debug_name(Dwarf_Die *die, char *text, size_t bytes);

/* Walk over what @die holds, which is called @scope. Return: 0; what walk.found() returned. */
int smile_debug_walk(const struct debug_walk *walk, Dwarf_Die *die, const char *scope);

/* debug_frame.c: where a variable is in a frame. Return: 0: not in its memory. */
int smile_debug_frame_address(const struct debug_frame *frame, Dwarf_Die *die, uint64_t *address);

#endif /* LIB_SYMBOLS_DEBUG_H */
