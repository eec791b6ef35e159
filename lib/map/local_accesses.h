/* SPDX-License-Identifier: MIT */
/*
 * Local accesses: stores two kinds of accesses: the accesses of nodes to their own memory, by
 * phase; and the accesses of nodes to any memory, by interval.
 *
 * What lives here: the two parts of the map that have these accesses. Each part has a list of rows
 * for each node. Only recordings of `smile run` have them. No card can report them, because local
 * accesses cross no link, and a card does not detect intervals. May use <smile/monitor.h> and
 * lib/base/.
 *
 * In a recording, the rows are in the order of page and phase. The functions read, compare and
 * merge rows in this order.
 */
#ifndef LIB_MAP_LOCAL_ACCESSES_H
#define LIB_MAP_LOCAL_ACCESSES_H

#include <smile/monitor.h>

/**
 * struct locals_node - Accesses of one node.
 * @node: the node
 * @known: 1: @rows are all accesses of the node
 * @rows: rows with at least one access, each for a page and a phase or interval; [@size]
 * @count: number of rows
 * @size: number of rows for which @rows has memory
 * @settled: number of rows at the beginning of @rows that are sorted by page and phase
 * @sum: sum of all accesses, from which overflows are detected
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
 * struct locals - The accesses of all nodes. If all members are 0, there are no nodes.
 * @nodes: the nodes in the order in which they were added, without duplicates; [@size]
 * @count: number of nodes
 * @size: number of nodes for which @nodes has memory
 * @last: the node to which accesses were added most recently
 */
struct locals {
	struct locals_node *nodes;
	size_t count;
	size_t size;
	size_t last;
};

/* Add accesses to the row for their page, phase and node. Return: 0; -EINVAL, -ENOMEM. */
int smile_locals_add(struct locals *locals, const struct Monitor_local *row);

/*
 * Note that all accesses of @node are known, even if the list has none for the node. Return: 0;
 * -EINVAL, -ENOMEM.
 */
int smile_locals_node_add(struct locals *locals, uint32_t node);

int smile_locals_known(const struct locals *locals, uint32_t node);

/* Return whether the list has no node. */
int smile_locals_is_empty(const struct locals *locals);

/* Sort the rows of each node. All functions declared below need sorted rows. */
void smile_locals_settle(struct locals *locals);

/* Get the number of rows of all nodes. */
size_t smile_locals_count(const struct locals *locals);

/**
 * struct locals_head - The rows of a node that a walk has not visited yet.
 * @at: the next row
 * @end: one past the last row
 */
struct locals_head {
	const struct Monitor_local *at;
	const struct Monitor_local *end;
};

/**
 * struct locals_walk - A walk over the rows of all nodes, ascending by page, node and phase.
 * @heads: a binary heap with one head for each node that has rows left; the head with the first row
 *         is on top
 * @count: number of heads
 */
struct locals_walk {
	struct locals_head *heads;
	size_t count;
};

/* Begin a walk. Return: 0; -ENOMEM, in which case the walk has no rows. */
int smile_locals_walk(const struct locals *locals, struct locals_walk *walk);

/* Get the next row. Return: the row; NULL at the end. */
const struct Monitor_local *smile_locals_next(struct locals_walk *walk);

void smile_locals_end(struct locals_walk *walk);

/*
 * Return whether two lists agree. They agree if they have the same accesses for all nodes that are
 * in both lists.
 */
int smile_locals_agree(const struct locals *a, const struct locals *b);

/*
 * Copy into @sum, which must be empty, all nodes of @from that @into does not have. Allocate memory
 * in @sum for the nodes of @into, too. Return: 0; -ENOMEM.
 */
int smile_locals_sum(struct locals *sum, const struct locals *into, const struct locals *from);

/*
 * Move the nodes of @old to the beginning of @sum. @old must be the list that was passed as @into
 * to the call that made @sum.
 */
void smile_locals_keep(struct locals *sum, struct locals *old);

void smile_locals_free(struct locals *locals);

#endif /* LIB_MAP_LOCAL_ACCESSES_H */
