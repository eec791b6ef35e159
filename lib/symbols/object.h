/* SPDX-License-Identifier: MIT */
/*
 * Object: a file of the program, which is its executable or a library.
 *
 * What lives here: finding and opening it (object.c), its build id (build.c), its variables by
 * debug information (debug*.c) and by symbol table (symbol.c). Addresses are those of its ELF
 * headers. May use libdw and libelf.
 */
#ifndef LIB_SYMBOLS_OBJECT_H
#define LIB_SYMBOLS_OBJECT_H

#include <elfutils/libdwfl.h>

#include <smile/monitor.h>

#include "lib/symbols/type.h"

#define OBJECT_MESSAGE_BYTES 512

/**
 * struct object_range - Code of a compilation unit.
 * @start, @end: addresses of the file
 * @furthest: the highest end so far
 * @bias: difference between addresses of the file and addresses of the unit
 * @unit: entry of the unit
 */
struct object_range {
	uint64_t start;
	uint64_t end;
	uint64_t furthest;
	Dwarf_Addr bias;
	Dwarf_Die unit;
};

/**
 * struct object - A file.
 * @path: belongs to the map
 * @build: belongs to the map; "": not known
 * @bias: subtract it from an address of the program to get an address of the file
 * @runtime: smile_object_is_runtime() plus 1; 0: not known
 * @global: the file has variables: a region of kind MONITOR_REGION_GLOBAL belongs to it
 * @opened: smile_object_open() was called
 * @state: enum Monitor_object_state
 * @variables: number of variables with names
 * @dwfl: NULL: @state has the reason
 * @module: the only module of @dwfl
 * @ranged: @ranges is valid
 * @ranges: ranges of all units, ascending, [@ranges_size]: debug_unit.c
 * @message: text that names the problem; "": no problem
 */
struct object {
	const char *path;
	const char *build;
	uint64_t bias;
	int runtime;
	int global;
	int opened;
	uint32_t state;
	uint32_t variables;
	Dwfl *dwfl;
	Dwfl_Module *module;
	int ranged;
	struct object_range *ranges;
	size_t ranges_count;
	size_t ranges_size;
	char message[OBJECT_MESSAGE_BYTES];
};

/*
 * Open the file, once. Problems with it are in its state and message, and are not errors of this
 * call.
 */
void smile_object_open(struct object *object);
void smile_object_close(struct object *object);

/*
 * Whether the file is the loader, or a library of the C library, a compiler or an allocator. The
 * name with which programs are linked to it decides. The object must be open.
 */
int smile_object_is_runtime(struct object *object);

/**
 * struct object_variable - A variable that was found.
 * @name: valid during the call
 * @address: address in the file's ELF headers
 * @bytes: size; 0: not known
 * @typed: @type is known
 * @type: its type
 * @file: file that declares the variable; "" if not known; valid as long as the object is open
 * @line: of @file
 */
struct object_variable {
	const char *name;
	uint64_t address;
	uint64_t bytes;
	int typed;
	struct type type;
	const char *file;
	uint32_t line;
};

/* Receives a variable. Return: 0 to continue; an error ends the walk. */
typedef int object_variable_found(const struct object_variable *variable, void *opaque);

/* Walk over the variables with an address. Return: 0; the error of @found; -ENOMEM. */
int smile_debug_variables(struct object *object, object_variable_found *found, void *opaque);
int smile_symbol_variables(struct object *object, object_variable_found *found, void *opaque);

#define OBJECT_NAME_BYTES 512

/*
 * The source's name for a linker's name, in C++, Rust or a module of Fortran; otherwise the name
 * itself. Functions have no parameters. @text is OBJECT_NAME_BYTES long: the rest is cut off.
 */
void smile_symbol_name(const char *symbol, char *text);

/* The type that a function returns, by its declaration. */
enum object_yield {
	OBJECT_YIELDS_NOTHING, /* no pointer */
	OBJECT_YIELDS_BYTES, /* a pointer to anything */
	OBJECT_YIELDS_VALUES, /* a pointer to numbers or pointers */
	OBJECT_YIELDS_OBJECT, /* a pointer to a structure */
};

/**
 * struct object_source - A place in the source.
 * @function: "" if not known
 * @file: "" if not known; valid as long as the object is open
 * @line: of @file
 * @column: of @line; 0 if not known
 * @fortran: Fortran: its compiler gives all allocations of one line the same column
 * @declared: debug information describes the function, and the following members are valid
 * @yield: the type that @function returns
 * @sized: the function has a parameter that is an integer
 * @receives: the function has a parameter through which it can store a pointer, and returns no
 *            pointer
 */
struct object_source {
	char function[OBJECT_NAME_BYTES];
	const char *file;
	uint32_t line;
	uint32_t column;
	int fortran;
	int declared;
	enum object_yield yield;
	int sized;
	int receives;
};

#define OBJECT_SOURCES 32

/*
 * The place of the call that returns to @address of the file: its function, and the functions into
 * which this function was inlined, innermost first; shape [@most]. Return: the number of functions,
 * at least 1.
 */
int smile_debug_sources(struct object *object, uint64_t address, struct object_source *sources,
			int most);

/* The same: the innermost function that does not belong to the compiler or the system. */
void smile_debug_source(struct object *object, uint64_t address, struct object_source *source);

/*
 * Whether a source file belongs to the compiler or the system, so that its functions are skipped.
 */
int smile_debug_is_system(const char *file);

/**
 * struct object_function - The function that has an instruction, not a function inlined into it.
 * @name: "" if not known
 * @known: debug information describes the function, and the following members are valid
 * @die: entry of the function
 * @pc: the instruction, by addresses of the debug information
 * @fortran: the function is in Fortran
 */
struct object_function {
	char name[OBJECT_NAME_BYTES];
	int known;
	Dwarf_Die die;
	Dwarf_Addr pc;
	int fortran;
};

/* The function that has the instruction at @address. */
void smile_debug_function(struct object *object, uint64_t address,
			  struct object_function *function);

/*
 * Walk over the variables in a frame of the function; their addresses are the program's addresses.
 * Return: 0; the error of
 * @found; -ENOMEM.
 */
int smile_debug_frame(const struct object_function *function,
		      const struct Monitor_stack_frame *frame, object_variable_found *found,
		      void *opaque);

#endif /* LIB_SYMBOLS_OBJECT_H */
