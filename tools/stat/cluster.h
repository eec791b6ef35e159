/* SPDX-License-Identifier: MIT */
/*
 * smile stat --cluster: the state of all nodes, on each of them.
 */
#ifndef TOOLS_STAT_CLUSTER_H
#define TOOLS_STAT_CLUSTER_H

#include "tools/stat/count.h"

/* The id of the nodes' segments and interrupts, unless --segment gives another. */
#define CLUSTER_SEGMENT 21325

/**
 * struct stat_cluster - The options of `smile stat --cluster`.
 * @count: the events of this node, which are events of perf, of a card, of both, or of readings;
 *         and the options of their output
 * @parameters: file with the events' processes, the same on all nodes
 * @truth: file for all counts, of which the nodes got only a part; or NULL
 * @nodes: number of nodes; 0: the value of the environment variable SMILE_NODES
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
 * stat_cluster() - Count on this node, and show the state of all nodes.
 *
 * Return: the program's exit status, or TOOL_ERROR after a message.
 */
int stat_cluster(const struct stat_cluster *request);

#endif /* TOOLS_STAT_CLUSTER_H */
