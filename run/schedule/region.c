/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Region: handles regions of the program's memory, and the nodes that the program requests for
 * pages.
 *
 * What lives here: checked copies of the regions in the stream memory. This file may use
 * schedule_inside.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>

#include "schedule_inside.h"

static bool region_same(const struct stream_region *a, const struct stream_region *b)
{
	return a->start == b->start && a->end == b->end && a->offset == b->offset &&
	       a->device == b->device && a->inode == b->inode && a->pid == b->pid &&
	       a->kind == b->kind && a->bias == b->bias &&
	       strncmp(a->path, b->path, STREAM_PATH_BYTES - 1) == 0;
}

static bool region_valid(const struct stream_region *region)
{
	return region->start < region->end && region->end <= STREAM_ADDRESS + 1 &&
	       region->kind <= STREAM_REGION_CODE;
}

/*
 * Check whether the region of this entry is already known, because another process has reported it,
 * or because it was mapped again. If the known region of the entry was unmapped and is different,
 * the entry has a new region.
 */
static bool region_again(struct schedule *schedule, uint64_t index,
			 const struct stream_region *region)
{
	struct region *before;

	if (!schedule->region_of[index])
		return false;
	before = &schedule->regions[schedule->region_of[index] - 1];
	if (before->gone && !region_same(&before->region, region))
		return false;
	before->gone = false;
	return true;
}

/*
 * Store a region if there is room. The number of regions is limited, because some programs map and
 * unmap memory repeatedly. Return: 0 or -ENOMEM.
 */
static int region_keep(struct schedule *schedule, uint64_t index,
		       const struct stream_region *region)
{
	const struct schedule_config *config = &schedule->config;

	schedule->region_of[index] = 0;
	if (schedule->regions_count == SCHEDULE_REGIONS_MAX) {
		notice_once(schedule, SCHEDULE_NOTICE_REGIONS,
			    "the program has mapped more than 65536 regions of memory, one after "
			    "another: later ones have no name in reports");
		return 0;
	}
	if (array_reserve(&schedule->regions, &schedule->regions_capacity, schedule->regions_count,
			  sizeof(*schedule->regions)) < 0)
		return -ENOMEM;
	schedule->regions[schedule->regions_count++] = (struct region){.region = *region};
	schedule->region_of[index] = (uint32_t)schedule->regions_count;
	if (config->ops && config->ops->region)
		config->ops->region(config->opaque, (unsigned)schedule->regions_count - 1);
	return 0;
}

int region_add(struct schedule *schedule, const struct thread *thread, uint64_t index)
{
	struct stream_region copy;
	int err = 0;

	if (index >= STREAM_REGIONS)
		return notice_protocol(schedule, thread, "names a region beyond the table");
	memcpy(&copy, &schedule->table[index], sizeof(copy));
	copy.path[STREAM_PATH_BYTES - 1] = '\0';
	if (!region_valid(&copy))
		return notice_protocol(schedule, thread, "reports an impossible region");
	err = shared_homes_map(schedule, &copy);
	if (err < 0 || region_again(schedule, index, &copy))
		return err;
	schedule->statistics.regions++;
	if (copy.kind == STREAM_REGION_SHARED || copy.kind == STREAM_REGION_NAMED)
		err = page_ranges_set(&schedule->shared, copy.start / SMILE_PAGE_BYTES,
				      (copy.end - 1) / SMILE_PAGE_BYTES, 1);
	if (err == 0 && copy.kind != STREAM_REGION_CODE)
		err = machine_region(schedule->machine, copy.start, copy.end - copy.start);
	return err == 0 ? region_keep(schedule, index, &copy) : err;
}

int region_remove(struct schedule *schedule, const struct thread *thread, uint64_t index)
{
	struct region *region;
	int err = 0;

	if (index >= STREAM_REGIONS)
		return notice_protocol(schedule, thread, "unmaps a region beyond the table");
	if (schedule->region_of[index]) {
		region = &schedule->regions[schedule->region_of[index] - 1];
		region->gone = true;
		err = shared_homes_unmap(schedule, &region->region);
	}
	/* The schedule has a copy of the region, so the tracer may reuse the entry. */
	atomic_fetch_add_explicit(&schedule->table[index].done, 1, memory_order_release);
	return err;
}

int region_discard(struct schedule *schedule, const struct thread *thread, uint64_t start,
		   uint64_t bytes, uint64_t to)
{
	int err = 0;

	if (to == STREAM_UNMAPPED) {
		err = machine_unplace(schedule->machine, start, bytes);
		to = 0;
	}
	if (err == 0)
		err = machine_discard(schedule->machine, start, bytes, to);
	return err != -EINVAL ? err
			      : notice_protocol(schedule, thread,
						"discards an impossible range of memory");
}

int region_touch(struct schedule *schedule, const struct thread *thread, uint64_t start,
		 uint64_t bytes)
{
	int err = -EINVAL;

	if (bytes <= STREAM_TOUCH_BYTES)
		err = machine_touch(schedule->machine, thread->processor, start, bytes);
	return err != -EINVAL
		       ? err
		       : notice_protocol(schedule, thread, "touches an impossible range of memory");
}

int region_place(struct schedule *schedule, uint64_t start, uint64_t bytes, uint64_t node)
{
	int err = -EINVAL;

	if (node == STREAM_NO_NODE)
		err = machine_unplace(schedule->machine, start, bytes);
	else if (node < machine_nodes(schedule->machine))
		err = machine_place(schedule->machine, start, bytes, (unsigned)node,
				    PLACEMENT_PROGRAM);
	if (err != -EINVAL)
		return err;
	notice_once(
		schedule, SCHEDULE_NOTICE_PLACE,
		"the program places memory on a node that does not exist, or a range that cannot "
		"exist: the placement policy decides; try more --nodes");
	return 0;
}

uint64_t region_name(const struct schedule *schedule, const struct thread *thread, uint64_t word)
{
	uint64_t ordinal = thread->process->ordinal, address = word & STREAM_ADDRESS;

	if (word & STREAM_COMMON)
		ordinal = 0;
	else if (ordinal != 0 && page_ranges_find(&schedule->shared, address / SMILE_PAGE_BYTES))
		ordinal = 0;
	return address | ordinal << SMILE_ADDRESS_BITS;
}

size_t schedule_regions(const struct schedule *schedule)
{
	return schedule->regions_count;
}

const struct stream_region *schedule_region(const struct schedule *schedule, size_t index,
					    bool *gone)
{
	if (index >= schedule->regions_count)
		return NULL;
	if (gone)
		*gone = schedule->regions[index].gone;
	return &schedule->regions[index].region;
}
