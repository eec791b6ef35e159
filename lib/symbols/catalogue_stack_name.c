/* SPDX-License-Identifier: MIT */
/*
 * Catalogue: finds the names of stacks.
 *
 * What lives here: the function that derives the name of a stack from the threads that have frames
 * on it. Because there can be many frames and many stacks, the search for the frames of a stack
 * does not visit all frames.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <base/search.h>

#include "lib/symbols/catalogue.h"

static int by_cfa(const void *left, const void *right)
{
	const struct stack_top *a = left, *b = right;

	return a->cfa < b->cfa ? -1 : a->cfa > b->cfa;
}

struct stack_top *smile_catalogue_stack_tops(const struct map *map)
{
	size_t count = map->frames.count;
	struct stack_top *tops = calloc(count + 1, sizeof(*tops));

	if (!tops)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		tops[i].cfa = map->frames.items[i].cfa;
		tops[i].thread = map->frames.items[i].thread;
	}
	qsort(tops, count, sizeof(*tops), by_cfa);
	for (size_t i = count; i-- > 0;)
		tops[i].alike = i + 1 < count && tops[i].thread == tops[i + 1].thread
					? tops[i + 1].alike
					: i + 1;
	return tops;
}

/* Find the first end of a frame above @address. The end of a frame is one past its last address. */
static size_t top_find(const struct stack_top *tops, size_t count, uint64_t address)
{
	size_t at;

	SEARCH_FIRST(at, count, i, tops[i].cfa > address);
	return at;
}

const char *smile_catalogue_stack_name(const struct stack_top *tops, size_t count,
				       const struct Monitor_region *region, char *text,
				       size_t bytes)
{
	size_t first = top_find(tops, count, region->start);
	size_t last = top_find(tops, count, region->end);

	if (first == last)
		snprintf(text, bytes, "stack");
	else if (tops[first].alike >= last)
		snprintf(text, bytes, "stack of thread %" PRIu32, tops[first].thread);
	else
		snprintf(text, bytes, "stack of several threads");
	return text;
}
