/* SPDX-License-Identifier: MIT */
/*
 * run/sample: the past contents of a process's memory, from records of its mappings.
 *
 * What lives here: the list that /proc/PID/maps would have had. A new mapping replaces the old ones
 * at its addresses; perf does not record munmap(2), so unmapped memory stays. May use mapped.h.
 */
#ifndef RUN_SAMPLE_PERF_MAPS_H
#define RUN_SAMPLE_PERF_MAPS_H

#include <stddef.h>
#include <stdint.h>

#include "run/sample/mapped.h"

/**
 * struct perf_map - A mapping.
 * @start: its first address
 * @end: one past its last address
 * @offset: its offset in the file
 * @flags: its flags as in /proc/PID/maps
 * @name: its name in perf: "//anon", "[heap]", a path; owned
 */
struct perf_map {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	char flags[5];
	char *name;
};

/**
 * struct perf_maps - All mappings; all zero if there are none.
 * @list: the mappings, ascending and without overlaps; shape [@count], room for @size
 */
struct perf_maps {
	struct perf_map *list;
	size_t count;
	size_t size;
};

/**
 * perf_maps_add() - Add a mapping.
 * @map: the mapping; neither it nor its name is kept; a mapping without bytes, or beyond the end of
 *       addresses, is ignored
 *
 * Return: 0; -ENOMEM.
 */
int perf_maps_add(struct perf_maps *maps, const struct perf_map *map);

/* Add all mappings as regions of a recording. Return: 0; -ENOMEM. */
int perf_maps_regions(const struct perf_maps *maps, struct mapped *mapped);

/* Remove and free all mappings. */
void perf_maps_free(struct perf_maps *maps);

#endif /* RUN_SAMPLE_PERF_MAPS_H */
