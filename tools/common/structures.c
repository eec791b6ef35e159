// SPDX-License-Identifier: MIT
/*
 * Structures: accesses by variable. See tools/common/structures.h.
 */
#include "tools/common/structures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/tool.h"

#define ARRAYS 5

static int fail(void)
{
	return tool_error("%s", Monitor_error_message());
}

/* Each asked twice: how many, and which. */
static int load_names(struct structures *structures, struct Monitor *mon)
{
	int count = Monitor_variables(mon, NULL, 0);
	int pieces = Monitor_pieces(mon, MONITOR_VARIABLES_ALL, NULL, 0);
	int objects = Monitor_objects(mon, NULL, 0);

	if (count < 0 || pieces < 0 || objects < 0)
		return fail();
	structures->variables = tool_memory((size_t)count, sizeof(*structures->variables));
	structures->pieces = tool_memory((size_t)pieces, sizeof(*structures->pieces));
	structures->objects = tool_memory((size_t)objects, sizeof(*structures->objects));
	structures->variable_count = (size_t)count;
	structures->piece_count = (size_t)pieces;
	structures->object_count = (size_t)objects;
	Monitor_variables(mon, structures->variables, (size_t)count);
	Monitor_pieces(mon, MONITOR_VARIABLES_ALL, structures->pieces, (size_t)pieces);
	Monitor_objects(mon, structures->objects, (size_t)objects);
	return TOOL_OK;
}

static void add_row(struct structure *structure, const struct Monitor_structure_row *row,
		    size_t nodes)
{
	structure->straddling += row->straddling;
	structure->all += row->accesses;
	structure->all_reads += row->reads;
	structure->all_writes += row->writes;
	structure->all_locks += row->locks;
	if (row->home != row->source)
		structure->remote += row->accesses;
	if (row->home < nodes)
		structure->homes[row->home] += row->accesses + row->straddling;
	if (row->source >= nodes)
		return;
	structure->accesses[row->source] += row->accesses;
	structure->reads[row->source] += row->reads;
	structure->writes[row->source] += row->writes;
	structure->locks[row->source] += row->locks;
}

static size_t distinct(const struct Monitor_structure_row *rows, size_t count)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		found += !i || rows[i].variable != rows[i - 1].variable;
	return found;
}

static void add_rows(struct structures *structures, const struct Monitor_structure_row *rows,
		     size_t count)
{
	size_t nodes = structures->nodes;
	uint64_t *at = structures->counts;

	for (size_t i = 0; i < count; i++) {
		struct structure *structure;

		if (!i || rows[i].variable != rows[i - 1].variable) {
			structure = &structures->list[structures->count++];
			structure->index = rows[i].variable;
			if (rows[i].variable < structures->variable_count)
				structure->variable = &structures->variables[rows[i].variable];
			structure->homes = at;
			structure->accesses = at + nodes;
			structure->reads = at + 2 * nodes;
			structure->writes = at + 3 * nodes;
			structure->locks = at + 4 * nodes;
			at += ARRAYS * nodes;
		}
		structure = &structures->list[structures->count - 1];
		add_row(structure, &rows[i], nodes);
		structures->all += rows[i].accesses;
		if (!structure->variable)
			structures->straddling += rows[i].straddling;
	}
}

static void find_dominant(struct structures *structures)
{
	for (size_t i = 0; i < structures->count; i++) {
		struct structure *structure = &structures->list[i];

		for (size_t node = 1; node < structures->nodes; node++)
			if (structure->accesses[node] > structure->accesses[structure->dominant])
				structure->dominant = node;
	}
}

static int most_first(const void *left, const void *right)
{
	const struct structure *a = left, *b = right;

	if (a->all != b->all)
		return a->all > b->all ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* Pieces ascend: a page that two of one variable touch counts once. */
static void count_pages(struct structures *structures)
{
	uint64_t *pages = tool_memory(structures->variable_count, sizeof(*pages));
	uint64_t *next = tool_memory(structures->variable_count, sizeof(*next));

	for (size_t i = 0; i < structures->piece_count; i++) {
		const struct Monitor_piece *piece = &structures->pieces[i];
		uint64_t first = piece->start / SMILE_PAGE_BYTES;
		uint64_t end = (piece->end - 1) / SMILE_PAGE_BYTES + 1;

		if (first < next[piece->variable])
			first = next[piece->variable];
		if (end > first)
			pages[piece->variable] += end - first;
		next[piece->variable] = end;
	}
	for (size_t i = 0; i < structures->count; i++)
		if (structures->list[i].variable)
			structures->list[i].pages = pages[structures->list[i].index];
	free(pages);
	free(next);
}

int structures_load(struct structures *structures, struct Monitor *mon, size_t nodes)
{
	struct Monitor_structure_row *rows;
	size_t found;
	int count;

	*structures = (struct structures){.nodes = nodes};
	if (load_names(structures, mon) != TOOL_OK)
		return TOOL_ERROR;
	count = Monitor_structures_info(mon, NULL, 0);
	if (count < 0)
		return fail();
	rows = tool_memory((size_t)count, sizeof(*rows));
	count = Monitor_structures_info(mon, rows, (size_t)count);
	if (count < 0) {
		free(rows);
		return fail();
	}
	found = distinct(rows, (size_t)count);
	structures->list = tool_memory(found, sizeof(*structures->list));
	structures->counts = tool_memory(found * ARRAYS * nodes, sizeof(*structures->counts));
	add_rows(structures, rows, (size_t)count);
	free(rows);
	find_dominant(structures);
	count_pages(structures);
	qsort(structures->list, structures->count, sizeof(*structures->list), most_first);
	return TOOL_OK;
}

void structures_free(struct structures *structures)
{
	free(structures->list);
	free(structures->variables);
	free(structures->pieces);
	free(structures->objects);
	free(structures->counts);
}

/* ---- texts ----------------------------------------------------------------------------------- */

char *structures_homes(const uint64_t *homes, size_t nodes, char *text)
{
	size_t length = 0;

	snprintf(text, STRUCTURES_TEXT_BYTES, "-");
	for (size_t first = 0, last; first < nodes; first = last) {
		last = first + 1;
		if (!homes[first])
			continue;
		while (last < nodes && homes[last])
			last++;
		length += (size_t)snprintf(text + length, STRUCTURES_TEXT_BYTES - length, "%s%zu",
					   length ? "," : "", first);
		if (last - first > 1 && length < STRUCTURES_TEXT_BYTES)
			length += (size_t)snprintf(text + length, STRUCTURES_TEXT_BYTES - length,
						   "-%zu", last - 1);
		if (length >= STRUCTURES_TEXT_BYTES)
			break;
	}
	return text;
}

const char *structures_kind(uint32_t kind)
{
	static const char *const kinds[] = {
		[MONITOR_VARIABLE_GLOBAL] = "global",	    [MONITOR_VARIABLE_HEAP] = "heap",
		[MONITOR_VARIABLE_SEVERAL] = "several",	    [MONITOR_VARIABLE_NAMED] = "named",
		[MONITOR_VARIABLE_ANONYMOUS] = "anonymous", [MONITOR_VARIABLE_STACK] = "stack",
	};

	return kind < sizeof(kinds) / sizeof(kinds[0]) ? kinds[kind] : "unknown";
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

char *structures_where(const struct Monitor_variable *variable, char *text)
{
	if (*variable->file)
		snprintf(text, STRUCTURES_TEXT_BYTES, "%.200s:%u", last_part(variable->file),
			 variable->line);
	else
		snprintf(text, STRUCTURES_TEXT_BYTES, "%.200s",
			 *variable->object ? last_part(variable->object) : "-");
	return text;
}

/* Is something of it shown that has no name, or no type? */
static int is_shown(const struct structures *structures, const char *object)
{
	for (size_t i = 0; i < structures->count; i++) {
		const struct Monitor_variable *variable = structures->list[i].variable;

		if (variable && variable->kind != MONITOR_VARIABLE_HEAP && !*variable->type &&
		    !strcmp(variable->object, object))
			return 1;
	}
	return 0;
}

void structures_note(const struct structures *structures, const char *only)
{
	for (size_t i = 0; i < structures->object_count; i++) {
		const struct Monitor_object *object = &structures->objects[i];

		if (*object->message && (!only || !strcmp(only, object->path)) &&
		    is_shown(structures, object->path))
			tool_message("note: %s", object->message);
	}
}
