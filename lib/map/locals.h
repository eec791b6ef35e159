/* SPDX-License-Identifier: MIT */
/*
 * Locals: accesses of nodes to their own memory, by phase; and to any memory, by interval.
 *
 * What lives here: their parts of the map, a list of rows for each node. No card can report them,
 * since local accesses cross no link and a card knows no intervals; recordings of
 * `smile run` have them. It may use <smile/monitor.h> and lib/base/.
 *
 * Recordings have them by page and phase, so that they are read, compared and merged in this order.
 */
#ifndef LIB_MAP_LOCALS_H
#define LIB_MAP_LOCALS_H

#include <smile/monitor.h>

/**
 * struct locals_node - Accesses of one node.
 * @node: it
 * @known: these are all its accesses
 * @rows: of a page and a phase, or interval, each, with some access; [@size]
 * @count: how many
 * @size: room
 * @settled: so many of them, the first ones, ascend by page and phase
 * @sum: of all their accesses: no count can be more than that
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
 * struct locals - All of them; all zero: none.
 * @nodes: in the order in which they were added, a node once; [@size]
 * @count: how many
 * @size: room
 * @last: the one that was added to last
 */
struct locals {
	struct locals_node *nodes;
	size_t count;
	size_t size;
	size_t last;
};

/* Add accesses to those of their page, phase and node. Return: 0; -EINVAL, -ENOMEM. */
int smile_locals_add(struct locals *locals, const struct Monitor_local *row);

/* All accesses of @node are known. Return: 0; -EINVAL, -ENOMEM. */
int smile_locals_node_add(struct locals *locals, uint32_t node);

int smile_locals_known(const struct locals *locals, uint32_t node);

/* Is no node known? */
int smile_locals_is_empty(const struct locals *locals);

/* Put the rows of each node into their order. What follows needs it. */
void smile_locals_settle(struct locals *locals);

/* Rows of all nodes. */
size_t smile_locals_count(const struct locals *locals);

/**
 * struct locals_head - The rows of a node that a walk has left.
 * @at: the next one
 * @end: one past the last
 */
struct locals_head {
	const struct Monitor_local *at;
	const struct Monitor_local *end;
};

/**
 * struct locals_walk - A walk through the rows of all nodes, ascending by page, node and phase.
 * @heads: of nodes that have rows left; a heap, whose first is on top
 * @count: how many
 */
struct locals_walk {
	struct locals_head *heads;
	size_t count;
};

/* Return: 0; -ENOMEM: then there is nothing to walk through. */
int smile_locals_walk(const struct locals *locals, struct locals_walk *walk);

/* The next row; NULL at the end. */
const struct Monitor_local *smile_locals_next(struct locals_walk *walk);

void smile_locals_end(struct locals_walk *walk);

/* Do two agree on the nodes that both know? */
int smile_locals_agree(const struct locals *a, const struct locals *b);

/*
 * Into @sum, which is empty: those of nodes that @from knows and @into does not; and room for those
 * of @into. Return: 0; -ENOMEM.
 */
int smile_locals_sum(struct locals *sum, const struct locals *into, const struct locals *from);

/* @sum was made of @old: move those of the other nodes, which come first then. */
void smile_locals_keep(struct locals *sum, struct locals *old);

void smile_locals_free(struct locals *locals);

#endif /* LIB_MAP_LOCALS_H */
