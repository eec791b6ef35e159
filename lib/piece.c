/* SPDX-License-Identifier: MIT */
/*
 * Piece: what lies where, as sorted intervals without overlaps. See piece.h.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/error.h"
#include "lib/piece.h"

int smile_pieces_push(struct pieces *pieces, uint64_t start, uint64_t end, uint64_t base,
		      uint32_t variable)
{
	if (pieces->count == pieces->size) {
		size_t size = pieces->size ? 2 * pieces->size : 64;
		struct Monitor_piece *items = realloc(pieces->items, size * sizeof(*items));

		if (!items)
			return smile_error(ENOMEM, "no memory for %zu pieces of memory", size);
		pieces->items = items;
		pieces->size = size;
	}
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

static int by_start(const void *left, const void *right)
{
	const struct Monitor_piece *a = left, *b = right;

	return a->start < b->start ? -1 : a->start > b->start;
}

static int is_settled(const struct pieces *pieces)
{
	for (size_t i = 1; i < pieces->count; i++)
		if (pieces->items[i].start < pieces->items[i - 1].end)
			return 0;
	return 1;
}

/* Most lists have no overlaps: they need no more than sorting. */
int smile_pieces_settle(struct pieces *pieces)
{
	struct pieces all = *pieces, sorted = {0};
	int error = 0;

	if (!all.count)
		return 0;
	sorted.items = malloc(all.count * sizeof(*sorted.items));
	if (!sorted.items)
		return smile_error(ENOMEM, "no memory for %zu pieces of memory", all.count);
	memcpy(sorted.items, all.items, all.count * sizeof(*sorted.items));
	sorted.count = sorted.size = all.count;
	qsort(sorted.items, sorted.count, sizeof(*sorted.items), by_start);
	if (!is_settled(&sorted)) {
		sorted.count = 0;
		for (size_t i = all.count; i-- > 0 && !error;) {
			const struct pieces one = {&all.items[i], 1, 1};

			error = smile_pieces_under(&sorted, &one, 1);
		}
	}
	if (error) {
		smile_pieces_free(&sorted);
		return error;
	}
	smile_pieces_free(&all);
	*pieces = sorted;
	return 0;
}

void smile_pieces_free(struct pieces *pieces)
{
	free(pieces->items);
	*pieces = (struct pieces){0};
}
