/* SPDX-License-Identifier: MIT */
/*
 * smile stat --cluster: the state of all nodes, on each of them.
 */
#ifndef TOOLS_STAT_CLUSTER_H
#define TOOLS_STAT_CLUSTER_H

#include "tools/stat/count.h"

/* Of the nodes' segments and interrupts, unless --segment gives another. */
#define CLUSTER_SEGMENT 21325

/**
 * struct stat_cluster - What is counted, and with whom.
 * @count: what is counted on this node, and how it is shown; its events are those of perf, of a
 *         card, of both, or of readings
 * @parameters: file with the events' processes, the same on all nodes
 * @truth: file for all that was counted, though some of it alone was given to the nodes; or NULL
 * @nodes: how many; 0: as the environment says
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
 * Return: the program's exit status, or TOOL_ERROR after saying what is wrong.
 */
int stat_cluster(const struct stat_cluster *request);

#endif /* TOOLS_STAT_CLUSTER_H */
