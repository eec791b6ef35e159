/* SPDX-License-Identifier: MIT */
/*
 * Link: the memory of all nodes of a cluster, through the SISCI API.
 *
 * What lives here: this node's segment, the segments of the other nodes, which join and leave, and
 * the interrupt with which the leading node calls the others. Each other node has a thread that
 * connects to it, since a call to a stopped node waits until that node continues; the other nodes
 * must not wait for it.
 */
#ifndef TOOLS_STAT_CLUSTER_LINK_H
#define TOOLS_STAT_CLUSTER_LINK_H

#include <stddef.h>
#include <stdint.h>

#include "lib/exchange/members.h"

/* Largest number of nodes of a ring: their ids are 4, 8, ... */
#define CLUSTER_NODES_MAX 64

struct cluster_link;

/**
 * cluster_link_open() - Make this node's segment, which no other node can see yet.
 * @id: id of the segments of all nodes, and of their interrupts
 * @bytes: size of this node's segment
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int cluster_link_open(struct cluster_link **out, unsigned int id, size_t bytes);

/* The number of this node, from 0. */
unsigned int cluster_link_node(const struct cluster_link *link);

/* The memory of this node's segment. */
volatile uint64_t *cluster_link_memory(const struct cluster_link *link);

/**
 * cluster_link_join() - Make the segment visible, and begin to look for other nodes.
 * @nodes: number of nodes, including this one
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int cluster_link_join(struct cluster_link *link, unsigned int nodes);

/* Pass the segments of nodes that have joined to @members, and end those that members have left. */
void cluster_link_update(struct cluster_link *link, struct members *members);

/* Call all nodes that have joined. */
void cluster_link_call(struct cluster_link *link, const struct members *members);

/* Wait for a call until a time, in whole milliseconds. Return: 1 after a call; 0. */
int cluster_link_wait(struct cluster_link *link, uint64_t until_ns);

/*
 * Wait until the other nodes, which know that this node leaves, have left its segment. Nodes that
 * have stopped are not waited for.
 */
void cluster_link_leave(struct cluster_link *link);

/* Call this last. The segment is removed at the end of the process. */
void cluster_link_close(struct cluster_link *link);

#endif /* TOOLS_STAT_CLUSTER_LINK_H */
