/* SPDX-License-Identifier: MIT */
/*
 * Link: the memory of all nodes of a cluster, by the SISCI API.
 *
 * What lives here: this node's segment, the segments of the others as they come and go, and the
 * interrupt by which the node that leads calls the others. A thread for each other node connects to
 * it, since a call to a node that has stopped waits until it goes on; the others do not wait for
 * that one.
 */
#ifndef TOOLS_STAT_CLUSTER_LINK_H
#define TOOLS_STAT_CLUSTER_LINK_H

#include <stddef.h>
#include <stdint.h>

#include "lib/exchange/members.h"

/* Nodes of a ring, at most: their ids are 4, 8, ... */
#define CLUSTER_NODES_MAX 64

struct cluster_link;

/**
 * cluster_link_open() - Make this node's segment, which no other node can see yet.
 * @id: of the segments of all nodes, and of their interrupts
 * @bytes: of this one
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int cluster_link_open(struct cluster_link **out, unsigned int id, size_t bytes);

/* Which node this is, from 0. */
unsigned int cluster_link_node(const struct cluster_link *link);

/* This node's segment. */
volatile uint64_t *cluster_link_memory(const struct cluster_link *link);

/**
 * cluster_link_join() - Make the segment visible, and begin to look for other nodes.
 * @nodes: how many there are; this is one of them
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int cluster_link_join(struct cluster_link *link, unsigned int nodes);

/* Give members the segments of nodes that have come, and take back those that they left. */
void cluster_link_update(struct cluster_link *link, struct members *members);

/* Call all nodes that are here. */
void cluster_link_call(struct cluster_link *link, const struct members *members);

/* Wait for a call until a time, in whole milliseconds. Return: 1: it has come; 0. */
int cluster_link_wait(struct cluster_link *link, uint64_t until_ns);

/*
 * Wait until the other nodes, which have been told, have left this one's segment; one that has
 * stopped is not waited for.
 */
void cluster_link_leave(struct cluster_link *link);

/* No call follows. The segment goes when the process does. */
void cluster_link_close(struct cluster_link *link);

#endif /* TOOLS_STAT_CLUSTER_LINK_H */
