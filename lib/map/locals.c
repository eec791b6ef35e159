/* SPDX-License-Identifier: MIT */
/*
 * Locals: accesses of nodes to their own memory.
 *
 * What lives here: local accesses in the map, and the public calls. No card sees them, since they
 * cross no link; the tracer that recorded the program may report them.
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

int smile_map_local_known(const struct map *map, uint32_t node)
{
	for (size_t i = 0; i < map->local_nodes_count; i++)
		if (map->local_nodes[i] == node)
			return 1;
	return 0;
}

int smile_map_local_node_add(struct map *map, uint32_t node)
{
	int error = node_check(node);

	if (error < 0 || smile_map_local_known(map, node))
		return error;
	if (array_reserve(&map->local_nodes, &map->local_nodes_size, map->local_nodes_count,
			  sizeof(node)) < 0)
		return smile_map_no_memory();
	map->local_nodes[map->local_nodes_count++] = node;
	return 0;
}

int smile_map_local_add(struct map *map, uint64_t page, uint32_t phase, uint32_t node,
			uint32_t type, uint64_t count)
{
	const struct map_local local = {page, count, phase, node, type};
	int error = node_check(node);

	if (error < 0 || !count)
		return error;
	if (page >= MAP_PAGES || !type || type >= SMILE_TYPE_COUNT)
		return smile_error(EINVAL, "local accesses to page %llu make no sense",
				   (unsigned long long)page);
	if (count > UINT64_MAX - smile_map_local_get(map, &local))
		return smile_error(EINVAL, "more than 2^64 local accesses to page %llu",
				   (unsigned long long)page);
	return smile_table_add(&map->locals, key_high(page, type), key_low(phase, node), count);
}

uint64_t smile_map_local_get(const struct map *map, const struct map_local *local)
{
	return smile_table_get(&map->locals, key_high(local->page, local->type),
			       key_low(local->phase, local->node));
}

int smile_map_local_next(const struct map *map, size_t *position, struct map_local *local)
{
	const struct table_cell *cell = smile_table_next(&map->locals, position);

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
