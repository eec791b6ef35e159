/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Page placement: the node of each page of the shared region.
 *
 * What lives here: the table of policies, and the pages that the user or the program has placed,
 * which override them. The home of a page is decided at its first access and does not change. May
 * use page_homes.h, include/ and the C library without <stdio.h>.
 */
#ifndef EMU_MACHINE_PLACEMENT_H
#define EMU_MACHINE_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/page_ranges.h>

#include "page_homes.h"

struct placement;

/* The origin of a placement: a later one in this list overrides an earlier one. */
enum placement_priority {
	PLACEMENT_PROGRAM,
	PLACEMENT_USER,
	PLACEMENT_PRIORITIES,
};

/**
 * struct placement_policy - A rule for the homes of pages.
 * @name: its name
 * @description: its effect, in a few words
 * @ordered: the home depends on which processor accesses first
 * @home: home of @page, which @node is about to access; always less than @placement->nodes
 */
struct placement_policy {
	const char *name;
	const char *description;
	bool ordered;
	unsigned (*home)(const struct placement *placement, uint64_t page, unsigned node);
};

/**
 * struct placement_region - A region of memory.
 * @first: number of its first page
 * @pages: number of pages
 */
struct placement_region {
	uint64_t first;
	uint64_t pages;
};

/**
 * struct placement - A policy on one machine; initially all zero except the first three members.
 * @policy: the rule
 * @nodes: number of nodes of the machine
 * @node: the argument of the policy "node"
 * @placed: nodes of pages that the user or the program has placed, by enum placement_priority
 * @where: indices into @regions, by page
 * @regions: reported regions of memory; shape [@regions_capacity]
 * @regions_count: number of regions
 * @pages: homes that have been decided
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

/* Name of the default policy: page p on node p modulo the number of nodes. */
#define PLACEMENT_DEFAULT "round-robin"

/**
 * placement_find() - Find a policy by its name.
 *
 * Return: the policy, or NULL.
 */
const struct placement_policy *placement_find(const char *name);

/**
 * placement_at() - Get all policies, one after another.
 *
 * Return: the policy, or NULL after the last one.
 */
const struct placement_policy *placement_at(size_t index);

/**
 * placement_parse() - Parse a policy's name, and for "node" its number, as in node:3.
 * @policy: receives the policy
 * @node: receives the number, or 0
 *
 * Return: 0; -EINVAL, with @policy and @node unchanged.
 */
int placement_parse(const char *text, const struct placement_policy **policy, unsigned *node);

/**
 * placement_region() - Report that these pages are a region of memory.
 *
 * Return: 0; -ENOMEM.
 */
int placement_region(struct placement *placement, uint64_t first, uint64_t pages);

/**
 * placement_place() - Place these pages on @node.
 *
 * Return: 0; -ENOMEM.
 */
int placement_place(struct placement *placement, uint64_t first, uint64_t last, unsigned node,
		    enum placement_priority priority);

/**
 * placement_decide() - Decide the home of a page that has no home, or was given back.
 *
 * Return: its entry, see page_homes.h; 0 if there is no memory for it.
 */
uint64_t placement_decide(struct placement *placement, uint64_t page, unsigned node);

void placement_free(struct placement *placement);

/**
 * placement_entry() - Get the entry with the home of @page, which @node is about to access.
 *
 * Return: see placement_decide().
 */
static inline uint64_t placement_entry(struct placement *placement, uint64_t page, unsigned node)
{
	uint64_t entry = pages_find(&placement->pages, page);

	return entry && !(entry & PAGES_GONE) ? entry : placement_decide(placement, page, node);
}

#endif /* EMU_MACHINE_PLACEMENT_H */
