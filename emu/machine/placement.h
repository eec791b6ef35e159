/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Page placement: which node a page of the shared region lies on.
 *
 * What lives here: the table of policies. A policy is one function; what it may look at is in
 * struct placement, so that policies which need to know more (the size of the region, who touched a
 * page first, a map read by the caller) find their room there. It may use include/ and the C
 * library's <string.h>.
 */
#ifndef EMU_MACHINE_PLACEMENT_H
#define EMU_MACHINE_PLACEMENT_H

#include <stddef.h>
#include <stdint.h>

struct placement;

/**
 * struct placement_policy - A rule by which pages are homed.
 * @name: what the policy is called
 * @home: home of @page, which @node is about to access; always less than @placement->nodes, and
 *        the same each time it is asked about a page
 */
struct placement_policy {
	const char *name;
	unsigned (*home)(struct placement *placement, uint64_t page, unsigned node);
};

/**
 * struct placement - A policy at work on one machine.
 * @policy: the rule
 * @nodes: nodes of the machine
 */
struct placement {
	const struct placement_policy *policy;
	unsigned nodes;
};

/* The policy used where none is asked for: page p on node p modulo the number of nodes. */
#define PLACEMENT_DEFAULT "round-robin"

/**
 * placement_find() - A policy by its name.
 *
 * Return: the policy, or NULL.
 */
const struct placement_policy *placement_find(const char *name);

/**
 * placement_home() - Home node of @page, which @node is about to access.
 */
static inline unsigned placement_home(struct placement *placement, uint64_t page, unsigned node)
{
	return placement->policy->home(placement, page, node);
}

#endif /* EMU_MACHINE_PLACEMENT_H */
