/* SPDX-License-Identifier: MIT */
/*
 * View variables: lists the variables of the program, with their names in the source.
 *
 * What lives here: the variables that the library finds, with the number of accesses to each.
 * Variables without accesses are left out. If there are too many variables, only the variables with
 * the most accesses are kept. May use view_model.h and memory.h.
 */
#ifndef LIB_ANALYSIS_VIEW_VIEW_VARIABLES_H
#define LIB_ANALYSIS_VIEW_VIEW_VARIABLES_H

#include "lib/analysis/view/view_model.h"

#define VIEW_VARIABLES_MAX 4096
/* The largest number of variables whose accesses are reported separately for each node. */
#define VIEW_BY_NODE_MAX 1024
/*
 * The largest number of extents of a variable that are kept. If a variable has more extents, for
 * example because the program allocates its memory block by block, only the first extents are kept.
 */
#define VIEW_PIECES_MAX 256

/* The ways in which the extents of a variable are reported. */
enum view_pieces {
	VIEW_PIECES_NONE, /* only one extent, which is the whole variable */
	VIEW_PIECES_PLAIN,
	VIEW_PIECES_BLOCKS, /* extents of the heap: each is reported with its block */
	VIEW_PIECES_STACK, /* extents of a stack: each is reported with its part of the variable */
};

/**
 * struct view_piece - An extent of a variable.
 * @start: first address
 * @bytes: length of the extent
 * @block: for the heap, the number of the block that contains the extent's first byte, counted
 *         among the blocks of the same site; -1: blocks are not reported separately. For a stack, 0
 * @offset: offset of the extent in the block
 * @block_bytes: size of the block; 0 for a stack, or if blocks are not reported
 */
struct view_piece {
	uint64_t start;
	uint64_t bytes;
	int64_t block;
	uint64_t offset;
	uint64_t block_bytes;
};

/**
 * struct view_variable - A variable, and its counts.
 * @variable: the variable
 * @index: index of the variable in Monitor_variables()
 * @type: number of the variable's type; negative if the type is not known
 * @pieces: how the variable's extents are reported
 * @accesses: number of all accesses
 * @straddling: number of accesses that were counted in a range which also contains a part of
 *              another variable
 * @by_node: @rows are known
 * @rows: accesses by source, summed over all homes, without straddling accesses; shape [@row_count]
 * @row_count: number of rows
 * @behind: if transactions are distinguished from accesses, the variable's transactions, which the
 *          caches did not serve. The members of @behind have the same meanings as the members
 *          above, but for transactions:
 */
struct view_variable {
	const struct Monitor_variable *variable;
	uint32_t index;
	int type;
	enum view_pieces pieces;
	uint64_t accesses;
	uint64_t straddling;
	int by_node;
	const struct Monitor_structure_row *rows;
	size_t row_count;
	struct {
		uint64_t accesses;
		uint64_t straddling;
		const struct Monitor_structure_row *rows;
		size_t row_count;
	} behind;
};

/**
 * struct view_variables - The variables with accesses.
 * @list: accessed variables other than regions, in descending order of accesses; shape [@count]
 * @count: number of variables
 * @all: all variables, as in Monitor_variables()
 * @rows: rows of all variables in @list; shape [@row_count]
 * @row_count: number of rows
 * @behind: if @told is set, rows of the variables' transactions; shape [@behind_count]
 * @behind_count: number of rows in @behind
 * @told: the machine has coherent caches for all memory, and @rows count the processors' accesses,
 *        including those that the caches served
 */
struct view_variables {
	struct view_variable *list;
	size_t count;
	struct Monitor_variable *all;
	struct Monitor_structure_row *rows;
	size_t row_count;
	struct Monitor_structure_row *behind;
	size_t behind_count;
	int told;
};

/**
 * view_variables_load() - Load the variables. If the recordings have no variables, the list is
 * empty.
 * @variables: all 0
 *
 * Return: 0; -ENOMEM. Call view_variables_free() in either case.
 */
int view_variables_load(struct view_variables *variables, const struct view_model *model);

void view_variables_free(struct view_variables *variables);

/**
 * view_pieces_get() - Get the extents of a variable.
 * @pieces: caller-owned, shape [VIEW_PIECES_MAX]
 *
 * Return: the number of pieces filled in; -ENOMEM.
 */
int view_pieces_get(const struct view_model *model, const struct view_variable *variable,
		    struct view_piece *pieces);

#endif /* LIB_ANALYSIS_VIEW_VIEW_VARIABLES_H */
