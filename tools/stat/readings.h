/* SPDX-License-Identifier: MIT */
/*
 * Readings: READINGS.csv, interval by interval.
 */
#ifndef TOOLS_STAT_READINGS_H
#define TOOLS_STAT_READINGS_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct readings_interval - An interval.
 * @number: its number in the file
 * @dt_s: its length
 * @counters: indices of the events that were read, shape [@count]
 * @values: their readings, shape [@count]
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
 * struct readings_ops - Call-backs of a reader.
 * @find: returns the index of an event; SIZE_MAX: the event is not known, which is an error
 * @take: takes in an interval; a result of 0 ends the reading
 * @counts: values are counts; otherwise they are values of a process, and can be below 0
 */
struct readings_ops {
	size_t (*find)(void *opaque, const char *name);
	int (*take)(void *opaque, const struct readings_interval *interval);
	int counts;
};

/**
 * readings_read() - Read a file.
 * @path: path of the file, or "-"
 *
 * Return: TOOL_OK; TOOL_ERROR after a message; intervals before the error were taken in.
 */
int readings_read(const char *path, const struct readings_ops *ops, void *opaque);

struct series;

/**
 * readings_series() - Read a file as a series, with its events in the order of their first reading.
 */
int readings_series(const char *path, struct series *series);

#endif /* TOOLS_STAT_READINGS_H */
