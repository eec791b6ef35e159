/* SPDX-License-Identifier: MIT */
/*
 * State file, written: estimates of events by interval. The format is in
 * lib/analysis/state/state_file.h.
 */
#ifndef TOOLS_STAT_STATE_WRITE_H
#define TOOLS_STAT_STATE_WRITE_H

#include <stdio.h>

#include "tools/stat/series.h"

/**
 * struct state_write - A file that is written.
 * @path: of it
 * @file: open; NULL: there is none
 * @nodes: it says which differ
 */
struct state_write {
	const char *path;
	FILE *file;
	int nodes;
};

/* @nodes: it has events of nodes. Return: TOOL_OK; TOOL_ERROR after a message. */
int state_write_open(struct state_write *write, const char *path, int nodes);

/**
 * struct state_cells - An event in an interval. What is not known is NAN.
 * @value: what was read
 * @estimate: of it
 * @deviation: of the estimate
 * @next: the interval to come
 * @differs: it is of a node that differs from the others
 */
struct state_cells {
	double value;
	double estimate;
	double deviation;
	struct stat_next next;
	int differs;
};

/**
 * state_write_row() - Write one event.
 * @interval: its number, from 1
 */
void state_write_row(struct state_write *write, uint64_t interval, double length_s,
		     const char *event, const struct state_cells *row);

/* All events of an interval are written: readers follow the file. */
void state_write_flush(struct state_write *write);

/**
 * state_write_interval() - Write an interval, and flush it.
 * @interval: index in @series
 * @estimates: events in the interval, shape [events]; NAN: nothing is known
 * @deviations: theirs, the same shape
 * @next: events in the interval to come, predicted, the same shape
 */
void state_write_interval(struct state_write *write, const struct series *series, size_t interval,
			  const double *estimates, const double *deviations,
			  const struct stat_next *next);

/* Return: TOOL_OK; TOOL_ERROR after a message. */
int state_write_close(struct state_write *write);

#endif /* TOOLS_STAT_STATE_WRITE_H */
