/* SPDX-License-Identifier: MIT */
/*
 * Link: access to the memory of all nodes of a cluster, through the SISCI API.
 *
 * What lives here: the segment of this node, the connections to the segments of the other nodes,
 * and the interrupt by which the leading node calls the other nodes. Nodes can join and leave at
 * any time. For each other node there is a thread that connects to the node. If a node has stopped,
 * the call that connects to it waits until the node continues. Only the thread of this node then
 * waits.
 */
#ifndef TOOLS_STAT_CLUSTER_LINK_H
#define TOOLS_STAT_CLUSTER_LINK_H

#include <stddef.h>
#include <stdint.h>

#include "lib/exchange/members.h"

/* The largest number of nodes of a ring. The ids of the nodes are 4, 8, and so on. */
#define CLUSTER_NODES_MAX 64

struct cluster_link;

/**
 * cluster_link_open() - Make this node's segment. Other nodes cannot see this segment yet.
 * @id: id of the segments and interrupts of all nodes
 * @bytes: size of this node's segment
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int cluster_link_open(struct cluster_link **out, unsigned int id, size_t bytes);

/* Get the number of this node, from 0. */
unsigned int cluster_link_node(const struct cluster_link *link);

/* Get the memory of this node's segment. */
volatile uint64_t *cluster_link_memory(const struct cluster_link *link);

/**
 * cluster_link_join() - Make this node's segment visible, and start to connect to the other nodes.
 * @nodes: number of nodes of the cluster, including this node
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int cluster_link_join(struct cluster_link *link, unsigned int nodes);

/*
 * Pass the segments of nodes that have joined to @members. Close the connections to nodes that have
 * left.
 */
void cluster_link_update(struct cluster_link *link, struct members *members);

/* Call all nodes that have joined, by triggering their interrupts. */
void cluster_link_call(struct cluster_link *link, const struct members *members);

/*
 * Wait for a call of another node until @until_ns, in whole milliseconds. Return: 1 after a call; 0
 * if the time has passed.
 */
int cluster_link_wait(struct cluster_link *link, uint64_t until_ns);

/*
 * Wait until the other nodes have disconnected from this node's segment. The other nodes already
 * know that this node leaves. If a node has stopped, the wait for it ends after a time limit.
 */
void cluster_link_leave(struct cluster_link *link);

/* Close the link. Call this function last. The segment is removed at the end of the process. */
void cluster_link_close(struct cluster_link *link);

#endif /* TOOLS_STAT_CLUSTER_LINK_H */
