/* SPDX-License-Identifier: MIT */
/*
 * Readings: read a CSV file of readings, interval by interval.
 */
#ifndef TOOLS_STAT_READINGS_H
#define TOOLS_STAT_READINGS_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct readings_interval - The readings of an interval.
 * @number: number of the interval in the file
 * @dt_s: length of the interval in seconds
 * @counters: indices of the events that were read, shape [@count]
 * @values: readings of these events, shape [@count]
 * @count: number of events that were read
 */
struct readings_interval {
	uint64_t number;
	double dt_s;
	size_t *counters;
	double *values;
	size_t count;
};

/**
 * struct readings_ops - The callbacks for reading a file.
 * @find: returns the index of an event; SIZE_MAX if the event is not known, which is an error
 * @take: receives an interval; if it returns 0, reading stops
 * @counts: the values are counts; otherwise they are values of a process, and may be below 0
 */
struct readings_ops {
	size_t (*find)(void *opaque, const char *name);
	int (*take)(void *opaque, const struct readings_interval *interval);
	int counts;
};

/**
 * readings_read() - Read a file of readings.
 * @path: path of the file; "-" for standard input
 *
 * Return: TOOL_OK; TOOL_ERROR after a message. The intervals before an error were passed on.
 */
int readings_read(const char *path, const struct readings_ops *ops, void *opaque);

struct series;

/**
 * readings_series() - Read a file into a series. The events are in the order of their first
 * readings.
 */
int readings_series(const char *path, struct series *series);

#endif /* TOOLS_STAT_READINGS_H */
