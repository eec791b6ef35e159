// SPDX-License-Identifier: MIT
/*
 * smile place: objects that are another build than the recorded one. See tools/place/place.h.
 *
 * What lives here: the comparison, and the search for a variable by its name, as recordings have
 * it, in the object as it is now. Without that, an address in the old build would name something
 * else in the new one.
 */
#include "tools/place/place.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <smile/monitor.h>

#include "tools/common/tool.h"

#define HEADERS_MAX 64

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* ---- variables by name ----------------------------------------------------------------------- */

/* The writable data of an object as regions of a Monitor, at the addresses of its ELF headers. */
static void data_add(struct Monitor *mon, const char *file)
{
	FILE *in = fopen(file, "re");
	Elf64_Ehdr head;
	Elf64_Phdr segment;

	if (!in)
		return;
	if (fread(&head, sizeof(head), 1, in) == 1 && !memcmp(head.e_ident, ELFMAG, SELFMAG) &&
	    head.e_ident[EI_CLASS] == ELFCLASS64 && head.e_phnum <= HEADERS_MAX &&
	    !fseek(in, (long)head.e_phoff, SEEK_SET))
		for (unsigned i = 0; i < head.e_phnum; i++) {
			struct Monitor_region region = {.kind = MONITOR_REGION_GLOBAL,
							.name = file};

			if (fread(&segment, sizeof(segment), 1, in) != 1)
				break;
			if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_W))
				continue;
			region.start = segment.p_vaddr;
			region.end = segment.p_vaddr + segment.p_memsz;
			region.offset = segment.p_offset;
			Monitor_region_add(mon, &region);
		}
	fclose(in);
}

/* Where the variables of a changed object are now. */
static void variables_find(struct place_request *request, uint32_t index,
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
			region->lost = 0;
			break;
		}
	}
}

static void object_search(struct place_request *request, uint32_t index)
{
	const struct place_object *object = &request->objects[index];
	struct Monitor_variable *variables = NULL;
	struct Monitor *mon;
	int count = 0;

	if (Monitor_open(&mon, "emu:") < 0)
		return;
	data_add(mon, object->file);
	count = Monitor_variables(mon, NULL, 0);
	if (count > 0) {
		variables = tool_memory((size_t)count, sizeof(*variables));
		Monitor_variables(mon, variables, (size_t)count);
	}
	variables_find(request, index, variables, count);
	free(variables);
	Monitor_close(mon);
}

/* ---- builds ---------------------------------------------------------------------------------- */

/* Is the object at hand another build? If its file cannot be read, the recorded one is assumed. */
static int is_changed(const struct place_object *object)
{
	char build[MONITOR_BUILD_BYTES];

	return object->build && Monitor_object_build(object->file, build) >= 0 &&
	       strcmp(build, object->build);
}

static void note_changed(const struct place_request *request, uint32_t index)
{
	size_t lost = 0, found = 0;

	for (size_t i = 0; i < request->region_count; i++)
		if (request->regions[i].object == index)
			*(request->regions[i].lost ? &lost : &found) += 1;
	if (lost + found)
		tool_message("note: %s is not the build that was recorded: %zu of its variables "
			     "are found by their names, %zu other regions are not; record it again "
			     "for a new placement",
			     request->objects[index].file, found, lost);
}

void place_builds_check(struct place_request *request, const char *program)
{
	/* Recordings have the file behind a link. */
	char *file = realpath(program, NULL);

	for (size_t i = 0; i < request->object_count; i++) {
		struct place_object *object = &request->objects[i];

		object->program = !strcmp(last_part(object->path), last_part(program)) ||
				  (file && !strcmp(last_part(object->path), last_part(file)));
		object->file = strdup(object->program ? program : object->path);
		if (!object->file)
			continue;
		object->changed = is_changed(object);
		if (!object->changed)
			continue;
		object_search(request, (uint32_t)i);
		note_changed(request, (uint32_t)i);
	}
	free(file);
}
