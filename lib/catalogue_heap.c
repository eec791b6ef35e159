/* SPDX-License-Identifier: MIT */
/*
 * Catalogue: the blocks of the program's heap, by the places that allocated them.
 *
 * What lives here: the names of allocation sites; and whose a piece of the heap was: one site's,
 * perhaps again and again, or one of several sites'.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/error.h"
#include "lib/monitor.h"

/* Sites of several that are told by name; of more, "or another". */
#define TURNS_MAX 4

static int no_memory(void)
{
	return smile_error(ENOMEM, "no memory for the names of the program's heap");
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* ---- sites ---------------------------------------------------------------------------------- */

/* "grid.c:42 (make_grid)"; without the source "libx.so (make_grid)", "libx.so+0x1234", "0x1234". */
static void site_name(struct object *object, uint64_t caller, struct object_source *source,
		      char *name, size_t bytes)
{
	*source = (struct object_source){.file = ""};
	if (!object) {
		snprintf(name, bytes, "allocated at 0x%" PRIx64, caller);
		return;
	}
	smile_debug_source(object, caller - object->bias, source);
	if (*source->file && *source->function)
		snprintf(name, bytes, "%s:%u (%s)", last_part(source->file), source->line,
			 source->function);
	else if (*source->file)
		snprintf(name, bytes, "%s:%u", last_part(source->file), source->line);
	else if (*source->function)
		snprintf(name, bytes, "%s (%s)", last_part(object->path), source->function);
	else
		snprintf(name, bytes, "%s+0x%" PRIx64, last_part(object->path),
			 caller - object->bias);
}

/* Sites of one line are one: a compiler can have made several calls of it. */
static int64_t add_site(struct catalogue *catalogue, const struct map *map,
			const struct Monitor_site *site, size_t first)
{
	char name[2 * OBJECT_NAME_BYTES];
	struct object_source source;
	struct object *object = smile_catalogue_object(catalogue, map, site->callers[0]);
	struct Monitor_variable variable = {
		.kind = MONITOR_VARIABLE_HEAP,
		.name = name,
		.type = "",
		.object = object ? object->path : "",
	};

	site_name(object, site->callers[0], &source, name, sizeof(name));
	variable.file = source.file;
	variable.line = source.line;
	for (size_t i = first; i < catalogue->variables_count; i++) {
		const struct Monitor_variable *there = &catalogue->variables[i].public;

		if (there->line == source.line && !strcmp(there->name, name) &&
		    !strcmp(there->file, source.file))
			return (int64_t)i;
	}
	return smile_catalogue_add(catalogue, &variable);
}

static int add_sites(struct catalogue *catalogue, const struct map *map)
{
	size_t first = catalogue->variables_count;

	catalogue->site_variables =
		calloc(map->heap.sites_count + 1, sizeof(*catalogue->site_variables));
	if (!catalogue->site_variables)
		return no_memory();
	for (size_t i = 0; i < map->heap.sites_count; i++) {
		int64_t index = add_site(catalogue, map, &map->heap.sites[i], first);

		if (index < 0)
			return (int)index;
		catalogue->site_variables[i] = (uint32_t)index;
		catalogue->variables[index].public.blocks += map->heap.sites[i].blocks;
		catalogue->variables[index].public.lost += map->heap.sites[i].lost;
	}
	return 0;
}

/* ---- blocks --------------------------------------------------------------------------------- */

static int by_address(const void *left, const void *right)
{
	const struct Monitor_block *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->site < b->site ? -1 : a->site > b->site;
}

/* Items are blocks, if all are equally far apart. */
static void note_stride(struct Monitor_variable *variable, const struct Monitor_block *block,
			uint64_t before)
{
	uint64_t stride = block->count > 1 ? block->stride : 0;

	variable->item_bytes = !before || variable->item_bytes == stride ? stride : 0;
}

/* Sort them, and number those of each variable. */
static int sort_blocks(struct catalogue *catalogue, const struct heap *heap)
{
	size_t count = heap->blocks_count;
	uint64_t *so_far = calloc(catalogue->variables_count + 1, sizeof(*so_far));

	catalogue->blocks = calloc(count + 1, sizeof(*catalogue->blocks));
	catalogue->ordinals = calloc(count + 1, sizeof(*catalogue->ordinals));
	if (!so_far || !catalogue->blocks || !catalogue->ordinals) {
		free(so_far);
		return no_memory();
	}
	if (count)
		memcpy(catalogue->blocks, heap->blocks, count * sizeof(*heap->blocks));
	catalogue->blocks_count = count;
	qsort(catalogue->blocks, count, sizeof(*catalogue->blocks), by_address);
	for (size_t i = 0; i < count; i++) {
		const struct Monitor_block *block = &catalogue->blocks[i];
		uint64_t *ordinal = &so_far[catalogue->site_variables[block->site]];

		catalogue->ordinals[i] = *ordinal;
		*ordinal += block->flags & MONITOR_BLOCK_MERGED ? block->uses : block->count;
		note_stride(&catalogue->variables[catalogue->site_variables[block->site]].public,
			    block, catalogue->ordinals[i]);
	}
	free(so_far);
	return 0;
}

/* ---- turns ---------------------------------------------------------------------------------- */

/**
 * struct sweep - On the way through the heap, from lower to higher addresses.
 * @active: blocks that have begun and not ended, by index; shape [@active_size]
 * @at: how far it has come
 * @first_turns: the first variable that stands for turns
 * @below: the pieces
 */
struct sweep {
	struct catalogue *catalogue;
	size_t *active;
	size_t active_count;
	size_t active_size;
	uint64_t at;
	size_t first_turns;
	struct pieces below;
};

/* The variables whose blocks are active, each once, ascending; as many as fit. Return: how many. */
static size_t whose(const struct sweep *sweep, uint32_t *variables, size_t capacity)
{
	const struct catalogue *catalogue = sweep->catalogue;
	size_t count = 0;

	for (size_t i = 0; i < sweep->active_count; i++) {
		uint32_t variable =
			catalogue->site_variables[catalogue->blocks[sweep->active[i]].site];
		size_t at = 0;

		while (at < count && variables[at] < variable)
			at++;
		if ((at < count && variables[at] == variable) || at == capacity)
			continue;
		if (count == capacity)
			count--;
		memmove(variables + at + 1, variables + at, (count - at) * sizeof(*variables));
		variables[at] = variable;
		count++;
	}
	return count;
}

static int64_t add_turns(struct sweep *sweep, const uint32_t *variables, size_t count)
{
	struct catalogue *catalogue = sweep->catalogue;
	char name[OBJECT_NAME_BYTES] = "";
	struct Monitor_variable turns = {
		.kind = MONITOR_VARIABLE_SEVERAL,
		.name = name,
		.type = "",
		.object = "",
		.file = "",
	};
	size_t length = 0;

	for (size_t i = 0; i < count && length < sizeof(name); i++) {
		const char *one =
			i == TURNS_MAX ? "another" : catalogue->variables[variables[i]].public.name;

		length += (size_t)snprintf(name + length, sizeof(name) - length, "%s%s",
					   i ? " or " : "", one);
	}
	for (size_t i = sweep->first_turns; i < catalogue->variables_count; i++)
		if (!strcmp(catalogue->variables[i].public.name, name))
			return (int64_t)i;
	return smile_catalogue_add(catalogue, &turns);
}

/* What is active owns the memory from where the sweep is to @end. */
static int sweep_to(struct sweep *sweep, uint64_t end)
{
	uint32_t variables[TURNS_MAX + 1];
	size_t count = whose(sweep, variables, TURNS_MAX + 1);
	struct catalogue *catalogue = sweep->catalogue;
	uint64_t base = sweep->at;
	int64_t variable;
	int error = 0;

	if (count && end > sweep->at) {
		variable = count == 1 ? variables[0] : add_turns(sweep, variables, count);
		if (variable < 0)
			return (int)variable;
		if (count == 1)
			base = catalogue->blocks[sweep->active[0]].address;
		error = smile_pieces_push(&sweep->below, sweep->at, end, base, (uint32_t)variable);
	}
	sweep->at = end;
	return error;
}

/* Blocks that end at or before @end do so, one after another. */
static int sweep_ends(struct sweep *sweep, uint64_t end)
{
	const struct Monitor_block *blocks = sweep->catalogue->blocks;

	while (sweep->active_count) {
		uint64_t next = UINT64_MAX;
		size_t kept = 0;
		int error;

		for (size_t i = 0; i < sweep->active_count; i++)
			if (smile_heap_block_end(&blocks[sweep->active[i]]) < next)
				next = smile_heap_block_end(&blocks[sweep->active[i]]);
		if (next > end)
			break;
		error = sweep_to(sweep, next);
		if (error)
			return error;
		for (size_t i = 0; i < sweep->active_count; i++)
			if (smile_heap_block_end(&blocks[sweep->active[i]]) > next)
				sweep->active[kept++] = sweep->active[i];
		sweep->active_count = kept;
	}
	return sweep_to(sweep, end);
}

static int sweep_all(struct sweep *sweep)
{
	struct catalogue *catalogue = sweep->catalogue;
	int error = 0;

	for (size_t i = 0; i < catalogue->blocks_count && !error; i++) {
		size_t *active;

		error = sweep_ends(sweep, catalogue->blocks[i].address);
		active = smile_map_room(sweep->active, &sweep->active_size, sweep->active_count,
					sizeof(*active));
		if (!active)
			return no_memory();
		sweep->active = active;
		active[sweep->active_count++] = i;
	}
	return error ? error : sweep_ends(sweep, (uint64_t)1 << SMILE_ADDRESS_BITS);
}

int smile_catalogue_heap(struct catalogue *catalogue, const struct map *map)
{
	struct sweep sweep = {.catalogue = catalogue};
	int error;

	if (!map->heap.sites_count)
		return 0;
	error = add_sites(catalogue, map);
	if (!error)
		error = sort_blocks(catalogue, &map->heap);
	sweep.first_turns = catalogue->variables_count;
	if (!error)
		error = sweep_all(&sweep);
	if (!error)
		error = smile_pieces_under(&catalogue->pieces, &sweep.below, 1);
	free(sweep.active);
	smile_pieces_free(&sweep.below);
	return error;
}
