// SPDX-License-Identifier: MIT
/*
 * Place request: makes the texts that describe a request. See lib/analysis/place/place_request.h.
 *
 * What lives here: the names of regions, and the comparison of the recorded program and its
 * arguments with the program and the arguments of a run.
 */
#include "lib/analysis/place/place_request.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void place_region_name(const struct place_region *region, char *text)
{
	const struct placement_line *line = &region->line;
	const char *path = basename(region->path);

	if (line->region == PLACEMENT_DATA)
		snprintf(text, PLACE_NAME_BYTES, "%.128s's data", path);
	else if (line->region == PLACEMENT_BLOCK && *region->name)
		snprintf(text, PLACE_NAME_BYTES, "%.128s block %" PRIu64, region->name, line->nth);
	else if (line->region == PLACEMENT_BLOCK)
		snprintf(text, PLACE_NAME_BYTES, "%.128s+0x%" PRIx64 " block %" PRIu64, path,
			 line->link, line->nth);
	else if (line->region >= PLACEMENT_PRIVATE)
		snprintf(text, PLACE_NAME_BYTES, "%.128s mapping %" PRIu64,
			 *path ? path : "anonymous", line->nth);
	else if (line->nth)
		snprintf(text, PLACE_NAME_BYTES, "%.128s (%" PRIu64 ")", region->name, line->nth);
	else
		snprintf(text, PLACE_NAME_BYTES, "%.128s", region->name);
}

/*
 * Return whether @name and @recorded name the same program. The names can differ, because a program
 * can be started by its path, from another directory, or through a symbolic link.
 */
static int is_program(const char *recorded, const char *name)
{
	char *file;
	int same;

	if (!strcmp(basename(recorded), basename(name)))
		return 1;
	file = realpath(name, NULL);
	same = file && !strcmp(basename(recorded), basename(file));
	free(file);
	return same;
}

static int has_arguments(const char *recorded, char *const *arguments)
{
	for (; *arguments; arguments++) {
		size_t length = strlen(*arguments);

		if (strncmp(recorded, *arguments, length))
			return 0;
		recorded += length;
		if (arguments[1] && *recorded++ != '\n')
			return 0;
	}
	return !*recorded;
}

static void arguments_put(char *text, size_t bytes, char *const *arguments)
{
	size_t used = 0;

	for (; *arguments && used < bytes; arguments++)
		used += (size_t)snprintf(text + used, bytes - used, "%s%s", used ? " " : "",
					 *arguments);
}

int place_request_differs(const struct place_request *request, char *const *command, char *text,
			  size_t bytes)
{
	char now[256] = "", recorded[256];

	if (!request->program)
		return 0;
	if (!is_program(request->program, command[0])) {
		snprintf(text, bytes, "it is a placement of another program, %s",
			 basename(request->program));
		return 2;
	}
	if (has_arguments(request->arguments, command + 1))
		return 0;
	arguments_put(now, sizeof(now), command + 1);
	snprintf(recorded, sizeof(recorded), "%s", request->arguments);
	for (char *at = recorded; (at = strchr(at, '\n'));)
		*at = ' ';
	snprintf(text, bytes, "it was recorded with the arguments '%s', not '%s'", recorded, now);
	return 1;
}
