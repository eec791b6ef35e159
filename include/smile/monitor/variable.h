/* SPDX-License-Identifier: MIT */
/*
 * Variables: data structures and their location. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_VARIABLE_H
#define SMILE_MONITOR_VARIABLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor;

/*
 * These calls describe the program's memory by the names of the data in the program's source. A
 * recording does not hold these names. The library reads them from the program's own files when a
 * name is first requested. It opens the files by the paths that they had when the program ran, and
 * uses them only if they have not changed. It finds separate debug files as gdb does. If memory has
 * no name, the calls report its region and offset, and Monitor_objects() reports why the name is
 * missing. Source: [2002b] "Data structure and location" window.
 */

enum Monitor_variable_kind {
	MONITOR_VARIABLE_GLOBAL, /* global, static, member of a class, module variable, COMMON */
	MONITOR_VARIABLE_HEAP, /* all blocks of an allocation site */
	MONITOR_VARIABLE_SEVERAL, /* used by one site after another, or in too many small blocks */
	MONITOR_VARIABLE_NAMED, /* a region with a name: smile_alloc() */
	MONITOR_VARIABLE_ANONYMOUS, /* the rest of a region, outside of all variables */
	MONITOR_VARIABLE_STACK, /* a variable in a function's frame, or the rest of a frame */
};

/**
 * struct Monitor_variable - A variable, or another named part of the program's memory.
 * @address: address of the first byte
 * @bytes: number of bytes in all extents
 * @extents: number of pieces of contiguous memory; 1 except on the heap, on stacks, and for the
 *           rest of a region
 * @item_bytes: for an array, the number of bytes that belong to one value of its slowest index,
 *              which is the size of an item or of a row (in Fortran, of a column); for consecutive
 *              blocks of the heap, the size of a block; for a named region, the item size that the
 *              program has set (Gas_name(3)); else 0
 * @blocks: for an allocation site, the number of blocks that it has allocated; else 0
 * @lost: number of @blocks that are not in the extents, because the recording does not describe
 *        them
 * @kind: enum Monitor_variable_kind
 * @line: line of @file; 0: not known
 * @name: "matrix", "sim::cells", "step::count" (a static variable of a function), "/block/a"
 *        (Fortran's COMMON), "grid.c:42 (make_grid)" (an allocation site), or a region's name. On
 *        stacks: "main::matrix"; "thread 2::worker::own" if several threads have the variable;
 *        "main's frame" for the part of a frame that is in no variable; "init::a or solve::b", or
 *        "init::a or solve's frame", if frames of several functions used the memory one after
 *        another
 * @type: type in the syntax of the source, such as "double [512][512]"; "" if not known
 * @object: path of the program's file that contains the variable; "" if no file does
 * @file: source file that declares the variable or allocates the blocks; "" if not known
 *
 * All strings belong to the Monitor. They are valid until Monitor_close() or the next call that
 * adds data about the program.
 */
struct Monitor_variable {
	uint64_t address;
	uint64_t bytes;
	uint64_t extents;
	uint64_t item_bytes;
	uint64_t blocks;
	uint64_t lost;
	uint32_t kind;
	uint32_t line;
	const char *name;
	const char *type;
	const char *object;
	const char *file;
};

/**
 * Monitor_variables() - Get all variables, in ascending order of their addresses.
 * @variables: receives the variables; caller-owned array of @capacity elements; may be NULL if
 *             @capacity is 0
 *
 * Return: the number of variables, of which at most @capacity were filled in.
 * Errors: -ENOMEM.
 */
int Monitor_variables(struct Monitor *mon, struct Monitor_variable *variables, size_t capacity);

/**
 * struct Monitor_extent - Contiguous memory of a variable.
 * @start: first address
 * @end: one past the last
 * @base: address of the variable or block; differs from @start only if the variable or block begins
 *        before the extent
 * @variable: index, as in Monitor_variables()
 * @reserved: 0
 */
struct Monitor_extent {
	uint64_t start;
	uint64_t end;
	uint64_t base;
	uint32_t variable;
	uint32_t reserved;
};

#define MONITOR_VARIABLES_ALL UINT32_MAX

/**
 * Monitor_extents() - Get the extents of a variable.
 * @variable: index; MONITOR_VARIABLES_ALL: the extents of all variables
 * @extents: receives the extents, in ascending order and without overlaps; caller-owned array of
 *           @capacity elements; may be NULL if @capacity is 0
 *
 * Return: the number of extents, of which at most @capacity were filled in.
 * Errors: -EINVAL; -ENOMEM.
 */
int Monitor_extents(struct Monitor *mon, uint32_t variable, struct Monitor_extent *extents,
		    size_t capacity);

#define MONITOR_NAME_BYTES 256

/**
 * struct Monitor_place - The variable at an address, and the element of the variable there.
 * @variable: index, as in Monitor_variables()
 * @block: for an allocation site that has several blocks, the number of the block, from 0; else 0
 * @extent: address at which the variable or the block begins
 * @start: first byte of the element, which is an item of an array, or a member; first byte of the
 *         variable if its type is not known
 * @bytes: size of the element
 * @name: "matrix[130][17]", "particles[12].pos.x", "a(17,130)" in Fortran; "grid.c:42
 *        (make_grid)+24", or, if this site has allocated several blocks, "grid.c:42 (make_grid)
 *        block 3 +24"; "grid[130]+136" for a region whose item size is known; "heap+0x2000" for
 *        other memory. A name that is too long is truncated
 * @type: type of the element; "" if not known
 */
struct Monitor_place {
	uint32_t variable;
	uint32_t block;
	uint64_t extent;
	uint64_t start;
	uint64_t bytes;
	char name[MONITOR_NAME_BYTES];
	char type[MONITOR_NAME_BYTES];
};

/**
 * Monitor_variable_find() - Find the variable at an address, and the item and the member in it.
 * @address: address
 * @place: receives the variable and the element
 *
 * An element is an item of an array or a member of a struct. The members of a union share their
 * memory, so the call does not choose one of them. Some elements, such as unions, are neither a
 * single number nor divided into named parts. The name of such an element ends with an offset, such
 * as "text+4096".
 *
 * Return: 0.
 * Errors: -ENOENT if the address is in no variable; -ENOMEM.
 */
int Monitor_variable_find(struct Monitor *mon, uint64_t address, struct Monitor_place *place);

/**
 * Monitor_call_name() - Describe where in the program a call is.
 * @caller: return address of the call
 * @text: receives the text, which is truncated if it is too long; caller-owned, MONITOR_NAME_BYTES
 *        long
 *
 * The text is, for example, "grid.c:42 (make_grid)". Without debug information, it is "grid
 * (make_grid)" or "grid+0x1234". If the call is in no file of the program, it is "0x1234".
 *
 * Return: 0.
 * Errors: -ENOMEM.
 */
int Monitor_call_name(struct Monitor *mon, uint64_t caller, char *text);

enum Monitor_type_kind {
	MONITOR_TYPE_PLAIN, /* a number, a pointer, or a type whose members are not known */
	MONITOR_TYPE_ARRAY,
	MONITOR_TYPE_STRUCT, /* struct, class, derived type */
	MONITOR_TYPE_UNION, /* its members share memory, and are not reported */
};

#define MONITOR_TYPE_FORTRAN 0x1U /* a(i,j): i varies fastest; members follow % */

/**
 * struct Monitor_type - A type.
 * @bytes: size of the type; 0: not known
 * @item_bytes: for an array, bytes from one item to the next; else 0
 * @kind: enum Monitor_type_kind of the type without typedefs and qualifiers
 * @flags: MONITOR_TYPE_*
 * @item: for an array, the type of its items; else 0
 * @reserved: 0
 * @name: name in the syntax of the source; "" if not known. The string belongs to the Monitor, like
 *        the strings of struct Monitor_variable
 */
struct Monitor_type {
	uint64_t bytes;
	uint64_t item_bytes;
	uint32_t kind;
	uint32_t flags;
	uint32_t item;
	uint32_t reserved;
	const char *name;
};

/**
 * struct Monitor_type_part - A dimension of an array, or a member of a struct.
 * @name: name of a member; "" for a base class, a member without a name, and a dimension
 * @lower: for a dimension, its lowest index
 * @count: for a dimension, the number of its items; 0: not known
 * @offset: offset of a member, in bytes; 0 for a dimension
 * @bytes: size of a member; 0 for a dimension
 * @type: type of a member; 0 for a dimension
 * @reserved: 0
 */
struct Monitor_type_part {
	const char *name;
	int64_t lower;
	uint64_t count;
	uint64_t offset;
	uint64_t bytes;
	uint32_t type;
	uint32_t reserved;
};

/**
 * Monitor_variable_type() - Get the type of a variable, as a number for Monitor_type_info().
 * @variable: index, as in Monitor_variables()
 *
 * Variables of the same type may have the same number. The numbers become invalid at the same time
 * as the strings of struct Monitor_variable.
 *
 * Return: the number, from 0.
 * Errors: -ENOENT if the type is not known; -EINVAL; -ENOMEM.
 */
int Monitor_variable_type(struct Monitor *mon, uint32_t variable);

/**
 * Monitor_type_info() - Get a type and its parts.
 * @type: number from Monitor_variable_type(), from @item or from a part's @type
 * @out: receives the type
 * @parts: receives the dimensions in the order of the source, or the members in the order of the
 *         debug information, without members that have no bytes of their own (bit fields, statics);
 *         caller-owned array of @capacity elements; may be NULL if @capacity is 0
 *
 * Monitor_variable_find() names elements by these parts.
 *
 * In damaged debug information, a type can be a part of itself. A caller that descends into the
 * parts must therefore limit its depth.
 *
 * Return: the number of parts, of which at most @capacity were filled in.
 * Errors: -EINVAL if the type does not exist; -ENOMEM.
 */
int Monitor_type_info(struct Monitor *mon, uint32_t type, struct Monitor_type *out,
		      struct Monitor_type_part *parts, size_t capacity);

/**
 * struct Monitor_structure_row - Accesses of node @source to the part of a variable that lies on
 * node @home.
 * @variable: index, as in Monitor_variables(); MONITOR_VARIABLES_ALL: accesses outside all
 *            variables
 * @home: node on which the part lies
 * @source: node that accessed the part
 * @reserved: 0
 * @accesses: all accesses
 * @reads: reads
 * @writes: writes
 * @locks: locks
 * @straddling: accesses of all counted ranges that touch this variable and another variable. It is
 *              not known which of the variables was accessed, so the other counts of all rows leave
 *              out these accesses. The row of each touched variable includes the accesses of such a
 *              range in its @straddling, and the row of MONITOR_VARIABLES_ALL includes them once
 *
 * A range can reach from a variable into a gap that belongs to no variable. If the gap is smaller
 * than 64 bytes, the range counts for the variable. Alignment and the heap's bookkeeping leave such
 * small gaps. The sum of the @accesses of all rows, plus the @straddling of the rows of
 * MONITOR_VARIABLES_ALL, equals the sum of the counts of Monitor_histogram_info().
 */
struct Monitor_structure_row {
	uint32_t variable;
	uint32_t home;
	uint32_t source;
	uint32_t reserved;
	uint64_t accesses;
	uint64_t reads;
	uint64_t writes;
	uint64_t locks;
	uint64_t straddling;
};

/**
 * Monitor_structures_info() - Get the accesses by variable.
 * @rows: receives the rows, in ascending order of variable, home and source; caller-owned array of
 *        @capacity elements; may be NULL if @capacity is 0
 *
 * The rows contain the same accesses as the histogram, grouped by variable instead of by page.
 *
 * Return: the number of rows, of which at most @capacity were filled in.
 * Errors: -ENOMEM.
 * Source: [2002b] "Data structure and location" window.
 */
int Monitor_structures_info(struct Monitor *mon, struct Monitor_structure_row *rows,
			    size_t capacity);

/**
 * Monitor_spans_info() - Get the accesses by span, which is a part of the address space that the
 * caller chooses.
 * @bounds: ascending addresses, shape [@spans + 1]; span i is from bounds[i] to bounds[i + 1]
 * @spans: number of spans
 * @rows: as for Monitor_structures_info(), but @variable is the index of the span, and
 *        MONITOR_VARIABLES_ALL marks the row of accesses that straddle spans. No row has accesses
 *        outside all spans
 *
 * Return: the number of rows, of which at most @capacity were filled in.
 * Errors: -EINVAL if @bounds do not ascend; -ENOMEM.
 */
int Monitor_spans_info(struct Monitor *mon, const uint64_t *bounds, size_t spans,
		       struct Monitor_structure_row *rows, size_t capacity);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_VARIABLE_H */
