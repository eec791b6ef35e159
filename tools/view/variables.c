// SPDX-License-Identifier: MIT
/*
 * View: what the program calls its data.
 *
 * What lives here: the variables that the library finds, with the accesses that were counted for
 * each. Those without accesses are left out, and of very many those with the most are kept.
 */
#include "tools/view/view.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "lib/analysis/structures.h"

#define VARIABLES_MAX 4096
/* Extents of one variable: of what is allocated block by block, the first ones. */
#define EXTENTS_MAX 256
/* Variables whose accesses are reported by node. */
#define BY_NODE_MAX 1024
/* Rows that there is room for at first. */
#define ROWS_FIRST 65536

/**
 * struct variable_sum - A variable, and what was counted of it.
 * @index: as of Monitor_variables()
 * @accesses: all
 * @straddling: of those, by ranges that touch another variable, too
 * @first_row: of struct rows_by_variable
 * @rows: how many
 */
struct variable_sum {
	uint32_t index;
	uint64_t accesses;
	uint64_t straddling;
	size_t first_row;
	size_t rows;
};

/**
 * struct rows_by_variable - Of Monitor_structures_info().
 * @list: ascending by variable; shape [@count]
 */
struct rows_by_variable {
	struct Monitor_structure_row *list;
	size_t count;
};

static int by_accesses(const void *left, const void *right)
{
	const struct variable_sum *a = left, *b = right;

	if (a->accesses != b->accesses)
		return a->accesses > b->accesses ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/*
 * What an extent of the heap begins with: a block by its number among those of its site, the offset
 * in it, and its bytes. Number -1: blocks are not reported one by one.
 */
static void block_add(const struct view_model *model, const struct Monitor_extent *extent,
		      json_t *json)
{
	struct Monitor_place place;
	int reported = Monitor_variable_find(model->mon, extent->start, &place) == 0 &&
		       strstr(place.name, " block ");

	json_array_append_new(json, json_integer(reported ? (json_int_t)place.block : -1));
	json_array_append_new(
		json, json_integer(reported ? (json_int_t)(extent->start - place.start) : 0));
	json_array_append_new(json, json_integer(reported ? document_int(place.bytes) : 0));
}

/* The same of an extent of a stack: there is one block, whose part it is. */
static void part_add(const struct Monitor_extent *extent, json_t *json)
{
	json_array_append_new(json, json_integer(0));
	json_array_append_new(json, json_integer((json_int_t)(extent->start - extent->base)));
	json_array_append_new(json, json_integer(0));
}

/* Does an extent not begin where the variable does, since others had that part as well? */
static int is_part(const struct view_model *model, const struct Monitor_variable *variable,
		   uint32_t index)
{
	struct Monitor_extent extent;

	return variable->kind == MONITOR_VARIABLE_STACK &&
	       Monitor_extents(model->mon, index, &extent, 1) > 0 && extent.start != extent.base;
}

static json_t *extents_json(const struct view_model *model, uint32_t index, int blocks, int stack)
{
	struct Monitor_extent *extents = tool_memory(EXTENTS_MAX, sizeof(*extents));
	int count = Monitor_extents(model->mon, index, extents, EXTENTS_MAX);
	json_t *list = json_array();

	for (int i = 0; i < count && i < EXTENTS_MAX; i++) {
		json_t *json = json_pack("[I, I]", (json_int_t)extents[i].start,
					 (json_int_t)(extents[i].end - extents[i].start));

		if (blocks)
			block_add(model, &extents[i], json);
		else if (stack)
			part_add(&extents[i], json);
		json_array_append_new(list, json);
	}
	free(extents);
	return list;
}

static json_t *variable_json(const struct view_model *model,
			     const struct Monitor_variable *variable,
			     const struct variable_sum *sum)
{
	json_t *object = json_pack(
		"{s:o, s:s, s:o, s:o, s:I, s:I, s:I, s:I}", "name", document_text(variable->name),
		"kind", structures_kind(variable->kind), "type", document_text(variable->type),
		"file", document_text(variable->file), "line", (json_int_t)variable->line, "start",
		(json_int_t)variable->address, "bytes", (json_int_t)variable->bytes, "accesses",
		document_int(sum->accesses));
	int shape = Monitor_variable_type(model->mon, sum->index);
	int blocks = variable->kind == MONITOR_VARIABLE_HEAP && variable->blocks > 1;

	if (shape >= 0)
		json_object_set_new(object, "shape", json_integer(shape));
	if (variable->item_bytes)
		json_object_set_new(object, "item_bytes",
				    json_integer(document_int(variable->item_bytes)));
	if (sum->straddling)
		json_object_set_new(object, "straddling",
				    json_integer(document_int(sum->straddling)));
	if (variable->extents > 1 || blocks || is_part(model, variable, sum->index))
		json_object_set_new(object, "pieces",
				    extents_json(model, sum->index, blocks,
						 variable->kind == MONITOR_VARIABLE_STACK));
	return object;
}

/*
 * ---- by node -----------------------------------------------------------------------------------
 */

/* Of one variable: source, reads, writes, locks and untyped accesses, over all homes. */
static json_t *rows_json(struct Monitor_structure_row *rows, size_t count)
{
	struct view_pack pack = {0};

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
		view_pack_number(&pack, sum.source);
		view_pack_number(&pack, sum.reads);
		view_pack_number(&pack, sum.writes);
		view_pack_number(&pack, sum.locks);
		view_pack_number(&pack, sum.accesses - sum.reads - sum.writes - sum.locks);
	}
	return view_packed(&pack);
}

/* Accesses of each variable. Return: how many have some; they come first, the most first. */
static size_t variables_sum(struct rows_by_variable *rows, struct variable_sum *sums, size_t count)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		sums[i] = (struct variable_sum){.index = (uint32_t)i};
	for (size_t i = 0; i < rows->count; i++) {
		const struct Monitor_structure_row *row = &rows->list[i];

		if (row->variable >= count)
			continue;
		if (!sums[row->variable].rows++)
			sums[row->variable].first_row = i;
		sums[row->variable].accesses += row->accesses + row->straddling;
		sums[row->variable].straddling += row->straddling;
	}
	qsort(sums, count, sizeof(*sums), by_accesses);
	while (used < count && used < VARIABLES_MAX && sums[used].accesses)
		used++;
	return used;
}

/* Regions are in the document as such. */
static int is_region(const struct Monitor_variable *variable)
{
	return variable->kind == MONITOR_VARIABLE_NAMED ||
	       variable->kind == MONITOR_VARIABLE_ANONYMOUS;
}

static void rows_get(const struct view_model *model, struct rows_by_variable *rows)
{
	size_t capacity = ROWS_FIRST;
	int count;

	rows->list = tool_memory(capacity, sizeof(*rows->list));
	count = Monitor_structures_info(model->mon, rows->list, capacity);
	/* Counting them takes as long as getting them. */
	if (count > 0 && (size_t)count > capacity) {
		free(rows->list);
		capacity = (size_t)count;
		rows->list = tool_memory(capacity, sizeof(*rows->list));
		count = Monitor_structures_info(model->mon, rows->list, capacity);
	}
	rows->count = count > 0 ? (size_t)count : 0;
}

/* Is there anything but regions? */
static int has_variables(const struct Monitor_variable *variables, int count)
{
	for (int i = 0; i < count; i++)
		if (!is_region(&variables[i]))
			return 1;
	return 0;
}

json_t *view_variables_json(const struct view_model *model)
{
	int count = Monitor_variables(model->mon, NULL, 0);
	struct rows_by_variable rows = {0};
	struct Monitor_variable *variables;
	struct variable_sum *sums;
	json_t *list;
	size_t used;

	if (count <= 0)
		return NULL;
	variables = tool_memory((size_t)count, sizeof(*variables));
	sums = tool_memory((size_t)count, sizeof(*sums));
	count = Monitor_variables(model->mon, variables, (size_t)count);
	if (has_variables(variables, count))
		rows_get(model, &rows);
	used = count > 0 ? variables_sum(&rows, sums, (size_t)count) : 0;
	list = used ? json_array() : NULL;
	for (size_t i = 0; i < used; i++) {
		const struct Monitor_variable *variable = &variables[sums[i].index];

		json_t *object;

		if (is_region(variable))
			continue;
		object = variable_json(model, variable, &sums[i]);
		if (i < BY_NODE_MAX)
			json_object_set_new(object, "by_node",
					    rows_json(rows.list + sums[i].first_row, sums[i].rows));
		json_array_append_new(list, object);
	}
	free(rows.list);
	free(variables);
	free(sums);
	return list;
}
