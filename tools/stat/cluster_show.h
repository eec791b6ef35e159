/* SPDX-License-Identifier: MIT */
/*
 * The output of `smile stat --cluster`: the state of a cluster.
 */
#ifndef TOOLS_STAT_CLUSTER_SHOW_H
#define TOOLS_STAT_CLUSTER_SHOW_H

#include "lib/exchange/members.h"
#include "tools/stat/count.h"
#include "tools/stat/rates_write.h"
#include "tools/stat/state_write.h"

/**
 * struct cluster_show - The output, and the nodes that it is about.
 * @request: options
 * @members: the nodes
 * @series: the names of the events
 * @processes: of these events, the same shape
 * @events: of each node
 * @write: a state file, if @request has one
 * @rates_write: a rates file, if @request has one
 * @rates: which follow from the events of a node, shape [@rate_count]
 * @rate_count: how many
 * @rate_bands: of the rates in this interval, shape [nodes][@rate_count]
 * @counts: memory for the events of a node, shape [@events]
 * @covariance: memory for their covariance, shape [@events][@events]
 * @begun: something is on standard output
 */
struct cluster_show {
	const struct stat_count *request;
	const struct members *members;
	const struct series *series;
	const struct Estimate_process *processes;
	size_t events;
	struct state_write write;
	struct rates_write rates_write;
	struct stat_rate rates[RATES_MAX];
	size_t rate_count;
	struct Estimate_band *rate_bands;
	double *counts;
	double *covariance;
	int begun;
};

/* Open files. Return: TOOL_OK; TOOL_ERROR after a message. */
int cluster_show_begin(struct cluster_show *show);

/* The state of an interval is known. Return: TOOL_OK; TOOL_ERROR. */
int cluster_show_interval(struct cluster_show *show);

/* It was the last, or none was begun. Return: TOOL_OK; TOOL_ERROR. */
int cluster_show_end(struct cluster_show *show);

#endif /* TOOLS_STAT_CLUSTER_SHOW_H */
