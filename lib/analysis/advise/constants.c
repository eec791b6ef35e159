// SPDX-License-Identifier: MIT
/*
 * Advise: finds pages of constants, which are parts of files. See lib/analysis/advise/advise.h.
 *
 * What lives here: the search for pages that are parts of a file that the program cannot write. The
 * kernel has one copy of such a page for all programs, so no placement can move it.
 */
#include "lib/analysis/advise/advise.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>

#include "lib/analysis/memory.h"
#include "lib/analysis/elf_segments.h"

/**
 * struct constants - Memory that cannot be written.
 * @ranges: first and last pages; shape [@count]
 * @count: number of ranges
 * @room: number of ranges for which @ranges has memory
 * @bias: for the file that is being read, the difference between an address in the program and the
 *        address in the file
 */
struct constants {
	uint64_t (*ranges)[2];
	size_t count;
	size_t room;
	uint64_t bias;
};

static int segment_take(const struct segment *segment, void *opaque)
{
	struct constants *constants = opaque;

	if (segment->writable || segment->start == segment->end)
		return 0;
	if (array_reserve(&constants->ranges, &constants->room, constants->count,
			  sizeof(*constants->ranges)) < 0)
		return Monitor_error_set(ENOMEM, "no memory for the program's constants");
	constants->ranges[constants->count][0] =
		(segment->start + constants->bias) / SMILE_PAGE_BYTES;
	constants->ranges[constants->count++][1] =
		(segment->end - 1 + constants->bias) / SMILE_PAGE_BYTES;
	return 0;
}

/* Return whether the file at @path has the build id of a recorded object. */
static int is_same(const struct Monitor_object *objects, int count, const char *path)
{
	char build[MONITOR_BUILD_BYTES];

	for (int i = 0; i < count; i++)
		if (!strcmp(objects[i].path, path))
			return Monitor_object_build(path, build) >= 0 &&
			       !strcmp(build, objects[i].build);
	return 0;
}

static int is_new(const struct Monitor_region *regions, int index)
{
	for (int i = 0; i < index; i++)
		if (regions[i].bias == regions[index].bias &&
		    regions[i].kind == MONITOR_REGION_GLOBAL &&
		    !strcmp(regions[i].name, regions[index].name))
			return 0;
	return 1;
}

static int files_read(struct constants *constants, const struct Monitor_region *regions, int count,
		      const struct Monitor_object *objects, int object_count)
{
	int failed = 0;

	for (int i = 0; i < count && !failed; i++) {
		if (regions[i].kind != MONITOR_REGION_GLOBAL || !*regions[i].name ||
		    !is_new(regions, i) || !is_same(objects, object_count, regions[i].name))
			continue;
		constants->bias = regions[i].bias;
		failed = segments_read(regions[i].name, segment_take, constants);
	}
	return failed;
}

static int constants_load(struct constants *constants, struct Monitor *mon)
{
	struct Monitor_region *regions;
	struct Monitor_object *objects;
	int count, objects_count, failed;

	ANALYSIS_LIST(regions, count, Monitor_regions, mon);
	ANALYSIS_LIST(objects, objects_count, Monitor_objects, mon);
	failed = count < 0 ? count : objects_count;
	if (failed >= 0)
		failed = files_read(constants, regions, count, objects, objects_count);
	free(regions);
	free(objects);
	return failed;
}

int advise_constants_load(struct Monitor_advise *advise)
{
	struct constants constants = {0};
	int failed;

	advise->fixed = analysis_memory(advise->count, 1);
	if (!advise->fixed)
		return -ENOMEM;
	failed = constants_load(&constants, advise->mon);
	for (size_t i = 0; i < advise->count; i++)
		for (size_t k = 0; k < constants.count && !advise->fixed[i]; k++)
			if (advise->rows[i].page >= constants.ranges[k][0] &&
			    advise->rows[i].page <= constants.ranges[k][1])
				advise->fixed[i] = ADVISE_CONSTANT;
	free(constants.ranges);
	return failed;
}
