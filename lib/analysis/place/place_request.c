// SPDX-License-Identifier: MIT
/*
 * Place request: reads a placement file into regions, objects and orders.
 */
#include "lib/analysis/place/place_request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>
#include <place/plan.h>
#include <smile/monitor.h>

/*
 * The largest number NTH of a region. The library in the program stores the addresses of this
 * number of regions of the same kind.
 */
#define NTH_MAX 1000000U

static int no_memory(void)
{
	return Monitor_error_set(ENOMEM, "no memory for the placement");
}

static uint64_t first_page(const struct placement_line *line)
{
	return line->start / SMILE_PAGE_BYTES;
}

static uint64_t last_page(const struct placement_line *line)
{
	return (line->start + line->bytes - 1) / SMILE_PAGE_BYTES;
}

/*
 * Find the object with this path. If it does not exist, add it. Return: the object; NULL if memory
 * is missing.
 */
static struct place_object *object_of(struct place_request *request, const char *path)
{
	struct place_object *object;

	for (size_t i = 0; i < request->object_count; i++)
		if (!strcmp(request->objects[i].path, path))
			return &request->objects[i];
	if (array_reserve(&request->objects, &request->object_room, request->object_count,
			  sizeof(*request->objects)) < 0)
		return NULL;
	object = &request->objects[request->object_count];
	*object = (struct place_object){.path = strdup(path)};
	if (!object->path)
		return NULL;
	request->object_count++;
	return object;
}

static int program_take(struct place_request *request, const struct placement_line *line)
{
	free(request->program);
	free(request->arguments);
	request->program = strdup(line->path);
	request->arguments = strdup(line->name);
	return request->program && request->arguments ? 0 : no_memory();
}

static int object_take(struct place_request *request, const struct placement_line *line)
{
	struct place_object *object = object_of(request, line->path);

	if (!object)
		return no_memory();
	free(object->build);
	object->build = strdup(line->name);
	return object->build ? 0 : no_memory();
}

static int has_object(enum placement_region_kind kind)
{
	return kind == PLACEMENT_DATA || kind == PLACEMENT_VARIABLE || kind == PLACEMENT_BLOCK;
}

static int region_take(struct place_request *request, const struct placement_line *line)
{
	struct place_region *region;
	struct place_object *object;

	if (line->nth > NTH_MAX)
		return Monitor_error_set(EINVAL,
					 "%s: line %zu: there are at most %u regions of a kind",
					 request->file, line->number, NTH_MAX);
	if (array_reserve(&request->regions, &request->region_room, request->region_count,
			  sizeof(*request->regions)) < 0)
		return no_memory();
	region = &request->regions[request->region_count++];
	*region = (struct place_region){
		.line = *line,
		.path = strdup(line->path),
		.name = strdup(line->name),
		.object = PLAN_NO_OBJECT,
	};
	region->line.path = region->path;
	region->line.name = region->name;
	if (!region->path || !region->name)
		return no_memory();
	if (has_object(line->region)) {
		object = object_of(request, line->path);
		if (!object)
			return no_memory();
		region->object = (uint32_t)(object - request->objects);
	}
	/* If a page is in two regions, it belongs to the later region. */
	if (page_ranges_set(&request->owners, first_page(line), last_page(line),
			    request->region_count - 1) < 0)
		return no_memory();
	return 0;
}

static int order_take(struct place_request *request, const struct placement_line *line)
{
	uint32_t *threads = calloc(line->thread_count, sizeof(*threads));

	if (!threads || array_reserve(&request->orders, &request->order_room, request->order_count,
				      sizeof(*request->orders)) < 0) {
		free(threads);
		return no_memory();
	}
	memcpy(threads, line->threads, line->thread_count * sizeof(*threads));
	request->orders[request->order_count++] =
		(struct place_order){line->start, threads, line->thread_count};
	return 0;
}

static int line_take(void *opaque, const struct placement_line *line)
{
	struct place_request *request = opaque;

	switch (line->kind) {
	case PLACEMENT_LINE_PLACE:
		if (line->file || (line->own && request->leaves_own))
			return 0;
		if (page_ranges_set(&request->placed, first_page(line), last_page(line),
				    line->node) < 0)
			return no_memory();
		return 0;
	case PLACEMENT_LINE_PROGRAM:
		return program_take(request, line);
	case PLACEMENT_LINE_OBJECT:
		return object_take(request, line);
	case PLACEMENT_LINE_REGION:
		return region_take(request, line);
	case PLACEMENT_LINE_DEFAULT:
		/*
		 * The only such policy is first touch. The kernel places pages by first touch too,
		 * so no action is needed.
		 */
		return 0;
	default:
		return order_take(request, line);
	}
}

int place_request_load(struct place_request *request, const char *file, int leaves_own)
{
	*request = (struct place_request){.file = file, .leaves_own = leaves_own};
	return placement_lines_read(file, line_take, request);
}

int place_request_read(struct place_request *request, const char *file)
{
	int status = place_request_load(request, file, 0);

	if (status < 0)
		return status;
	if (!request->placed.count)
		return Monitor_error_set(EINVAL, "%s places no page", file);
	if (!request->region_count)
		return Monitor_error_set(
			EINVAL,
			"%s names pages only by their addresses, which differ from "
			"run to run: `smile advise -o` also writes the regions",
			file);
	return 0;
}

void place_request_free(struct place_request *request)
{
	for (size_t i = 0; i < request->region_count; i++) {
		free(request->regions[i].path);
		free(request->regions[i].name);
	}
	for (size_t i = 0; i < request->object_count; i++) {
		free(request->objects[i].path);
		free(request->objects[i].file);
		free(request->objects[i].build);
	}
	for (size_t i = 0; i < request->order_count; i++)
		free(request->orders[i].threads);
	free(request->program);
	free(request->arguments);
	free(request->orders);
	free(request->regions);
	free(request->objects);
	page_ranges_free(&request->placed);
	page_ranges_free(&request->owners);
}
