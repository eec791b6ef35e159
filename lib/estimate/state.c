// SPDX-License-Identifier: MIT
/*
 * State: estimates the events of a program while they are read. See smile/estimate/state.h. May use
 * only libm.
 *
 * A joint process is learned from the last intervals, which are called the window. Its state
 * describes the last interval. Events with too few readings are not part of the process and its
 * state.
 */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <smile/estimate.h>

#include "lib/estimate/joint_process.h"
#include "lib/estimate/rate.h"

/*
 * The largest number of intervals in the window, multiplied by the number of events. There is a
 * limit because the time of a step grows faster than the square of the number of events.
 */
#define WINDOW_VALUES 16384

/* The number of intervals after which the process is learned for the first time. */
#define LEARN_FIRST 16

/*
 * If the period of a reading differs from the interval by less than this share, the reading is
 * treated as a reading of the whole interval.
 */
#define WHOLE 1e-9

/**
 * struct Estimate_state - A process and its state.
 * @n: number of events
 * @names: names of the events, shape [ESTIMATE_EVENTS_MAX]
 * @rates: rates that are computed from the events
 * @rate_count: number of rates
 * @window: largest number of intervals in the window
 * @values: readings of the intervals in the window, shape [@window][@n], the oldest interval first
 * @lengths_s: lengths of the intervals in the window, shape [ESTIMATE_WINDOW]
 * @kept: number of intervals in the window
 * @intervals: number of intervals so far
 * @next: the value of @intervals at which the process is learned again
 * @begun: @begin_s and @end_s are known
 * @begin_s: beginning of the last interval
 * @end_s: end of the last interval; before the end of the first interval, the beginning of this
 *          interval
 * @missed: for each event, the length of the last interval minus the period of the reading, shape
 *          [ESTIMATE_EVENTS_MAX]; 0: the reading is exact
 * @state: state of the events that were read often enough; NULL: the process was not learned yet
 * @place: index of each event in @state, shape [ESTIMATE_EVENTS_MAX]; SIZE_MAX: the event is not in
 *         @state
 * @nominal_s: length of an interval in the units of the process
 */
struct Estimate_state {
	size_t n;
	char *names[ESTIMATE_EVENTS_MAX];
	struct Estimate_rate *rates;
	size_t rate_count;
	size_t window;
	double values[WINDOW_VALUES];
	double lengths_s[ESTIMATE_WINDOW];
	size_t kept;
	size_t intervals;
	size_t next;
	int begun;
	double begin_s;
	double end_s;
	double missed[ESTIMATE_EVENTS_MAX];
	struct joint_state *state;
	size_t place[ESTIMATE_EVENTS_MAX];
	double nominal_s;
};

int Estimate_state_new(struct Estimate_state **out)
{
	struct Estimate_state *state = calloc(1, sizeof(*state));

	if (!state)
		return -ENOMEM;
	state->window = ESTIMATE_WINDOW;
	state->next = LEARN_FIRST;
	*out = state;
	return 0;
}

void Estimate_state_free(struct Estimate_state *state)
{
	if (!state)
		return;
	for (size_t i = 0; i < state->n; i++)
		free(state->names[i]);
	joint_state_free(state->state);
	free(state->rates);
	free(state);
}

int Estimate_state_find(const struct Estimate_state *state, const char *name)
{
	for (size_t i = 0; i < state->n; i++)
		if (!strcmp(state->names[i], name))
			return (int)i;
	return -ENOENT;
}

static double *row_of(const struct Estimate_state *state, size_t interval)
{
	return (double *)state->values + interval * state->n;
}

static void window_forget(struct Estimate_state *state, size_t intervals)
{
	state->kept -= intervals;
	memmove(state->lengths_s, state->lengths_s + intervals,
		state->kept * sizeof(*state->lengths_s));
	memmove(state->values, row_of(state, intervals),
		state->kept * state->n * sizeof(*state->values));
}

/* Add a column to the window, for an event that has no readings yet. */
static void window_widen(struct Estimate_state *state)
{
	size_t n = state->n;

	if (ESTIMATE_WINDOW * (n + 1) > WINDOW_VALUES)
		state->window = WINDOW_VALUES / (n + 1);
	if (state->kept > state->window)
		window_forget(state, state->kept - state->window);
	for (size_t t = state->kept; t-- > 0;) {
		memmove(state->values + t * (n + 1), row_of(state, t), n * sizeof(double));
		state->values[t * (n + 1) + n] = NAN;
	}
}

int Estimate_state_event(struct Estimate_state *state, const char *name)
{
	size_t n = state->n;

	if (!*name)
		return -EINVAL;
	if (Estimate_state_find(state, name) >= 0)
		return -EEXIST;
	if (n == ESTIMATE_EVENTS_MAX)
		return -E2BIG;
	state->names[n] = strdup(name);
	if (!state->names[n])
		return -ENOMEM;
	window_widen(state);
	state->place[n] = SIZE_MAX;
	state->n++;
	return (int)n;
}

int Estimate_state_rate(struct Estimate_state *state, const struct Estimate_rate *rate)
{
	size_t count = state->rate_count;
	struct Estimate_rate *rates;

	if (!rate_is_possible(rate, state->n))
		return -EINVAL;
	rates = reallocarray(state->rates, count + 1, sizeof(*rates));
	if (!rates)
		return -ENOMEM;
	rates[count] = *rate;
	state->rates = rates;
	state->rate_count++;
	return (int)count;
}

/* ---- steps ----------------------------------------------------------------------------------- */

int Estimate_state_predict(struct Estimate_state *state, double time_s)
{
	double length_s = time_s - state->end_s;
	double *row;

	if (!isfinite(time_s) || fabs(time_s) > ESTIMATE_NUMBER_MAX ||
	    (state->begun && !(length_s > 0)))
		return -EINVAL;
	state->begin_s = state->end_s;
	state->end_s = time_s;
	if (!state->begun) {
		state->begun = 1;
		return 0;
	}
	if (state->kept == state->window)
		window_forget(state, 1);
	row = row_of(state, state->kept);
	for (size_t i = 0; i < state->n; i++)
		row[i] = NAN;
	state->lengths_s[state->kept++] = length_s;
	state->intervals++;
	if (state->state)
		joint_state_predict(state->state, length_s / state->nominal_s);
	return 0;
}

int Estimate_state_reading(struct Estimate_state *state, size_t event, double begin_s, double end_s,
			   double count)
{
	double read_s = end_s - begin_s, middle_s = begin_s + read_s / 2, length_s;
	double *value;

	if (event >= state->n || !(read_s > 0) || !(fabs(count) <= ESTIMATE_NUMBER_MAX) ||
	    !(read_s <= ESTIMATE_NUMBER_MAX))
		return -EINVAL;
	if (!state->intervals || !(middle_s > state->begin_s && middle_s <= state->end_s))
		return -ERANGE;
	value = row_of(state, state->kept - 1) + event;
	if (!isnan(*value))
		return -EALREADY;
	length_s = state->lengths_s[state->kept - 1];
	state->missed[event] = fabs(length_s - read_s) > WHOLE * length_s ? length_s - read_s : 0;
	*value = state->missed[event] != 0 ? count * length_s / read_s : count;
	if (state->state && state->place[event] != SIZE_MAX)
		joint_state_correct(state->state, state->place[event],
				    *value * state->nominal_s / length_s);
	return 0;
}

/* ---- estimates ------------------------------------------------------------------------------- */

/*
 * Get the variance of a reading that was made during a part of the interval and scaled to the whole
 * interval. The function assumes that the variance of the interval is distributed evenly over its
 * time. The result is the sum of the variance of the missed time, and of the variance that results
 * from scaling the time of the reading to the whole interval.
 */
static double scaled_variance(const struct Estimate_state *state, size_t event)
{
	double length_s = state->lengths_s[state->kept - 1], missed_s = state->missed[event];
	double read_s = length_s - missed_s;

	if (!(fabs(missed_s) > 0))
		return 0;
	if (!state->state || state->place[event] == SIZE_MAX)
		return NAN;
	return joint_state_fast(state->state, state->place[event]) * fabs(missed_s) /
	       state->nominal_s * length_s / read_s;
}

/* Return whether anything is known about an event in the last interval. */
static int is_known(const struct Estimate_state *state, size_t event, int *read)
{
	if (!state->intervals)
		return 0;
	*read = !isnan(row_of(state, state->kept - 1)[event]);
	return *read || (state->state && state->place[event] != SIZE_MAX);
}

/* Get the estimate of an event and its variance, as a number of events in the last interval. */
static double event_now(const struct Estimate_state *state, size_t event, int read,
			double *variance)
{
	double length = state->lengths_s[state->kept - 1] / state->nominal_s, estimate;

	if (read) {
		*variance = scaled_variance(state, event);
		return row_of(state, state->kept - 1)[event];
	}
	estimate = joint_state_event(state->state, state->place[event], variance);
	*variance *= length * length;
	return estimate * length;
}

int Estimate_state_band(const struct Estimate_state *state, size_t event,
			struct Estimate_band *band)
{
	double estimate, variance;
	int read;

	if (event >= state->n)
		return -EINVAL;
	if (!is_known(state, event, &read))
		return -ENODATA;
	estimate = event_now(state, event, read, &variance);
	band_make(band, estimate, sqrt(variance), 0);
	return read;
}

/*
 * Get the covariance of two events in the last interval. If either event was read, the covariance
 * is 0, because the error of a reading is independent of other events.
 */
static double covariance_now(const struct Estimate_state *state, size_t i, size_t j)
{
	const double *row = row_of(state, state->kept - 1);
	double length = state->lengths_s[state->kept - 1] / state->nominal_s, variance;

	if (i == j) {
		event_now(state, i, !isnan(row[i]), &variance);
		return variance;
	}
	if (!isnan(row[i]) || !isnan(row[j]))
		return 0;
	return length * length *
	       joint_state_covariance(state->state, state->place[i], state->place[j]);
}

/**
 * struct terms - The events of a rate, each listed once.
 * @events: indices of the events
 * @count: number of events
 * @rate: the rate, whose terms are indices of elements of @events
 */
struct terms {
	size_t events[2 * ESTIMATE_TERMS_MAX];
	size_t count;
	struct Estimate_rate rate;
};

static size_t terms_place(struct terms *terms, size_t event)
{
	size_t k = 0;

	while (k < terms->count && terms->events[k] != event)
		k++;
	if (k == terms->count)
		terms->events[terms->count++] = event;
	return k;
}

int Estimate_state_rate_band(const struct Estimate_state *state, size_t rate,
			     struct Estimate_band *band)
{
	double counts[2 * ESTIMATE_TERMS_MAX], variance;
	double covariance[4 * ESTIMATE_TERMS_MAX * ESTIMATE_TERMS_MAX];
	struct terms terms = {0};

	if (rate >= state->rate_count)
		return -EINVAL;
	terms.rate = state->rates[rate];
	for (size_t k = 0; k < terms.rate.of_count; k++)
		terms.rate.of[k] = terms_place(&terms, terms.rate.of[k]);
	for (size_t k = 0; k < terms.rate.by_count; k++)
		terms.rate.by[k] = terms_place(&terms, terms.rate.by[k]);
	for (size_t k = 0; k < terms.count; k++) {
		int read;

		if (!is_known(state, terms.events[k], &read))
			return -ENODATA;
		counts[k] = event_now(state, terms.events[k], read, &variance);
	}
	for (size_t k = 0; k < terms.count; k++)
		for (size_t l = 0; l < terms.count; l++)
			covariance[k * terms.count + l] =
				covariance_now(state, terms.events[k], terms.events[l]);
	return Estimate_rate_derive(&terms.rate, counts, covariance, terms.count,
				    state->lengths_s[state->kept - 1], band);
}

int Estimate_state_next(const struct Estimate_state *state, size_t event, double length_s,
			struct Estimate_band *band)
{
	double length = length_s / state->nominal_s, estimate, variance;

	if (event >= state->n || !(length_s > 0) || length_s > ESTIMATE_NUMBER_MAX)
		return -EINVAL;
	if (!state->state || state->place[event] == SIZE_MAX)
		return -ENODATA;
	estimate = joint_state_next(state->state, state->place[event], length, &variance);
	band_make(band, estimate * length, sqrt(variance) * length, 0);
	return 0;
}

/* ---- learning -------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/**
 * struct learning - The data from which a process is learned.
 * @index: indices of the events that were read often enough
 * @readings: readings of the events in @index, with lengths in nominal intervals
 * @nominal_s: length of a nominal interval
 */
struct learning {
	size_t *index;
	struct joint_readings readings;
	double nominal_s;
};

/* Collect the data. Return: 0; -ENODATA if no event was read often enough; -ENOMEM. */
static int learning_begin(struct learning *learning, const struct Estimate_state *state)
{
	size_t n = state->n, kept = state->kept, active = 0;
	double *memory = malloc((kept * n + kept) * sizeof(*memory));
	double *lengths = memory + kept * n;

	learning->index = calloc(n, sizeof(*learning->index));
	learning->readings = (struct joint_readings){.values = memory};
	if (!memory || !learning->index)
		return -ENOMEM;
	memcpy(lengths, state->lengths_s, kept * sizeof(*lengths));
	qsort(lengths, kept, sizeof(*lengths), by_size);
	learning->nominal_s = lengths[kept / 2];
	for (size_t i = 0; i < n; i++) {
		size_t readings = 0;

		for (size_t t = 0; t < kept; t++)
			readings += !isnan(state->values[t * n + i]);
		if (readings >= ESTIMATE_READINGS)
			learning->index[active++] = i;
	}
	if (!active)
		return -ENODATA;
	for (size_t t = 0; t < kept; t++) {
		lengths[t] = state->lengths_s[t] / learning->nominal_s;
		for (size_t k = 0; k < active; k++)
			memory[t * active + k] =
				state->values[t * n + learning->index[k]] / lengths[t];
	}
	learning->readings.lengths = lengths;
	learning->readings.intervals = kept;
	learning->readings.events = active;
	return 0;
}

static int learning_state(const struct learning *learning, struct joint_state **state)
{
	struct joint *joint;
	int error = joint_new(&joint, learning->readings.events);

	if (error < 0)
		return error;
	error = joint_learn(joint, &learning->readings, &learning->readings);
	if (!error)
		error = joint_state_new(state, joint);
	joint_free(joint);
	if (!error)
		joint_state_run(*state, &learning->readings, NULL, NULL);
	return error;
}

int Estimate_state_learn(struct Estimate_state *state)
{
	struct learning learning = {0};
	struct joint_state *learned = NULL;
	int error;

	if (state->intervals < state->next || !state->n)
		return 0;
	state->next += state->next < state->window ? state->next : state->window;
	error = learning_begin(&learning, state);
	if (!error)
		error = learning_state(&learning, &learned);
	if (!error) {
		joint_state_free(state->state);
		state->state = learned;
		state->nominal_s = learning.nominal_s;
		for (size_t i = 0; i < state->n; i++)
			state->place[i] = SIZE_MAX;
		for (size_t k = 0; k < learning.readings.events; k++)
			state->place[learning.index[k]] = k;
	}
	free((void *)learning.readings.values);
	free(learning.index);
	return error == -ENODATA ? 0 : error < 0 ? error : 1;
}
