/* SPDX-License-Identifier: MIT */
/*
 * smile stat: count, estimate, show.
 */
#ifndef TOOLS_STAT_COUNT_H
#define TOOLS_STAT_COUNT_H

#include <stddef.h>
#include <stdint.h>

#include "tools/common/static_spec.h"

/* Largest number of events. */
#define STAT_EVENTS_MAX 128

/**
 * struct stat_count - The events to count, and the options of the output.
 * @events: events of perf, with commas between them; or
 * @source: slices of a capture; or a card, with
 * @specs: its static events, shape [@spec_count],
 * @texts: their names, as the user wrote them,
 * @spec_count: their number,
 * @static_map: the recording with the addresses of their variables, and
 * @narrow: whether the card has the historic widths; or
 * @readings: a file of readings
 * @earlier: samples of an earlier run to learn from, or NULL
 * @machine: count the events of the whole machine, not of a program; or
 * @processors: count the events of these processors, by processor; or NULL
 * @at_once: number of events read at a time; 0: the default
 * @interval_ns: interval of a set
 * @program: the program to run, or NULL
 * @output: file for the state of each interval, or NULL
 * @rates: file for the rates of each interval, or NULL
 * @samples: file for the readings as samples, or NULL
 * @plot: file for a picture of the state, or NULL
 * @live: show each interval when it ends
 * @slice_events: largest number of events of a capture's slices
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
 * stat_count_check() - Check whether the options fit together.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int stat_count_check(const struct stat_count *request);

/**
 * stat_count() - Count, estimate and show.
 *
 * Return: the program's exit status, or TOOL_ERROR after a message.
 */
int stat_count(const struct stat_count *request);

#endif /* TOOLS_STAT_COUNT_H */
