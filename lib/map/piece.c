/* SPDX-License-Identifier: MIT */
/*
 * Piece: what lies where, as sorted intervals without overlaps. See piece.h.
 */
#include <stdlib.h>

#include <base/array.h>

#include "lib/base/error.h"
#include "lib/map/piece.h"

int smile_pieces_push(struct pieces *pieces, uint64_t start, uint64_t end, uint64_t base,
		      uint32_t variable)
{
	if (array_reserve(&pieces->items, &pieces->size, pieces->count, sizeof(*pieces->items)) < 0)
		return smile_error(ENOMEM, "no memory for %zu pieces of memory", pieces->count + 1);
	pieces->items[pieces->count++] = (struct Monitor_piece){
		.start = start,
		.end = end,
		.base = base,
		.variable = variable,
	};
	return 0;
}

size_t smile_pieces_find(const struct pieces *pieces, uint64_t address)
{
	size_t low = 0, high = pieces->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (pieces->items[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* The next of two sorted lists by start. */
static int append(struct pieces *to, const struct Monitor_piece *piece)
{
	return smile_pieces_push(to, piece->start, piece->end, piece->base, piece->variable);
}

int smile_pieces_under(struct pieces *top, const struct pieces *below, uint64_t least)
{
	struct pieces sum = {0};
	size_t covered = 0;
	int error = 0;

	for (size_t i = 0; i < below->count && !error; i++) {
		struct Monitor_piece rest = below->items[i];
		uint64_t end = rest.end;

		while (rest.start < end && !error) {
			/* Those that end before the rest are done. */
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
		smile_pieces_free(&sum);
		return error;
	}
	smile_pieces_free(top);
	*top = sum;
	return 0;
}

/*
 * ---- settled ----------------------------------------------------------------------------------
 */

/**
 * struct settling - On the way to a settled list.
 * @bounds: where pieces begin and end, ascending, each once; shape [@count]
 * @owners: by bound, the index plus one of the piece that has what lies between it and the next; 0:
 *         none
 * @free: by bound, one from there on that has no owner yet, or is on the way to it; shape [@count +
 *         1]
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

static int settling_init(struct settling *settling, const struct pieces *all)
{
	size_t size = 2 * all->count, count = 0;

	settling->bounds = calloc(size, sizeof(*settling->bounds));
	settling->owners = calloc(size, sizeof(*settling->owners));
	settling->free = calloc(size + 1, sizeof(*settling->free));
	if (!settling->bounds || !settling->owners || !settling->free)
		return smile_error(ENOMEM, "no memory for %zu pieces of memory", all->count);
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

/* The first from @at on that has no owner. Whoever comes this way next has a shorter one. */
static size_t free_find(struct settling *settling, size_t at)
{
	size_t *free = settling->free;

	while (free[at] != at) {
		free[at] = free[free[at]];
		at = free[at];
	}
	return at;
}

/* Each bound gets its owner once, whatever overlaps. */
static void own(struct settling *settling, const struct Monitor_piece *piece, size_t number)
{
	size_t end = bound_find(settling, piece->end);
	size_t at = free_find(settling, bound_find(settling, piece->start));

	for (; at < end; at = free_find(settling, at)) {
		settling->owners[at] = number;
		settling->free[at] = at + 1;
	}
}

static int settled(const struct settling *settling, const struct pieces *all, struct pieces *sorted)
{
	size_t last = 0;
	int error = 0;

	for (size_t i = 0; i + 1 < settling->count && !error; i++) {
		size_t owner = settling->owners[i];

		if (owner && owner == last) {
			sorted->items[sorted->count - 1].end = settling->bounds[i + 1];
		} else if (owner) {
			struct Monitor_piece piece = all->items[owner - 1];

			piece.start = settling->bounds[i];
			piece.end = settling->bounds[i + 1];
			error = append(sorted, &piece);
		}
		last = owner;
	}
	return error;
}

int smile_pieces_settle(struct pieces *pieces)
{
	struct settling settling = {0};
	struct pieces sorted = {0};
	int error;

	if (!pieces->count)
		return 0;
	error = settling_init(&settling, pieces);
	for (size_t i = pieces->count; i-- > 0 && !error;)
		own(&settling, &pieces->items[i], i + 1);
	if (!error)
		error = settled(&settling, pieces, &sorted);
	free(settling.bounds);
	free(settling.owners);
	free(settling.free);
	if (error) {
		smile_pieces_free(&sorted);
		return error;
	}
	smile_pieces_free(pieces);
	*pieces = sorted;
	return 0;
}

void smile_pieces_free(struct pieces *pieces)
{
	free(pieces->items);
	*pieces = (struct pieces){0};
}
