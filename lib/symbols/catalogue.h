/* SPDX-License-Identifier: MIT */
/*
 * Catalogue: the variables in the program's memory.
 *
 * What lives here: the list of all variables with their extents of memory. It is made at the first
 * query, from regions, the program's files, frames on its stacks and blocks of its heap
 * (catalogue.c, catalogue_globals.c, catalogue_stack.c, catalogue_stack_name.c, catalogue_heap.c,
 * catalogue_callers.c, catalogue_overlaps.c), for the views (variable.c, structure.c).
 */
#ifndef LIB_SYMBOLS_CATALOGUE_H
#define LIB_SYMBOLS_CATALOGUE_H

#include "lib/symbols/object.h"
#include "lib/map/map.h"
#include "lib/map/extent.h"
#include "lib/base/pool.h"
#include "lib/base/count_table.h"

struct wanting_call;

/**
 * struct named - A variable.
 * @public: the variable as the API reports it; its strings are in the pool or the map
 * @object: index of its object; -1: none
 * @typed: @type is known
 * @type: its type
 * @call: for a block of the heap while blocks get their names, the call that requested it; else
 *        NULL
 */
struct named {
	struct Monitor_variable public;
	int object;
	int typed;
	struct type type;
	const struct wanting_call *call;
};

/**
 * struct reported_type - A type that was requested.
 * @name: name of the type, in the pool; NULL: not yet reported
 */
struct reported_type {
	struct type type;
	const char *name;
};

/**
 * struct catalogue - The whole catalogue.
 * @pool: strings
 * @objects: files of the program, [@objects_size]
 * @variables: ascending by address, [@variables_size]
 * @extents: extents of all variables
 * @blocks: blocks of the heap, ascending by address, shape [@blocks_count]
 * @ordinals: by block: number of blocks of its site before its first block; same shape
 * @types: types that were requested, [@types_size]; their indices are the numbers of the API
 * @type_numbers: number plus one, by the type's offset in the debug information and its language
 * @site_variables: by site, its variable; an invalid index: no memory belongs to only this site
 */
struct catalogue {
	struct pool pool;
	struct object *objects;
	size_t objects_count;
	size_t objects_size;
	struct named *variables;
	size_t variables_count;
	size_t variables_size;
	struct extents extents;
	struct Monitor_block *blocks;
	uint64_t *ordinals;
	size_t blocks_count;
	struct reported_type *types;
	size_t types_count;
	size_t types_size;
	struct count_table type_numbers;
	uint32_t *site_variables;
};

/* Make the catalogue of a map. Return: 0, -ENOMEM. */
int smile_catalogue_make(struct map *map, struct catalogue **out);

void smile_catalogue_free(struct catalogue *catalogue);

/* ---- for the parts of the catalogue ---------------------------------------------------------- */

/* Add a variable; strings are copied. Return: its index; -ENOMEM. */
int64_t smile_catalogue_add(struct catalogue *catalogue, const struct Monitor_variable *variable);

/*
 * The name of a call: "grid.c:42 (make_grid)"; without the source "libx.so (make_grid)",
 * "libx.so+0x1234"; without an object, which may be NULL, "0x1234". @source receives the line.
 */
void smile_catalogue_call(struct object *object, uint64_t caller, struct object_source *source,
			  char *name, size_t bytes);

/**
 * struct wanting_call - The call in the program that requested a block of the heap.
 * @object: its file; NULL: only @address is known
 * @address: its return address
 * @function, @file: in the catalogue's pool; "" if not known
 * @line: of @file
 * @apart: distinguishes calls of one line: its column, or, in Fortran, the address; 0: nothing
 *         distinguishes them
 * @fortran: @apart is the address
 */
struct wanting_call {
	struct object *object;
	uint64_t address;
	const char *function;
	const char *file;
	uint32_t line;
	uint64_t apart;
	int fortran;
};

/* catalogue_callers.c: by site, the call that requested its blocks; shape [number of sites].
 * Return: 0, -ENOMEM.
 */
int smile_catalogue_callers(struct catalogue *catalogue, const struct map *map,
			    struct wanting_call *wanted);

/* The object that has code or data at an address, opened. Return: NULL: no object has. */
struct object *smile_catalogue_object(struct catalogue *catalogue, const struct map *map,
				      uint64_t address);

/*
 * Add the variables of files, and of the heap, to memory without other variables. Return: 0,
 * -ENOMEM.
 */
int smile_catalogue_globals(struct catalogue *catalogue, const struct map *map);
int smile_catalogue_stack(struct catalogue *catalogue, struct map *map);
int smile_catalogue_heap(struct catalogue *catalogue, const struct map *map);

/*
 * Make extents without overlaps from @all, which is sorted by start and may overlap, and add them
 * to @below: memory that several variables used in turn becomes a variable of kind
 * MONITOR_VARIABLE_SEVERAL. Return: 0, -ENOMEM.
 */
int smile_catalogue_turns(struct catalogue *catalogue, const struct extents *all,
			  struct extents *below);

/**
 * struct stack_top - The end of a frame, and its thread.
 * @cfa: canonical frame address of the frame
 * @thread: thread of the frame
 * @alike: one past the last of the successive entries of the same thread
 */
struct stack_top {
	uint64_t cfa;
	uint32_t thread;
	size_t alike;
};

/*
 * The ends of all frames, ascending; shape [number of frames]; the caller must free them. Return:
 * NULL: no memory.
 */
struct stack_top *smile_catalogue_stack_tops(const struct map *map);

/* The name of a region of kind MONITOR_REGION_STACK: its thread, if frames of it are known. */
const char *smile_catalogue_stack_name(const struct stack_top *tops, size_t count,
				       const struct Monitor_region *region, char *text,
				       size_t bytes);

/*
 * A linker gives the program its own copy of a library's variable that it uses, with only its name
 * and size; the library has its type. Call this once all variables are known. Return: 0, -ENOMEM.
 */
int smile_catalogue_copies(struct catalogue *catalogue);

#endif /* LIB_SYMBOLS_CATALOGUE_H */
