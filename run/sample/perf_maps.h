/* SPDX-License-Identifier: MIT */
/*
 * run/sample: reconstructs the memory of a process from the records of its mappings.
 *
 * What lives here: the list of mappings that /proc/PID/maps would have shown. A new mapping
 * replaces older mappings at its addresses. perf does not record munmap(2), so memory that was
 * unmapped stays in the list. This file may use memory_regions.h.
 */
#ifndef RUN_SAMPLE_PERF_MAPS_H
#define RUN_SAMPLE_PERF_MAPS_H

#include <stddef.h>
#include <stdint.h>

#include "run/sample/memory_regions.h"

/**
 * struct perf_map - A mapping.
 * @start: first address
 * @end: one past the last address
 * @offset: offset in the mapped file
 * @flags: flags, as in /proc/PID/maps
 * @name: name in perf, such as "//anon", "[heap]", or a path; the struct owns it
 */
struct perf_map {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	char flags[5];
	char *name;
};

/**
 * struct perf_maps - All mappings. If all members are 0, there are no mappings.
 * @list: the mappings, in ascending order and without overlaps; shape [@count], with space for
 *        @size
 */
struct perf_maps {
	struct perf_map *list;
	size_t count;
	size_t size;
};

/**
 * perf_maps_add() - Add a mapping.
 * @map: the mapping. The function copies it, with its name. A mapping that is empty, or that
 *       exceeds the largest address, is ignored
 *
 * Return: 0 or -ENOMEM.
 */
int perf_maps_add(struct perf_maps *maps, const struct perf_map *map);

/* Add all mappings as regions of a recording. Return: 0 or -ENOMEM. */
int perf_maps_regions(const struct perf_maps *maps, struct mapped *mapped);

/* Remove and free all mappings. */
void perf_maps_free(struct perf_maps *maps);

#endif /* RUN_SAMPLE_PERF_MAPS_H */
