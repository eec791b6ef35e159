/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Page placement: policies that decide the home node of each page of the shared region.
 *
 * What lives here: the table of policies, and the nodes on which the user or the program has placed
 * pages. Such a placement overrides the policy. The home of a page is decided at the first access
 * to the page. Later accesses do not change it. May use page_homes.h, include/ and the C library
 * except <stdio.h>.
 */
#ifndef EMU_MACHINE_PLACEMENT_H
#define EMU_MACHINE_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/page_ranges.h>

#include "page_homes.h"

struct placement;

/* The origin of a placement. A later entry of this list overrides an earlier one. */
enum placement_priority {
	PLACEMENT_PROGRAM,
	PLACEMENT_USER,
	PLACEMENT_PRIORITIES,
};

/**
 * struct placement_policy - A rule that decides the homes of pages.
 * @name: name of the policy
 * @description: what the policy does, in a few words
 * @ordered: the home of a page depends on the processor that accesses the page first
 * @home: returns the home of @page, which @node is about to access. The result is less than
 *        @placement->nodes
 */
struct placement_policy {
	const char *name;
	const char *description;
	bool ordered;
	unsigned (*home)(const struct placement *placement, uint64_t page, unsigned node);
};

/**
 * struct placement_region - A region of memory that was reported.
 * @first: number of the first page
 * @pages: number of pages
 */
struct placement_region {
	uint64_t first;
	uint64_t pages;
};

/**
 * struct placement - The state of a policy on one machine. Initially, all members except the first
 * three are zero.
 * @policy: the policy
 * @nodes: number of nodes of the machine
 * @node: the node that the policy "node" uses
 * @placed: the nodes on which the user or the program has placed pages, by enum placement_priority;
 *          PAGES_HOME: this placement has ended
 * @where: indices of regions in @regions, by page
 * @regions: the regions that were reported; shape [@regions_capacity]
 * @regions_count: number of regions
 * @pages: the homes that were decided
 */
struct placement {
	const struct placement_policy *policy;
	unsigned nodes;
	unsigned node;
	struct page_ranges placed[PLACEMENT_PRIORITIES];
	struct page_ranges where;
	struct placement_region *regions;
	size_t regions_count;
	size_t regions_capacity;
	struct pages pages;
};

/* Name of the default policy, which places page p on node p modulo the number of nodes. */
#define PLACEMENT_DEFAULT "round-robin"

/**
 * placement_find() - Find a policy by its name.
 *
 * Return: the policy; NULL if there is no policy of this name.
 */
const struct placement_policy *placement_find(const char *name);

/**
 * placement_at() - Get a policy by its index, to loop over all policies.
 *
 * Return: the policy; NULL if @index is beyond the last policy.
 */
const struct placement_policy *placement_at(size_t index);

/**
 * placement_parse() - Parse the name of a policy. The policy "node" has a number after its name, as
 * in node:3.
 * @policy: receives the policy
 * @node: receives the number; 0 if the policy has none
 *
 * Return: 0; -EINVAL if the name is wrong: @policy and @node are then unchanged.
 */
int placement_parse(const char *text, const struct placement_policy **policy, unsigned *node);

/**
 * placement_region() - Report that @pages pages from @first on are one region of memory.
 *
 * Return: 0; -ENOMEM.
 */
int placement_region(struct placement *placement, uint64_t first, uint64_t pages);

/**
 * placement_place() - Place the pages from @first to @last on @node.
 *
 * Return: 0; -ENOMEM.
 */
int placement_place(struct placement *placement, uint64_t first, uint64_t last, unsigned node,
		    enum placement_priority priority);

/**
 * placement_remove() - End the placement of the pages from @first to @last that the program has
 * placed. placement_move() moves this placement to the pages from @to on.
 *
 * Return: 0; -ENOMEM.
 */
int placement_remove(struct placement *placement, uint64_t first, uint64_t last);
int placement_move(struct placement *placement, uint64_t first, uint64_t last, uint64_t to);

/**
 * placement_decide() - Decide the home of a page that has no home yet, or that was given back.
 *
 * Return: the entry of the page (see page_homes.h); 0 if memory ran out.
 */
uint64_t placement_decide(struct placement *placement, uint64_t page, unsigned node);

void placement_free(struct placement *placement);

/**
 * placement_entry() - Get the entry of @page, which @node is about to access. If the page has no
 * home, decide it.
 *
 * Return: see placement_decide().
 */
static inline uint64_t placement_entry(struct placement *placement, uint64_t page, unsigned node)
{
	uint64_t entry = pages_find(&placement->pages, page);

	return entry && !(entry & PAGES_GONE) ? entry : placement_decide(placement, page, node);
}

#endif /* EMU_MACHINE_PLACEMENT_H */
