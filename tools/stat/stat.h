/* SPDX-License-Identifier: MIT */
/* smile stat: its parts, one file each. */
#ifndef TOOLS_STAT_STAT_H
#define TOOLS_STAT_STAT_H

#include <stddef.h>
#include <stdint.h>

#include <smile/estimate.h>

/**
 * enum stat_model - --model.
 */
enum stat_model {
	STAT_MODEL_GAUSS_MARKOV,
	STAT_MODEL_INTEGRATED,
	STAT_MODEL_AUTO, /* by the likelihood of the readings */
};

/**
 * stat_filter() - Readings of a CSV file to estimates on standard output.
 * @readings: path, or "-"; a path if @model is STAT_MODEL_AUTO
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int stat_filter(const char *readings, const char *parameters, enum stat_model model);

/**
 * stat_fit() - Samples of a CSV file to parameters on standard output.
 * @plot: file to draw, or NULL
 * @figures: folder for pictures of each set, or NULL
 */
int stat_fit(const char *samples, const char *plot, const char *figures);

/**
 * stat_slices() - What passed the B-Link of a capture, by slices of time, as samples on standard
 * output.
 * @events: at most, those with the most accesses
 */
int stat_slices(const char *path, uint64_t slice_ns, size_t events);

/**
 * struct stat_simulation - What is simulated.
 * @parameters: path of the processes
 * @sets: of samples
 * @samples: of each set
 * @dt_s: from one to the next
 * @seed: of the random numbers
 */
struct stat_simulation {
	const char *parameters;
	uint64_t sets;
	uint64_t samples;
	double dt_s;
	uint64_t seed;
};

/**
 * stat_simulate() - Parameters to samples on standard output.
 */
int stat_simulate(const struct stat_simulation *simulation);

#endif /* TOOLS_STAT_STAT_H */
