/* SPDX-License-Identifier: MIT */
/*
 * Writing a state file: the estimates of events by interval. lib/analysis/state/state_file.h
 * describes the format.
 */
#ifndef TOOLS_STAT_STATE_WRITE_H
#define TOOLS_STAT_STATE_WRITE_H

#include <stdio.h>

#include "tools/stat/series.h"

/**
 * struct state_write - A state file that is being written.
 * @path: path of the file
 * @file: the open file; NULL: none
 * @nodes: the file has a mark for nodes that differ from the other nodes
 */
struct state_write {
	const char *path;
	FILE *file;
	int nodes;
};

/*
 * Open the file. @nodes: the events are those of several nodes. Return: TOOL_OK; TOOL_ERROR after a
 * message.
 */
int state_write_open(struct state_write *write, const char *path, int nodes);

/**
 * struct state_cells - The numbers of a row of a state file, which describes an event in an
 * interval. A number that is not known is NAN.
 * @value: the reading
 * @estimate: the estimate
 * @deviation: standard deviation of @estimate
 * @next: the prediction for the next interval
 * @differs: the node of the event differs from the other nodes
 */
struct state_cells {
	double value;
	double estimate;
	double deviation;
	struct stat_next next;
	int differs;
};

/**
 * state_write_row() - Write a row for an event.
 * @interval: number of the interval, from 1
 */
void state_write_row(struct state_write *write, uint64_t interval, double length_s,
		     const char *event, const struct state_cells *row);

/*
 * Flush the file after all events of an interval, because other programs may read the file while it
 * grows.
 */
void state_write_flush(struct state_write *write);

/**
 * state_write_interval() - Write the events of an interval, and flush the file.
 * @interval: index of the interval in @series
 * @estimates: estimates of the events in the interval; NAN: not known; shape [events]
 * @deviations: standard deviations of @estimates; shape [events]
 * @next: predictions of the events in the next interval; shape [events]
 */
void state_write_interval(struct state_write *write, const struct series *series, size_t interval,
			  const double *estimates, const double *deviations,
			  const struct stat_next *next);

/* Close the file. Return: TOOL_OK; TOOL_ERROR after a message. */
int state_write_close(struct state_write *write);

#endif /* TOOLS_STAT_STATE_WRITE_H */
