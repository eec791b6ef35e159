/* SPDX-License-Identifier: MIT */
/*
 * smile stat: count events, estimate the state, and print it.
 */
#ifndef TOOLS_STAT_COUNT_H
#define TOOLS_STAT_COUNT_H

#include <stddef.h>
#include <stdint.h>

#include "tools/common/static_spec.h"

/* The largest number of events. */
#define STAT_EVENTS_MAX 128

/**
 * struct stat_count - The events to count, and the options of the output.
 * @events: names of events of perf, separated by commas; NULL: none
 * @source: the card or the capture to count with; NULL: none
 * @specs: static events of the card, shape [@spec_count]
 * @texts: names of these events, as the user wrote them, shape [@spec_count]
 * @spec_count: number of static events; 0: count slices of a capture
 * @static_map: name of the recording that has the addresses of the variables in these events
 * @narrow: the card uses its historic widths of fields
 * @readings: name of a file of readings; the readings in this file replace the counting; NULL:
 *            count events
 * @earlier: name of a file with samples of an earlier run, from which parameters are learned; NULL:
 *           none
 * @machine: count the events of the whole machine instead of a program
 * @processors: count the events of these processors, each separately; NULL: count the events of a
 *              program or of the machine
 * @at_once: number of events that are counted at the same time; 0: the default
 * @interval_ns: length of an interval, in which a set of events is counted
 * @program: the program to run; NULL: none
 * @output: name of a file for the state of each interval; NULL: none
 * @rates: name of a file for the rates of each interval; NULL: none
 * @samples: name of a file for the readings, in the form of samples; NULL: none
 * @plot: name of a file for a picture of the state; NULL: none
 * @live: print each interval when it has ended
 * @slice_events: largest number of events to choose from the slices of a capture
 * @json: print a JSON document instead of tables
 * @csv: print CSV rows instead of tables
 */
struct stat_count {
	const char *events;
	const char *source;
	struct static_spec specs[STAT_EVENTS_MAX];
	const char *texts[STAT_EVENTS_MAX];
	size_t spec_count;
	char static_map[STATIC_MAP_BYTES];
	int narrow;
	const char *readings;
	const char *earlier;
	int machine;
	const char *processors;
	uint64_t at_once;
	uint64_t interval_ns;
	char **program;
	const char *output;
	const char *rates;
	const char *samples;
	const char *plot;
	int live;
	uint64_t slice_events;
	int json;
	int csv;
};

/**
 * stat_count_check() - Check whether the options are compatible with each other.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int stat_count_check(const struct stat_count *request);

/**
 * stat_count() - Count the events, estimate the state, and print it.
 *
 * Return: the program's exit status; TOOL_ERROR after a message.
 */
int stat_count(const struct stat_count *request);

#endif /* TOOLS_STAT_COUNT_H */
