/* SPDX-License-Identifier: MIT */
/*
 * smile stat: the functions that run the different forms of the command. Each form has its own
 * file.
 */
#ifndef TOOLS_STAT_STAT_H
#define TOOLS_STAT_STAT_H

#include <stddef.h>
#include <stdint.h>

#include <smile/estimate.h>

/**
 * enum stat_model - The models of --model.
 */
enum stat_model {
	STAT_MODEL_GAUSS_MARKOV,
	STAT_MODEL_INTEGRATED,
	STAT_MODEL_AUTO, /* the model that the likelihood of the readings selects */
};

/**
 * stat_filter() - Compute estimates from the readings in a CSV file, and print them on standard
 * output.
 * @readings: path of the file; "-" for standard input, except if @model is STAT_MODEL_AUTO
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int stat_filter(const char *readings, const char *parameters, enum stat_model model);

/**
 * stat_fit() - Compute parameters from the samples in a CSV file, and print them on standard
 * output.
 * @plot: name of the file for a picture, or NULL
 * @figures: directory for pictures of each set, or NULL
 */
int stat_fit(const char *samples, const char *plot, const char *figures);

/**
 * stat_slices() - Count the requests in a capture, in slices of time, and print the counts as
 * samples on standard output.
 * @events: largest number of events; the events with the most accesses are printed
 */
int stat_slices(const char *path, uint64_t slice_ns, size_t events);

/**
 * struct stat_simulation - Options of a simulation.
 * @parameters: path of the file with the processes
 * @sets: number of sets of samples
 * @samples: number of samples in each set
 * @dt_s: time from one sample to the next
 * @seed: seed of the random numbers
 */
struct stat_simulation {
	const char *parameters;
	uint64_t sets;
	uint64_t samples;
	double dt_s;
	uint64_t seed;
};

/**
 * stat_simulate() - Simulate samples from parameters, and print them on standard output.
 */
int stat_simulate(const struct stat_simulation *simulation);

#endif /* TOOLS_STAT_STAT_H */
