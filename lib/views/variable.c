/* SPDX-License-Identifier: MIT */
/*
 * Variable: gets the variables of the program, and their addresses.
 *
 * What lives here: the public functions that use the catalogue of variables (catalogue.h).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <base/search.h>

#include "lib/base/error.h"
#include "lib/monitor/monitor.h"

int Monitor_objects(struct Monitor *mon, struct Monitor_object *objects, size_t capacity)
{
	struct catalogue *catalogue;
	size_t count = 0;
	int error = smile_catalogue(mon, &catalogue);

	if (error < 0)
		return error;
	for (size_t i = 0; i < catalogue->objects_count; i++) {
		const struct object *object = &catalogue->objects[i];

		if (!object->global)
			continue;
		if (count < capacity)
			objects[count] = (struct Monitor_object){
				.path = object->path,
				.build = object->build,
				.state = object->state,
				.variables = object->variables,
				.message = object->message,
			};
		count++;
	}
	return (int)count;
}

int Monitor_variables(struct Monitor *mon, struct Monitor_variable *variables, size_t capacity)
{
	struct catalogue *catalogue;
	int error = smile_catalogue(mon, &catalogue);

	if (error < 0)
		return error;
	for (size_t i = 0; i < catalogue->variables_count && i < capacity; i++)
		variables[i] = catalogue->variables[i].public;
	return (int)catalogue->variables_count;
}

int Monitor_extents(struct Monitor *mon, uint32_t variable, struct Monitor_extent *extents,
		    size_t capacity)
{
	struct catalogue *catalogue;
	size_t count = 0;
	int error = smile_catalogue(mon, &catalogue);

	if (error < 0)
		return error;
	if (variable != MONITOR_VARIABLES_ALL && variable >= catalogue->variables_count)
		return smile_error(EINVAL, "variable %u does not exist", variable);
	for (size_t i = 0; i < catalogue->extents.count; i++) {
		const struct Monitor_extent *extent = &catalogue->extents.items[i];

		if (variable != MONITOR_VARIABLES_ALL && extent->variable != variable)
			continue;
		if (count < capacity)
			extents[count] = *extent;
		count++;
	}
	return (int)count;
}

/* ---- find ----------------------------------------------------------------------------------- */

/* Find the last block of a variable that begins at @base. */
static const struct Monitor_block *find_block(const struct catalogue *catalogue, uint64_t base,
					      uint32_t variable, uint64_t *ordinal)
{
	size_t low;

	SEARCH_FIRST(low, catalogue->blocks_count, i, catalogue->blocks[i].address >= base);
	for (; low < catalogue->blocks_count && catalogue->blocks[low].address == base; low++) {
		if (catalogue->site_variables[catalogue->blocks[low].site] != variable)
			continue;
		*ordinal = catalogue->ordinals[low];
		return &catalogue->blocks[low];
	}
	return NULL;
}

static void name_with_offset(const char *name, uint64_t offset, struct Monitor_place *place)
{
	snprintf(place->name, sizeof(place->name), "%.200s", name);
	if (offset)
		snprintf(place->name, sizeof(place->name), "%.200s+%" PRIu64, name, offset);
}

static void find_in_heap(const struct catalogue *catalogue, const struct Monitor_extent *extent,
			 uint64_t address, struct Monitor_place *place)
{
	const struct Monitor_variable *variable = &catalogue->variables[extent->variable].public;
	uint64_t ordinal, item, offset;
	const struct Monitor_block *block =
		find_block(catalogue, extent->base, extent->variable, &ordinal);

	if (block && block->flags & MONITOR_BLOCK_MERGED) {
		name_with_offset(variable->name, 0, place);
		return;
	}
	if (!block) {
		name_with_offset(variable->name, address - extent->base, place);
		return;
	}
	item = (address - block->address) / block->stride;
	offset = (address - block->address) % block->stride;
	place->extent = place->start = block->address + item * block->stride;
	place->bytes = block->bytes;
	if (variable->blocks > 1)
		place->block =
			ordinal + item < UINT32_MAX ? (uint32_t)(ordinal + item) : UINT32_MAX;
	if (variable->blocks == 1)
		name_with_offset(variable->name, offset, place);
	else
		snprintf(place->name, sizeof(place->name), "%.200s block %" PRIu64 " +%" PRIu64,
			 variable->name, ordinal + item, offset);
}

static void find_in_global(const struct named *named, uint64_t offset, struct Monitor_place *place)
{
	struct type_place element;

	if (!named->typed) {
		name_with_offset(named->public.name, offset, place);
		return;
	}
	name_with_offset(named->public.name, 0, place);
	smile_type_find(&named->type, offset, place->name, sizeof(place->name), &element);
	smile_type_name(&element.type, place->type, sizeof(place->type));
	place->start += element.start;
	if (element.bytes)
		place->bytes = element.bytes;
}

/*
 * Write a position in a region. If the size of the region's items is known, the text is of the form
 * "grid[130]+136"; otherwise it is of the form "grid+0x2000".
 */
static void find_in_region(const struct Monitor_variable *variable, uint64_t offset,
			   struct Monitor_place *place)
{
	uint64_t item = variable->item_bytes;
	char name[MONITOR_NAME_BYTES];

	if (!item) {
		snprintf(place->name, sizeof(place->name), "%.200s+0x%" PRIx64, variable->name,
			 offset);
		return;
	}
	snprintf(name, sizeof(name), "%.200s[%" PRIu64 "]", variable->name, offset / item);
	place->start += offset / item * item;
	place->bytes -= offset / item * item;
	if (place->bytes > item)
		place->bytes = item;
	name_with_offset(name, offset % item, place);
}

int Monitor_call_name(struct Monitor *mon, uint64_t caller, char *text)
{
	struct catalogue *catalogue;
	struct object_source source;
	int error = smile_catalogue(mon, &catalogue);

	if (error < 0)
		return error;
	smile_catalogue_call(smile_catalogue_object(catalogue, &mon->map, caller), caller, &source,
			     text, MONITOR_NAME_BYTES);
	return 0;
}

int Monitor_variable_find(struct Monitor *mon, uint64_t address, struct Monitor_place *place)
{
	struct catalogue *catalogue;
	const struct Monitor_extent *extent;
	const struct named *named;
	int error = smile_catalogue(mon, &catalogue);
	size_t i;

	if (error < 0)
		return error;
	i = smile_extents_find(&catalogue->extents, address);
	if (i == catalogue->extents.count || catalogue->extents.items[i].start > address)
		return smile_error(ENOENT, "no variable is known at address 0x%llx",
				   (unsigned long long)address);
	extent = &catalogue->extents.items[i];
	named = &catalogue->variables[extent->variable];
	*place = (struct Monitor_place){
		.variable = extent->variable,
		.extent = extent->base,
		.start = extent->base,
		.bytes = extent->end - extent->base,
	};
	switch (named->public.kind) {
	case MONITOR_VARIABLE_GLOBAL:
	case MONITOR_VARIABLE_STACK:
		find_in_global(named, address - extent->base, place);
		break;
	case MONITOR_VARIABLE_HEAP:
		find_in_heap(catalogue, extent, address, place);
		break;
	default:
		find_in_region(&named->public, address - extent->base, place);
		break;
	}
	return 0;
}
