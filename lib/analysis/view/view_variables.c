// SPDX-License-Identifier: MIT
/*
 * View variables. See lib/analysis/view/view_variables.h.
 */
#include "lib/analysis/view/view_variables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/search.h>

#include "lib/analysis/memory.h"

/* The initial capacity for rows. */
#define ROWS_FIRST 65536

/* ---- accesses ------------------------------------------------------------------------------ */

/**
 * struct variable_sum - The counts of a variable.
 * @index: index of the variable in Monitor_variables()
 * @accesses: number of all accesses
 * @straddling: number of accesses that were counted in a range that also touches another variable
 * @first_row: index of the variable's first row in the rows of all variables
 * @rows: number of the variable's rows
 */
struct variable_sum {
	uint32_t index;
	uint64_t accesses;
	uint64_t straddling;
	size_t first_row;
	size_t rows;
};

static int by_accesses(const void *left, const void *right)
{
	const struct variable_sum *a = left, *b = right;

	if (a->accesses != b->accesses)
		return a->accesses > b->accesses ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/*
 * Sum up the accesses of each variable, and move variables with accesses to the front, in
 * descending order of accesses. Return: the number of variables with accesses.
 */
static size_t variables_sum(const struct view_variables *variables, struct variable_sum *sums,
			    size_t count)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		sums[i] = (struct variable_sum){.index = (uint32_t)i};
	for (size_t i = 0; i < variables->row_count; i++) {
		const struct Monitor_structure_row *row = &variables->rows[i];

		if (row->variable >= count)
			continue;
		if (!sums[row->variable].rows++)
			sums[row->variable].first_row = i;
		sums[row->variable].accesses += row->accesses + row->straddling;
		sums[row->variable].straddling += row->straddling;
	}
	qsort(sums, count, sizeof(*sums), by_accesses);
	while (used < count && used < VIEW_VARIABLES_MAX && sums[used].accesses)
		used++;
	return used;
}

/* Merge rows with the same source, in place. Return: the number of rows that remain. */
static size_t homes_sum(struct Monitor_structure_row *rows, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct Monitor_structure_row sum = rows[i];

		if (!sum.accesses)
			continue;
		for (size_t k = i + 1; k < count; k++) {
			if (rows[k].source != sum.source)
				continue;
			sum.accesses += rows[k].accesses;
			sum.reads += rows[k].reads;
			sum.writes += rows[k].writes;
			sum.locks += rows[k].locks;
			rows[k].accesses = 0;
		}
		rows[kept++] = sum;
	}
	return kept;
}

/*
 * Return whether a variable stands for a region, or for the rest of a region. Such a variable is
 * not in the list, because it is reported as a region.
 */
static int is_region(const struct Monitor_variable *variable)
{
	return variable->kind == MONITOR_VARIABLE_NAMED ||
	       variable->kind == MONITOR_VARIABLE_ANONYMOUS;
}

/* Get the rows of all variables. @rows: receives the rows, which the caller must free */
static int rows_get(struct Monitor *mon, struct Monitor_structure_row **rows, size_t *rows_count)
{
	size_t capacity = ROWS_FIRST;
	int count;

	*rows = analysis_memory(capacity, sizeof(**rows));
	if (!*rows)
		return -ENOMEM;
	count = Monitor_structures_info(mon, *rows, capacity);
	/*
	 * Counting the rows takes as long as reading them, so read them without counting them
	 * first. If the memory is too small for all rows, read the rows again.
	 */
	if (count > 0 && (size_t)count > capacity) {
		free(*rows);
		capacity = (size_t)count;
		*rows = analysis_memory(capacity, sizeof(**rows));
		if (!*rows)
			return -ENOMEM;
		count = Monitor_structures_info(mon, *rows, capacity);
	}
	*rows_count = count > 0 ? (size_t)count : 0;
	return 0;
}

/*
 * Get the accesses to each variable. If the machine has coherent caches, get both the processors'
 * accesses and the transactions that the caches did not serve.
 */
static int counts_get(struct view_variables *variables, struct Monitor *mon)
{
	int failed;

	variables->told = rows_accesses_known(mon);
	if (!variables->told)
		return rows_get(mon, &variables->rows, &variables->row_count);
	failed = rows_get(mon, &variables->behind, &variables->behind_count);
	if (failed)
		return failed;
	failed = Monitor_accesses_show(mon, 1);
	if (!failed)
		failed = rows_get(mon, &variables->rows, &variables->row_count);
	Monitor_accesses_show(mon, 0);
	return failed;
}

/* Return whether any variable is not a region. */
static int has_variables(const struct Monitor_variable *variables, int count)
{
	for (int i = 0; i < count; i++)
		if (!is_region(&variables[i]))
			return 1;
	return 0;
}

/* ---- pieces -------------------------------------------------------------------------------- */

/*
 * Return whether the first extent of a stack variable begins after the base of the variable. This
 * is the case if other variables also used the memory at the base.
 */
static int is_part(struct Monitor *mon, const struct Monitor_variable *variable, uint32_t index)
{
	struct Monitor_extent extent;

	return variable->kind == MONITOR_VARIABLE_STACK &&
	       Monitor_extents(mon, index, &extent, 1) > 0 && extent.start != extent.base;
}

static enum view_pieces pieces_of(struct Monitor *mon, const struct Monitor_variable *variable,
				  uint32_t index)
{
	int blocks = variable->kind == MONITOR_VARIABLE_HEAP && variable->blocks > 1;

	if (variable->extents <= 1 && !blocks && !is_part(mon, variable, index))
		return VIEW_PIECES_NONE;
	if (blocks)
		return VIEW_PIECES_BLOCKS;
	return variable->kind == MONITOR_VARIABLE_STACK ? VIEW_PIECES_STACK : VIEW_PIECES_PLAIN;
}

/*
 * Set the members of a heap extent that describe the block which contains the extent's first byte.
 */
static void block_set(struct Monitor *mon, struct view_piece *piece)
{
	struct Monitor_place place;

	piece->block = -1;
	if (Monitor_variable_find(mon, piece->start, &place) || !strstr(place.name, " block "))
		return;
	piece->block = (int64_t)place.block;
	piece->offset = piece->start - place.start;
	piece->block_bytes = place.bytes;
}

int view_pieces_get(const struct view_model *model, const struct view_variable *variable,
		    struct view_piece *pieces)
{
	struct Monitor_extent *extents = analysis_memory(VIEW_PIECES_MAX, sizeof(*extents));
	int count;

	if (!extents)
		return -ENOMEM;
	count = Monitor_extents(model->mon, variable->index, extents, VIEW_PIECES_MAX);
	count = count < VIEW_PIECES_MAX ? count : VIEW_PIECES_MAX;
	for (int i = 0; i < count; i++) {
		pieces[i] = (struct view_piece){
			.start = extents[i].start,
			.bytes = extents[i].end - extents[i].start,
		};
		if (variable->pieces == VIEW_PIECES_BLOCKS)
			block_set(model->mon, &pieces[i]);
		else if (variable->pieces == VIEW_PIECES_STACK)
			pieces[i].offset = extents[i].start - extents[i].base;
	}
	free(extents);
	return count > 0 ? count : 0;
}

/* ---- all ----------------------------------------------------------------------------------- */

/* Make the list of variables from the first @used elements of @sums. */
static int list_make(struct view_variables *variables, struct Monitor *mon,
		     const struct variable_sum *sums, size_t used)
{
	variables->list = analysis_memory(used, sizeof(*variables->list));
	if (!variables->list)
		return -ENOMEM;
	for (size_t i = 0; i < used; i++) {
		const struct Monitor_variable *what = &variables->all[sums[i].index];
		struct Monitor_structure_row *rows = variables->rows + sums[i].first_row;
		int by_node = i < VIEW_BY_NODE_MAX;

		if (is_region(what))
			continue;
		variables->list[variables->count++] = (struct view_variable){
			.variable = what,
			.index = sums[i].index,
			.type = Monitor_variable_type(mon, sums[i].index),
			.pieces = pieces_of(mon, what, sums[i].index),
			.accesses = sums[i].accesses,
			.straddling = sums[i].straddling,
			.by_node = by_node,
			.rows = rows,
			.row_count = by_node ? homes_sum(rows, sums[i].rows) : 0,
		};
	}
	return 0;
}

/* Add the transactions of the variables in the list. */
static void behind_add(struct view_variables *variables)
{
	struct Monitor_structure_row *rows = variables->behind;
	size_t count = variables->behind_count;

	for (size_t i = 0; i < variables->count; i++) {
		struct view_variable *variable = &variables->list[i];
		size_t first, at;

		/*
		 * The rows are sorted by variable, so a binary search finds the first row of a
		 * variable.
		 */
		SEARCH_FIRST(first, count, row, rows[row].variable >= variable->index);
		for (at = first; at < count && rows[at].variable == variable->index; at++) {
			variable->behind.accesses += rows[at].accesses + rows[at].straddling;
			variable->behind.straddling += rows[at].straddling;
		}
		variable->behind.rows = rows + first;
		if (variable->by_node)
			variable->behind.row_count = homes_sum(rows + first, at - first);
	}
}

int view_variables_load(struct view_variables *variables, const struct view_model *model)
{
	int count = Monitor_variables(model->mon, NULL, 0), failed = 0;
	struct variable_sum *sums;
	size_t used;

	if (count <= 0)
		return 0;
	variables->all = analysis_memory((size_t)count, sizeof(*variables->all));
	sums = analysis_memory((size_t)count, sizeof(*sums));
	if (!variables->all || !sums) {
		free(sums);
		return -ENOMEM;
	}
	count = Monitor_variables(model->mon, variables->all, (size_t)count);
	if (has_variables(variables->all, count))
		failed = counts_get(variables, model->mon);
	used = count > 0 && !failed ? variables_sum(variables, sums, (size_t)count) : 0;
	if (used)
		failed = list_make(variables, model->mon, sums, used);
	if (used && !failed && variables->told)
		behind_add(variables);
	free(sums);
	return failed;
}

void view_variables_free(struct view_variables *variables)
{
	free(variables->list);
	free(variables->all);
	free(variables->rows);
	free(variables->behind);
}
