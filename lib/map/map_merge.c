/* SPDX-License-Identifier: MIT */
/*
 * Map: merges the maps of several recordings of one run.
 *
 * What lives here: the checks that maps agree, and the union of maps. The checks detect recordings
 * of different runs, because different runs have different regions, or phases that begin at
 * different times.
 */
#include <stdlib.h>
#include <string.h>

#include <base/array.h>

#include "lib/base/error.h"
#include "lib/map/map.h"

static int contradiction(const char *name, const char *what)
{
	return smile_error(EINVAL,
			   "%s cannot be merged: it is from another run, or another process, than "
			   "the recordings in the view, because %s differ; merge only recordings "
			   "of one run and process, without recordings that an earlier run has "
			   "left",
			   name, what);
}

/**
 * struct walk - A walk over a list of homes in the order of pages.
 * @run: the first run that ends after the current page of the walk
 * @left: number of runs from @run to the end
 */
struct walk {
	const struct Monitor_home *run;
	size_t left;
};

static struct walk walk_begin(const struct map *map)
{
	return (struct walk){map->homes, map->homes_count};
}

/*
 * Return whether @page is in a run. *@next: if it is higher than the next page for which the result
 * can differ, it is set to this page.
 */
static int walk_to(struct walk *walk, uint64_t page, uint64_t *next)
{
	uint64_t change;
	int inside;

	for (; walk->left && walk->run->page + walk->run->pages <= page; walk->left--)
		walk->run++;
	if (!walk->left)
		return 0;
	inside = walk->run->page <= page;
	change = walk->run->page + (inside ? walk->run->pages : 0);
	if (change < *next)
		*next = change;
	return inside;
}

static int homes_sum(struct map *sum, const struct map *a, const struct map *b, const char *name)
{
	struct walk left = walk_begin(a), right = walk_begin(b);
	uint64_t page = 0, next;
	int error = 0;

	for (; page < MAP_PAGES && !error; page = next) {
		int in_left, in_right;

		next = MAP_PAGES;
		in_left = walk_to(&left, page, &next);
		in_right = walk_to(&right, page, &next);
		if (in_left && in_right && left.run->node != right.run->node)
			return smile_error(
				EINVAL,
				"%s cannot be merged: page %llu is on node %u there, and on node "
				"%u in the view; merge recordings of one run",
				name, (unsigned long long)page, right.run->node, left.run->node);
		if (in_left || in_right)
			error = smile_map_home_add(sum, page, next - page,
						   in_left ? left.run->node : right.run->node);
	}
	return error;
}

static int same_region(const struct Monitor_region *a, const struct Monitor_region *b)
{
	return a->start == b->start && a->end == b->end && a->offset == b->offset &&
	       a->bias == b->bias && a->kind == b->kind && !strcmp(a->name, b->name);
}

/*
 * Find the next region of the program, beginning with index @i. Skip shared memory segments,
 * because each node has different ones.
 */
static size_t program_region(const struct map *map, size_t i)
{
	while (i < map->regions_count && map->regions[i].kind == MONITOR_REGION_SEGMENT)
		i++;
	return i;
}

static int has_program_regions(const struct map *map)
{
	return program_region(map, 0) < map->regions_count;
}

/*
 * Return whether the regions agree. One list may be shorter, because a node whose program has
 * failed reports fewer regions.
 */
static int regions_agree(const struct map *a, const struct map *b)
{
	size_t i = program_region(a, 0), j = program_region(b, 0);

	while (i < a->regions_count && j < b->regions_count) {
		if (!same_region(&a->regions[i], &b->regions[j]))
			return 0;
		i = program_region(a, i + 1);
		j = program_region(b, j + 1);
	}
	return 1;
}

static int has_region(const struct map *map, const struct Monitor_region *region)
{
	for (size_t i = 0; i < map->regions_count; i++)
		if (same_region(&map->regions[i], region))
			return 1;
	return 0;
}

/*
 * Copy all regions of @into, followed by the regions that only @from has. The regions of @into must
 * keep their indices for smile_map_keep().
 */
static int regions_sum(struct map *sum, const struct map *into, const struct map *from)
{
	size_t known = 0, number = 0;
	int error = 0;

	for (size_t i = 0; !error && i < into->regions_count; i++) {
		known += into->regions[i].kind != MONITOR_REGION_SEGMENT;
		error = smile_map_region_add(sum, &into->regions[i]);
	}
	for (size_t i = 0; !error && i < from->regions_count; i++) {
		const struct Monitor_region *region = &from->regions[i];

		if (region->kind == MONITOR_REGION_SEGMENT ? !has_region(into, region)
							   : number++ >= known)
			error = smile_map_region_add(sum, region);
	}
	return error;
}

static int failed_agree(const struct map *a, const struct map *b)
{
	for (size_t i = 0; i < a->failed_count; i++)
		for (size_t j = 0; j < b->failed_count; j++)
			if (a->failed[i].node == b->failed[j].node &&
			    a->failed[i].accesses != b->failed[j].accesses)
				return 0;
	return 1;
}

static int failed_sum(struct map *sum, const struct map *from)
{
	int error = 0;

	for (size_t i = 0; !error && i < from->failed_count; i++)
		error = smile_map_failed_add(sum, &from->failed[i]);
	return error;
}

static int phases_agree(const struct map *a, const struct map *b)
{
	if (a->phases_count != b->phases_count)
		return 0;
	for (size_t i = 0; i < a->phases_count; i++)
		if (a->phases[i].start_ns != b->phases[i].start_ns ||
		    strcmp(a->phases[i].name, b->phases[i].name))
			return 0;
	return 1;
}

/* Check that all data that both maps have is the same. */
static int check(const struct map *a, const struct map *b, const char *name)
{
	if (has_program_regions(a) && has_program_regions(b) && !regions_agree(a, b))
		return contradiction(name, "the program's regions of memory");
	if (a->phases_count && b->phases_count && !phases_agree(a, b))
		return contradiction(name, "the program's phases");
	if (!failed_agree(a, b))
		return contradiction(name, "accesses that have failed");
	if (a->parameters && b->parameters && a->parameters_early == b->parameters_early &&
	    strcmp(a->parameters, b->parameters))
		return contradiction(name, "the run's parameters and results");
	if (!smile_heaps_agree(&a->heap, &b->heap))
		return contradiction(name, "the program's allocations and files");
	if (!smile_frames_agree(&a->frames, &b->frames))
		return contradiction(name, "the functions that the program's threads were in");
	if (!smile_locals_agree(&a->locals, &b->locals))
		return contradiction(name, "the nodes' accesses to their own memory");
	if (!smile_locals_agree(&a->intervals, &b->intervals))
		return contradiction(name, "the nodes' accesses between meetings of threads");
	if (!smile_accesses_agree(&a->accesses, &b->accesses))
		return contradiction(name, "the accesses in front of the caches");
	return 0;
}

void smile_map_keep(struct map *map, struct map *old)
{
	struct map copy = *map;

	/*
	 * After the regions and phases of @old, @map can have further ones from the other
	 * recording. For this reason, exchange only the names, and not the whole lists.
	 */
	for (size_t i = 0; i < old->regions_count; i++) {
		const char *name = map->regions[i].name;

		map->regions[i].name = old->regions[i].name;
		old->regions[i].name = name;
	}
	if (old->phases_count) {
		map->phases = old->phases;
		map->phases_size = old->phases_size;
		old->phases = copy.phases;
		old->phases_size = copy.phases_size;
	}
	smile_locals_keep(&map->locals, &old->locals);
	smile_locals_keep(&map->intervals, &old->intervals);
	smile_accesses_keep(&map->accesses, &old->accesses);
}

/*
 * Return whether the union of @map and @other gets the parameters of @map. Parameters of a trailer
 * replace parameters of a header.
 */
static int has_parameters(const struct map *map, const struct map *other)
{
	return map->parameters && (!map->parameters_early || !other->parameters);
}

int smile_map_sum(struct map *sum, struct map *into, const struct map *from, const char *name)
{
	const struct map *phases = into->phases_count ? into : from;
	const struct map *run = has_parameters(into, from) ? into : from;
	int error = smile_map_settle(into);

	if (!error)
		error = check(into, from, name);
	if (!error)
		error = homes_sum(sum, into, from, name);
	if (!error)
		error = regions_sum(sum, into, from);
	if (!error)
		error = failed_sum(sum, into);
	if (!error)
		error = failed_sum(sum, from);
	for (size_t i = 0; !error && i < phases->phases_count; i++)
		error = smile_map_phase_add(sum, phases->phases[i].start_ns,
					    phases->phases[i].name);
	if (!error && run->parameters)
		error = smile_map_parameters_set(sum, run->parameters);
	sum->parameters_early = run->parameters_early;
	if (!error)
		error = smile_heaps_sum(&sum->heap, &into->heap, &from->heap);
	if (!error)
		error = smile_frames_sum(&sum->frames, &into->frames, &from->frames);
	if (!error)
		error = smile_locals_sum(&sum->locals, &into->locals, &from->locals);
	if (!error)
		error = smile_locals_sum(&sum->intervals, &into->intervals, &from->intervals);
	if (!error)
		error = smile_accesses_sum(&sum->accesses, &into->accesses, &from->accesses);
	if (!error)
		error = smile_clocks_join(&sum->clocks, &into->clocks);
	if (!error)
		error = smile_clocks_join(&sum->clocks, &from->clocks);
	if (error < 0)
		smile_map_free(sum);
	return error;
}
