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
 * struct perf_request - What to count.
 * @events: names with commas between them, as libpfm4 knows them
 * @at_once: hardware events read at a time; 0: by default
 * @pid: the program, which must not run yet; 0: count on all processors, whatever runs there, or
 * @processors: a list such as "0-3,8", whose events are kept apart by processor; or NULL
 * @stay: intervals for which a set stays on the counters
 * @ordered: sets follow each other as in @events; else they are shuffled in each round
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
 * perf_open() - Open the events; none is counted yet.
 * @series: receives their names, behind those that it has
 *
 * Return: TOOL_OK; TOOL_ERROR after a message; perf_close() in both cases.
 */
int perf_open(struct perf_counting **out, const struct perf_request *request,
	      struct series *series);

/* If sets are ordered, the next set that begins is the set of this interval. */
void perf_seek(struct perf_counting *counting, uint64_t interval);

/* The first interval begins. */
void perf_begin(struct perf_counting *counting);

/**
 * perf_turn() - An interval ends, and the next begins.
 * @values: of these events; NAN remains where nothing was read
 * @last: there is no next one
 *
 * Return: when it ended.
 */
uint64_t perf_turn(struct perf_counting *counting, double *values, int last);

/* Close it; NULL does nothing. */
void perf_close(struct perf_counting *counting);

#endif /* TOOLS_STAT_PERF_H */
