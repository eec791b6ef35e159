/* SPDX-License-Identifier: MIT */
/*
 * smile stat: count, estimate, show.
 */
#ifndef TOOLS_STAT_COUNT_H
#define TOOLS_STAT_COUNT_H

#include <stddef.h>
#include <stdint.h>

#include "tools/common/static_spec.h"

/* Events at most. */
#define STAT_EVENTS_MAX 128

/**
 * struct stat_count - What is counted, and how it is shown.
 * @events: of perf, with commas between them; or
 * @source: slices of a capture; or a card, with
 * @specs: its static events, shape [@spec_count]
 * @texts: as the user wrote them
 * @spec_count: how many; or
 * @static_map: the recording that says where their variables are
 * @narrow: the card has the historic widths
 * @readings: a file
 * @earlier: samples of an earlier run to learn from, or NULL
 * @machine: the events of the whole machine, not of a program; or
 * @processors: the events of these processors, kept apart by processor; or NULL
 * @at_once: events read at a time; 0: by default
 * @interval_ns: of a set
 * @program: to run, or NULL
 * @output: file for the state of each interval, or NULL
 * @rates: file for the rates of each interval, or NULL
 * @samples: file for the readings as samples, or NULL
 * @plot: file for a picture of the state, or NULL
 * @live: show each interval as it ends
 * @slice_events: events of a capture's slices, at most
 * @json: a document instead of tables
 * @csv: rows for other programs instead of tables
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
 * stat_count_check() - What the options mean together.
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
