// SPDX-License-Identifier: MIT
/*
 * Place builds: finds objects whose build differs from the recorded build.
 *
 * What lives here: the comparison of builds; and the search for the recorded variables in the new
 * build. This search uses the names of the variables, because their recorded addresses can belong
 * to other variables in the new build.
 */
#include "lib/analysis/place/place_request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <smile/monitor.h>

#include "lib/analysis/elf_segments.h"

static int no_memory(void)
{
	return Monitor_error_set(ENOMEM, "no memory for the objects of the placement");
}

/* ---- variables by name ----------------------------------------------------------------------- */

/**
 * struct writable - The file whose writable segments are added.
 */
struct writable {
	struct Monitor *mon;
	const char *file;
};

static int segment_add(const struct segment *segment, void *opaque)
{
	const struct writable *writable = opaque;
	const struct Monitor_region region = {
		.kind = MONITOR_REGION_GLOBAL,
		.name = writable->file,
		.start = segment->start,
		.end = segment->end,
		.offset = segment->offset,
	};

	return segment->writable ? Monitor_region_add(writable->mon, &region) : 0;
}

/* If an object has changed, store the addresses of its variables in the new build. */
static void variables_find(struct place_request *request, size_t index,
			   const struct Monitor_variable *variables, int count)
{
	for (size_t i = 0; i < request->region_count; i++) {
		struct place_region *region = &request->regions[i];

		if (region->object != index)
			continue;
		region->lost = 1;
		for (int v = 0; v < count && region->line.region == PLACEMENT_VARIABLE; v++) {
			if (variables[v].kind != MONITOR_VARIABLE_GLOBAL ||
			    strcmp(variables[v].name, region->name))
				continue;
			region->line.link = variables[v].address;
			region->bytes = variables[v].bytes;
			region->lost = 0;
			break;
		}
		*(region->lost ? &request->objects[index].lost : &request->objects[index].found) +=
			1;
	}
}

static int object_search(struct place_request *request, size_t index)
{
	const struct place_object *object = &request->objects[index];
	struct Monitor_variable *variables = NULL;
	struct Monitor *mon;
	int count, error = Monitor_open(&mon, "emu:");

	if (error < 0)
		return error;
	error = segments_read(object->file, segment_add, &(struct writable){mon, object->file});
	if (error < 0) {
		Monitor_close(mon);
		return error;
	}
	count = Monitor_variables(mon, NULL, 0);
	if (count > 0) {
		variables = calloc((size_t)count, sizeof(*variables));
		if (!variables) {
			Monitor_close(mon);
			return no_memory();
		}
		Monitor_variables(mon, variables, (size_t)count);
	}
	variables_find(request, index, variables, count);
	free(variables);
	Monitor_close(mon);
	return 0;
}

/* ---- builds ---------------------------------------------------------------------------------- */

/* If the file cannot be read, assume that its build is the recorded build. */
static int is_changed(const struct place_object *object)
{
	char build[MONITOR_BUILD_BYTES];

	return object->build && Monitor_object_build(object->file, build) >= 0 &&
	       strcmp(build, object->build);
}

int place_builds_check(struct place_request *request, const char *program)
{
	/*
	 * If the program is a symbolic link, recordings have the path of the file to which it
	 * points.
	 */
	char *file = realpath(program, NULL);
	int error = 0;

	for (size_t i = 0; i < request->object_count && !error; i++) {
		struct place_object *object = &request->objects[i];

		object->program = !strcmp(basename(object->path), basename(program)) ||
				  (file && !strcmp(basename(object->path), basename(file)));
		object->file = strdup(object->program ? program : object->path);
		if (!object->file) {
			error = no_memory();
			break;
		}
		object->changed = is_changed(object);
		if (object->changed)
			error = object_search(request, i);
	}
	free(file);
	return error;
}
