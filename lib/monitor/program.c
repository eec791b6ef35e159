/* SPDX-License-Identifier: MIT */
/*
 * Program: the public functions that return a view's data about the recorded program.
 *
 * What lives here: the public functions for the map, and for the catalogue of variables that is
 * made from the map. Functions that find a region are in region.c, and functions for local accesses
 * are in local_accesses.c.
 */
#include "lib/base/copy_out.h"
#include "lib/base/error.h"
#include "lib/monitor/monitor.h"

int smile_catalogue(struct Monitor *mon, struct catalogue **out)
{
	int error = mon->catalogue ? 0 : smile_catalogue_make(&mon->map, &mon->catalogue);

	if (!error)
		*out = mon->catalogue;
	return error;
}

void smile_catalogue_drop(struct Monitor *mon)
{
	if (mon->catalogue)
		smile_catalogue_free(mon->catalogue);
	mon->catalogue = NULL;
}

int Monitor_home_add(struct Monitor *mon, uint64_t page, uint64_t pages, unsigned int node)
{
	return smile_map_home_add(&mon->map, page, pages, node);
}

int Monitor_homes(struct Monitor *mon, struct Monitor_home *homes, size_t capacity)
{
	return smile_copy(homes, capacity, mon->map.homes, mon->map.homes_count, sizeof(*homes));
}

int Monitor_region_add(struct Monitor *mon, const struct Monitor_region *region)
{
	smile_catalogue_drop(mon);
	return smile_map_region_add(&mon->map, region);
}

int Monitor_regions(struct Monitor *mon, struct Monitor_region *regions, size_t capacity)
{
	return smile_copy(regions, capacity, mon->map.regions, mon->map.regions_count,
			  sizeof(*regions));
}

int Monitor_failed_add(struct Monitor *mon, const struct Monitor_failed *failed)
{
	return smile_map_failed_add(&mon->map, failed);
}

int Monitor_failed(struct Monitor *mon, struct Monitor_failed *failed, size_t capacity)
{
	return smile_copy(failed, capacity, mon->map.failed, mon->map.failed_count,
			  sizeof(*failed));
}

int Monitor_phase_name_add(struct Monitor *mon, uint64_t start_ns, const char *name)
{
	if (!name)
		return smile_error(EINVAL,
				   "a phase needs a name: use \"\" for a phase without one");
	return smile_map_phase_add(&mon->map, start_ns, name);
}

/* Get the card's clock at the beginning of a phase. */
static uint64_t phase_start(const struct histogram *histogram, size_t phase)
{
	return phase ? histogram->phases[phase - 1].end_ns : 0;
}

const char *Monitor_phase_name(struct Monitor *mon, size_t phase)
{
	const struct histogram *histogram = &mon->histogram;
	const struct map_phase *named = mon->map.phases;
	size_t count = mon->map.phases_count, before = 0, first = 0, last;
	uint64_t start;

	if (phase >= histogram->phases_count)
		return "";
	start = phase_start(histogram, phase);
	/* Several phases can begin at the same time, because a phase can end immediately. */
	while (before < phase && phase_start(histogram, phase - before - 1) == start)
		before++;
	while (first < count && named[first].start_ns < start)
		first++;
	for (last = first; last < count && named[last].start_ns == start;)
		last++;
	if (last == first)
		return first ? named[first - 1].name : "";
	return named[first + before < last ? first + before : last - 1].name;
}

int Monitor_parameters_set(struct Monitor *mon, const char *json)
{
	if (!json)
		return smile_error(EINVAL, "there are no parameters to keep");
	return smile_map_parameters_set(&mon->map, json);
}

const char *Monitor_parameters(struct Monitor *mon)
{
	return mon->map.parameters;
}

int Monitor_site_add(struct Monitor *mon, const struct Monitor_site *site)
{
	int error = smile_map_heap_site_add(&mon->map.heap, site);

	smile_catalogue_drop(mon);
	return error < 0 ? error : (int)mon->map.heap.sites_count - 1;
}

int Monitor_sites(struct Monitor *mon, struct Monitor_site *sites, size_t capacity)
{
	return smile_copy(sites, capacity, mon->map.heap.sites, mon->map.heap.sites_count,
			  sizeof(*sites));
}

int Monitor_block_add(struct Monitor *mon, const struct Monitor_block *block)
{
	smile_catalogue_drop(mon);
	return smile_map_heap_block_add(&mon->map.heap, block);
}

int Monitor_blocks(struct Monitor *mon, struct Monitor_block *blocks, size_t capacity)
{
	return smile_copy(blocks, capacity, mon->map.heap.blocks, mon->map.heap.blocks_count,
			  sizeof(*blocks));
}

int Monitor_object_add(struct Monitor *mon, const struct Monitor_object *object)
{
	smile_catalogue_drop(mon);
	return smile_map_heap_object_add(&mon->map.heap, object->path, object->build);
}

int Monitor_stack_frame_add(struct Monitor *mon, const struct Monitor_stack_frame *frame)
{
	smile_catalogue_drop(mon);
	return smile_frames_add(&mon->map.frames, frame);
}

int Monitor_stack_frames(struct Monitor *mon, struct Monitor_stack_frame *frames, size_t capacity)
{
	return smile_copy(frames, capacity, mon->map.frames.items, mon->map.frames.count,
			  sizeof(*frames));
}
