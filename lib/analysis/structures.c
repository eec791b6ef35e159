// SPDX-License-Identifier: MIT
/*
 * Structures: sums up accesses by variable. See lib/analysis/structures.h.
 */
#include "lib/analysis/structures.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/memory.h"

#define ARRAYS 5

static int load_names(struct structures *structures, struct Monitor *mon)
{
	int count, extents, objects;

	ANALYSIS_LIST(structures->variables, count, Monitor_variables, mon);
	ANALYSIS_LIST(structures->extents, extents, Monitor_extents, mon, MONITOR_VARIABLES_ALL);
	ANALYSIS_LIST(structures->objects, objects, Monitor_objects, mon);
	if (count < 0 || extents < 0 || objects < 0)
		return count < 0 ? count : extents < 0 ? extents : objects;
	structures->variable_count = (size_t)count;
	structures->extent_count = (size_t)extents;
	structures->object_count = (size_t)objects;
	return 0;
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

	uint64_t a_behind = a->behind ? a->behind->all : 0;
	uint64_t b_behind = b->behind ? b->behind->all : 0;

	if (a_behind != b_behind)
		return a_behind > b_behind ? -1 : 1;
	if (a->all != b->all)
		return a->all > b->all ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/*
 * Count the pages of each variable. Extents are in ascending order, so a page that two extents of a
 * variable touch is counted only once.
 */
static int count_pages(struct structures *structures)
{
	uint64_t *pages = analysis_memory(structures->variable_count, sizeof(*pages));
	uint64_t *next = analysis_memory(structures->variable_count, sizeof(*next));
	int result = pages && next ? 0 : -ENOMEM;

	if (result)
		goto out;
	for (size_t i = 0; i < structures->extent_count; i++) {
		const struct Monitor_extent *extent = &structures->extents[i];
		uint64_t first = extent->start / SMILE_PAGE_BYTES;
		uint64_t end = (extent->end - 1) / SMILE_PAGE_BYTES + 1;

		if (first < next[extent->variable])
			first = next[extent->variable];
		if (end > first)
			pages[extent->variable] += end - first;
		next[extent->variable] = end;
	}
	for (size_t i = 0; i < structures->count; i++)
		if (structures->list[i].variable)
			structures->list[i].pages = pages[structures->list[i].index];
out:
	free(pages);
	free(next);
	return result;
}

/* Make the list of structures. Return: 0; -errno. */
static int load_list(struct structures *structures, const struct Monitor_structure_row *rows,
		     size_t count)
{
	size_t found = distinct(rows, count);

	structures->list = analysis_memory(found, sizeof(*structures->list));
	structures->counts =
		analysis_memory(found * ARRAYS * structures->nodes, sizeof(*structures->counts));
	if (!structures->list || !structures->counts)
		return -ENOMEM;
	add_rows(structures, rows, count);
	find_dominant(structures);
	return count_pages(structures);
}

/*
 * Load the list of structures with the kind of counts that the view shows at present. Return: 0;
 * -errno.
 */
static int load_counts(struct structures *structures, struct Monitor *mon)
{
	struct Monitor_structure_row *rows;
	int count, result;

	ANALYSIS_LIST(rows, count, Monitor_structures_info, mon);
	result = count < 0 ? count : load_list(structures, rows, (size_t)count);
	free(rows);
	return result;
}

/* ---- transactions behind the caches ---------------------------------------------------------- */

static size_t place_of(const struct structures *structures, const struct structure *structure)
{
	return structure->variable ? structure->index : structures->variable_count;
}

/*
 * Assign the transactions to the structures, and add structures that have only transactions.
 * Return: 0; -ENOMEM.
 */
static int behind_join(struct structures *structures, size_t count)
{
	size_t room = structures->count + count, *places;
	struct structure *list = reallocarray(structures->list, room + 1, sizeof(*list));

	if (list)
		structures->list = list;
	places = analysis_memory(structures->variable_count + 1, sizeof(*places));
	structures->zeros = analysis_memory(structures->nodes, sizeof(*structures->zeros));
	if (!list || !places || !structures->zeros) {
		free(places);
		return Monitor_error_set(ENOMEM, "no memory for %zu structures", room);
	}
	for (size_t i = 0; i < structures->count; i++)
		places[place_of(structures, &list[i])] = i + 1;
	for (size_t i = 0; i < count; i++) {
		const struct structure *behind = &structures->behind[i];
		size_t *place = &places[place_of(structures, behind)];

		if (!*place) {
			list[structures->count] = (struct structure){
				.variable = behind->variable,
				.index = behind->index,
				.pages = behind->pages,
				.homes = structures->zeros,
				.accesses = structures->zeros,
				.reads = structures->zeros,
				.writes = structures->zeros,
				.locks = structures->zeros,
			};
			*place = ++structures->count;
		}
		list[*place - 1].behind = behind;
	}
	free(places);
	return 0;
}

static int load_behind(struct structures *structures, struct Monitor *mon)
{
	struct structures behind = *structures;
	int result;

	behind.list = NULL;
	behind.counts = NULL;
	behind.count = 0;
	behind.all = behind.straddling = 0;
	Monitor_accesses_show(mon, 0);
	result = load_counts(&behind, mon);
	Monitor_accesses_show(mon, 1);
	structures->behind = behind.list;
	structures->behind_counts = behind.counts;
	structures->behind_all = behind.all;
	structures->behind_straddling = behind.straddling;
	return result < 0 ? result : behind_join(structures, behind.count);
}

int structures_load(struct structures *structures, struct Monitor *mon, size_t nodes, int both)
{
	int result;

	*structures = (struct structures){.nodes = nodes};
	result = load_names(structures, mon);
	if (!result)
		result = load_counts(structures, mon);
	if (!result && both)
		result = load_behind(structures, mon);
	if (result < 0)
		return result;
	qsort(structures->list, structures->count, sizeof(*structures->list), most_first);
	return 0;
}

void structures_free(struct structures *structures)
{
	free(structures->list);
	free(structures->variables);
	free(structures->extents);
	free(structures->objects);
	free(structures->counts);
	free(structures->behind);
	free(structures->behind_counts);
	free(structures->zeros);
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

char *structures_where(const struct Monitor_variable *variable, char *text)
{
	if (*variable->file)
		snprintf(text, STRUCTURES_TEXT_BYTES, "%.200s:%u", basename(variable->file),
			 variable->line);
	else
		snprintf(text, STRUCTURES_TEXT_BYTES, "%.200s",
			 *variable->object ? basename(variable->object) : "-");
	return text;
}

/* The text that distinguishes a variable from other variables with the same name. */
enum apart {
	APART_NAME,
	APART_WHERE,
	APART_ADDRESS,
};

static enum apart apart_of(const struct Monitor_variable *variable,
			   const struct Monitor_variable *const *all, size_t count)
{
	char where[STRUCTURES_TEXT_BYTES], other[STRUCTURES_TEXT_BYTES];
	enum apart apart = APART_NAME;

	structures_where(variable, where);
	for (size_t i = 0; i < count && apart != APART_ADDRESS; i++) {
		if (!all[i] || all[i] == variable || strcmp(all[i]->name, variable->name))
			continue;
		apart = strcmp(structures_where(all[i], other), where) ? APART_WHERE
								       : APART_ADDRESS;
	}
	return apart;
}

char *structures_label(const struct Monitor_variable *variable,
		       const struct Monitor_variable *const *all, size_t count)
{
	char where[STRUCTURES_TEXT_BYTES], *label = NULL;
	int result;

	if (!variable)
		return strdup("-");
	switch (apart_of(variable, all, count)) {
	case APART_WHERE:
		result = asprintf(&label, "%s (%s)", variable->name,
				  structures_where(variable, where));
		break;
	case APART_ADDRESS:
		result = asprintf(&label, "%s at 0x%" PRIx64, variable->name, variable->address);
		break;
	default:
		return strdup(variable->name);
	}
	return result < 0 ? NULL : label;
}
