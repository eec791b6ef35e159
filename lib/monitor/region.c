/* SPDX-License-Identifier: MIT */
/*
 * Region: finds the region at an address.
 *
 * What lives here: a sorted array of segments that do not overlap. It is made from the regions of a
 * map, which can overlap. The first query makes the array. When a region is added, the array is
 * freed.
 */
#include <stdlib.h>

#include <base/search.h>

#include "lib/base/error.h"
#include "lib/monitor/monitor.h"

/**
 * struct sweep - A pass over all regions, from the lowest address to the highest.
 * @regions: the regions in the order in which they were added
 * @order: all regions, sorted by first address; shape [@count]
 * @count: number of regions
 * @next: index in @order of the first region that the pass has not reached
 * @open: a binary heap of the indices of reached regions, with the highest index on top; it can
 *        contain regions that have ended
 * @open_count: number of indices in @open
 */
struct sweep {
	const struct Monitor_region *regions;
	const struct Monitor_region **order;
	size_t count;
	size_t next;
	size_t *open;
	size_t open_count;
};

static int by_start(const void *a, const void *b)
{
	const struct Monitor_region *one = *(const struct Monitor_region *const *)a;
	const struct Monitor_region *other = *(const struct Monitor_region *const *)b;

	return (one->start > other->start) - (one->start < other->start);
}

static void open_push(struct sweep *sweep, size_t index)
{
	size_t at = sweep->open_count++;

	for (; at && sweep->open[(at - 1) / 2] < index; at = (at - 1) / 2)
		sweep->open[at] = sweep->open[(at - 1) / 2];
	sweep->open[at] = index;
}

static void open_pop(struct sweep *sweep)
{
	size_t last = sweep->open[--sweep->open_count], at = 0, child;

	for (; (child = 2 * at + 1) < sweep->open_count; at = child) {
		if (child + 1 < sweep->open_count && sweep->open[child + 1] > sweep->open[child])
			child++;
		if (sweep->open[child] <= last)
			break;
		sweep->open[at] = sweep->open[child];
	}
	sweep->open[at] = last;
}

/*
 * Advance the pass to @address. After the call, the region on top of the heap is the last added
 * region that contains @address.
 */
static void sweep_to(struct sweep *sweep, uint64_t address)
{
	while (sweep->next < sweep->count && sweep->order[sweep->next]->start <= address)
		open_push(sweep, (size_t)(sweep->order[sweep->next++] - sweep->regions));
	while (sweep->open_count && sweep->regions[sweep->open[0]].end <= address)
		open_pop(sweep);
}

/*
 * Fill in the segments. A segment ends where its region ends, or where another region begins that
 * may have priority.
 */
static size_t segments_fill(struct map_segment *segments, struct sweep *sweep)
{
	uint64_t address = 0, end;
	size_t count = 0;

	for (;; address = end) {
		const struct Monitor_region *top;

		sweep_to(sweep, address);
		end = sweep->next < sweep->count ? sweep->order[sweep->next]->start : UINT64_MAX;
		if (!sweep->open_count && sweep->next == sweep->count)
			return count;
		if (!sweep->open_count)
			continue;
		top = &sweep->regions[sweep->open[0]];
		if (top->end < end)
			end = top->end;
		segments[count++] = (struct map_segment){address, end, sweep->open[0]};
	}
}

int smile_map_segments(struct map *map)
{
	struct sweep sweep = {.regions = map->regions, .count = map->regions_count};
	struct map_segment *segments;

	if (map->segments || !sweep.count)
		return 0;
	/*
	 * There are at most two segments for each region, because a segment begins only where a
	 * region begins or ends.
	 */
	segments = calloc(2 * sweep.count, sizeof(*segments));
	sweep.order = calloc(sweep.count, sizeof(struct Monitor_region *));
	sweep.open = calloc(sweep.count, sizeof(*sweep.open));
	if (segments && sweep.order && sweep.open) {
		for (size_t i = 0; i < sweep.count; i++)
			sweep.order[i] = &map->regions[i];
		qsort(sweep.order, sweep.count, sizeof(struct Monitor_region *), by_start);
		map->segments_count = segments_fill(segments, &sweep);
		map->segments = segments;
	} else {
		free(segments);
	}
	free(sweep.order);
	free(sweep.open);
	return map->segments ? 0 : smile_map_no_memory();
}

/*
 * Find the first segment that ends after @address. Return: the segment; NULL if no segment ends
 * after @address.
 */
static const struct map_segment *segment_find(const struct map *map, uint64_t address)
{
	size_t at;

	SEARCH_FIRST(at, map->segments_count, i, map->segments[i].end > address);
	return at < map->segments_count ? &map->segments[at] : NULL;
}

/* Find a region in a map, like Monitor_region_within(). */
static int map_region_within(struct map *map, uint64_t start, uint64_t end,
			     struct Monitor_region *region, uint64_t *address)
{
	const struct map_segment *segment;
	int error;

	if (!map->regions_count)
		return 0;
	error = smile_map_segments(map);
	if (error < 0)
		return error;
	segment = segment_find(map, start);
	if (!segment || segment->start >= end)
		return 0;
	*region = map->regions[segment->region];
	*address = segment->start > start ? segment->start : start;
	return 1;
}

int Monitor_region_find(struct Monitor *mon, uint64_t address, struct Monitor_region *region)
{
	uint64_t found;
	/*
	 * No region contains UINT64_MAX, because the end of a region is one past its last address.
	 */
	int there = address < UINT64_MAX
			    ? map_region_within(&mon->map, address, address + 1, region, &found)
			    : 0;

	if (there)
		return there < 0 ? there : 0;
	return smile_error(ENOENT, "no region is known at address 0x%llx",
			   (unsigned long long)address);
}

int Monitor_region_within(struct Monitor *mon, uint64_t start, uint64_t end,
			  struct Monitor_region *region, uint64_t *address)
{
	return map_region_within(&mon->map, start, end, region, address);
}
