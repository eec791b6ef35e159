/* SPDX-License-Identifier: MIT */
/*
 * Print the state of a cluster, for `smile stat --cluster`.
 */
#ifndef TOOLS_STAT_CLUSTER_SHOW_H
#define TOOLS_STAT_CLUSTER_SHOW_H

#include "lib/exchange/members.h"
#include "tools/stat/count.h"
#include "tools/stat/rates_write.h"
#include "tools/stat/state_write.h"

/**
 * struct cluster_show - What is printed, and the data of the output.
 * @request: the options
 * @members: the nodes
 * @series: names of the events
 * @processes: processes of these events, the same shape
 * @events: number of events of each node
 * @write: the state file, if @request names one
 * @rates_write: the rates file, if @request names one
 * @rates: rates that can be computed from the events of a node, shape [@rate_count]
 * @rate_count: number of rates
 * @rate_bands: confidence intervals of the rates in this interval, shape [nodes][@rate_count]
 * @counts: buffer for the counts of a node's events, shape [@events]
 * @covariance: buffer for the covariance of these counts, shape [@events][@events]
 * @begun: text was written to standard output
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

/* Open the files of the output. Return: TOOL_OK; TOOL_ERROR after a message. */
int cluster_show_begin(struct cluster_show *show);

/* Print the state of an interval. Return: TOOL_OK; TOOL_ERROR. */
int cluster_show_interval(struct cluster_show *show);

/*
 * End the output. Call this function after the last interval, even if there was no interval.
 * Return: TOOL_OK; TOOL_ERROR.
 */
int cluster_show_end(struct cluster_show *show);

#endif /* TOOLS_STAT_CLUSTER_SHOW_H */
