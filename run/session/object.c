// SPDX-License-Identifier: MIT
/*
 * run/session: writes data about the program's files into the recordings.
 *
 * What lives here: the build ids of the files, and the name by which the program's own file was
 * called. With the build ids, a reader does not take names of variables from a file that was
 * rebuilt after the run. The name is needed because a file with several links, such as redis-server
 * and redis-check-rdb, can act as several programs.
 */
#include "run/session/session_inside.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int is_object(const struct stream_region *region)
{
	return region &&
	       (region->kind == STREAM_REGION_GLOBAL || region->kind == STREAM_REGION_CODE) &&
	       region->path[0] == '/';
}

/* Check whether the file that now has this path is the file that the program has mapped. */
static int is_there(const struct stream_region *region)
{
	struct stat status;

	return !stat(region->path, &status) && (!region->inode || (status.st_ino == region->inode));
}

/* Check whether this file was reported before. */
static int is_known(const struct schedule *schedule, size_t index,
		    const struct stream_region *region)
{
	for (size_t i = 0; i < index; i++) {
		const struct stream_region *before = schedule_region(schedule, i, NULL);

		if (is_object(before) && !strcmp(before->path, region->path))
			return 1;
	}
	return 0;
}

void run_called_find(struct run *run)
{
	const char *name = basename(run->program);
	char *directory = strndup(run->program, (size_t)(name - run->program));
	char *there = directory ? realpath(*directory ? directory : ".", NULL) : NULL;

	run->real = realpath(run->program, NULL);
	if (!there || !run->real || !strcmp(basename(run->real), name) ||
	    asprintf(&run->called, "%s/%s", strcmp(there, "/") ? there : "", name) < 0) {
		free(run->real);
		run->real = run->called = NULL;
	}
	free(directory);
	free(there);
}

const char *run_called(const struct run *run, const char *path)
{
	return run->real && !strcmp(path, run->real) ? run->called : path;
}

void run_objects_report(struct run *run)
{
	size_t count = schedule_regions(run->schedule);

	for (size_t i = 0; i < count; i++) {
		const struct stream_region *region = schedule_region(run->schedule, i, NULL);
		char build[MONITOR_BUILD_BYTES];
		struct Monitor_object object = {.build = build};

		if (!is_object(region) || is_known(run->schedule, i, region) || !is_there(region) ||
		    Monitor_object_build(region->path, build) < 0)
			continue;
		object.path = run_called(run, region->path);
		for (unsigned n = 0; n < run->config.nodes; n++) {
			if (!run->cards[n].mon ||
			    Monitor_object_add(run->cards[n].mon, &object) >= 0)
				continue;
			run_message("%s", Monitor_error_message());
			run->failed = 1;
		}
	}
}
