/* SPDX-License-Identifier: MIT */
/*
 * Catalogue: lists the variables in the program's memory.
 *
 * What lives here: the list of all variables, with their extents of memory. The first query makes
 * the list from regions, the program's files, the frames on its stacks and the blocks of its heap
 * (catalogue.c, catalogue_globals.c, catalogue_stack.c, catalogue_stack_name.c, catalogue_heap.c,
 * catalogue_callers.c, catalogue_overlaps.c). The views variable.c and structure.c use the list.
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
 * @public: the variable as the API reports it. Its strings are in catalogue->pool or in the map
 * @object: index of the variable's object; -1: the variable has no object
 * @typed: @type is known
 * @type: type of the variable
 * @call: for a variable of the heap, the call that requested its blocks; it is set only while the
 *        variables of the heap get their names; otherwise NULL
 */
struct named {
	struct Monitor_variable public;
	int object;
	int typed;
	struct type type;
	const struct wanting_call *call;
};

/**
 * struct reported_type - A type whose number the API has returned.
 * @type: the type
 * @name: name of the type, in the pool; NULL: no caller has requested the name yet
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
 * @ordinals: for each element of @blocks, the number of earlier blocks of the same site; shape
 *            [@blocks_count]
 * @types: the types that callers have requested, [@types_size]. The index of a type is the number
 *         that the API returns
 * @type_numbers: maps a type to its index in @types, plus one. The key is the offset of the type in
 *                the debug information, and the language of the type
 * @site_variables: for each site, the index of its variable; an invalid index if no memory belongs
 *                  only to this site
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

/* Make the catalogue of a map. Return: 0; -ENOMEM. */
int smile_catalogue_make(struct map *map, struct catalogue **out);

void smile_catalogue_free(struct catalogue *catalogue);

/* ---- for the parts of the catalogue ---------------------------------------------------------- */

/* Add a variable. The function copies its strings. Return: the index of the variable; -ENOMEM. */
int64_t smile_catalogue_add(struct catalogue *catalogue, const struct Monitor_variable *variable);

/*
 * Write the name of a call, such as "grid.c:42 (make_grid)". If the source line is not known, the
 * name is "libx.so (make_grid)" or "libx.so+0x1234". If @object is NULL, the name is "0x1234".
 * @source: receives the source line.
 */
void smile_catalogue_call(struct object *object, uint64_t caller, struct object_source *source,
			  char *name, size_t bytes);

/**
 * struct wanting_call - The call in the program that requested a block of the heap.
 * @object: file of the call; NULL: only @address is known
 * @address: return address of the call
 * @function, @file: function and source file of the call, in the catalogue's pool; "" if not known
 * @line: line of @file
 * @apart: a number that distinguishes several calls in one line. It is the column or, in Fortran,
 *         the address; 0: the calls cannot be distinguished
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

/*
 * Find, for each site, the call that requested its blocks (catalogue_callers.c). @wanted: shape
 * [number of sites]. Return: 0; -ENOMEM.
 */
int smile_catalogue_callers(struct catalogue *catalogue, const struct map *map,
			    struct wanting_call *wanted);

/*
 * Find the object that has code or data at an address, and open the object. Return: the object;
 * NULL if no object has code or data there.
 */
struct object *smile_catalogue_object(struct catalogue *catalogue, const struct map *map,
				      uint64_t address);

/*
 * Add the variables of files, of stacks or of the heap. The added variables get only memory that
 * belongs to no other variable yet. Return: 0; -ENOMEM.
 */
int smile_catalogue_globals(struct catalogue *catalogue, const struct map *map);
int smile_catalogue_stack(struct catalogue *catalogue, struct map *map);
int smile_catalogue_heap(struct catalogue *catalogue, const struct map *map);

/*
 * Divide the memory of @all into extents that do not overlap, and add these to @below. @all is
 * sorted by start, and its extents may overlap. If several variables used the same memory at
 * different times, this memory becomes a variable of the kind MONITOR_VARIABLE_SEVERAL. Return: 0;
 * -ENOMEM.
 */
int smile_catalogue_turns(struct catalogue *catalogue, const struct extents *all,
			  struct extents *below);

/**
 * struct stack_top - The end of a frame, and the thread of the frame.
 * @cfa: canonical frame address of the frame
 * @thread: thread of the frame
 * @alike: index of the next entry whose thread differs from the thread of this entry
 */
struct stack_top {
	uint64_t cfa;
	uint32_t thread;
	size_t alike;
};

/*
 * Get the ends of all frames, ascending; shape [number of frames]. The caller must free them.
 * Return: the array; NULL if memory is missing.
 */
struct stack_top *smile_catalogue_stack_tops(const struct map *map);

/*
 * Get the name of a region of kind MONITOR_REGION_STACK. If frames in the region are known, the
 * name is the name of their thread.
 */
const char *smile_catalogue_stack_name(const struct stack_top *tops, size_t count,
				       const struct Monitor_region *region, char *text,
				       size_t bytes);

/*
 * Complete the types of copied variables. If a program uses a variable of a library, the linker
 * makes a copy of the variable in the program. The copy has only a name and a size; only the
 * variable in the library has a type. Call this function when all variables are known. Return: 0;
 * -ENOMEM.
 */
int smile_catalogue_copies(struct catalogue *catalogue);

#endif /* LIB_SYMBOLS_CATALOGUE_H */
