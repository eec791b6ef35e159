/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Shared homes: keeps the homes of pages of shared memory while no process maps the memory.
 *
 * What lives here: a list of the shared memory that was unmapped, with the addresses at which the
 * machine still has the homes of its pages. If such memory is mapped again, the homes move to its
 * new addresses. If other memory is mapped at the old addresses, the homes are removed. This file
 * may use schedule_inside.h.
 */
#include <errno.h>
#include <stdlib.h>

#include <base/array.h>

#include "schedule_inside.h"

static uint64_t bytes_of(const struct unmapped *u)
{
	return u->end - u->start;
}

static int append(struct schedule *schedule, const struct unmapped *u)
{
	if (u->start >= u->end)
		return 0;
	if (array_reserve(&schedule->unmapped, &schedule->unmapped_capacity,
			  schedule->unmapped_count, sizeof(*schedule->unmapped)) < 0)
		return -ENOMEM;
	schedule->unmapped[schedule->unmapped_count++] = *u;
	return 0;
}

/*
 * Remove the addresses from @start to @end from an entry. The rest of the entry stays in the list.
 */
static int cut(struct schedule *schedule, size_t index, uint64_t start, uint64_t end)
{
	struct unmapped first = schedule->unmapped[index], second = first;
	int err;

	schedule->unmapped[index] = schedule->unmapped[--schedule->unmapped_count];
	first.end = start;
	second.offset += end - second.start;
	second.start = end;
	err = append(schedule, &first);
	return err < 0 ? err : append(schedule, &second);
}

/*
 * Remove the homes of an entry's pages from @start to @end, because other memory has these
 * addresses now.
 */
static int replace(struct schedule *schedule, size_t index, uint64_t start, uint64_t end)
{
	int err = machine_discard(schedule->machine, start, end - start, 0);

	return err < 0 ? err : cut(schedule, index, start, end);
}

/* Move homes page by page, because the old and the new addresses may overlap. */
static int homes_move(struct schedule *schedule, uint64_t from, uint64_t bytes, uint64_t to)
{
	uint64_t at;
	int err = 0;

	if (from == to)
		return 0;
	for (uint64_t done = 0; done < bytes && err == 0; done += SMILE_PAGE_BYTES) {
		at = to < from ? done : bytes - SMILE_PAGE_BYTES - done;
		err = machine_discard(schedule->machine, from + at, SMILE_PAGE_BYTES, to + at);
	}
	return err;
}

static uint64_t lower(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t higher(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static bool same_memory(const struct unmapped *u, const struct stream_region *region)
{
	return region->kind == STREAM_REGION_SHARED && region->inode == u->inode &&
	       region->device == u->device && region->offset < u->offset + bytes_of(u) &&
	       u->offset < region->offset + (region->end - region->start);
}

/* Move the homes of an entry to the region that maps the same memory. */
static int follow(struct schedule *schedule, size_t index, const struct stream_region *region)
{
	const struct unmapped u = schedule->unmapped[index];
	uint64_t first = higher(u.offset, region->offset);
	uint64_t last =
		lower(u.offset + bytes_of(&u), region->offset + (region->end - region->start));
	uint64_t from = u.start + (first - u.offset);
	int err =
		homes_move(schedule, from, last - first, region->start + (first - region->offset));

	return err < 0 ? err : cut(schedule, index, from, from + (last - first));
}

int shared_homes_map(struct schedule *schedule, const struct stream_region *region)
{
	const struct unmapped *u;
	int err = 0;

	/* First remove the old homes at the new addresses. */
	for (size_t i = 0; i < schedule->unmapped_count && err == 0;) {
		u = &schedule->unmapped[i];
		if (u->start < region->end && u->end > region->start && !same_memory(u, region))
			err = replace(schedule, i, higher(u->start, region->start),
				      lower(u->end, region->end));
		else
			i++;
	}
	for (size_t i = 0; i < schedule->unmapped_count && err == 0;) {
		if (same_memory(&schedule->unmapped[i], region))
			err = follow(schedule, i, region);
		else
			i++;
	}
	for (size_t i = 0; i < schedule->unmapped_count && err == 0;) {
		u = &schedule->unmapped[i];
		if (u->start < region->end && u->end > region->start)
			err = cut(schedule, i, higher(u->start, region->start),
				  lower(u->end, region->end));
		else
			i++;
	}
	return err;
}

int shared_homes_unmap(struct schedule *schedule, const struct stream_region *region)
{
	const struct unmapped u = {.start = region->start,
				   .end = region->end,
				   .offset = region->offset,
				   .device = region->device,
				   .inode = region->inode};
	int err = 0;

	if (region->kind != STREAM_REGION_SHARED)
		return 0;
	/*
	 * The list is full, so drop one entry. Memory that is not mapped anywhere is usually freed.
	 */
	if (schedule->unmapped_count == SCHEDULE_UNMAPPED_MAX)
		err = replace(schedule, 0, schedule->unmapped[0].start, schedule->unmapped[0].end);
	return err < 0 ? err : append(schedule, &u);
}
