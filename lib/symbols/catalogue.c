/* SPDX-License-Identifier: MIT */
/*
 * Catalogue: finds the variables in the program's memory. See catalogue.h.
 *
 * What lives here: the code that lists the files and regions, and that determines the order in
 * which sources of information are used. For each address, the most precise information is used.
 */
#include <stdlib.h>
#include <string.h>

#include <base/array.h>

#include "lib/base/error.h"
#include "lib/symbols/catalogue.h"

static int no_memory(void)
{
	return smile_error(ENOMEM, "no memory for the names of the program's memory");
}

int64_t smile_catalogue_add(struct catalogue *catalogue, const struct Monitor_variable *variable)
{
	struct named added = {.public = *variable, .object = -1};

	if (array_reserve(&catalogue->variables, &catalogue->variables_size,
			  catalogue->variables_count, sizeof(added)) < 0)
		return no_memory();
	added.public.name = smile_pool_copy(&catalogue->pool, variable->name);
	added.public.type = smile_pool_copy(&catalogue->pool, variable->type);
	added.public.object = smile_pool_copy(&catalogue->pool, variable->object);
	added.public.file = smile_pool_copy(&catalogue->pool, variable->file);
	if (!added.public.name || !added.public.type || !added.public.object || !added.public.file)
		return no_memory();
	catalogue->variables[catalogue->variables_count] = added;
	return (int64_t)catalogue->variables_count++;
}

/* ---- objects -------------------------------------------------------------------------------- */

static const char *build_of(const struct map *map, const char *path)
{
	for (size_t i = 0; i < map->heap.objects_count; i++)
		if (!strcmp(map->heap.objects[i].path, path))
			return map->heap.objects[i].build;
	return "";
}

static int is_of_file(const struct Monitor_region *region)
{
	return (region->kind == MONITOR_REGION_GLOBAL || region->kind == MONITOR_REGION_CODE) &&
	       *region->name;
}

static struct object *find_object(struct catalogue *catalogue, const struct Monitor_region *region)
{
	for (size_t i = 0; i < catalogue->objects_count; i++)
		if (catalogue->objects[i].bias == region->bias &&
		    !strcmp(catalogue->objects[i].path, region->name))
			return &catalogue->objects[i];
	return NULL;
}

static int list_objects(struct catalogue *catalogue, const struct map *map)
{
	for (size_t i = 0; i < map->regions_count; i++) {
		const struct Monitor_region *region = &map->regions[i];
		struct object *object;

		if (!is_of_file(region))
			continue;
		object = find_object(catalogue, region);
		if (!object) {
			if (array_reserve(&catalogue->objects, &catalogue->objects_size,
					  catalogue->objects_count, sizeof(*object)) < 0)
				return no_memory();
			object = &catalogue->objects[catalogue->objects_count++];
			*object = (struct object){
				.path = region->name,
				.build = build_of(map, region->name),
				.bias = region->bias,
			};
		}
		object->global |= region->kind == MONITOR_REGION_GLOBAL;
	}
	return 0;
}

struct object *smile_catalogue_object(struct catalogue *catalogue, const struct map *map,
				      uint64_t address)
{
	for (size_t i = map->regions_count; i-- > 0;) {
		const struct Monitor_region *region = &map->regions[i];
		struct object *object;

		if (address < region->start || address >= region->end || !is_of_file(region))
			continue;
		object = find_object(catalogue, region);
		if (object)
			smile_object_open(object);
		return object;
	}
	return NULL;
}

/* ---- regions -------------------------------------------------------------------------------- */

static const char *region_name(const struct Monitor_region *region)
{
	static const char *const kinds[] = {
		[MONITOR_REGION_HEAP] = "heap",	      [MONITOR_REGION_GLOBAL] = "global",
		[MONITOR_REGION_PRIVATE] = "private", [MONITOR_REGION_SHARED] = "shared",
		[MONITOR_REGION_NAMED] = "named",
	};
	const char *slash = strrchr(region->name, '/');

	if (region->kind == MONITOR_REGION_NAMED && *region->name)
		return region->name;
	if (slash && slash[1])
		return slash + 1;
	if (*region->name)
		return region->name;
	return region->kind < sizeof(kinds) / sizeof(kinds[0]) ? kinds[region->kind] : "unknown";
}

/*
 * Return whether all variables of the region are known. If so, the memory between them belongs to
 * no variable.
 */
static int is_complete(struct catalogue *catalogue, const struct Monitor_region *region)
{
	const struct object *object;

	switch (region->kind) {
	case MONITOR_REGION_GLOBAL:
		object = find_object(catalogue, region);
		return object && object->opened && object->state <= MONITOR_OBJECT_SYMBOLS;
	case MONITOR_REGION_HEAP:
	case MONITOR_REGION_PRIVATE:
		return 1;
	default:
		return 0;
	}
}

/* For memory that has no extents yet, add the regions of one kind as variables. */
static int lay_regions(struct catalogue *catalogue, const struct map *map, int named, int complete)
{
	struct stack_top *tops = smile_catalogue_stack_tops(map);
	struct extents below = {0};
	int error = tops ? 0 : no_memory();

	for (size_t i = 0; i < map->regions_count && !error; i++) {
		const struct Monitor_region *region = &map->regions[i];
		char stack[OBJECT_NAME_BYTES];
		struct Monitor_variable variable = {
			.kind = named ? MONITOR_VARIABLE_NAMED : MONITOR_VARIABLE_ANONYMOUS,
			.type = "",
			.object = is_of_file(region) ? region->name : "",
			.file = "",
			.item_bytes = named ? region->offset : 0,
		};
		int64_t index;

		if (region->kind == MONITOR_REGION_CODE ||
		    named != (region->kind == MONITOR_REGION_NAMED) ||
		    complete != is_complete(catalogue, region))
			continue;
		variable.name = region->kind == MONITOR_REGION_STACK
					? smile_catalogue_stack_name(tops, map->frames.count,
								     region, stack, sizeof(stack))
					: region_name(region);
		index = smile_catalogue_add(catalogue, &variable);
		error = index < 0 ? (int)index
				  : smile_extents_push(&below, region->start, region->end,
						       region->start, (uint32_t)index);
	}
	if (!error)
		error = smile_extents_settle(&below);
	if (!error)
		error = smile_extents_under(&catalogue->extents, &below,
					    complete ? EXTENT_GAP_BYTES : 1);
	smile_extents_free(&below);
	free(tops);
	return error;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Compute the address, the number of bytes and the number of extents of each variable. */
static void measure(struct catalogue *catalogue)
{
	for (size_t i = 0; i < catalogue->extents.count; i++) {
		const struct Monitor_extent *extent = &catalogue->extents.items[i];
		struct Monitor_variable *variable = &catalogue->variables[extent->variable].public;

		if (!variable->extents++)
			variable->address = extent->start;
		variable->bytes += extent->end - extent->start;
	}
}

struct order {
	uint64_t address;
	uint32_t index;
};

static int by_address(const void *left, const void *right)
{
	const struct order *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* Sort the variables, remove variables without memory, and renumber the rest. */
static int number(struct catalogue *catalogue, size_t sites)
{
	size_t count = catalogue->variables_count, kept = 0;
	struct order *order = calloc(count + 1, sizeof(*order));
	uint32_t *now = malloc((count + 1) * sizeof(*now));
	struct named *sorted = calloc(count + 1, sizeof(*sorted));

	if (!order || !now || !sorted) {
		free(order);
		free(now);
		free(sorted);
		return no_memory();
	}
	memset(now, 0xff, (count + 1) * sizeof(*now));
	for (uint32_t i = 0; i < count; i++)
		if (catalogue->variables[i].public.extents)
			order[kept++] = (struct order){catalogue->variables[i].public.address, i};
	qsort(order, kept, sizeof(*order), by_address);
	for (uint32_t i = 0; i < kept; i++) {
		sorted[i] = catalogue->variables[order[i].index];
		now[order[i].index] = i;
		if (sorted[i].object >= 0)
			catalogue->objects[sorted[i].object].variables++;
	}
	for (size_t i = 0; i < catalogue->extents.count; i++)
		catalogue->extents.items[i].variable = now[catalogue->extents.items[i].variable];
	for (size_t i = 0; i < sites; i++)
		if (catalogue->site_variables[i] < count)
			catalogue->site_variables[i] = now[catalogue->site_variables[i]];
	free(catalogue->variables);
	catalogue->variables = sorted;
	catalogue->variables_count = kept;
	catalogue->variables_size = count + 1;
	free(order);
	free(now);
	return 0;
}

void smile_catalogue_free(struct catalogue *catalogue)
{
	for (size_t i = 0; i < catalogue->objects_count; i++)
		smile_object_close(&catalogue->objects[i]);
	smile_extents_free(&catalogue->extents);
	smile_pool_free(&catalogue->pool);
	free(catalogue->objects);
	free(catalogue->variables);
	free(catalogue->blocks);
	free(catalogue->ordinals);
	free(catalogue->site_variables);
	free(catalogue->types);
	smile_count_table_free(&catalogue->type_numbers);
	free(catalogue);
}

int smile_catalogue_make(struct map *map, struct catalogue **out)
{
	struct catalogue *catalogue = calloc(1, sizeof(*catalogue));
	int error;

	if (!catalogue)
		return no_memory();
	error = list_objects(catalogue, map);
	if (!error)
		error = smile_catalogue_globals(catalogue, map);
	if (!error)
		error = smile_catalogue_stack(catalogue, map);
	if (!error)
		error = lay_regions(catalogue, map, 1, 0);
	if (!error)
		error = smile_catalogue_heap(catalogue, map);
	if (!error)
		error = lay_regions(catalogue, map, 0, 0);
	if (!error)
		error = lay_regions(catalogue, map, 0, 1);
	if (!error) {
		measure(catalogue);
		error = smile_catalogue_copies(catalogue);
	}
	if (!error)
		error = number(catalogue, map->heap.sites_count);
	if (error) {
		smile_catalogue_free(catalogue);
		return error;
	}
	*out = catalogue;
	return 0;
}
