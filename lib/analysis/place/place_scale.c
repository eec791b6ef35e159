// SPDX-License-Identifier: MIT
/*
 * Place plan: adapts the runs of a region if the size of the region has changed. See
 * lib/analysis/place/place_plan.h.
 *
 * What lives here: two rules. If each node has only a few runs in a region, each node's share of
 * the region, such as a half or a block of rows, grows in proportion to the region. If the runs of
 * the nodes alternate, they continue to alternate in the larger region. No rule applies to any
 * other region.
 */
#include "lib/analysis/place/place_plan.h"

#include <string.h>

#include <smile/monitor.h>

/*
 * The largest number of runs in a node's share. A share can have several runs, because pages at its
 * borders can be on other nodes.
 */
#define SHARE_RUNS 3
/*
 * If the nodes alternate, at most one in this number of pages may be on another node than the rule
 * gives.
 */
#define TURN_EXCEPTIONS 10

/**
 * struct joined - The runs of a region. Neighbouring runs on the same node count as one run.
 * @count: number of runs
 * @nodes: number of different nodes
 * @turn: number of pages from the first page of the region to the second run on the same node; 0 if
 *        that node has only one run
 */
struct joined {
	uint64_t count;
	uint64_t nodes;
	uint64_t turn;
};

static struct joined runs_join(const struct plan_region *region, const struct plan_run *runs)
{
	unsigned char seen[PLAN_NODES_MAX] = {0};
	struct joined joined = {0};

	for (uint32_t i = 0; i < region->runs; i++) {
		if (i && runs[i].node == runs[i - 1].node)
			continue;
		joined.count++;
		if (runs[i].node < PLAN_NODES_MAX && !seen[runs[i].node]) {
			seen[runs[i].node] = 1;
			joined.nodes++;
		}
		if (i && !joined.turn && runs[i].node == runs[0].node)
			joined.turn = runs[i].first - runs[0].first;
	}
	return joined;
}

/*
 * Get the node of a page among the first @turn pages of the region; UINT32_MAX if no run contains
 * the page.
 */
static uint32_t turn_node(const struct plan_region *region, const struct plan_run *runs,
			  uint64_t page)
{
	for (uint32_t i = 0; i < region->runs && runs[i].first <= page; i++)
		if (runs[i].last >= page)
			return runs[i].node;
	return UINT32_MAX;
}

static int takes_turns(const struct plan_region *region, const struct plan_run *runs, uint64_t turn)
{
	uint64_t first = region->start / SMILE_PAGE_BYTES, pages = 0, other = 0;

	for (uint32_t i = 0; i < region->runs; i++)
		for (uint64_t page = runs[i].first; page <= runs[i].last; page++) {
			pages++;
			other += turn_node(region, runs, first + (page - first) % turn) !=
				 runs[i].node;
		}
	return other * TURN_EXCEPTIONS <= pages;
}

void place_scale_find(struct plan_region *region, const struct plan_run *runs)
{
	struct joined joined = runs_join(region, runs);

	region->scale = PLAN_SCALE_NONE;
	if (!joined.count)
		return;
	if (joined.count <= SHARE_RUNS * joined.nodes) {
		region->scale = PLAN_SCALE_SHARE;
	} else if (joined.turn && joined.turn <= UINT32_MAX &&
		   takes_turns(region, runs, joined.turn)) {
		region->scale = PLAN_SCALE_TURN;
		region->turn = (uint32_t)joined.turn;
	}
}
