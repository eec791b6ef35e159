// SPDX-License-Identifier: MIT
/*
 * Live sums: sums up the accesses by page and by pair of nodes, in total and since the last call of
 * live_sums_look().
 *
 * What lives here: two sets of sums. One set has the sums of the last call of live_sums_look(), and
 * the next call fills the other set. An array holds the pages in the order in which they were first
 * seen. A hash table maps a page to its index in this array. May use the public API and memory.h.
 */
#include "lib/analysis/live/live_sums_inside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>

#include "lib/analysis/memory.h"

/**
 * struct sums_place - An element of the hash table: the index of a page.
 * @key: number and home of the page, plus one
 * @index: index of the page plus one; 0: the page has no index yet
 */
struct sums_place {
	uint64_t key;
	uint32_t index;
};

struct live_sums *live_sums_new(const struct Monitor_weights *weights)
{
	struct live_sums *sums = analysis_memory(1, sizeof(*sums));

	if (sums)
		sums->weights = *weights;
	return sums;
}

static void matrices_free(struct live_sums *sums)
{
	free(sums->transfers[SUMS_NOW]);
	free(sums->transfers[SUMS_BEFORE]);
	free(sums->difference);
	sums->transfers[SUMS_NOW] = sums->transfers[SUMS_BEFORE] = sums->difference = NULL;
}

void live_sums_free(struct live_sums *sums)
{
	if (!sums)
		return;
	matrices_free(sums);
	free(sums->pages);
	hash_table_free(&sums->places);
	free(sums);
}

/* ---- pages --------------------------------------------------------------------------------- */

static struct sums_page *page_get(struct live_sums *sums, uint64_t page, uint32_t home)
{
	struct sums_place *place =
		hash_table_add(&sums->places, (page << 16 | home) + 1, sizeof(*place));

	if (!place || array_reserve(&sums->pages, &sums->room, sums->count, sizeof(*sums->pages)) ||
	    sums->count == UINT32_MAX) {
		Monitor_error_set(ENOMEM, "no memory for %zu pages", sums->count + 1);
		return NULL;
	}
	if (!place->index) {
		sums->pages[sums->count] = (struct sums_page){.page = page, .home = home};
		place->index = (uint32_t)++sums->count;
	}
	return &sums->pages[place->index - 1];
}

/* ---- look ---------------------------------------------------------------------------------- */

/* Enlarge the matrices to @nodes, and keep the sums of the last call. */
static int matrices_grow(struct live_sums *sums, size_t nodes)
{
	uint64_t *before, *now, *difference;

	if (nodes <= sums->nodes)
		return 0;
	before = analysis_memory(nodes * nodes, sizeof(*before));
	now = analysis_memory(nodes * nodes, sizeof(*now));
	difference = analysis_memory(nodes * nodes, sizeof(*difference));
	if (!before || !now || !difference) {
		free(before);
		free(now);
		free(difference);
		return -ENOMEM;
	}
	for (size_t i = 0; i < sums->nodes; i++)
		memcpy(now + i * nodes, sums->transfers[SUMS_NOW] + i * sums->nodes,
		       sums->nodes * sizeof(*now));
	matrices_free(sums);
	sums->transfers[SUMS_NOW] = now;
	sums->transfers[SUMS_BEFORE] = before;
	sums->difference = difference;
	sums->nodes = nodes;
	return 0;
}

static void sum_add(struct live_sum *sum, uint32_t type, uint64_t accesses)
{
	sum->accesses += accesses;
	if (type == SMILE_TYPE_READ)
		sum->reads += accesses;
	else if (type == SMILE_TYPE_WRITE)
		sum->writes += accesses;
	else if (type == SMILE_TYPE_LOCK)
		sum->locks += accesses;
}

static int take(const struct Monitor_count *count, void *opaque)
{
	struct live_sums *sums = opaque;
	struct sums_page *page = page_get(sums, count->page, count->home);

	if (!page)
		return -ENOMEM;
	sum_add(&page->sums[SUMS_NOW], count->type, count->accesses);
	if (count->source < sums->nodes && count->home < sums->nodes)
		sums->transfers[SUMS_NOW][count->source * sums->nodes + count->home] +=
			count->accesses;
	return 0;
}

/* Make the present sums the previous sums, and set the present sums to 0. */
static void turn(struct live_sums *sums)
{
	uint64_t *before = sums->transfers[SUMS_BEFORE];

	for (size_t i = 0; i < sums->count; i++) {
		sums->pages[i].sums[SUMS_BEFORE] = sums->pages[i].sums[SUMS_NOW];
		sums->pages[i].sums[SUMS_NOW] = (struct live_sum){0};
	}
	if (!sums->nodes)
		return;
	sums->transfers[SUMS_BEFORE] = sums->transfers[SUMS_NOW];
	sums->transfers[SUMS_NOW] = before;
	memset(before, 0, sums->nodes * sums->nodes * sizeof(*before));
}

/*
 * If a walk over the counts fails, restore the sums of the last call. Pages that this walk has
 * found for the first time stay in the array, with sums of 0.
 */
static void turn_back(struct live_sums *sums)
{
	uint64_t *now = sums->transfers[SUMS_NOW];

	for (size_t i = 0; i < sums->count; i++)
		sums->pages[i].sums[SUMS_NOW] = sums->pages[i].sums[SUMS_BEFORE];
	sums->transfers[SUMS_NOW] = sums->transfers[SUMS_BEFORE];
	sums->transfers[SUMS_BEFORE] = now;
}

int live_sums_look(struct live_sums *sums, struct Monitor *mon)
{
	int nodes = Monitor_nodes(mon), error;

	if (nodes > 0 && (unsigned int)nodes > LIVE_NODES_MAX) {
		matrices_free(sums);
		sums->nodes = 0;
	} else if (nodes > 0 && matrices_grow(sums, (size_t)nodes) < 0) {
		return -ENOMEM;
	}
	turn(sums);
	error = Monitor_walk_phases(mon, take, sums);
	if (error < 0) {
		turn_back(sums);
		return error;
	}
	sums->active = 0;
	for (size_t i = 0; i < sums->count; i++)
		sums->active += sums->pages[i].sums[SUMS_NOW].accesses >
				sums->pages[i].sums[SUMS_BEFORE].accesses;
	for (size_t i = 0; i < sums->nodes * sums->nodes; i++)
		sums->difference[i] =
			sums->transfers[SUMS_NOW][i] - sums->transfers[SUMS_BEFORE][i];
	return 0;
}

size_t live_sums_pages(const struct live_sums *sums)
{
	return sums->count;
}

size_t live_sums_active(const struct live_sums *sums)
{
	return sums->active;
}

const uint64_t *live_sums_transfers(const struct live_sums *sums, int now, size_t *nodes)
{
	*nodes = sums->nodes;
	return now ? sums->difference : sums->transfers[SUMS_NOW];
}
