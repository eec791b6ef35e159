/* SPDX-License-Identifier: MIT */
/*
 * smile stat --cluster: each node estimates the state of all nodes of a cluster.
 */
#ifndef TOOLS_STAT_CLUSTER_H
#define TOOLS_STAT_CLUSTER_H

#include "tools/stat/count.h"

/* The default of --segment: the id of the nodes' segments and interrupts. */
#define CLUSTER_SEGMENT 21325

/**
 * struct stat_cluster - The options of `smile stat --cluster`.
 * @count: the events of this node, and the options for the output. The events are events of perf,
 *         events of a card, or both; or they are read from a file of readings
 * @parameters: name of the file with the processes of the events, which must be the same on all
 *              nodes
 * @truth: name of a file for the counts of all events, although only some of these events are
 *         passed to the other nodes; NULL: do not write this file
 * @nodes: number of nodes; 0: use the environment variable SMILE_NODES
 * @segment: id of the nodes' segments
 */
struct stat_cluster {
	struct stat_count *count;
	const char *parameters;
	const char *truth;
	uint64_t nodes;
	uint64_t segment;
};

/**
 * stat_cluster() - Count on this node, and print the state of all nodes.
 *
 * Return: the program's exit status; TOOL_ERROR after a message.
 */
int stat_cluster(const struct stat_cluster *request);

#endif /* TOOLS_STAT_CLUSTER_H */
