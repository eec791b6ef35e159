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

/* Events stay on the counters for this many intervals, so that samples follow each other. */
#define SAMPLES_STAY 64

/**
 * struct sampled - An event.
 * @name: of it
 * @values: of all sets, one after the other, shape [@count]
 * @count: how many
 * @room: for
 * @lengths: of its sets, shape [@sets]
 * @numbers: of its sets, ascending, the same shape
 * @places: of its sets among the sets of all events, the same shape, after samples_sets()
 * @sets: how many
 * @dt_least: shortest time between samples
 * @dt_most: longest
 * @dt_sum: of all
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
 * @events: shape [@count]
 * @count: how many
 */
struct samples {
	struct sampled *events;
	size_t count;
};

/**
 * samples_read() - Read the file.
 * @path: or "-"
 *
 * Return: TOOL_OK; TOOL_ERROR after a message; samples_free() in both cases.
 */
int samples_read(struct samples *samples, const char *path);

/**
 * samples_sets() - Where each set begins if all are put one after the other.
 * @apart: rows between two sets
 * @sets: receives how many there are
 * @rows: receives the end of the last
 *
 * A set is as long as the most samples that an event has in it.
 *
 * Return: the first row of each set, in memory to be freed.
 */
size_t *samples_sets(const struct samples *samples, size_t apart, size_t *sets, size_t *rows);

/**
 * samples_write() - Write the readings of a series as samples.
 *
 * Intervals in which the same events were read, one after the other, are a set. An interval whose
 * length differs from the usual one is left out, and ends a set.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int samples_write(const struct series *series, const char *path);

void samples_free(struct samples *samples);

#endif /* TOOLS_STAT_SAMPLES_H */
