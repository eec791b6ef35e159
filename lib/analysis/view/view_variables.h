/* SPDX-License-Identifier: MIT */
/*
 * View variables: the program's names for its data.
 *
 * What lives here: the variables that the library finds, with the accesses that were counted for
 * each. Variables without accesses are left out; if there are very many, those with the most
 * accesses are kept. May use view_model.h and memory.h.
 */
#ifndef LIB_ANALYSIS_VIEW_VIEW_VARIABLES_H
#define LIB_ANALYSIS_VIEW_VIEW_VARIABLES_H

#include "lib/analysis/view/view_model.h"

#define VIEW_VARIABLES_MAX 4096
/* Variables whose accesses are reported by node. */
#define VIEW_BY_NODE_MAX 1024
/* At most this many extents of a variable are kept: if memory is allocated block by block, the
 * first ones. */
#define VIEW_PIECES_MAX 256

/* How the extents of a variable are reported. */
enum view_pieces {
	VIEW_PIECES_NONE, /* there is only one extent, the variable */
	VIEW_PIECES_PLAIN,
	VIEW_PIECES_BLOCKS, /* of the heap: each with its block */
	VIEW_PIECES_STACK, /* of a stack: each with its part of the variable */
};

/**
 * struct view_piece - An extent of a variable.
 * @start: first address
 * @bytes: its length
 * @block: for the heap, the number of the block in which it begins, among the blocks of its site;
 *         -1: blocks are not reported one by one. For a stack, 0
 * @offset: where in the block it begins
 * @block_bytes: of the block; 0 for a stack, and if blocks are not reported
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
 * @index: as of Monitor_variables()
 * @type: number of its type; negative if it is not known
 * @pieces: how its extents are reported
 * @accesses: all
 * @straddling: of these, accesses by ranges that also touch another variable
 * @by_node: @rows are known
 * @rows: its accesses by source, over all homes, without those that straddle; shape [@row_count]
 * @row_count: how many
 * @behind: its transactions behind the caches, if these are told apart; the same of them:
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
 * struct view_variables - Those with accesses.
 * @list: the most accesses first; shape [@count]. Regions are not among them
 * @count: how many
 * @all: as of Monitor_variables()
 * @rows: of all of them; shape [@row_count]
 * @row_count: how many
 * @behind: rows of their transactions, if @told; shape [@behind_count]
 * @behind_count: how many
 * @told: the machine has caches in front of all memory: accesses are those in front of them
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
 * view_variables_load() - Get them. The list is empty if the recordings know of no variable.
 * @variables: all 0
 *
 * Return: 0; -ENOMEM. Call view_variables_free() in either case.
 */
int view_variables_load(struct view_variables *variables, const struct view_model *model);

void view_variables_free(struct view_variables *variables);

/**
 * view_pieces_get() - The extents of a variable.
 * @pieces: caller-owned, shape [VIEW_PIECES_MAX]
 *
 * Return: how many were filled in; -ENOMEM.
 */
int view_pieces_get(const struct view_model *model, const struct view_variable *variable,
		    struct view_piece *pieces);

#endif /* LIB_ANALYSIS_VIEW_VIEW_VARIABLES_H */
