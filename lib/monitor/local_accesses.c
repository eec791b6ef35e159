/* SPDX-License-Identifier: MIT */
/*
 * Local accesses, and accesses by interval: the public calls around the map's parts of them
 * (locals.c).
 */
#include <stdbool.h>
#include <stdlib.h>

#include <hw/smile_regs.h>

#include "lib/base/digit_sort.h"
#include "lib/monitor/monitor.h"

/* @phase: a phase or an interval. */
static int counts_add(struct map_accesses *accesses, const struct Monitor_local *local)
{
	const uint64_t counts[] = {
		[SMILE_TYPE_READ] = local->reads,
		[SMILE_TYPE_WRITE] = local->writes,
		[SMILE_TYPE_LOCK] = local->locks,
	};
	int error = 0;

	for (uint32_t type = 1; type < SMILE_TYPE_COUNT && !error; type++)
		error = smile_map_local_add(accesses, local->page, local->phase, local->node, type,
					    counts[type]);
	return error;
}

int Monitor_local_add(struct Monitor *mon, const struct Monitor_local *local)
{
	return counts_add(&mon->map.locals, local);
}

int Monitor_local_node_add(struct Monitor *mon, unsigned int node)
{
	return smile_map_local_node_add(&mon->map.locals, node);
}

int Monitor_local_known(struct Monitor *mon, unsigned int node)
{
	return smile_map_local_known(&mon->map.locals, node);
}

int Monitor_interval_add(struct Monitor *mon, const struct Monitor_interval *accesses)
{
	return counts_add(&mon->map.intervals, &(struct Monitor_local){
						       .page = accesses->page,
						       .phase = accesses->interval,
						       .node = accesses->node,
						       .reads = accesses->reads,
						       .writes = accesses->writes,
						       .locks = accesses->locks,
					       });
}

int Monitor_interval_node_add(struct Monitor *mon, unsigned int node)
{
	return smile_map_local_node_add(&mon->map.intervals, node);
}

int Monitor_interval_known(struct Monitor *mon, unsigned int node)
{
	return smile_map_local_known(&mon->map.intervals, node);
}

/**
 * struct place - A count in the order of rows: by page, node and phase.
 * @page_node: page, then node
 * @phase_cell: phase, then the place of the count in its table
 */
struct place {
	uint64_t page_node;
	uint64_t phase_cell;
};

#define PLACE_WORDS (sizeof(struct place) / sizeof(uint64_t))
#define PLACE_NODE_BITS 16U
#define PLACE_CELL_BITS 32U
#define PLACE_CELL ((1ULL << PLACE_CELL_BITS) - 1)

_Static_assert(SMILE_NODE_ID < 1U << PLACE_NODE_BITS, "a node fits behind its page");

/* All counts in the order of rows; *@memory is to be given to free(3). NULL without memory. */
static struct place *places_sorted(const struct map_accesses *accesses, struct place **memory)
{
	struct place *places = malloc((2 * accesses->counts.used + 1) * sizeof(*places));
	uint64_t *items = (uint64_t *)places, *other;
	struct map_local local;
	size_t position = 0, count = 0;

	*memory = places;
	/* No host has memory for more. */
	if (!places || accesses->counts.size > PLACE_CELL)
		return NULL;
	while (smile_map_local_next(accesses, &position, &local))
		places[count++] = (struct place){
			.page_node = local.page << PLACE_NODE_BITS | local.node,
			.phase_cell = (uint64_t)local.phase << PLACE_CELL_BITS | (position - 1),
		};
	other = items + count * PLACE_WORDS;
	/* Counts of one row can come in any order. */
	digit_sort(&items, &other, count, PLACE_WORDS, 1, PLACE_CELL_BITS);
	digit_sort(&items, &other, count, PLACE_WORDS, 0, 0);
	return (struct place *)items;
}

/* Is it of another page, node or phase than the one before it? */
static int is_first(const struct place *place, size_t at)
{
	return !at || place[0].page_node != place[-1].page_node ||
	       place[0].phase_cell >> PLACE_CELL_BITS != place[-1].phase_cell >> PLACE_CELL_BITS;
}

/* The count at a place goes into its row. */
static void row_add(const struct map_accesses *accesses, const struct place *place,
		    struct Monitor_local *row)
{
	size_t position = place->phase_cell & PLACE_CELL;
	struct map_local local;

	smile_map_local_next(accesses, &position, &local);
	row->page = local.page;
	row->phase = local.phase;
	row->node = local.node;
	row->reads += local.type == SMILE_TYPE_READ ? local.count : 0;
	row->writes += local.type == SMILE_TYPE_WRITE ? local.count : 0;
	row->locks += local.type == SMILE_TYPE_LOCK ? local.count : 0;
}

/* Without sorting: a row has a count of some first type. */
static int rows_count(const struct map_accesses *accesses)
{
	struct map_local local;
	size_t position = 0;
	int count = 0;

	while (smile_map_local_next(accesses, &position, &local)) {
		struct map_local before = local;
		uint64_t there = 0;

		while (--before.type && !there)
			there = smile_map_local_get(accesses, &before);
		count += !there;
	}
	return count;
}

/* Fill in up to @capacity rows. Return: how many there are; -ENOMEM. */
static int rows_load(const struct map_accesses *accesses, struct Monitor_local *rows,
		     size_t capacity)
{
	struct place *places, *memory;
	size_t count = 0;

	if (!capacity)
		return rows_count(accesses);
	places = places_sorted(accesses, &memory);
	if (!places) {
		free(memory);
		return smile_map_no_memory();
	}
	for (size_t i = 0; i < accesses->counts.used; i++) {
		if (is_first(&places[i], i) && count++ < capacity)
			rows[count - 1] = (struct Monitor_local){0};
		if (count <= capacity)
			row_add(accesses, &places[i], &rows[count - 1]);
	}
	free(memory);
	return (int)count;
}

int Monitor_locals(struct Monitor *mon, struct Monitor_local *locals, size_t capacity)
{
	return rows_load(&mon->map.locals, locals, capacity);
}

int Monitor_intervals(struct Monitor *mon, struct Monitor_interval *accesses, size_t capacity)
{
	struct Monitor_local *rows = calloc(capacity + 1, sizeof(*rows));
	int count = rows ? rows_load(&mon->map.intervals, rows, capacity) : smile_map_no_memory();

	for (int i = 0; i < count && (size_t)i < capacity; i++)
		accesses[i] = (struct Monitor_interval){
			.page = rows[i].page,
			.interval = rows[i].phase,
			.node = rows[i].node,
			.reads = rows[i].reads,
			.writes = rows[i].writes,
			.locks = rows[i].locks,
		};
	free(rows);
	return count;
}
