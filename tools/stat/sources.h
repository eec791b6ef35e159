/* SPDX-License-Identifier: MIT */
/*
 * Sources: the processors' events and the card's, in intervals that begin and end together.
 *
 * Both have their own rotation. Events of perf are first, then events of the card.
 */
#ifndef TOOLS_STAT_SOURCES_H
#define TOOLS_STAT_SOURCES_H

#include <signal.h>

#include "tools/stat/count.h"
#include "tools/stat/series.h"

struct sources;

/**
 * sources_open() - Create the program's process, and open its events.
 * @request: the events: @request->events, @request->spec_count, or both
 * @ordered: sets follow each other in the given order, and are not shuffled
 * @series: receives the names of the events
 *
 * Return: TOOL_OK; TOOL_ERROR after a message; call sources_close() in both cases.
 */
int sources_open(struct sources **out, const struct stat_count *request, int ordered,
		 struct series *series);

/**
 * sources_begin() - Begin the first interval, and start the program.
 * @interval: number of the interval, if sets are ordered
 * @begin_ns: receives the time at which the program began. The first interval lasts from then on,
 *            however late this process runs again
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int sources_begin(struct sources *sources, uint64_t interval, uint64_t *begin_ns);

/**
 * sources_turn() - End an interval, and begin the next.
 * @next: number of the next interval, if sets are ordered; 0: no interval follows
 * @values: receives the counts of all events; NAN for events that were not read
 * @end_ns: receives the time at which the interval ended
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int sources_turn(struct sources *sources, uint64_t next, double *values, uint64_t *end_ns);

/* Has the program ended, or, without a program, has a signal arrived? */
int sources_over(struct sources *sources);

/* Wait until a time, or until sources_over(). @before: from signals_hold(). Return: as that. */
int sources_wait(struct sources *sources, uint64_t until_ns, const sigset_t *before);

/* Wait for the program, close all events; NULL does nothing. Return: the program's exit status. */
int sources_close(struct sources *sources);

/**
 * sources_count() - Read all events in rotation, while the program runs.
 * @series: receives the readings
 * @status: receives the program's exit status
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int sources_count(const struct stat_count *request, struct series *series, int *status);

#endif /* TOOLS_STAT_SOURCES_H */
