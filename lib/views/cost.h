/* SPDX-License-Identifier: MIT */
/*
 * Cost: the cycles of accesses, by a latency model's weights.
 *
 * What lives here: the weights, and one walk over all accesses of a view, those that cards counted
 * and local ones.
 */
#ifndef LIB_VIEWS_COST_H
#define LIB_VIEWS_COST_H

#include "lib/monitor/monitor.h"

/* Return: 0; -EINVAL with a message. */
int smile_weights_check(const struct Monitor_weights *weights);

/* The cost of accesses of a type by another node; UINT64_MAX if it is beyond 64 bits. */
uint64_t smile_weights_remote(const struct Monitor_weights *weights, uint32_t type, uint64_t count);

/* The cost by the node where the page lies. */
uint64_t smile_weights_local(const struct Monitor_weights *weights, uint32_t type, uint64_t count);

/**
 * struct cost_walk - The position in a walk through all accesses; all zero at first.
 * @counted: in the histogram
 * @local: that walk has ended: local accesses follow
 * @position: in the table of these
 */
struct cost_walk {
	struct histogram_walk counted;
	int local;
	size_t position;
};

/*
 * The next count. For local accesses, source and home are the same node. Return: 1; 0 at the end.
 */
int smile_cost_next(const struct Monitor *mon, struct cost_walk *walk,
		    struct histogram_access *access);

/* The number of counts that smile_cost_next() will return. */
size_t smile_cost_count(const struct Monitor *mon);

#endif /* LIB_VIEWS_COST_H */
