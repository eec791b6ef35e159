/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The placement policies. May use placement.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>

#include "placement.h"

static unsigned round_robin_home(const struct placement *placement, uint64_t page, unsigned node)
{
	return (unsigned)(page % placement->nodes);
}

/* Memory that was not reported is in no region, so the default policy applies to it. */
static unsigned block_home(const struct placement *placement, uint64_t page, unsigned node)
{
	const struct page_range *range = page_ranges_find(&placement->where, page);
	const struct placement_region *region;
	uint64_t block;

	if (!range)
		return round_robin_home(placement, page, node);
	region = &placement->regions[range->value];
	block = (region->pages + placement->nodes - 1) / placement->nodes;
	return (unsigned)((page - region->first) / block);
}

static unsigned first_touch_home(const struct placement *placement, uint64_t page, unsigned node)
{
	return node;
}

static unsigned node_home(const struct placement *placement, uint64_t page, unsigned node)
{
	return placement->node;
}

static unsigned single_home(const struct placement *placement, uint64_t page, unsigned node)
{
	return 0;
}

static const struct placement_policy placement_policies[] = {
	/* Source: "Exploiting Spatial and Temporal Locality of Accesses" (1998), section 4. */
	{"round-robin", "page p on node p modulo the number of nodes", false, round_robin_home},
	{"block", "each region of memory in equal blocks, one a node", false, block_home},
	{"first-touch", "a page on the node that accesses it first", true, first_touch_home},
	{"single", "all pages on node 0", false, single_home},
	{"node", "all pages on one node, written node:NUMBER", false, node_home},
};

#define PLACEMENT_POLICIES (sizeof(placement_policies) / sizeof(placement_policies[0]))

const struct placement_policy *placement_at(size_t index)
{
	return index < PLACEMENT_POLICIES ? &placement_policies[index] : NULL;
}

const struct placement_policy *placement_find(const char *name)
{
	for (size_t i = 0; i < PLACEMENT_POLICIES; i++) {
		if (strcmp(placement_policies[i].name, name) == 0)
			return &placement_policies[i];
	}
	return NULL;
}

int placement_parse(const char *text, const struct placement_policy **policy, unsigned *node)
{
	static const char prefix[] = "node:";
	const struct placement_policy *found = placement_find(text);
	unsigned number = 0;

	/* If the name "node" has no number, no node is known. */
	if (found && found->home != node_home) {
		*policy = found;
		*node = 0;
		return 0;
	}
	if (strncmp(text, prefix, sizeof(prefix) - 1) != 0)
		return -EINVAL;
	text += sizeof(prefix) - 1;
	if (*text == '\0')
		return -EINVAL;
	for (; *text != '\0'; text++) {
		if (*text < '0' || *text > '9' || number > 9999)
			return -EINVAL;
		number = number * 10 + (unsigned)(*text - '0');
	}
	*policy = placement_find("node");
	*node = number;
	return 0;
}

int placement_region(struct placement *placement, uint64_t first, uint64_t pages)
{
	if (array_reserve(&placement->regions, &placement->regions_capacity,
			  placement->regions_count, sizeof(*placement->regions)) < 0)
		return -ENOMEM;
	if (page_ranges_set(&placement->where, first, first + pages - 1, placement->regions_count) <
	    0)
		return -ENOMEM;
	placement->regions[placement->regions_count++] = (struct placement_region){first, pages};
	return 0;
}

int placement_place(struct placement *placement, uint64_t first, uint64_t last, unsigned node,
		    enum placement_priority priority)
{
	return page_ranges_set(&placement->placed[priority], first, last, node);
}

/*
 * Find the first range of pages that the program has placed and that overlaps @first to @last. The
 * result is cut to the pages @first to @last.
 */
static bool placed_next(const struct placement *placement, uint64_t first, uint64_t last,
			struct page_range *found)
{
	const struct page_ranges *placed = &placement->placed[PLACEMENT_PROGRAM];
	size_t at = page_ranges_at(placed, first);

	while (at < placed->count && placed->items[at].value == PAGES_HOME)
		at++;
	if (at == placed->count || placed->items[at].first > last)
		return false;
	*found = placed->items[at];
	if (found->first < first)
		found->first = first;
	if (found->last > last)
		found->last = last;
	return true;
}

int placement_remove(struct placement *placement, uint64_t first, uint64_t last)
{
	struct page_range range;
	int err = 0;

	while (err == 0 && placed_next(placement, first, last, &range))
		err = page_ranges_set(&placement->placed[PLACEMENT_PROGRAM], range.first,
				      range.last, PAGES_HOME);
	return err;
}

int placement_move(struct placement *placement, uint64_t first, uint64_t last, uint64_t to)
{
	struct page_range range;
	uint64_t page = first;
	int err = placement_remove(placement, to, to + (last - first));

	while (err == 0 && placed_next(placement, page, last, &range)) {
		err = page_ranges_set(&placement->placed[PLACEMENT_PROGRAM],
				      range.first - first + to, range.last - first + to,
				      range.value);
		if (range.last == last)
			break;
		page = range.last + 1;
	}
	return err < 0 ? err : placement_remove(placement, first, last);
}

uint64_t placement_decide(struct placement *placement, uint64_t page, unsigned node)
{
	unsigned home = PAGES_HOME;

	for (unsigned p = PLACEMENT_PRIORITIES; p-- > 0;) {
		const struct page_range *range = page_ranges_find(&placement->placed[p], page);

		if (range && range->value != PAGES_HOME) {
			home = (unsigned)range->value;
			break;
		}
	}
	if (home == PAGES_HOME)
		home = placement->policy->home(placement, page, node);
	if (pages_find(&placement->pages, page))
		pages_move(&placement->pages, page, home);
	else if (pages_add(&placement->pages, page, home) < 0)
		return 0;
	return pages_entry(page, home);
}

void placement_free(struct placement *placement)
{
	for (unsigned p = 0; p < PLACEMENT_PRIORITIES; p++)
		page_ranges_free(&placement->placed[p]);
	page_ranges_free(&placement->where);
	free(placement->regions);
	pages_free(&placement->pages);
}
