/* SPDX-License-Identifier: MIT */
/*
 * Sources: events of the processors and events of a card, counted in common intervals.
 *
 * The events of perf and the events of the card have separate rotations. In the series, the events
 * of perf precede the events of the card.
 */
#ifndef TOOLS_STAT_SOURCES_H
#define TOOLS_STAT_SOURCES_H

#include <signal.h>

#include "tools/stat/count.h"
#include "tools/stat/series.h"

struct sources;

/**
 * sources_open() - Create the program's process, and open all events.
 * @request: the events to count: @request->events, @request->spec_count, or both
 * @ordered: the sets have the given order; otherwise they are shuffled
 * @series: receives the names of the events
 *
 * Return: TOOL_OK; TOOL_ERROR after a message. The caller must call sources_close() in both cases.
 */
int sources_open(struct sources **out, const struct stat_count *request, int ordered,
		 struct series *series);

/**
 * sources_begin() - Start the first interval, and start the program.
 * @interval: number of the first interval; used only if the sets have a fixed order
 * @begin_ns: receives the time at which the program was started. The first interval begins at this
 *            time, even if this process continues only later
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int sources_begin(struct sources *sources, uint64_t interval, uint64_t *begin_ns);

/**
 * sources_turn() - End an interval, and start the next one.
 * @next: number of the next interval, which selects the set of events if the sets have a fixed
 *        order; 0: do not start another interval
 * @values: receives the counts of all events; NAN for events that were not counted
 * @end_ns: receives the time at which the interval ended
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int sources_turn(struct sources *sources, uint64_t next, double *values, uint64_t *end_ns);

/*
 * Check whether the program has ended. If there is no program, check whether a signal has arrived.
 */
int sources_over(struct sources *sources);

/*
 * Wait until @until_ns, or until sources_over() returns 1. @before: the signal mask from
 * signals_hold(). Return: 1 if sources_over() has returned 1; otherwise 0.
 */
int sources_wait(struct sources *sources, uint64_t until_ns, const sigset_t *before);

/*
 * Wait for the end of the program, and close all events. @sources may be NULL. Return: the
 * program's exit status.
 */
int sources_close(struct sources *sources);

/**
 * sources_count() - Count all events in rotation, while the program runs.
 * @series: receives the readings
 * @status: receives the program's exit status
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int sources_count(const struct stat_count *request, struct series *series, int *status);

#endif /* TOOLS_STAT_SOURCES_H */
