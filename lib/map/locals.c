/* SPDX-License-Identifier: MIT */
/*
 * Locals: accesses of nodes to their own memory, by phase; and to any memory, by interval.
 *
 * What lives here: their parts of the map. No card can report them, since local accesses cross no
 * link and a card knows no intervals; the recorder of the program may know them.
 */
#include <stdlib.h>

#include <hw/smile_regs.h>
#include <base/array.h>

#include "lib/base/error.h"
#include "lib/map/map.h"

#define LOCAL_TYPE_BITS 2

static uint64_t key_high(uint64_t page, uint32_t type)
{
	return page << LOCAL_TYPE_BITS | type;
}

static uint64_t key_low(uint32_t phase, uint32_t node)
{
	return (uint64_t)phase << 32 | node;
}

/* ---- in the map ------------------------------------------------------------------------------ */

static int node_check(uint32_t node)
{
	if (node & ~SMILE_NODE_ID)
		return smile_error(EINVAL, "node %u is out of range: use 0 to %u", node,
				   SMILE_NODE_ID);
	return 0;
}

int smile_map_local_known(const struct map_accesses *accesses, uint32_t node)
{
	for (size_t i = 0; i < accesses->nodes_count; i++)
		if (accesses->nodes[i] == node)
			return 1;
	return 0;
}

int smile_map_local_node_add(struct map_accesses *accesses, uint32_t node)
{
	int error = node_check(node);

	if (error < 0 || smile_map_local_known(accesses, node))
		return error;
	if (array_reserve(&accesses->nodes, &accesses->nodes_size, accesses->nodes_count,
			  sizeof(node)) < 0)
		return smile_map_no_memory();
	accesses->nodes[accesses->nodes_count++] = node;
	return 0;
}

int smile_map_local_add(struct map_accesses *accesses, uint64_t page, uint32_t phase, uint32_t node,
			uint32_t type, uint64_t count)
{
	struct count_cell *cell;
	int error = node_check(node);

	if (error < 0 || !count)
		return error;
	if (page >= MAP_PAGES || !type || type >= SMILE_TYPE_COUNT)
		return smile_error(EINVAL, "accesses to page %llu are invalid",
				   (unsigned long long)page);
	cell = smile_count_table_cell(&accesses->counts, key_high(page, type),
				      key_low(phase, node));
	if (!cell)
		return -ENOMEM;
	/* A new one has none yet. */
	if (count > UINT64_MAX - cell->count)
		return smile_error(EINVAL, "more than 2^64 accesses to page %llu",
				   (unsigned long long)page);
	cell->count += count;
	return 0;
}

void smile_map_locals_free(struct map_accesses *accesses)
{
	smile_count_table_free(&accesses->counts);
	free(accesses->nodes);
}

uint64_t smile_map_local_get(const struct map_accesses *accesses, const struct map_local *local)
{
	return smile_count_table_get(&accesses->counts, key_high(local->page, local->type),
				     key_low(local->phase, local->node));
}

int smile_map_local_next(const struct map_accesses *accesses, size_t *position,
			 struct map_local *local)
{
	const struct count_cell *cell = smile_count_table_next(&accesses->counts, position);

	if (!cell)
		return 0;
	*local = (struct map_local){
		.page = cell->high >> LOCAL_TYPE_BITS,
		.count = cell->count,
		.phase = (uint32_t)(cell->low >> 32),
		.node = (uint32_t)cell->low,
		.type = cell->high & ((1U << LOCAL_TYPE_BITS) - 1),
	};
	return 1;
}
