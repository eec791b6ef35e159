/* SPDX-License-Identifier: MIT */
/*
 * Catalogue: assigns the blocks of the program's heap to their allocation sites.
 *
 * What lives here: the names of allocation sites, and the blocks of the sites. If only one site
 * allocated some memory, even several times, the memory belongs to this site. If several sites
 * allocated the same memory, the memory has the names of all of them (catalogue_overlaps.c).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/symbols/catalogue.h"

static int no_memory(void)
{
	return smile_error(ENOMEM, "no memory for the names of the program's heap");
}

/* ---- sites ---------------------------------------------------------------------------------- */

/*
 * Template arguments that are longer than this are left out, because the source line is more
 * useful.
 */
#define ARGUMENTS_BYTES 32

/*
 * If the template arguments of a name are long, shorten them: "grid<...>::fill". Return: @text,
 * OBJECT_NAME_BYTES long.
 */
static const char *brief(const char *function, char *text)
{
	const char *begins = NULL;
	size_t used = 0;
	int depth = 0;

	for (const char *at = function; *at && used + 5 < OBJECT_NAME_BYTES; at++) {
		if (*at == '<' && depth++ == 0)
			begins = text + used;
		text[used++] = *at;
		if (*at != '>' || !depth || --depth)
			continue;
		if (text + used - begins > ARGUMENTS_BYTES) {
			used = (size_t)(begins - text);
			memcpy(text + used, "<...>", 5);
			used += 5;
		}
	}
	text[used] = '\0';
	return depth ? function : text;
}

static void call_name(const struct object *object, uint64_t caller,
		      const struct object_source *source, char *name, size_t bytes)
{
	char function[OBJECT_NAME_BYTES];

	if (*source->file && *source->function)
		snprintf(name, bytes, "%s:%u (%s)", basename(source->file), source->line,
			 brief(source->function, function));
	else if (*source->file)
		snprintf(name, bytes, "%s:%u", basename(source->file), source->line);
	else if (*source->function)
		snprintf(name, bytes, "%s (%s)", basename(object->path), source->function);
	else
		snprintf(name, bytes, "%s+0x%" PRIx64, basename(object->path),
			 caller - object->bias);
}

void smile_catalogue_call(struct object *object, uint64_t caller, struct object_source *source,
			  char *name, size_t bytes)
{
	*source = (struct object_source){.file = ""};
	if (!object) {
		snprintf(name, bytes, "0x%" PRIx64, caller);
		return;
	}
	smile_debug_source(object, caller - object->bias, source);
	call_name(object, caller, source, name, bytes);
}

static int is_in_line(const struct Monitor_variable *there, const struct Monitor_variable *variable)
{
	return there->line == variable->line && !strcmp(there->name, variable->name) &&
	       !strcmp(there->file, variable->file);
}

/*
 * Find the site of a call, or add it. Calls at the same line and column are one site, because a
 * compiler can generate several calls for one call in the source. For some statements, such as
 * Fortran's allocate, the compiler gives all calls the same column. In this case, each call is a
 * separate site.
 */
static int64_t add_site(struct catalogue *catalogue, const struct wanting_call *call, size_t first)
{
	char name[2 * OBJECT_NAME_BYTES];
	struct object_source source = {.file = call->file ? call->file : "", .line = call->line};
	struct Monitor_variable variable = {
		.kind = MONITOR_VARIABLE_HEAP,
		.name = name,
		.type = "",
		.object = call->object ? call->object->path : "",
		.file = source.file,
		.line = source.line,
	};
	int64_t added;

	snprintf(source.function, sizeof(source.function), "%s",
		 call->function ? call->function : "");
	if (call->object)
		call_name(call->object, call->address, &source, name, sizeof(name));
	else
		snprintf(name, sizeof(name), "allocated at 0x%" PRIx64, call->address);
	for (size_t i = first; i < catalogue->variables_count; i++) {
		const struct named *there = &catalogue->variables[i];

		if (there->call->apart == call->apart && is_in_line(&there->public, &variable))
			return (int64_t)i;
	}
	added = smile_catalogue_add(catalogue, &variable);
	if (added >= 0)
		catalogue->variables[added].call = call;
	return added;
}

/*
 * Make a distinct name for one of several calls in a line, such as "wrap.c:5:27 (main)" or
 * "grid.f90:6 (init), allocation 2". Return: the name; NULL if memory is missing.
 */
static const char *name_apart(struct catalogue *catalogue, const struct named *named,
			      unsigned int number)
{
	const char *name = named->public.name;
	char text[2 * OBJECT_NAME_BYTES + 32];
	int length = snprintf(text, sizeof(text), "%s:%u", basename(named->public.file),
			      named->public.line);

	if (named->call->fortran)
		snprintf(text, sizeof(text), "%s, allocation %u", name, number);
	else
		snprintf(text, sizeof(text), "%.*s:%" PRIu64 "%s", length, name, named->call->apart,
			 name + length);
	return smile_pool_copy(&catalogue->pool, text);
}

/* If several calls in one line allocate memory, give them distinct names. */
static int name_sites(struct catalogue *catalogue, size_t first)
{
	for (size_t i = first; i < catalogue->variables_count; i++) {
		struct named *named = &catalogue->variables[i];
		struct Monitor_variable line = named->public;
		unsigned int number = 1;

		for (size_t k = i + 1; k < catalogue->variables_count && named->call->apart; k++) {
			struct named *other = &catalogue->variables[k];

			if (!other->call->apart || !is_in_line(&other->public, &line))
				continue;
			other->public.name = name_apart(catalogue, other, ++number);
			if (!other->public.name)
				return no_memory();
		}
		if (number > 1)
			named->public.name = name_apart(catalogue, named, 1);
		if (!named->public.name)
			return no_memory();
	}
	return 0;
}

static int add_sites(struct catalogue *catalogue, const struct map *map)
{
	size_t first = catalogue->variables_count, count = map->heap.sites_count;
	struct wanting_call *wanted = calloc(count + 1, sizeof(*wanted));
	int64_t index = 0;
	int error;

	catalogue->site_variables = calloc(count + 1, sizeof(*catalogue->site_variables));
	error = wanted && catalogue->site_variables
			? smile_catalogue_callers(catalogue, map, wanted)
			: no_memory();
	for (size_t i = 0; i < count && !error; i++) {
		index = add_site(catalogue, &wanted[i], first);
		if (index < 0) {
			error = (int)index;
			break;
		}
		catalogue->site_variables[i] = (uint32_t)index;
		catalogue->variables[index].public.blocks += map->heap.sites[i].blocks;
		catalogue->variables[index].public.lost += map->heap.sites[i].lost;
	}
	if (!error)
		error = name_sites(catalogue, first);
	for (size_t i = first; i < catalogue->variables_count; i++)
		catalogue->variables[i].call = NULL;
	free(wanted);
	return error;
}

/* ---- blocks --------------------------------------------------------------------------------- */

static int by_address(const void *left, const void *right)
{
	const struct Monitor_block *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->site < b->site ? -1 : a->site > b->site;
}

/*
 * If the distances between all blocks of a variable are equal, treat the blocks as the items of an
 * array.
 */
static void note_stride(struct Monitor_variable *variable, const struct Monitor_block *block,
			uint64_t before)
{
	uint64_t stride = block->count > 1 ? block->stride : 0;

	variable->item_bytes = !before || variable->item_bytes == stride ? stride : 0;
}

/* Sort the blocks by address, and number the blocks of each variable. */
static int sort_blocks(struct catalogue *catalogue, const struct map_heap *heap)
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

/* ---- all of it ------------------------------------------------------------------------------ */

static int list_blocks(const struct catalogue *catalogue, struct extents *all)
{
	int error = 0;

	for (size_t i = 0; i < catalogue->blocks_count && !error; i++) {
		const struct Monitor_block *block = &catalogue->blocks[i];

		error = smile_extents_push(all, block->address, smile_map_heap_block_end(block),
					   block->address, catalogue->site_variables[block->site]);
	}
	return error;
}

int smile_catalogue_heap(struct catalogue *catalogue, const struct map *map)
{
	struct extents all = {0}, below = {0};
	int error;

	if (!map->heap.sites_count)
		return 0;
	error = add_sites(catalogue, map);
	if (!error)
		error = sort_blocks(catalogue, &map->heap);
	if (!error)
		error = list_blocks(catalogue, &all);
	if (!error)
		error = smile_catalogue_turns(catalogue, &all, &below);
	if (!error)
		error = smile_extents_under(&catalogue->extents, &below, 1);
	smile_extents_free(&all);
	smile_extents_free(&below);
	return error;
}
