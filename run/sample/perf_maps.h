/* SPDX-License-Identifier: MIT */
/*
 * run/sample: what was where in a process's memory, from records of its mappings.
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
 * @end: behind its last
 * @offset: in the file
 * @flags: as in /proc/PID/maps
 * @name: as perf gives it: "//anon", "[heap]", a path; owned
 */
struct perf_map {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	char flags[5];
	char *name;
};

/**
 * struct perf_maps - All of them; all zero: none.
 * @list: ascending, without overlaps; shape [@count], room @size
 */
struct perf_maps {
	struct perf_map *list;
	size_t count;
	size_t size;
};

/**
 * perf_maps_add() - Memory is mapped.
 * @map: not kept, nor is its name; one without bytes, or behind the end of addresses, is ignored
 *
 * Return: 0; -ENOMEM.
 */
int perf_maps_add(struct perf_maps *maps, const struct perf_map *map);

/* All of them, as regions of a recording. Return: 0; -ENOMEM. */
int perf_maps_regions(const struct perf_maps *maps, struct mapped *mapped);

/* There are none any more. */
void perf_maps_free(struct perf_maps *maps);

#endif /* RUN_SAMPLE_PERF_MAPS_H */
