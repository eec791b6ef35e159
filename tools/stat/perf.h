/* SPDX-License-Identifier: MIT */
/*
 * Events of the kernel's perf, counted for a program and its children, or for the whole machine.
 */
#ifndef TOOLS_STAT_PERF_H
#define TOOLS_STAT_PERF_H

#include <stdint.h>
#include <sys/types.h>

#include "tools/stat/series.h"

/**
 * struct perf_request - The events to count.
 * @events: names of events in libpfm4's form, separated by commas
 * @at_once: number of hardware events that are counted at the same time; 0: use the default
 * @pid: the program, which must not run yet; 0: count all programs on all processors, or on
 *       @processors
 * @processors: a list of processors such as "0-3,8", for each of which the events are counted
 *              separately; NULL: count the events on all processors, and add up the counts
 * @stay: number of consecutive intervals for which a set of events is counted
 * @ordered: the sets have a fixed order, that of @events; otherwise the events are shuffled in each
 *           round
 */
struct perf_request {
	const char *events;
	size_t at_once;
	pid_t pid;
	const char *processors;
	unsigned int stay;
	int ordered;
};

struct perf_counting;

/**
 * perf_open() - Open the events, without counting them yet.
 * @series: receives the names of the events, after the events that it already has
 *
 * Return: TOOL_OK; TOOL_ERROR after a message. The caller must call perf_close() in both cases.
 */
int perf_open(struct perf_counting **out, const struct perf_request *request,
	      struct series *series);

/* If the sets have a fixed order, continue with the set that belongs to this interval. */
void perf_seek(struct perf_counting *counting, uint64_t interval);

/* Start the first interval. */
void perf_begin(struct perf_counting *counting);

/**
 * perf_turn() - End an interval, and start the next one.
 * @values: receives the counts of the events; NAN remains for events that were not counted
 * @last: do not start another interval
 *
 * Return: the time at which the interval ended.
 */
uint64_t perf_turn(struct perf_counting *counting, double *values, int last);

/* Close all events. @counting may be NULL. */
void perf_close(struct perf_counting *counting);

#endif /* TOOLS_STAT_PERF_H */
