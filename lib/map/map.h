/* SPDX-License-Identifier: MIT */
/*
 * Map: the data about the program that a recording holds in addition to the card's counts.
 *
 * What lives here: the homes of its pages, the regions of its address space, the names of its
 * phases, and the parameters of the run. A Monitor holds a map. The map is written after the
 * records of a recording (trailer.c), and maps are merged if several recordings form one view.
 */
#ifndef LIB_MAP_MAP_H
#define LIB_MAP_MAP_H

#include <smile/monitor.h>

#include "lib/map/clocks.h"
#include "lib/map/fronts.h"
#include "lib/map/locals.h"
#include "lib/map/stack_frames.h"
#include "lib/map/map_heap.h"

/* The largest page number plus one. */
#define MAP_PAGES (((uint64_t)1 << SMILE_ADDRESS_BITS) / SMILE_PAGE_BYTES)

/**
 * struct map_phase - A named phase.
 * @start_ns: the card's clock at the beginning of the phase
 * @name: name of the phase, owned
 */
struct map_phase {
	uint64_t start_ns;
	char *name;
};

/**
 * struct map_segment - Addresses of one region, without overlaps.
 * @start: first address
 * @end: one past the last
 * @region: index of the region
 */
struct map_segment {
	uint64_t start;
	uint64_t end;
	size_t region;
};

/**
 * struct map - All zero is an empty map.
 * @homes: homes of pages, ascending, without overlaps; neighbours on one node are one element;
 *         [@homes_size]
 * @regions: regions in the order in which they were added, with copies of their names;
 *           [@regions_size]
 * @segments: segments of the regions, ascending, without overlaps; NULL: not computed yet: region.c
 * @segments_count: number of segments
 * @phases: phases in the order in which they were added, which is ascending; [@phases_size]
 * @failed: failed accesses, one element for each node; [@failed_size]
 * @parameters: parameters of the run; NULL: no parameters
 * @parameters_early: @parameters are from the header of a recording whose trailer has others
 * @heap: the program's allocations, and the builds of its files
 * @frames: functions that the program's threads were in
 * @locals: accesses of nodes to their own memory, by phase
 * @intervals: accesses of nodes to any memory, by interval
 * @fronts: accesses of nodes' processors in front of the caches
 * @clocks: pairs of times of nodes' cards and hosts
 */
struct map {
	struct Monitor_home *homes;
	size_t homes_count;
	size_t homes_size;
	struct Monitor_region *regions;
	size_t regions_count;
	size_t regions_size;
	struct map_segment *segments;
	size_t segments_count;
	struct map_phase *phases;
	size_t phases_count;
	size_t phases_size;
	struct Monitor_failed *failed;
	size_t failed_count;
	size_t failed_size;
	char *parameters;
	int parameters_early;
	struct map_heap heap;
	struct frames frames;
	struct locals locals;
	struct locals intervals;
	struct fronts fronts;
	struct clocks clocks;
};

void smile_map_free(struct map *map);
int smile_map_is_empty(const struct map *map);

/*
 * The functions that add copy their arguments. Each returns 0, or -EINVAL or -ENOMEM with a
 * message.
 */
int smile_map_home_add(struct map *map, uint64_t page, uint64_t pages, uint32_t node);
int smile_map_region_add(struct map *map, const struct Monitor_region *region);
int smile_map_phase_add(struct map *map, uint64_t start_ns, const char *name);
int smile_map_failed_add(struct map *map, const struct Monitor_failed *failed);
int smile_map_parameters_set(struct map *map, const char *text);

/* Compute the segments, if they do not exist. Return: 0; -ENOMEM. */
int smile_map_segments(struct map *map);

/* Return: -ENOMEM, with a message. */
int smile_map_no_memory(void);

/* Return: the node; -1 if it is not in the map. */
int smile_map_home(const struct map *map, uint64_t page);

/*
 * Convert the map's locals, intervals and fronts into their final form, in which maps are written
 * and compared. A map that was read has this form. Return: 0; -ENOMEM with a message.
 */
int smile_map_settle(struct map *map);

/*
 * Make the union of @into and @from in @sum, which must be empty. Locals, intervals and fronts of
 * @into are not copied: smile_map_keep() moves them. @name: the file of @from, for the message.
 * Return: 0; -EINVAL if the two maps contradict each other; -ENOMEM. On failure @sum is empty.
 */
int smile_map_sum(struct map *sum, struct map *into, const struct map *from, const char *name);

/*
 * @map is the sum of @old and of another map. Move the regions and phases of @old, with their
 *      names, into @map, because callers hold pointers to them; @old gets the copies, and the
 *      caller must then free it. The locals, intervals and fronts of @old, which are large, are
 *      also moved.
 */
void smile_map_keep(struct map *map, struct map *old);

#endif /* LIB_MAP_MAP_H */
