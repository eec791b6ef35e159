/* SPDX-License-Identifier: MIT */
/*
 * Extent: sorts extents of memory, and removes overlaps. See extent.h.
 */
#include <stdlib.h>

#include <base/array.h>
#include <base/search.h>

#include "lib/base/error.h"
#include "lib/map/extent.h"

int smile_extents_push(struct extents *extents, uint64_t start, uint64_t end, uint64_t base,
		       uint32_t variable)
{
	if (array_reserve(&extents->items, &extents->size, extents->count,
			  sizeof(*extents->items)) < 0)
		return smile_error(ENOMEM, "no memory for %zu extents of variables",
				   extents->count + 1);
	extents->items[extents->count++] = (struct Monitor_extent){
		.start = start,
		.end = end,
		.base = base,
		.variable = variable,
	};
	return 0;
}

size_t smile_extents_find(const struct extents *extents, uint64_t address)
{
	size_t at;

	SEARCH_FIRST(at, extents->count, i, extents->items[i].end > address);
	return at;
}

/*
 * Append an extent to the result. The extents are appended in ascending order, so the result is
 * sorted too.
 */
static int append(struct extents *to, const struct Monitor_extent *extent)
{
	return smile_extents_push(to, extent->start, extent->end, extent->base, extent->variable);
}

int smile_extents_under(struct extents *top, const struct extents *below, uint64_t least)
{
	struct extents sum = {0};
	size_t covered = 0;
	int error = 0;

	for (size_t i = 0; i < below->count && !error; i++) {
		struct Monitor_extent rest = below->items[i];
		uint64_t end = rest.end;

		while (rest.start < end && !error) {
			/*
			 * Copy the extents of @top that end before the rest of the extent begins.
			 */
			while (covered < top->count && top->items[covered].end <= rest.start &&
			       !error)
				error = append(&sum, &top->items[covered++]);
			rest.end = end;
			if (covered < top->count && top->items[covered].start < end)
				rest.end = top->items[covered].start;
			if (!error && rest.end > rest.start && rest.end - rest.start >= least)
				error = append(&sum, &rest);
			rest.start = rest.end;
			if (rest.end < end)
				rest.start = top->items[covered].end;
		}
	}
	while (covered < top->count && !error)
		error = append(&sum, &top->items[covered++]);
	if (error) {
		smile_extents_free(&sum);
		return error;
	}
	smile_extents_free(top);
	*top = sum;
	return 0;
}

/* ---- sort and resolve overlaps ------------------------------------------------------------- */

/**
 * struct settling - State of smile_extents_settle(). A bound is the start or the end of an extent.
 * A bound stands for the memory from the bound to the next bound.
 * @bounds: bounds of all extents in ascending order, without duplicates; shape [@count]
 * @owners: for each bound, the index plus one of the extent that owns the memory of the bound; 0:
 *          no extent owns this memory yet
 * @free: for each bound, a link towards the next bound without an owner; shape [@count + 1]
 */
struct settling {
	uint64_t *bounds;
	size_t count;
	size_t *owners;
	size_t *free;
};

static int by_value(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static int settling_init(struct settling *settling, const struct extents *all)
{
	size_t size = 2 * all->count, count = 0;

	settling->bounds = calloc(size, sizeof(*settling->bounds));
	settling->owners = calloc(size, sizeof(*settling->owners));
	settling->free = calloc(size + 1, sizeof(*settling->free));
	if (!settling->bounds || !settling->owners || !settling->free)
		return smile_error(ENOMEM, "no memory for %zu extents of variables", all->count);
	for (size_t i = 0; i < all->count; i++) {
		settling->bounds[2 * i] = all->items[i].start;
		settling->bounds[2 * i + 1] = all->items[i].end;
	}
	qsort(settling->bounds, size, sizeof(*settling->bounds), by_value);
	for (size_t i = 0; i < size; i++)
		if (!count || settling->bounds[i] != settling->bounds[count - 1])
			settling->bounds[count++] = settling->bounds[i];
	settling->count = count;
	for (size_t i = 0; i <= count; i++)
		settling->free[i] = i;
	return 0;
}

static size_t bound_find(const struct settling *settling, uint64_t address)
{
	const uint64_t *found = bsearch(&address, settling->bounds, settling->count,
					sizeof(*settling->bounds), by_value);

	return (size_t)(found - settling->bounds);
}

/*
 * Find the first bound without an owner, beginning with bound @at. The search shortens the links,
 * so that later searches are faster.
 */
static size_t free_find(struct settling *settling, size_t at)
{
	size_t *free = settling->free;

	while (free[at] != at) {
		free[at] = free[free[at]];
		at = free[at];
	}
	return at;
}

/* Make an extent the owner of all bounds within it that have no owner yet. */
static void own(struct settling *settling, const struct Monitor_extent *extent, size_t number)
{
	size_t end = bound_find(settling, extent->end);
	size_t at = free_find(settling, bound_find(settling, extent->start));

	for (; at < end; at = free_find(settling, at)) {
		settling->owners[at] = number;
		settling->free[at] = at + 1;
	}
}

static int settled(const struct settling *settling, const struct extents *all,
		   struct extents *sorted)
{
	size_t last = 0;
	int error = 0;

	for (size_t i = 0; i + 1 < settling->count && !error; i++) {
		size_t owner = settling->owners[i];

		if (owner && owner == last) {
			sorted->items[sorted->count - 1].end = settling->bounds[i + 1];
		} else if (owner) {
			struct Monitor_extent extent = all->items[owner - 1];

			extent.start = settling->bounds[i];
			extent.end = settling->bounds[i + 1];
			error = append(sorted, &extent);
		}
		last = owner;
	}
	return error;
}

int smile_extents_settle(struct extents *extents)
{
	struct settling settling = {0};
	struct extents sorted = {0};
	int error;

	if (!extents->count)
		return 0;
	error = settling_init(&settling, extents);
	for (size_t i = extents->count; i-- > 0 && !error;)
		own(&settling, &extents->items[i], i + 1);
	if (!error)
		error = settled(&settling, extents, &sorted);
	free(settling.bounds);
	free(settling.owners);
	free(settling.free);
	if (error) {
		smile_extents_free(&sorted);
		return error;
	}
	smile_extents_free(extents);
	*extents = sorted;
	return 0;
}

void smile_extents_free(struct extents *extents)
{
	free(extents->items);
	*extents = (struct extents){0};
}
