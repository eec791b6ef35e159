/* SPDX-License-Identifier: MIT */
/*
 * Samples: SAMPLES.csv, the readings of events in sets, by event.
 */
#ifndef TOOLS_STAT_SAMPLES_H
#define TOOLS_STAT_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "tools/stat/series.h"

#define SAMPLES_HEADER "set,dt_s,event,value"

/* Number of intervals for which events stay on the counters, so that samples are consecutive. */
#define SAMPLES_STAY 64

/**
 * struct sampled - An event.
 * @name: its name
 * @values: samples of all sets, one after the other, shape [@count]
 * @count: number of samples
 * @room: number of samples that @values has room for
 * @lengths: lengths of its sets, shape [@sets]
 * @numbers: numbers of its sets, ascending, the same shape
 * @places: places of its sets among the sets of all events, the same shape; set by samples_sets()
 * @sets: number of sets
 * @dt_least: shortest time between samples
 * @dt_most: longest time between samples
 * @dt_sum: sum of all times between samples
 */
struct sampled {
	char *name;
	double *values;
	size_t count;
	size_t room;
	size_t *lengths;
	uint64_t *numbers;
	size_t *places;
	size_t sets;
	double dt_least;
	double dt_most;
	double dt_sum;
};

/**
 * struct samples - Events in the order of their first sample.
 * @events: the events; shape [@count]
 * @count: number of events
 */
struct samples {
	struct sampled *events;
	size_t count;
};

/**
 * samples_read() - Read the file.
 * @path: path of the file, or "-"
 *
 * Return: TOOL_OK; TOOL_ERROR after a message; call samples_free() in both cases.
 */
int samples_read(struct samples *samples, const char *path);

/**
 * samples_sets() - The start of each set if all sets are put one after the other.
 * @apart: number of rows between two sets
 * @sets: receives the number of sets
 * @rows: receives the end of the last set
 *
 * The length of a set is the largest number of samples that an event has in it.
 *
 * Return: the first row of each set, in memory to be freed.
 */
size_t *samples_sets(const struct samples *samples, size_t apart, size_t *sets, size_t *rows);

/**
 * samples_write() - Write the readings of a series as samples.
 *
 * A set is a sequence of intervals in which the same events were read. An interval whose length
 * differs from the usual length is left out, and ends a set.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int samples_write(const struct series *series, const char *path);

void samples_free(struct samples *samples);

#endif /* TOOLS_STAT_SAMPLES_H */
