/* SPDX-License-Identifier: MIT */
/*
 * Map: stores the data about the program that a recording has in addition to the counts of the
 * card.
 *
 * What lives here: the homes of the program's pages, the regions of its address space, the names of
 * its phases, and the parameters of the run. Each Monitor has a map. In a recording, the map
 * follows the records (trailer.c). If several recordings form one view, their maps are merged.
 */
#ifndef LIB_MAP_MAP_H
#define LIB_MAP_MAP_H

#include <smile/monitor.h>

#include "lib/map/clocks.h"
#include "lib/map/accesses.h"
#include "lib/map/local_accesses.h"
#include "lib/map/stack_frames.h"
#include "lib/map/map_heap.h"

/* One more than the largest page number. */
#define MAP_PAGES (((uint64_t)1 << SMILE_ADDRESS_BITS) / SMILE_PAGE_BYTES)

/**
 * struct map_phase - A named phase.
 * @start_ns: the card's clock at the beginning of the phase
 * @name: name of the phase; owned by this struct
 */
struct map_phase {
	uint64_t start_ns;
	char *name;
};

/**
 * struct map_segment - A range of addresses that belong to one region. Segments do not overlap.
 * @start: first address
 * @end: one past the last address
 * @region: index of the region
 */
struct map_segment {
	uint64_t start;
	uint64_t end;
	size_t region;
};

/**
 * struct map - The map. If all members are 0, the map is empty.
 * @homes: homes of pages, ascending, without overlaps. One element is a run of neighbouring pages
 *         with the same home; [@homes_size]
 * @regions: regions in the order in which they were added, with copies of their names;
 *           [@regions_size]
 * @segments: segments of the regions, ascending; NULL: the segments were not computed yet
 *         (region.c)
 * @segments_count: number of segments
 * @phases: phases in the order in which they were added; they must be added in the order of their
 *          times; [@phases_size]
 * @failed: numbers of failed accesses, with one element for each node; [@failed_size]
 * @parameters: parameters of the run; NULL: no parameters
 * @parameters_early: @parameters are from the header of a recording. The trailer has other
 *                    parameters, which replace them
 * @heap: the program's allocations, and the builds of its files
 * @frames: functions that the program's threads executed
 * @locals: accesses of nodes to their own memory, by phase
 * @intervals: accesses of nodes to any memory, by interval
 * @fronts: accesses that the nodes' processors made, including those that caches served
 * @clocks: for each node, pairs of times of its card and its host
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
	struct accesses accesses;
	struct clocks clocks;
};

void smile_map_free(struct map *map);
int smile_map_is_empty(const struct map *map);

/*
 * The functions that add an item copy their arguments. Return: 0; -EINVAL or -ENOMEM, with
 * Monitor_error_message() set.
 */
int smile_map_home_add(struct map *map, uint64_t page, uint64_t pages, uint32_t node);
int smile_map_region_add(struct map *map, const struct Monitor_region *region);
int smile_map_phase_add(struct map *map, uint64_t start_ns, const char *name);
int smile_map_failed_add(struct map *map, const struct Monitor_failed *failed);
int smile_map_parameters_set(struct map *map, const char *text);

/* Compute map->segments if they were not computed yet. Return: 0; -ENOMEM. */
int smile_map_segments(struct map *map);

/* Set Monitor_error_message() for missing memory. Return: -ENOMEM. */
int smile_map_no_memory(void);

/* Get the home of a page. Return: the node; -1 if the map does not have the page. */
int smile_map_home(const struct map *map, uint64_t page);

/*
 * Convert the map's locals, intervals and fronts into their final form. Maps can be written and
 * compared only in this form. A map that was read from a file already has it. Return: 0; -ENOMEM,
 * with Monitor_error_message() set.
 */
int smile_map_settle(struct map *map);

/*
 * Make the union of @into and @from in @sum, which must be empty. The locals, intervals and
 * accesses of @into are not copied; call smile_map_keep() to move them. @name: name of the file of
 * @from, for messages. Return: 0; -EINVAL if the two maps contradict each other; -ENOMEM. After an
 * error, @sum is empty.
 */
int smile_map_sum(struct map *sum, struct map *into, const struct map *from, const char *name);

/*
 * Complete the map @map, which smile_map_sum() made from @old and another map. Because callers have
 * pointers to the regions and phases of @old and to their names, the function moves these into
 * @map, and moves the copies in @map to @old. The function also moves the locals, intervals and
 * fronts of @old, because they are large. The caller must free @old after the call.
 */
void smile_map_keep(struct map *map, struct map *old);

#endif /* LIB_MAP_MAP_H */
