/* SPDX-License-Identifier: MIT */
/*
 * Object: reads a file of the program, which is its executable or a library.
 *
 * What lives here: functions that find and open the file (object.c), that read its build id
 * (build_id.c), and that read its variables from debug information (debug*.c) and from the symbol
 * table (symbol.c). All addresses are addresses in the ELF headers of the file. May use libdw and
 * libelf.
 */
#ifndef LIB_SYMBOLS_OBJECT_H
#define LIB_SYMBOLS_OBJECT_H

#include <elfutils/libdwfl.h>

#include <smile/monitor.h>

#include "lib/symbols/type.h"

#define OBJECT_MESSAGE_BYTES 512

/**
 * struct object_range - Code that belongs to a compilation unit.
 * @start, @end: first address of the code, and one past its last address, in the ELF headers of the
 *               file
 * @furthest: the highest end of this range and all ranges before it
 * @bias: difference between addresses of the file and addresses of the unit
 * @unit: DIE of the unit
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
 * @path: path of the file; belongs to the map
 * @build: build id of the file; belongs to the map; "": not known
 * @bias: difference between an address in the program and the address in the ELF headers of the
 *        file
 * @runtime: smile_object_is_runtime() plus 1; 0: not known yet
 * @global: the file has writable data. It has such data if a region of the kind
 *        MONITOR_REGION_GLOBAL belongs to it
 * @opened: smile_object_open() was called
 * @state: enum Monitor_object_state
 * @variables: number of variables that have names
 * @dwfl: handle of libdwfl; NULL if the file could not be used, with the reason in @state
 * @module: the only module of @dwfl
 * @ranged: @ranges is valid
 * @ranges: address ranges of all units, ascending (debug_unit.c); [@ranges_size]
 * @message: text that describes the problem; "": no problem
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
 * Open the file, unless this function was called before. If the file has a problem, the function
 * does not fail; it stores the problem in the state and the message of the file.
 */
void smile_object_open(struct object *object);
void smile_object_close(struct object *object);

/*
 * Return whether the file is the loader, or belongs to the C library, a compiler or an allocator.
 * The function decides this by the name with which programs link to the file (DT_SONAME). The
 * object must be open.
 */
int smile_object_is_runtime(struct object *object);

/**
 * struct object_variable - A variable.
 * @name: name of the variable; valid during the call
 * @address: address in the file's ELF headers
 * @bytes: size; 0: not known
 * @typed: @type is known
 * @type: type of the variable
 * @file: file that declares the variable; "" if not known; valid as long as the object is open
 * @line: line of @file
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

/* A function that receives a variable. Return: 0 to continue; an error ends the walk. */
typedef int object_variable_found(const struct object_variable *variable, void *opaque);

/* Walk over the variables that have an address. Return: 0; the error of @found; -ENOMEM. */
int smile_debug_variables(struct object *object, object_variable_found *found, void *opaque);
int smile_symbol_variables(struct object *object, object_variable_found *found, void *opaque);

#define OBJECT_NAME_BYTES 512

/*
 * Convert the name of a symbol to the name in the source. This changes only names of C++, of Rust
 * and of Fortran modules. The parameters of functions are left out. @text has room for
 * OBJECT_NAME_BYTES; a longer name is cut off.
 */
void smile_symbol_name(const char *symbol, char *text);

/* The kind of type that a function returns, according to its declaration. */
enum object_yield {
	OBJECT_YIELDS_NOTHING, /* no pointer */
	OBJECT_YIELDS_BYTES, /* a pointer to anything */
	OBJECT_YIELDS_VALUES, /* a pointer to numbers or pointers */
	OBJECT_YIELDS_OBJECT, /* a pointer to a structure */
};

/**
 * struct object_source - The line and column of a call in the source.
 * @function: function that contains the call; "" if not known
 * @file: file that contains the call; "" if not known; valid as long as the object is open
 * @line: line of @file
 * @column: column of @line; 0 if not known
 * @fortran: the source is in Fortran. A Fortran compiler gives all allocations in one line the same
 *           column
 * @declared: debug information describes the function, and all members below are valid
 * @yield: the type that @function returns
 * @sized: the function has a parameter that is an integer
 * @receives: the function returns no pointer, but has a parameter through which it can store a
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
 * Find the call whose return address is @address in the file. @sources: receives the function that
 * contains the call, and all functions into which this function was inlined, the innermost first;
 * shape [@most]. Return: the number of functions, at least 1.
 */
int smile_debug_sources(struct object *object, uint64_t address, struct object_source *sources,
			int most);

/*
 * Find the same call as smile_debug_sources(), but get only the innermost function that does not
 * belong to the compiler or the system.
 */
void smile_debug_source(struct object *object, uint64_t address, struct object_source *source);

/*
 * Return whether a source file belongs to the compiler or the system. smile_debug_source() skips
 * the functions of such files.
 */
int smile_debug_is_system(const char *file);

/**
 * struct object_function - The function that contains an instruction. It is never a function that
 * was inlined into another function.
 * @name: name of the function; "" if not known
 * @known: debug information describes the function, and all members below are valid
 * @die: DIE of the function
 * @pc: the instruction, as an address of the debug information
 * @fortran: the function is in Fortran
 */
struct object_function {
	char name[OBJECT_NAME_BYTES];
	int known;
	Dwarf_Die die;
	Dwarf_Addr pc;
	int fortran;
};

/* Find the function that contains the instruction at @address. */
void smile_debug_function(struct object *object, uint64_t address,
			  struct object_function *function);

/*
 * Walk over the variables in a frame of the function. The addresses of the variables are addresses
 * of the program.
 * Return: 0; the error of @found; -ENOMEM.
 */
int smile_debug_frame(const struct object_function *function,
		      const struct Monitor_stack_frame *frame, object_variable_found *found,
		      void *opaque);

#endif /* LIB_SYMBOLS_OBJECT_H */
