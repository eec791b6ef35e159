// SPDX-License-Identifier: MIT
/*
 * Place builds: objects of another build than the recorded one.
 *
 * What lives here: the comparison of builds, and the search for recorded variables by name in the
 * new build. An address of the old build would mean another variable in the new one.
 */
#include "lib/analysis/place/place_request.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <smile/monitor.h>

#define HEADERS_MAX 64

static int no_memory(void)
{
	return Monitor_error_set(ENOMEM, "no memory for the objects of the placement");
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* ---- variables by name ----------------------------------------------------------------------- */

/* Add the writable data of an object as regions, at the addresses of its ELF headers. */
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

/* Set the new addresses of the variables of a changed object. */
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
	data_add(mon, object->file);
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

/* If the file cannot be read, the recorded build is assumed. */
static int is_changed(const struct place_object *object)
{
	char build[MONITOR_BUILD_BYTES];

	return object->build && Monitor_object_build(object->file, build) >= 0 &&
	       strcmp(build, object->build);
}

int place_builds_check(struct place_request *request, const char *program)
{
	/* If the program is a symbolic link, recordings name the file behind it. */
	char *file = realpath(program, NULL);
	int error = 0;

	for (size_t i = 0; i < request->object_count && !error; i++) {
		struct place_object *object = &request->objects[i];

		object->program = !strcmp(last_part(object->path), last_part(program)) ||
				  (file && !strcmp(last_part(object->path), last_part(file)));
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
