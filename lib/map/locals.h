/* SPDX-License-Identifier: MIT */
/*
 * Locals: accesses of nodes to their own memory, by phase; and to any memory, by interval.
 *
 * What lives here: both parts of the map, a list of rows for each node. No card can report these
 * accesses, because local accesses cross no link and a card does not detect intervals; recordings
 * of `smile run` have them. It may use <smile/monitor.h> and lib/base/.
 *
 * In recordings these accesses are in order of page and phase, so they are read, compared and
 * merged in this order.
 */
#ifndef LIB_MAP_LOCALS_H
#define LIB_MAP_LOCALS_H

#include <smile/monitor.h>

/**
 * struct locals_node - Accesses of one node.
 * @node: the node
 * @known: 1: these are all accesses of the node
 * @rows: rows with at least one access, each of a page and a phase, or interval; [@size]
 * @count: number of rows
 * @size: number of rows that @rows has room for
 * @settled: number of leading rows that ascend by page and phase
 * @sum: sum of all accesses: no count can exceed it
 */
struct locals_node {
	uint32_t node;
	int known;
	struct Monitor_local *rows;
	size_t count;
	size_t size;
	size_t settled;
	uint64_t sum;
};

/**
 * struct locals - The accesses of all nodes; all zero: no nodes.
 * @nodes: the nodes in the order in which they were added, each once; [@size]
 * @count: number of nodes
 * @size: number of nodes that @nodes has room for
 * @last: the node to which accesses were added last
 */
struct locals {
	struct locals_node *nodes;
	size_t count;
	size_t size;
	size_t last;
};

/* Add accesses to the row of their page, phase and node. Return: 0; -EINVAL, -ENOMEM. */
int smile_locals_add(struct locals *locals, const struct Monitor_local *row);

/* All accesses of @node are known. Return: 0; -EINVAL, -ENOMEM. */
int smile_locals_node_add(struct locals *locals, uint32_t node);

int smile_locals_known(const struct locals *locals, uint32_t node);

/* Whether the list has no node. */
int smile_locals_is_empty(const struct locals *locals);

/* Sort the rows of each node. The functions below need sorted rows. */
void smile_locals_settle(struct locals *locals);

/* The number of rows of all nodes. */
size_t smile_locals_count(const struct locals *locals);

/**
 * struct locals_head - The remaining rows of a node in a walk.
 * @at: the next row
 * @end: one past the last row
 */
struct locals_head {
	const struct Monitor_local *at;
	const struct Monitor_local *end;
};

/**
 * struct locals_walk - A walk through the rows of all nodes, ascending by page, node and phase.
 * @heads: heads of the nodes that have rows left; a heap with the first row on top
 * @count: number of heads
 */
struct locals_walk {
	struct locals_head *heads;
	size_t count;
};

/* Begin a walk. Return: 0; -ENOMEM: the walk is then empty. */
int smile_locals_walk(const struct locals *locals, struct locals_walk *walk);

/* The next row; NULL at the end. */
const struct Monitor_local *smile_locals_next(struct locals_walk *walk);

void smile_locals_end(struct locals_walk *walk);

/* Whether two agree on all nodes that both have. */
int smile_locals_agree(const struct locals *a, const struct locals *b);

/*
 * Copy into @sum, which must be empty, the nodes of @from that @into does not have, and reserve
 * room for the nodes of @into. Return: 0; -ENOMEM.
 */
int smile_locals_sum(struct locals *sum, const struct locals *into, const struct locals *from);

/* Move the nodes of @old to the beginning of @sum, which was made for @old. */
void smile_locals_keep(struct locals *sum, struct locals *old);

void smile_locals_free(struct locals *locals);

#endif /* LIB_MAP_LOCALS_H */
