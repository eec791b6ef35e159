/* SPDX-License-Identifier: MIT */
/*
 * What is shown of the state of a cluster.
 */
#ifndef TOOLS_STAT_CLUSTER_SHOW_H
#define TOOLS_STAT_CLUSTER_SHOW_H

#include "lib/exchange/members.h"
#include "tools/stat/count.h"
#include "tools/stat/state_write.h"

/**
 * struct cluster_show - How, and of whom.
 * @request: options
 * @members: the nodes
 * @names: of the events, shape [events]
 * @processes: theirs, the same shape
 * @events: of each node
 * @write: a state file, if @request has one
 * @begun: something is on standard output
 */
struct cluster_show {
	const struct stat_count *request;
	const struct members *members;
	char **names;
	const struct Estimate_process *processes;
	size_t events;
	struct state_write write;
	int begun;
};

/* Open files. Return: TOOL_OK; TOOL_ERROR after saying why not. */
int cluster_show_begin(struct cluster_show *show);

/* The state of an interval is known. Return: TOOL_OK; TOOL_ERROR. */
int cluster_show_interval(struct cluster_show *show);

/* It was the last. Return: TOOL_OK; TOOL_ERROR. */
int cluster_show_end(struct cluster_show *show);

#endif /* TOOLS_STAT_CLUSTER_SHOW_H */
