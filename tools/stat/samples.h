/* SPDX-License-Identifier: MIT */
/*
 * Samples: SAMPLES.csv, the readings of events in sets, by event.
 */
#ifndef TOOLS_STAT_SAMPLES_H
#define TOOLS_STAT_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#define SAMPLES_HEADER "set,dt_s,event,value"

/**
 * struct sampled - An event.
 * @name: of it
 * @values: of all sets, one after the other, shape [@count]
 * @count: how many
 * @room: for
 * @lengths: of its sets, shape [@sets]
 * @sets: how many
 * @set: number of the last
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
	size_t sets;
	uint64_t set;
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
 * Return: TOOL_OK; TOOL_ERROR after saying what is wrong; samples_free() in both cases.
 */
int samples_read(struct samples *samples, const char *path);

void samples_free(struct samples *samples);

#endif /* TOOLS_STAT_SAMPLES_H */
