/* SPDX-License-Identifier: MIT */
/*
 * Events of the kernel's perf, of a program and its children, or of the whole machine.
 */
#ifndef TOOLS_STAT_PERF_H
#define TOOLS_STAT_PERF_H

#include <stdint.h>
#include <sys/types.h>

#include "tools/stat/series.h"

/**
 * struct perf_request - The events to count.
 * @events: names of libpfm4, with commas between them
 * @at_once: number of hardware events read at a time; 0: the default
 * @pid: the program, which must not run yet; 0: count on all processors, whatever runs there, or
 * @processors: a list such as "0-3,8": count on these processors, by processor; or NULL
 * @stay: number of intervals for which a set stays on the counters
 * @ordered: sets follow each other as in @events; otherwise they are shuffled in each round
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
 * perf_open() - Open the events; none of them is counted yet.
 * @series: receives their names, behind its other events
 *
 * Return: TOOL_OK; TOOL_ERROR after a message; call perf_close() in both cases.
 */
int perf_open(struct perf_counting **out, const struct perf_request *request,
	      struct series *series);

/* If sets are ordered, continue with the set of this interval. */
void perf_seek(struct perf_counting *counting, uint64_t interval);

/* Begin the first interval. */
void perf_begin(struct perf_counting *counting);

/**
 * perf_turn() - End an interval, and begin the next.
 * @values: receives the counts of these events; NAN remains for events that were not read
 * @last: no interval follows
 *
 * Return: time at which the interval ended.
 */
uint64_t perf_turn(struct perf_counting *counting, double *values, int last);

/* Close all events; NULL does nothing. */
void perf_close(struct perf_counting *counting);

#endif /* TOOLS_STAT_PERF_H */
