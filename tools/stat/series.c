// SPDX-License-Identifier: MIT
/*
 * Series. See tools/stat/series.h.
 */
#include "tools/stat/series.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/state/state_columns.h"
#include "tools/common/tool.h"
#include "tools/stat/samples.h"

static void *larger(void *memory, size_t count, size_t size)
{
	memory = reallocarray(memory, count ? count : 1, size);
	if (!memory) {
		tool_error("no memory for the readings");
		exit(TOOL_ERROR);
	}
	return memory;
}

void series_init(struct series *series)
{
	*series = (struct series){0};
}

void series_free(struct series *series)
{
	for (size_t i = 0; i < series->events; i++)
		free(series->names[i]);
	free(series->names);
	free(series->values);
	free(series->lengths_s);
}

size_t series_event(struct series *series, const char *name)
{
	series->names = larger(series->names, series->events + 1, sizeof(*series->names));
	series->names[series->events] = strdup(name);
	if (!series->names[series->events]) {
		tool_error("no memory for the events");
		exit(TOOL_ERROR);
	}
	return series->events++;
}

size_t series_find(const struct series *series, const char *name)
{
	for (size_t i = 0; i < series->events; i++)
		if (!strcmp(series->names[i], name))
			return i;
	return series->events;
}

double *series_interval(struct series *series, double length_s)
{
	double *values;

	if (series->intervals == series->room) {
		series->room = series->room ? 2 * series->room : 256;
		series->values = larger(series->values, series->room,
					series->events * sizeof(*series->values));
		series->lengths_s =
			larger(series->lengths_s, series->room, sizeof(*series->lengths_s));
	}
	values = series->values + series->intervals * series->events;
	for (size_t i = 0; i < series->events; i++)
		values[i] = NAN;
	series->lengths_s[series->intervals++] = length_s;
	return values;
}

void series_end(const struct series *series)
{
	if (series->ended)
		series->ended(series->opaque, series);
}

double series_time_s(const struct series *series)
{
	double sum = 0;

	for (size_t t = 0; t < series->intervals; t++)
		sum += series->lengths_s[t];
	return sum;
}

/* ---- estimates ------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The length of most intervals. */
static double nominal_length(const struct series *series)
{
	double *sorted = tool_memory(series->intervals, sizeof(*sorted)), nominal;

	memcpy(sorted, series->lengths_s, series->intervals * sizeof(*sorted));
	qsort(sorted, series->intervals, sizeof(*sorted), by_size);
	nominal = sorted[series->intervals / 2];
	free(sorted);
	return nominal;
}

/* What was read, and the totals of events that need no estimate. Return: how many do. */
static size_t totals_begin(const struct series *series, struct stat_state *state, size_t *readings)
{
	double time_s = series_time_s(series);
	size_t wanted = 0;

	for (size_t i = 0; i < series->events; i++) {
		struct stat_total *total = &state->totals[i];
		double read_s = 0;

		*total = (struct stat_total){.name = series->names[i]};
		for (size_t t = 0; t < series->intervals; t++) {
			double value = series->values[t * series->events + i];

			if (isnan(value))
				continue;
			total->read += value;
			read_s += series->lengths_s[t];
			readings[i]++;
		}
		total->total = total->read;
		if (readings[i] == series->intervals) {
			total->share = 1;
			continue;
		}
		wanted++;
		total->share = time_s > 0 ? read_s / time_s : 0;
		total->deviation = NAN;
		if (readings[i])
			total->total = total->read * time_s / read_s;
	}
	return wanted;
}

/* Read often enough to be a process: each twice, in three quarters of the time, too. */
#define READINGS_MIN 4

/**
 * struct part - The events that the joint process is of.
 * @index: of each in the series
 * @count: how many
 * @readings: theirs, a nominal interval's
 * @samples: of an earlier run, the same; no intervals: there are none
 */
struct part {
	size_t *index;
	size_t count;
	struct joint_readings readings;
	struct joint_readings samples;
};

static void part_take(struct part *part, const struct series *series, const size_t *readings,
		      double nominal)
{
	double *values, *lengths;

	part->index = tool_memory(series->events, sizeof(*part->index));
	for (size_t i = 0; i < series->events; i++)
		if (readings[i] >= READINGS_MIN)
			part->index[part->count++] = i;
	values = tool_memory(series->intervals * part->count + 1, sizeof(*values));
	lengths = tool_memory(series->intervals, sizeof(*lengths));
	for (size_t t = 0; t < series->intervals; t++) {
		lengths[t] = series->lengths_s[t] / nominal;
		for (size_t k = 0; k < part->count; k++)
			values[t * part->count + k] =
				series->values[t * series->events + part->index[k]] / lengths[t];
	}
	part->readings = (struct joint_readings){
		.values = values,
		.lengths = lengths,
		.intervals = series->intervals,
		.events = part->count,
	};
}

/* What an earlier run had of an event. Return: NULL if it had nothing. */
static const struct sampled *sampled_find(const struct samples *samples, const char *name)
{
	for (size_t i = 0; i < samples->count; i++)
		if (!strcmp(samples->events[i].name, name))
			return &samples->events[i];
	return NULL;
}

static int part_learn(struct part *part, const struct series *series, double nominal,
		      const struct samples *earlier)
{
	size_t shortest = SIZE_MAX, n = part->count;
	double *values;

	for (size_t k = 0; k < n; k++) {
		const char *name = series->names[part->index[k]];
		const struct sampled *event = sampled_find(earlier, name);

		if (!event)
			return tool_error("--earlier has no samples of event %s", name);
		if (event->count < shortest)
			shortest = event->count;
	}
	values = tool_memory(shortest * n + 1, sizeof(*values));
	for (size_t k = 0; k < n; k++) {
		const struct sampled *event = sampled_find(earlier, series->names[part->index[k]]);
		double scale = nominal * (double)event->count / event->dt_sum;

		for (size_t t = 0; t < shortest; t++)
			values[t * n + k] = scale * event->values[t];
	}
	part->samples =
		(struct joint_readings){.values = values, .intervals = shortest, .events = n};
	return TOOL_OK;
}

static void part_free(struct part *part)
{
	free(part->index);
	free((void *)part->readings.values);
	free((void *)part->readings.lengths);
	free((void *)part->samples.values);
}

/* Take over what the joint process says of its events. */
static void part_totals(const struct part *part, const struct joint_state *filter,
			struct stat_state *state)
{
	size_t n = part->count, events = state->events;
	double *totals = tool_memory(n, sizeof(*totals));
	double *covariance = tool_memory(n * n, sizeof(*covariance));

	joint_state_totals(filter, totals, covariance);
	for (size_t k = 0; k < n; k++) {
		struct stat_total *total = &state->totals[part->index[k]];

		if (!isnan(total->deviation))
			continue;
		total->deviation = sqrt(fmax(covariance[k * n + k], 0));
		total->raised = totals[k] < total->read;
		total->total = fmax(totals[k], total->read);
		for (size_t l = 0; l < n; l++)
			if (state->totals[part->index[l]].share < 1)
				state->covariance[part->index[k] * events + part->index[l]] =
					covariance[k * n + l];
	}
	free(totals);
	free(covariance);
}

static int part_estimate(struct part *part, struct stat_state *state)
{
	const struct joint_readings *readings = &part->readings;
	size_t n = part->count, size = readings->intervals * n;
	double *estimates, *deviations;
	struct joint *joint;
	struct joint_state *filter;
	int error = joint_new(&joint, n);

	if (error < 0)
		return error;
	error = joint_learn(joint, part->samples.intervals ? &part->samples : readings, readings);
	if (!error)
		error = joint_state_new(&filter, joint);
	if (error < 0) {
		joint_free(joint);
		return error;
	}
	estimates = tool_memory(size, sizeof(*estimates));
	deviations = tool_memory(size, sizeof(*deviations));
	joint_state_run(filter, readings, estimates, deviations);
	for (size_t t = 0; t < readings->intervals; t++) {
		for (size_t k = 0; k < n; k++) {
			size_t at = t * state->events + part->index[k];

			if (!isnan(state->estimates[at]))
				continue;
			state->estimates[at] = estimates[t * n + k] * readings->lengths[t];
			state->deviations[at] = deviations[t * n + k] * readings->lengths[t];
		}
	}
	part_totals(part, filter, state);
	state->rho = joint->rho;
	state->sharing = joint->sharing;
	free(estimates);
	free(deviations);
	joint_state_free(filter);
	joint_free(joint);
	return 0;
}

int series_estimate(const struct series *series, const struct samples *earlier,
		    struct stat_state *state)
{
	size_t n = series->events, size = series->intervals * n;
	size_t *readings = tool_memory(n, sizeof(*readings));
	struct part part = {0};
	int error = 0, status = TOOL_OK;

	*state = (struct stat_state){.events = n};
	state->totals = tool_memory(n, sizeof(*state->totals));
	state->covariance = tool_memory(n * n, sizeof(*state->covariance));
	state->estimates = tool_memory(size + 1, sizeof(*state->estimates));
	state->deviations = tool_memory(size + 1, sizeof(*state->deviations));
	for (size_t k = 0; k < size; k++) {
		state->estimates[k] = series->values[k];
		state->deviations[k] = isnan(series->values[k]) ? NAN : 0;
	}
	if (series->intervals && totals_begin(series, state, readings)) {
		double nominal = nominal_length(series);

		state->nominal_s = nominal;
		part_take(&part, series, readings, nominal);
		if (earlier && part.count)
			status = part_learn(&part, series, nominal, earlier);
		if (part.count && status == TOOL_OK)
			error = part_estimate(&part, state);
		part_free(&part);
	}
	free(readings);
	if (error == -EINVAL)
		return tool_error("%zu events are too many: at most %d are estimated together", n,
				  ESTIMATE_EVENTS_MAX);
	if (error < 0 && error != -ENODATA)
		return tool_error("no estimate: %s", strerror(-error));
	return status;
}

void stat_state_free(struct stat_state *state)
{
	free(state->totals);
	free(state->covariance);
	free(state->estimates);
	free(state->deviations);
}

double stat_total_low(const struct stat_total *total)
{
	return fmax(total->total - ESTIMATE_BAND_95 * total->deviation, total->read);
}

double stat_total_high(const struct stat_total *total)
{
	return total->total + ESTIMATE_BAND_95 * total->deviation;
}
