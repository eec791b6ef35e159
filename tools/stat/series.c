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
#include "tools/stat/rates.h"
#include "tools/stat/samples.h"

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
	series->names = tool_larger(series->names, series->events + 1, sizeof(*series->names));
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

/*
 * Find the samples of an event in an earlier run. Return: NULL if the earlier run has no samples of
 * the event.
 */
static const struct sampled *sampled_find(const struct samples *samples, const char *name)
{
	for (size_t i = 0; i < samples->count; i++)
		if (!strcmp(samples->events[i].name, name))
			return &samples->events[i];
	return NULL;
}

int series_learned(const struct series *series)
{
	for (size_t i = 0; i < series->events && series->earlier; i++)
		if (!sampled_find(series->earlier, series->names[i]))
			return tool_error("--earlier has no samples of event %s", series->names[i]);
	return TOOL_OK;
}

double *series_interval(struct series *series, double length_s)
{
	double *values;

	tool_reserve(&series->values, &series->values_room, series->intervals,
		     series->events * sizeof(*series->values));
	tool_reserve(&series->lengths_s, &series->lengths_room, series->intervals,
		     sizeof(*series->lengths_s));
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

double series_nominal_s(const struct series *series)
{
	double *sorted = tool_memory(series->intervals, sizeof(*sorted)), nominal;

	memcpy(sorted, series->lengths_s, series->intervals * sizeof(*sorted));
	qsort(sorted, series->intervals, sizeof(*sorted), by_size);
	nominal = sorted[series->intervals / 2];
	free(sorted);
	return nominal;
}

/*
 * Sum up the readings of each event. If an event was counted in all intervals, the sum of its
 * readings is its total. Return: the number of other events, whose totals must be estimated.
 */
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

/*
 * The smallest number of readings for which a process can be fitted. At least two of them must be
 * in the first three quarters of the time.
 */
#define READINGS_MIN 4

/**
 * struct part - The events whose joint process is estimated.
 * @index: for each event of the part, its index in the series
 * @place: for each event of the series, its index in the part
 * @count: number of events of the part
 * @readings: readings of these events, scaled to intervals of the nominal length
 * @samples: samples of these events from an earlier run, scaled in the same way; no intervals:
 *           there are no such samples
 */
struct part {
	size_t *index;
	size_t *place;
	size_t count;
	struct joint_readings readings;
	struct joint_readings samples;
};

static void part_take(struct part *part, const struct series *series, const size_t *readings,
		      double nominal)
{
	double *values, *lengths;

	part->index = tool_memory(series->events, sizeof(*part->index));
	part->place = tool_memory(series->events, sizeof(*part->place));
	for (size_t i = 0; i < series->events; i++) {
		part->place[i] = part->count;
		if (readings[i] >= READINGS_MIN)
			part->index[part->count++] = i;
	}
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

/*
 * The number of rows between two sets of samples. The number is so large that samples of different
 * sets are not correlated.
 */
#define SETS_APART 40

/*
 * Arrange the samples of an earlier run by time. Samples with the same number in the same set have
 * the same time. Different sets have different times. If an event has no samples in a set, it
 * counts as not read at these times.
 */
static void part_learn(struct part *part, const struct series *series, double nominal)
{
	const struct samples *earlier = series->earlier;
	size_t n = part->count, rows = 0, sets = 0, *begins;
	double *values;

	begins = samples_sets(earlier, SETS_APART, &sets, &rows);
	values = tool_memory(rows * n + 1, sizeof(*values));
	for (size_t at = 0; at < rows * n; at++)
		values[at] = NAN;
	for (size_t k = 0; k < n; k++) {
		const struct sampled *event = sampled_find(earlier, series->names[part->index[k]]);
		double scale = nominal * (double)event->count / event->dt_sum;
		const double *value = event->values;

		for (size_t set = 0; set < event->sets; set++)
			for (size_t t = 0; t < event->lengths[set]; t++)
				values[(begins[event->places[set]] + t) * n + k] = scale * *value++;
	}
	free(begins);
	part->samples = (struct joint_readings){.values = values, .intervals = rows, .events = n};
}

static void part_free(struct part *part)
{
	free(part->index);
	free(part->place);
	free((void *)part->readings.values);
	free((void *)part->readings.lengths);
	free((void *)part->samples.values);
}

/* Copy the totals of the part's events from the joint process into the state. */
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

/* Copy the estimates of the part's events in an interval from the joint process into the state. */
static void part_interval(const struct part *part, const struct joint_state *filter, size_t t,
			  struct stat_state *state)
{
	double length = part->readings.lengths[t], variance;

	for (size_t k = 0; k < part->count; k++) {
		size_t at = t * state->events + part->index[k];

		state->next[at].estimate = length * joint_state_next(filter, k, length, &variance);
		state->next[at].deviation = length * sqrt(variance);
		if (!isnan(state->estimates[at]))
			continue;
		state->estimates[at] = length * joint_state_event(filter, k, &variance);
		state->deviations[at] = length * sqrt(variance);
	}
}

/*
 * Compute the covariance of two events in an interval. @filter: state of the filter at the end of
 * the interval; NULL: no events were estimated
 */
static double interval_covariance(const struct stat_state *state, const struct part *part,
				  const struct joint_state *filter, size_t t, size_t i, size_t j)
{
	const double *deviations = state->deviations + t * state->events;
	double length;

	if (i == j)
		return deviations[i] * deviations[i];
	/*
	 * An exact reading has no covariance with other events. If a deviation is not known, the
	 * confidence interval of the rate is not known in any case.
	 */
	if (!filter || !(deviations[i] > 0) || !(deviations[j] > 0))
		return 0;
	length = part->readings.lengths[t];
	return length * length * joint_state_covariance(filter, part->place[i], part->place[j]);
}

/* Compute the rates of an interval. @covariance: buffer, shape [events][events] */
static void interval_rates(const struct series *series, struct stat_state *state,
			   const struct part *part, const struct joint_state *filter, size_t t,
			   double *covariance)
{
	size_t n = state->events;

	for (size_t r = 0; r < state->rate_count; r++) {
		const struct Estimate_rate *rate = &state->rates[r].rate;
		struct Estimate_band *band = &state->rate_bands[t * state->rate_count + r];
		size_t terms[2 * ESTIMATE_TERMS_MAX], count = 0;

		for (size_t k = 0; k < rate->of_count; k++)
			terms[count++] = rate->of[k];
		for (size_t k = 0; k < rate->by_count; k++)
			terms[count++] = rate->by[k];
		for (size_t k = 0; k < count; k++)
			for (size_t l = 0; l < count; l++)
				covariance[terms[k] * n + terms[l]] = interval_covariance(
					state, part, filter, t, terms[k], terms[l]);
		*band = (struct Estimate_band){.value = NAN};
		Estimate_rate_derive(rate, state->estimates + t * n, covariance, n,
				     series->lengths_s[t], band);
	}
}

static int part_estimate(struct part *part, const struct series *series, struct stat_state *state)
{
	const struct joint_readings *readings = &part->readings;
	size_t n = part->count;
	double *covariance;
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
	covariance = tool_memory(state->events * state->events, sizeof(*covariance));
	for (size_t t = 0; t < readings->intervals; t++) {
		joint_state_step(filter, readings->values + t * n, readings->lengths[t]);
		part_interval(part, filter, t, state);
		interval_rates(series, state, part, filter, t, covariance);
	}
	part_totals(part, filter, state);
	state->rho = joint->rho;
	state->sharing = joint->sharing;
	free(covariance);
	joint_state_free(filter);
	joint_free(joint);
	return 0;
}

/*
 * Compute the rates of all intervals without estimates. These rates are final if no event needs an
 * estimate.
 */
static void exact_rates(const struct series *series, struct stat_state *state)
{
	double *covariance = tool_memory(state->events * state->events, sizeof(*covariance));

	for (size_t t = 0; t < series->intervals; t++)
		interval_rates(series, state, NULL, NULL, t, covariance);
	free(covariance);
}

static void state_begin(const struct series *series, struct stat_state *state)
{
	size_t n = series->events, size = series->intervals * n;

	*state = (struct stat_state){.events = n};
	state->totals = tool_memory(n, sizeof(*state->totals));
	state->covariance = tool_memory(n * n, sizeof(*state->covariance));
	state->estimates = tool_memory(size + 1, sizeof(*state->estimates));
	state->deviations = tool_memory(size + 1, sizeof(*state->deviations));
	state->next = tool_memory(size + 1, sizeof(*state->next));
	for (size_t k = 0; k < size; k++) {
		state->estimates[k] = series->values[k];
		state->deviations[k] = isnan(series->values[k]) ? NAN : 0;
		state->next[k] = (struct stat_next){NAN, NAN};
	}
	state->rates = tool_memory(RATES_MAX, sizeof(*state->rates));
	state->rate_count = stat_rates_find(series, state->rates);
	state->rate_bands =
		tool_memory(series->intervals * state->rate_count + 1, sizeof(*state->rate_bands));
}

int series_estimate(const struct series *series, int ahead, struct stat_state *state)
{
	size_t n = series->events, wanted;
	size_t *readings = tool_memory(n, sizeof(*readings));
	struct part part = {0};
	int error = 0;

	state_begin(series, state);
	wanted = series->intervals ? totals_begin(series, state, readings) : 0;
	exact_rates(series, state);
	if (wanted || (ahead && series->intervals && n <= ESTIMATE_EVENTS_MAX)) {
		double nominal = series_nominal_s(series);

		state->nominal_s = nominal;
		part_take(&part, series, readings, nominal);
		if (series->earlier && part.count)
			part_learn(&part, series, nominal);
		if (part.count)
			error = part_estimate(&part, series, state);
		part_free(&part);
	}
	free(readings);
	if (error == -EINVAL)
		return tool_error("%zu events are too many: at most %d are estimated together", n,
				  ESTIMATE_EVENTS_MAX);
	if (error < 0 && error != -ENODATA)
		return tool_error("no estimate: %s", strerror(-error));
	return TOOL_OK;
}

void stat_state_free(struct stat_state *state)
{
	free(state->totals);
	free(state->covariance);
	free(state->estimates);
	free(state->deviations);
	free(state->next);
	free(state->rates);
	free(state->rate_bands);
}

double stat_total_low(const struct stat_total *total)
{
	return fmax(total->total - ESTIMATE_BAND_95 * total->deviation, total->read);
}

double stat_total_high(const struct stat_total *total)
{
	return total->total + ESTIMATE_BAND_95 * total->deviation;
}
