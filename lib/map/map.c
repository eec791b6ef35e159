/* SPDX-License-Identifier: MIT */
/*
 * Map: stores the data about the program that a recording has in addition to the counts of the
 * card.
 *
 * What lives here: the functions that build a map. Local accesses are in local_accesses.c, merging
 * is in map_merge.c, the file format is in trailer.c, and the public calls are in program.c.
 */
#include <stdlib.h>
#include <string.h>

#include <hw/smile_regs.h>
#include <base/array.h>
#include <base/search.h>

#include "lib/base/error.h"
#include "lib/map/map.h"

void smile_map_free(struct map *map)
{
	for (size_t i = 0; i < map->regions_count; i++)
		free((char *)map->regions[i].name);
	for (size_t i = 0; i < map->phases_count; i++)
		free(map->phases[i].name);
	free(map->homes);
	free(map->regions);
	free(map->segments);
	free(map->phases);
	free(map->failed);
	free(map->parameters);
	smile_map_heap_free(&map->heap);
	smile_frames_free(&map->frames);
	smile_locals_free(&map->locals);
	smile_locals_free(&map->intervals);
	smile_accesses_free(&map->accesses);
	smile_clocks_free(&map->clocks);
	*map = (struct map){0};
}

int smile_map_is_empty(const struct map *map)
{
	return !map->homes_count && !map->regions_count && !map->phases_count && !map->parameters &&
	       !map->failed_count && smile_locals_is_empty(&map->locals) &&
	       smile_locals_is_empty(&map->intervals) && !map->frames.count &&
	       !map->accesses.count && !map->clocks.count && smile_map_heap_is_empty(&map->heap);
}

int smile_map_settle(struct map *map)
{
	smile_locals_settle(&map->locals);
	smile_locals_settle(&map->intervals);
	return smile_accesses_settle(&map->accesses);
}

int smile_map_no_memory(void)
{
	return smile_error(ENOMEM, "no memory for the map of the program's memory");
}

/* ---- homes ---------------------------------------------------------------------------------- */

static uint64_t home_end(const struct Monitor_home *home)
{
	return home->page + home->pages;
}

/* Find the first run that ends after @page. */
static size_t home_find(const struct map *map, uint64_t page)
{
	size_t at;

	SEARCH_FIRST(at, map->homes_count, i, home_end(&map->homes[i]) > page);
	return at;
}

int smile_map_home(const struct map *map, uint64_t page)
{
	size_t i = home_find(map, page);

	return i < map->homes_count && map->homes[i].page <= page ? (int)map->homes[i].node : -1;
}

/* Insert a run before the run with index @at. The new run must not overlap any other run. */
static int home_insert(struct map *map, size_t at, const struct Monitor_home *run)
{
	struct Monitor_home *homes = map->homes;

	if (at && home_end(&homes[at - 1]) == run->page && homes[at - 1].node == run->node) {
		homes[at - 1].pages += run->pages;
		return 0;
	}
	if (array_reserve(&map->homes, &map->homes_size, map->homes_count, sizeof(*homes)) < 0)
		return smile_map_no_memory();
	homes = map->homes;
	memmove(homes + at + 1, homes + at, (map->homes_count - at) * sizeof(*homes));
	homes[at] = *run;
	map->homes_count++;
	return 0;
}

/* If run @at and the next run have neighbouring pages on the same node, merge them. */
static void home_join(struct map *map, size_t at)
{
	struct Monitor_home *homes = map->homes;

	if (at + 1 >= map->homes_count || home_end(&homes[at]) != homes[at + 1].page ||
	    homes[at].node != homes[at + 1].node)
		return;
	homes[at].pages += homes[at + 1].pages;
	memmove(homes + at + 1, homes + at + 2, (map->homes_count - at - 2) * sizeof(*homes));
	map->homes_count--;
}

static int home_check(uint64_t page, uint64_t pages, uint32_t node)
{
	if (!pages || page >= MAP_PAGES || pages > MAP_PAGES - page)
		return smile_error(EINVAL,
				   "%llu pages from page %llu on are impossible: an address has %u "
				   "bits",
				   (unsigned long long)pages, (unsigned long long)page,
				   SMILE_ADDRESS_BITS);
	if (node & ~SMILE_NODE_ID)
		return smile_error(EINVAL, "node %u is out of range: use 0 to %u", node,
				   SMILE_NODE_ID);
	return 0;
}

int smile_map_home_add(struct map *map, uint64_t page, uint64_t pages, uint32_t node)
{
	uint64_t end = page + pages;
	size_t at;
	int error = home_check(page, pages, node);

	if (error < 0)
		return error;
	at = home_find(map, page);
	for (size_t i = at; i < map->homes_count && map->homes[i].page < end; i++) {
		const struct Monitor_home *there = &map->homes[i];

		if (there->node != node)
			return smile_error(
				EINVAL, "page %llu is on node %u already: a page has one home",
				(unsigned long long)(there->page > page ? there->page : page),
				there->node);
	}
	/* The pages between two existing runs have no home yet, so add them. */
	while (page < end) {
		struct Monitor_home run = {.page = page, .pages = end - page, .node = node};

		at = home_find(map, page);
		if (at < map->homes_count && map->homes[at].page <= page) {
			page = home_end(&map->homes[at]);
			continue;
		}
		if (at < map->homes_count && map->homes[at].page < end)
			run.pages = map->homes[at].page - page;
		error = home_insert(map, at, &run);
		if (error < 0)
			return error;
		page += run.pages;
		home_join(map, home_find(map, run.page));
	}
	return 0;
}

/* ---- regions, phases, parameters ----------------------------------------------------------- */

int smile_map_region_add(struct map *map, const struct Monitor_region *region)
{
	char *name;

	if (region->start >= region->end || region->end > (uint64_t)1 << SMILE_ADDRESS_BITS)
		return smile_error(EINVAL, "a region from 0x%llx to 0x%llx is impossible",
				   (unsigned long long)region->start,
				   (unsigned long long)region->end);
	name = strdup(region->name ? region->name : "");
	if (!name)
		return smile_map_no_memory();
	if (array_reserve(&map->regions, &map->regions_size, map->regions_count,
			  sizeof(*map->regions)) < 0) {
		free(name);
		return smile_map_no_memory();
	}
	free(map->segments);
	map->segments = NULL;
	map->segments_count = 0;
	map->regions[map->regions_count] = *region;
	map->regions[map->regions_count++].name = name;
	return 0;
}

int smile_map_failed_add(struct map *map, const struct Monitor_failed *failed)
{
	if (failed->node & ~SMILE_NODE_ID)
		return smile_error(EINVAL, "node %u is out of range: use 0 to %u", failed->node,
				   SMILE_NODE_ID);
	for (size_t i = 0; i < map->failed_count; i++) {
		if (map->failed[i].node != failed->node)
			continue;
		return map->failed[i].accesses == failed->accesses
			       ? 0
			       : smile_error(
					 EINVAL,
					 "the failed accesses of node %u were already given: give "
					 "them once",
					 failed->node);
	}
	if (array_reserve(&map->failed, &map->failed_size, map->failed_count,
			  sizeof(*map->failed)) < 0)
		return smile_map_no_memory();
	map->failed[map->failed_count++] = *failed;
	return 0;
}

int smile_map_phase_add(struct map *map, uint64_t start_ns, const char *name)
{
	char *copy;

	if (map->phases_count && start_ns < map->phases[map->phases_count - 1].start_ns)
		return smile_error(
			EINVAL,
			"phase '%s' begins before the previously named phase: name phases in "
			"their order",
			name);
	copy = strdup(name);
	if (!copy)
		return smile_map_no_memory();
	if (array_reserve(&map->phases, &map->phases_size, map->phases_count,
			  sizeof(*map->phases)) < 0) {
		free(copy);
		return smile_map_no_memory();
	}
	map->phases[map->phases_count++] = (struct map_phase){start_ns, copy};
	return 0;
}

int smile_map_parameters_set(struct map *map, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		return smile_map_no_memory();
	free(map->parameters);
	map->parameters = copy;
	map->parameters_early = 0;
	return 0;
}
