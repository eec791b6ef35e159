/* SPDX-License-Identifier: MIT */
/*
 * Events of the kernel's perf, of a program and its children, or of the whole machine.
 */
#ifndef TOOLS_STAT_PERF_H
#define TOOLS_STAT_PERF_H

#include "tools/stat/series.h"

/**
 * struct perf_request - What to count.
 * @events: names with commas between them, as libpfm4 knows them
 * @at_once: hardware events read at a time; 0: by default
 * @machine: count on all processors, whatever runs there
 * @stay: intervals for which a set stays on the counters
 * @interval_ns: of a set
 * @program: to run, with its arguments; with @machine it can be NULL: until Ctrl-C
 */
struct perf_request {
	const char *events;
	size_t at_once;
	int machine;
	unsigned int stay;
	uint64_t interval_ns;
	char **program;
};

/**
 * perf_count() - Run the program and read events in rotation.
 * @series: receives the readings
 * @status: receives the program's exit status
 *
 * Return: TOOL_OK; TOOL_ERROR after saying why not.
 */
int perf_count(const struct perf_request *request, struct series *series, int *status);

#endif /* TOOLS_STAT_PERF_H */
