/* SPDX-License-Identifier: MIT */
/*
 * Samples: a CSV file with the readings of events, divided into sets.
 */
#ifndef TOOLS_STAT_SAMPLES_H
#define TOOLS_STAT_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "tools/stat/series.h"

#define SAMPLES_HEADER "set,dt_s,event,value"

/*
 * The number of consecutive intervals in which the same set of events is counted. Each set
 * therefore has consecutive samples.
 */
#define SAMPLES_STAY 64

/**
 * struct sampled - The samples of an event.
 * @name: name of the event
 * @values: samples of all sets, one after the other, shape [@count]
 * @count: number of samples
 * @room: capacity of @values
 * @lengths: number of samples in each set, shape [@sets]
 * @numbers: numbers of the event's sets in the file, ascending, shape [@sets]
 * @places: for each set, its index among the sets of all events; shape [@sets]; samples_sets()
 *          fills it in
 * @sets: number of the event's sets
 * @sets_room: capacity of @lengths, @numbers and @places
 * @dt_least: shortest time between two samples
 * @dt_most: longest time between two samples
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
	size_t sets_room;
	double dt_least;
	double dt_most;
	double dt_sum;
};

/**
 * struct samples - The samples of all events, in the order in which the events appear in the file.
 * @events: the events; shape [@count]
 * @count: number of events
 */
struct samples {
	struct sampled *events;
	size_t count;
};

/**
 * samples_read() - Read a file of samples.
 * @path: path of the file; "-" for standard input
 *
 * Return: TOOL_OK; TOOL_ERROR after a message. The caller must call samples_free() in both cases.
 */
int samples_read(struct samples *samples, const char *path);

/**
 * samples_sets() - Arrange the sets one after another in a table, and get the first row of each
 * set.
 * @apart: number of rows between two sets
 * @sets: receives the number of sets
 * @rows: receives the number of rows up to the end of the last set
 *
 * The number of rows of a set is the largest number of samples that an event has in this set.
 *
 * Return: the first row of each set, in memory that the caller must free.
 */
size_t *samples_sets(const struct samples *samples, size_t apart, size_t *sets, size_t *rows);

/**
 * samples_write() - Write the readings of a series as a file of samples.
 *
 * A set consists of consecutive intervals in which the same events were counted. If the length of
 * an interval differs from the usual length, the interval is left out, and a new set begins after
 * it.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int samples_write(const struct series *series, const char *path);

void samples_free(struct samples *samples);

#endif /* TOOLS_STAT_SAMPLES_H */
