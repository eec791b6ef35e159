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
 * @path: its path
 * @file: the open file; NULL: none
 * @nodes: the file marks the nodes that differ
 */
struct state_write {
	const char *path;
	FILE *file;
	int nodes;
};

/* Open the file. @nodes: for events of nodes. Return: TOOL_OK; TOOL_ERROR after a message. */
int state_write_open(struct state_write *write, const char *path, int nodes);

/**
 * struct state_cells - An event in an interval. Unknown numbers are NAN.
 * @value: its reading
 * @estimate: its estimate
 * @deviation: standard deviation of @estimate
 * @next: prediction for the next interval
 * @differs: it is an event of a node that differs from the others
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

/* Flush the file after all events of an interval, since readers follow it. */
void state_write_flush(struct state_write *write);

/**
 * state_write_interval() - Write an interval, and flush it.
 * @interval: index in @series
 * @estimates: estimates of the events in the interval, shape [events]; NAN: unknown
 * @deviations: their standard deviations, the same shape
 * @next: predictions of the events in the next interval, the same shape
 */
void state_write_interval(struct state_write *write, const struct series *series, size_t interval,
			  const double *estimates, const double *deviations,
			  const struct stat_next *next);

/* Return: TOOL_OK; TOOL_ERROR after a message. */
int state_write_close(struct state_write *write);

#endif /* TOOLS_STAT_STATE_WRITE_H */
