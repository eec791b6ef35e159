/* SPDX-License-Identifier: MIT */
/*
 * Place plan: make the plan that `smile place` passes to its library in the program.
 *
 * What lives here: a function that makes the plan in shared memory, from a request and the nodes of
 * this machine. <place/plan.h> describes its layout. May use place_request.h.
 */
#ifndef LIB_ANALYSIS_PLACE_PLACE_PLAN_H
#define LIB_ANALYSIS_PLACE_PLACE_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include <place/plan.h>

#include "lib/analysis/place/place_request.h"

/**
 * struct place_nodes - The nodes of this machine that have memory and may be used.
 * @node: node numbers, ascending; shape [@count]
 * @count: number of nodes; 0: the system does not report its nodes
 */
struct place_nodes {
	uint32_t node[PLAN_NODES_MAX];
	uint32_t count;
};

/**
 * struct place_plan - A plan.
 * @header: the plan; it has the regions of the request, in the same order
 * @fd: file descriptor of the plan's memory; the program inherits it
 * @unnamed: number of placed pages that are in no region. The library in the program cannot find
 *              these pages
 * @lost_locks: recorded addresses of locks that are not in global data. The library in the program
 *              cannot find these locks; shape [@lost_lock_count]
 * @lost_lock_count: number of locks that cannot be found
 */
struct place_plan {
	struct plan_header *header;
	int fd;
	uint64_t unnamed;
	uint64_t *lost_locks;
	size_t lost_lock_count;
};

/**
 * place_plan_make() - Make a plan.
 * @threads_on: number of nodes to bind threads to; 0: do not bind threads
 *
 * The caller must call place_plan_free() even after an error. Return: 0; -ENOMEM or another -errno,
 * with Monitor_error_message() set.
 */
int place_plan_make(struct place_plan *plan, const struct place_request *request,
		    const struct place_nodes *nodes, uint32_t threads_on);

void place_plan_free(struct place_plan *plan);

/* Compute the members @scale and @turn of a region. The runs of the region must be filled in. */
void place_scale_find(struct plan_region *region, const struct plan_run *runs);

static inline struct plan_region *place_plan_regions(const struct place_plan *plan)
{
	return (struct plan_region *)((char *)plan->header + plan->header->regions_at);
}

#endif /* LIB_ANALYSIS_PLACE_PLACE_PLAN_H */
