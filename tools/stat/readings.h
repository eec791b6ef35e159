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
 * @number: as the file has it
 * @dt_s: its length
 * @counters: indices of the events that were read, shape [@count]
 * @values: what they read, shape [@count]
 * @count: how many
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
 * @find: the index of an event; SIZE_MAX: it is not known, which is an error
 * @take: an interval; 0 ends the reading
 * @counts: values are counts; else they are of a process, and can be below 0
 */
struct readings_ops {
	size_t (*find)(void *opaque, const char *name);
	int (*take)(void *opaque, const struct readings_interval *interval);
	int counts;
};

/**
 * readings_read() - Read a file.
 * @path: or "-"
 *
 * Return: TOOL_OK; TOOL_ERROR after a message; intervals before the error were taken.
 */
int readings_read(const char *path, const struct readings_ops *ops, void *opaque);

struct series;

/**
 * readings_series() - A file as a series, its events in the order of their first reading.
 */
int readings_series(const char *path, struct series *series);

#endif /* TOOLS_STAT_READINGS_H */
