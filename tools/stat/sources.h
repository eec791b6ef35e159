/* SPDX-License-Identifier: MIT */
/*
 * Sources: the processors' events and the card's, in intervals that begin and end together.
 *
 * Each has a rotation of its own. Events of perf come first, then events of the card.
 */
#ifndef TOOLS_STAT_SOURCES_H
#define TOOLS_STAT_SOURCES_H

#include <signal.h>

#include "tools/stat/count.h"
#include "tools/stat/series.h"

struct sources;

/**
 * sources_open() - Make the program's process, and open its events.
 * @request: the events: @request->events, @request->spec_count, or both
 * @ordered: sets follow each other as they are given, not shuffled
 * @series: receives the names of the events
 *
 * Return: TOOL_OK; TOOL_ERROR after a message; sources_close() in both cases.
 */
int sources_open(struct sources **out, const struct stat_count *request, int ordered,
		 struct series *series);

/**
 * sources_begin() - The first interval begins, and with it the program.
 * @interval: its number, if sets are ordered
 * @begin_ns: receives when the program began. The first interval lasts from then on, however late
 *            this process runs again
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int sources_begin(struct sources *sources, uint64_t interval, uint64_t *begin_ns);

/**
 * sources_turn() - An interval ends, and the next begins.
 * @next: its number, if sets are ordered; 0: no interval follows
 * @values: of all events; NAN where nothing was read
 * @end_ns: receives when it ended
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int sources_turn(struct sources *sources, uint64_t next, double *values, uint64_t *end_ns);

/* Has the program ended, or without one, has a signal come? */
int sources_over(struct sources *sources);

/* Wait until a time, or until that. @before: from signals_hold(). Return: it has. */
int sources_wait(struct sources *sources, uint64_t until_ns, const sigset_t *before);

/* Wait for the program, and close all; NULL does nothing. Return: the program's exit status. */
int sources_close(struct sources *sources);

/**
 * sources_count() - Read all of them in rotation, while the program runs.
 * @series: receives the readings
 * @status: receives the program's exit status
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int sources_count(const struct stat_count *request, struct series *series, int *status);

#endif /* TOOLS_STAT_SOURCES_H */
