// SPDX-License-Identifier: MIT
/*
 * View: what the program calls its data.
 *
 * What lives here: the variables that the library finds, with the accesses that were counted for
 * each. Those without accesses are left out, and of very many those with the most are kept.
 */
#include "tools/view.h"

#include <stdlib.h>

#include "tools/output.h"
#include "tools/report.h"
#include "tools/smile.h"
#include "tools/structures.h"

#define VARIABLES_MAX 4096
/* Pieces of one variable: of what is allocated block by block, the first ones. */
#define PIECES_MAX 256

/**
 * struct variable_sum - A variable, and what was counted of it.
 * @index: as of Monitor_variables()
 * @accesses: all
 */
struct variable_sum {
	uint32_t index;
	uint64_t accesses;
};

static int by_accesses(const void *left, const void *right)
{
	const struct variable_sum *a = left, *b = right;

	if (a->accesses != b->accesses)
		return a->accesses > b->accesses ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static json_t *pieces_json(const struct view *view, uint32_t index)
{
	struct Monitor_piece *pieces = report_memory(PIECES_MAX, sizeof(*pieces));
	int count = Monitor_pieces(view->mon, index, pieces, PIECES_MAX);
	json_t *list = json_array();

	for (int i = 0; i < count && i < PIECES_MAX; i++)
		json_array_append_new(list,
				      json_pack("[I, I]", (json_int_t)pieces[i].start,
						(json_int_t)(pieces[i].end - pieces[i].start)));
	free(pieces);
	return list;
}

static json_t *variable_json(const struct view *view, const struct Monitor_variable *variable,
			     const struct variable_sum *sum)
{
	json_t *object = json_pack(
		"{s:o, s:s, s:o, s:o, s:I, s:I, s:I, s:I}", "name",
		output_json_string(variable->name), "kind", structures_kind(variable->kind), "type",
		output_json_string(variable->type), "file", output_json_string(variable->file),
		"line", (json_int_t)variable->line, "start", (json_int_t)variable->address, "bytes",
		(json_int_t)variable->bytes, "accesses", output_json_int(sum->accesses));

	if (variable->pieces > 1)
		json_object_set_new(object, "pieces", pieces_json(view, sum->index));
	return object;
}

/* Accesses of each variable. Return: how many have some; they come first, the most first. */
static size_t variables_sum(const struct view *view, struct variable_sum *sums, size_t count)
{
	int rows = Monitor_structures_info(view->mon, NULL, 0);
	struct Monitor_structure_row *list;
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		sums[i] = (struct variable_sum){.index = (uint32_t)i};
	if (rows <= 0)
		return 0;
	list = report_memory((size_t)rows, sizeof(*list));
	rows = Monitor_structures_info(view->mon, list, (size_t)rows);
	for (int i = 0; i < rows; i++)
		if (list[i].variable < count)
			sums[list[i].variable].accesses += list[i].accesses + list[i].straddling;
	free(list);
	qsort(sums, count, sizeof(*sums), by_accesses);
	while (used < count && used < VARIABLES_MAX && sums[used].accesses)
		used++;
	return used;
}

json_t *view_variables_json(const struct view *view)
{
	int count = Monitor_variables(view->mon, NULL, 0);
	struct Monitor_variable *variables;
	struct variable_sum *sums;
	json_t *list;
	size_t used;

	if (count <= 0)
		return NULL;
	variables = report_memory((size_t)count, sizeof(*variables));
	sums = report_memory((size_t)count, sizeof(*sums));
	count = Monitor_variables(view->mon, variables, (size_t)count);
	used = count > 0 ? variables_sum(view, sums, (size_t)count) : 0;
	list = used ? json_array() : NULL;
	for (size_t i = 0; i < used; i++) {
		const struct Monitor_variable *variable = &variables[sums[i].index];

		/* The others are regions, which the document has. */
		if (variable->kind != MONITOR_VARIABLE_NAMED &&
		    variable->kind != MONITOR_VARIABLE_ANONYMOUS)
			json_array_append_new(list, variable_json(view, variable, &sums[i]));
	}
	free(variables);
	free(sums);
	return list;
}
