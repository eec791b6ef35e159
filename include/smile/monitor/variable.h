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
 * The data in the program's memory, by the names in its source. Names come from the program's own
 * files. These are read when a name is first asked for, from the paths that they had when the
 * program ran, and only if they are still the same; separate debug files are found as gdb finds
 * them. Names are not kept in the recording. Memory without a name is reported by region and
 * offset, and Monitor_objects() says why. Source: [2002b] "Data structure and location" window.
 */

enum Monitor_variable_kind {
	MONITOR_VARIABLE_GLOBAL, /* global, static, member of a class, module variable, COMMON */
	MONITOR_VARIABLE_HEAP, /* all blocks of an allocation site */
	MONITOR_VARIABLE_SEVERAL, /* of several: one after another, or in too many small blocks */
	MONITOR_VARIABLE_NAMED, /* a region with a name: smile_alloc() */
	MONITOR_VARIABLE_ANONYMOUS, /* what is left of a region */
	MONITOR_VARIABLE_STACK, /* of a function's frame, or what is left of that */
};

/**
 * struct Monitor_variable - Something that has a place in the program's memory.
 * @address: its first byte
 * @bytes: in all its extents
 * @extents: how many pieces of contiguous memory; 1 except on the heap, on stacks, and for the rest
 *          of a region
 * @item_bytes: of an array, the part of each value of its slowest index: an item, a row (in Fortran
 *              a column); of blocks of the heap in a row, a block; of a
 *              region with a name, what the program has said (Gas_name(3)); else 0
 * @blocks: of an allocation site, the blocks that it has allocated; else 0
 * @lost: those among @blocks that are not in its extents, since the recording does not report them
 * @kind: enum Monitor_variable_kind
 * @line: of @file; 0: not known
 * @name: "matrix", "sim::cells", "step::count" (a static of a function), "/block/a" (Fortran's
 *        COMMON), "grid.c:42 (make_grid)" (an allocation site), a region's name; on stacks
 *        "main::matrix", "thread 2::worker::own" if several threads have it, "main's frame" for the
 *        part of a frame that is in no variable, "init::a or solve::b", "init::a or solve's frame"
 *        where frames followed each other
 * @type: as the source would write it, "double [512][512]"; "" if not known
 * @object: path of the file that it is of; "" if of none
 * @file: source file that declares it, or allocates; "" if not known
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
 * Monitor_variables() - All variables, ascending by address.
 * @variables: caller-owned, shape [@capacity]; may be NULL if @capacity is 0
 *
 * Return: the number of variables; min(that, @capacity) of them were filled in.
 * Errors: -ENOMEM.
 */
int Monitor_variables(struct Monitor *mon, struct Monitor_variable *variables, size_t capacity);

/**
 * struct Monitor_extent - Contiguous memory of a variable.
 * @start: first address
 * @end: one past the last
 * @base: address of its variable or block; differs from @start only if that begins before the
 *        extent
 * @variable: index, as of Monitor_variables()
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
 * Monitor_extents() - Where a variable lies.
 * @variable: index; MONITOR_VARIABLES_ALL: the extents of all
 * @extents: caller-owned, shape [@capacity]; ascending, without overlaps; may be NULL if @capacity
 *          is 0
 *
 * Return: the number of extents; min(that, @capacity) of them were filled in.
 * Errors: -EINVAL; -ENOMEM.
 */
int Monitor_extents(struct Monitor *mon, uint32_t variable, struct Monitor_extent *extents,
		    size_t capacity);

#define MONITOR_NAME_BYTES 256

/**
 * struct Monitor_place - What is at an address.
 * @variable: index, as of Monitor_variables()
 * @block: of an allocation site that has several blocks, which of them, from 0; else 0
 * @extent: where the variable, or the block, begins
 * @start: first byte of the element: an item of an array, a member; of the variable if its type is
 *         not known
 * @bytes: of the element
 * @name: "matrix[130][17]", "particles[12].pos.x", "a(17,130)" in Fortran;
 *        "grid.c:42 (make_grid)+24", or, if that has allocated several blocks,
 *        "grid.c:42 (make_grid) block 3 +24"; "grid[130]+136" of a region whose items are known;
 *        "heap+0x2000". Its end is left out if it is too long
 * @type: of the element; "" if not known
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
 * Monitor_variable_find() - What is at an address, down to the item and the member.
 * @address: address
 * @place: receives what is there
 *
 * An element is the item of an array or the member of a struct. Members of a union share their
 * memory, so none is chosen. The name of a union, and of any other item that is not a single number
 * and has no named parts, ends with the offset: "text+4096".
 *
 * Return: 0.
 * Errors: -ENOENT if no variable is there; -ENOMEM.
 */
int Monitor_variable_find(struct Monitor *mon, uint64_t address, struct Monitor_place *place);

/**
 * Monitor_call_name() - Where in the program a call is.
 * @caller: return address of the call
 * @text: caller-owned, MONITOR_NAME_BYTES long; what is too long is cut off
 *
 * The text is "grid.c:42 (make_grid)"; without debug information "grid (make_grid)" or
 * "grid+0x1234"; outside of all files "0x1234".
 *
 * Return: 0.
 * Errors: -ENOMEM.
 */
int Monitor_call_name(struct Monitor *mon, uint64_t caller, char *text);

enum Monitor_type_kind {
	MONITOR_TYPE_PLAIN, /* a number, a pointer; or its members are not known */
	MONITOR_TYPE_ARRAY,
	MONITOR_TYPE_STRUCT, /* struct, class, derived type */
	MONITOR_TYPE_UNION, /* its members share their memory: they are not reported */
};

#define MONITOR_TYPE_FORTRAN 0x1U /* (i,j), the first index fastest; members behind % */

/**
 * struct Monitor_type - A type.
 * @bytes: its size; 0: not known
 * @item_bytes: of an array, from one item to the next; else 0
 * @kind: enum Monitor_type_kind; typedefs and qualifiers are looked through
 * @flags: MONITOR_TYPE_*
 * @item: of an array, the type of its items; else 0
 * @reserved: 0
 * @name: as the source would write it; "" if not known. Belongs to the Monitor, as
 *        struct Monitor_variable's
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
 * @name: of a member; "" for a base class, a member without a name, and a dimension
 * @lower: of a dimension, its lowest index
 * @count: of a dimension, its items; 0: not known
 * @offset: of a member, in bytes; 0 for a dimension
 * @bytes: of a member; 0 for a dimension
 * @type: of a member, its type; 0 for a dimension
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
 * Monitor_variable_type() - The type of a variable, by a number for Monitor_type_info().
 * @variable: index, as of Monitor_variables()
 *
 * Variables of one type may have the same number. Numbers are good as long as the strings of struct
 * Monitor_variable.
 *
 * Return: the number, from 0.
 * Errors: -ENOENT if the type is not known; -EINVAL; -ENOMEM.
 */
int Monitor_variable_type(struct Monitor *mon, uint32_t variable);

/**
 * Monitor_type_info() - What a type is made of.
 * @type: number, of Monitor_variable_type(), @item or a part's @type
 * @out: receives it
 * @parts: caller-owned, shape [@capacity]; dimensions in the order of the source, or members in the
 *         order of the debug information, without members that have no bytes of their own (bit
 *         fields, statics); may be NULL if @capacity is 0
 *
 * Monitor_variable_find() names elements by these parts.
 *
 * Damaged debug information can make a type a part of itself: a reader must limit its depth.
 *
 * Return: the number of parts; min(that, @capacity) of them were filled in.
 * Errors: -EINVAL if there is no such type; -ENOMEM.
 */
int Monitor_type_info(struct Monitor *mon, uint32_t type, struct Monitor_type *out,
		      struct Monitor_type_part *parts, size_t capacity);

/**
 * struct Monitor_structure_row - Accesses of one node to the part of a variable that is on one.
 * @variable: index, as of Monitor_variables(); MONITOR_VARIABLES_ALL: accesses to none of them
 * @home: node where that part lies
 * @source: node that accessed it
 * @reserved: 0
 * @accesses: all
 * @reads: reads
 * @writes: writes
 * @locks: locks
 * @straddling: of the ranges that were counted and touch this variable and another, all accesses.
 *              They are in no row's other counts: which variable was meant is not known, and not
 *              guessed. A range that touches several is in the row of each, and once in the row of
 *              MONITOR_VARIABLES_ALL
 *
 * A range can reach from a variable into a gap that belongs to no variable. If the gap has less
 * than 64 bytes, as alignment and the heap's own bookkeeping leave it, the range counts for the
 * variable. All @accesses, and @straddling of the rows of MONITOR_VARIABLES_ALL, add up to the
 * counts of Monitor_histogram_info().
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
 * Monitor_structures_info() - Accesses by variable.
 * @rows: caller-owned, shape [@capacity]; ascending by variable, home and source; may be NULL if
 *        @capacity is 0
 *
 * This is the histogram by the names that the program gives its data.
 *
 * Return: the number of rows; min(that, @capacity) of them were filled in.
 * Errors: -ENOMEM.
 * Source: [2002b] "Data structure and location" window.
 */
int Monitor_structures_info(struct Monitor *mon, struct Monitor_structure_row *rows,
			    size_t capacity);

/**
 * Monitor_spans_info() - Accesses by parts of the address space that the caller chooses.
 * @bounds: ascending addresses, shape [@spans + 1]; span i is from bounds[i] to bounds[i + 1]
 * @spans: how many
 * @rows: as of Monitor_structures_info(); @variable is the span's index, and MONITOR_VARIABLES_ALL
 * what straddles spans. No row has accesses outside all spans
 *
 * Return: the number of rows; min(that, @capacity) of them were filled in.
 * Errors: -EINVAL if @bounds do not ascend; -ENOMEM.
 */
int Monitor_spans_info(struct Monitor *mon, const uint64_t *bounds, size_t spans,
		       struct Monitor_structure_row *rows, size_t capacity);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_VARIABLE_H */
