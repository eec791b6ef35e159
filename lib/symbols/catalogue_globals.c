/* SPDX-License-Identifier: MIT */
/*
 * Catalogue: finds the variables of the program's files.
 *
 * What lives here: the code that makes one list of variables, without overlaps, from the debug
 * information and the symbol table. The debug information has priority. Only variables in regions
 * of global data are included, because accesses to other addresses are not counted.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/symbols/catalogue.h"

/**
 * struct collector - State while the variables of one file are collected.
 * @below: the variables that were found
 * @symbols: sizes from the symbol table, for variables whose size is not in the debug information
 */
struct collector {
	struct catalogue *catalogue;
	const struct map *map;
	struct object *object;
	struct extents below;
	struct extents symbols;
};

/* Return whether memory is in a region of global data of the file. */
static int is_global(const struct collector *collector, uint64_t start, uint64_t end)
{
	const struct map *map = collector->map;

	for (size_t i = 0; i < map->regions_count; i++) {
		const struct Monitor_region *region = &map->regions[i];

		if (region->kind == MONITOR_REGION_GLOBAL && start >= region->start &&
		    end <= region->end && region->bias == collector->object->bias &&
		    !strcmp(region->name, collector->object->path))
			return 1;
	}
	return 0;
}

/* Get the number of bytes of the symbol at an address; 0 if there is no symbol at the address. */
static uint64_t symbol_bytes(const struct collector *collector, uint64_t address)
{
	size_t i = smile_extents_find(&collector->symbols, address);

	if (i == collector->symbols.count || collector->symbols.items[i].base != address)
		return 0;
	return collector->symbols.items[i].end - address;
}

static int collect_symbol(const struct object_variable *found, void *opaque)
{
	struct collector *collector = opaque;
	uint64_t end;

	if (__builtin_add_overflow(found->address, found->bytes, &end))
		return 0;
	return smile_extents_push(&collector->symbols, found->address, end, found->address, 0);
}

static int collect(const struct object_variable *found, void *opaque)
{
	struct collector *collector = opaque;
	struct catalogue *catalogue = collector->catalogue;
	uint64_t start = found->address + collector->object->bias, bytes = found->bytes, end;
	char type[OBJECT_NAME_BYTES] = "";
	struct Monitor_variable variable = {
		.kind = MONITOR_VARIABLE_GLOBAL,
		.line = found->line,
		.name = found->name,
		.type = type,
		.object = collector->object->path,
		.file = found->file,
	};
	int64_t index;

	/*
	 * The variable is an array without a length, or the declaration of a variable that is
	 * defined in another unit.
	 */
	if (!bytes)
		bytes = symbol_bytes(collector, found->address);
	if (!bytes || __builtin_add_overflow(start, bytes, &end) ||
	    !is_global(collector, start, end))
		return 0;
	if (found->typed) {
		smile_type_name(&found->type, type, sizeof(type));
		variable.item_bytes = smile_type_item_bytes(&found->type);
	}
	index = smile_catalogue_add(catalogue, &variable);
	if (index < 0)
		return (int)index;
	catalogue->variables[index].object = (int)(collector->object - catalogue->objects);
	catalogue->variables[index].typed = found->typed;
	catalogue->variables[index].type = found->type;
	return smile_extents_push(&collector->below, start, end, start, (uint32_t)index);
}

static int by_start_and_size(const void *left, const void *right)
{
	const struct Monitor_extent *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return a->variable < b->variable ? -1 : a->variable > b->variable;
}

/*
 * Add the extents that were found, in memory that has no other extents. If several extents overlap,
 * keep only the first. If several extents begin at the same address, keep only the largest.
 */
static int lay(struct collector *collector)
{
	struct extents *below = &collector->below, *all = &collector->catalogue->extents;
	struct Monitor_extent *items = below->items;
	size_t kept = 0;
	int error;

	if (!below->count)
		return 0;
	qsort(items, below->count, sizeof(*items), by_start_and_size);
	for (size_t i = 0; i < below->count; i++) {
		size_t other = smile_extents_find(all, items[i].start);

		/* This extent is a second name of the same memory, or of a part of it. */
		if ((kept && items[i].start < items[kept - 1].end) ||
		    (other < all->count && all->items[other].start < items[i].end))
			continue;
		items[kept++] = items[i];
	}
	below->count = kept;
	error = smile_extents_under(all, below, 1);
	below->count = 0;
	return error;
}

static int add_object(struct catalogue *catalogue, const struct map *map, struct object *object)
{
	struct collector collector = {.catalogue = catalogue, .map = map, .object = object};
	int error = smile_symbol_variables(object, collect_symbol, &collector);

	if (!error)
		error = smile_extents_settle(&collector.symbols);
	if (!error)
		error = smile_debug_variables(object, collect, &collector);
	if (!error)
		error = lay(&collector);
	if (!error)
		error = smile_symbol_variables(object, collect, &collector);
	if (!error)
		error = lay(&collector);
	smile_extents_free(&collector.below);
	smile_extents_free(&collector.symbols);
	return error;
}

int smile_catalogue_globals(struct catalogue *catalogue, const struct map *map)
{
	int error = 0;

	for (size_t i = 0; i < catalogue->objects_count && !error; i++) {
		struct object *object = &catalogue->objects[i];

		if (!object->global)
			continue;
		smile_object_open(object);
		error = add_object(catalogue, map, object);
	}
	return error;
}

/* ---- copies of a library's variables ------------------------------------------------------- */

/**
 * struct copies - Variables that have a symbol but no debug information, sorted by name.
 * @copies: shape [@count]
 * @object: index of the file that is searched for the original variables
 */
struct copies {
	struct catalogue *catalogue;
	struct named **copies;
	size_t count;
	int object;
};

static int by_name(const void *left, const void *right)
{
	const struct named *const *a = left, *const *b = right;

	return strcmp((*a)->public.name, (*b)->public.name);
}

static int take_type(const struct object_variable *found, void *opaque)
{
	struct copies *copies = opaque;
	struct named key = {.public = {.name = found->name}}, *wanted = &key, **at, *copy;
	struct pool *pool = &copies->catalogue->pool;
	char type[OBJECT_NAME_BYTES];

	at = bsearch(&wanted, copies->copies, copies->count, sizeof(*copies->copies), by_name);
	copy = at ? *at : NULL;
	if (!copy || copy->typed || copy->object == copies->object || !found->typed ||
	    found->bytes != copy->public.bytes)
		return 0;
	smile_type_name(&found->type, type, sizeof(type));
	copy->public.type = smile_pool_copy(pool, type);
	copy->public.file = smile_pool_copy(pool, found->file);
	if (!copy->public.type || !copy->public.file)
		return smile_error(ENOMEM, "no memory for the names of the program's memory");
	copy->public.line = found->line;
	copy->public.item_bytes = smile_type_item_bytes(&found->type);
	copy->typed = 1;
	copy->type = found->type;
	return 0;
}

int smile_catalogue_copies(struct catalogue *catalogue)
{
	struct copies copies = {.catalogue = catalogue};
	int error = 0;

	copies.copies = calloc(catalogue->variables_count + 1, sizeof(*copies.copies));
	if (!copies.copies)
		return smile_error(ENOMEM, "no memory for the names of the program's memory");
	for (size_t i = 0; i < catalogue->variables_count; i++) {
		struct named *named = &catalogue->variables[i];

		if (named->object >= 0 && !named->typed && named->public.extents)
			copies.copies[copies.count++] = named;
	}
	qsort(copies.copies, copies.count, sizeof(*copies.copies), by_name);
	for (size_t i = 0; i < catalogue->objects_count && copies.count && !error; i++) {
		copies.object = (int)i;
		if (catalogue->objects[i].opened &&
		    catalogue->objects[i].state == MONITOR_OBJECT_DEBUG)
			error = smile_debug_variables(&catalogue->objects[i], take_type, &copies);
	}
	free(copies.copies);
	return error;
}
