/* SPDX-License-Identifier: MIT */
/*
 * Debug: declarations that the files which read debug information share. These files are debug.c,
 * debug_frame.c, debug_source.c and debug_unit.c.
 */
#ifndef LIB_SYMBOLS_DEBUG_H
#define LIB_SYMBOLS_DEBUG_H

#include "lib/symbols/object.h"

/* The largest depth of nested scopes. Deeper nesting is treated as invalid. */
#define DEBUG_DEPTH 64

/**
 * struct debug_frame - A frame, and the function of the frame.
 */
struct debug_frame {
	const struct Monitor_stack_frame *frame;
	const struct object_function *function;
};

/**
 * struct debug_walk - A walk over the variables of a file.
 * @bias: the number that must be added to an address in the debug information to get an address of
 *        the file
 * @fortran: the compilation unit is in Fortran
 * @frame: find the variables in this frame; NULL: find the variables that have a fixed address
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
 * Get the unit that has the contents of a compilation unit (debug_unit.c). If the program was
 * compiled with -gsplit-dwarf, the unit in the program's file has only addresses, and the unit with
 * the contents is in another file.
 */
Dwarf_Die smile_debug_unit(const Dwarf_Die *unit);

/*
 * If the file that has the contents of a unit is missing, get the name of this file. @name:
 * receives the name; NULL if the file is not missing. Return: the directory to which the name is
 * relative.
 */
const char *smile_debug_absent(Dwarf_Die *unit, const char **name);

/*
 * Find the unit that has code at an address of the file. @bias: receives a number; add this number
 * to addresses of the unit to get addresses of the file.
 */
int smile_debug_unit_at(struct object *object, Dwarf_Addr address, Dwarf_Die *unit,
			Dwarf_Addr *bias);

/*
 * Get the name of a file in the unit's table of files. Return: the name; NULL if the table does not
 * have the file.
 */
const char *smile_debug_file(const Dwarf_Attribute *number);

/*
 * Get the source line that declares @die. If the line is not known, *@file and *@line stay
 * unchanged.
 */
void smile_debug_declared(Dwarf_Die *die, const char **file, uint32_t *line);

/*
 * In a unit, find the function that contains @pc (debug_frame.c). The result is never a function
 * that was inlined into another function. Return: 1; 0 if no function contains @pc.
 */
int smile_debug_function_of(Dwarf_Die *unit, Dwarf_Addr pc, Dwarf_Die *function);

int smile_debug_is_fortran(Dwarf_Die *unit);

/*
 * Return whether a DIE with this tag is a scope. The names of declarations in a scope begin with
 * the name of the scope.
 */
int smile_debug_is_scope(int tag);

/* Get the name of @die, with the names of its scopes, such as "sim::step". */
void smile_debug_name(Dwarf_Die *die, char *text, size_t bytes);

/*
 * Walk over the contents of @die, whose name is @scope. Return: 0; if walk->found() returned
 * another value, this value.
 */
int smile_debug_walk(const struct debug_walk *walk, Dwarf_Die *die, const char *scope);

/*
 * Get the address of a variable in a frame (debug_frame.c). Return: 1; 0 if the variable is not in
 * memory at this instruction.
 */
int smile_debug_frame_address(const struct debug_frame *frame, Dwarf_Die *die, uint64_t *address);

#endif /* LIB_SYMBOLS_DEBUG_H */
