// SPDX-License-Identifier: MIT
/*
 * Joint state: the Kalman filter of a joint process. See lib/estimate/joint_process.h. May use only
 * libm.
 *
 * For n events, the state vector x has four parts of n elements: the slow part of each event; the
 * part that is independent in each interval; the mean; and the total over all intervals so far. A
 * reading is the sum of the first three parts. The means begin with a large variance. A reading of
 * one event changes the mean of another event only if the two are correlated.
 */
#include "lib/estimate/joint_process.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The variance of the error of an exact reading, relative to the variance of the event. It is above
 * 0, because otherwise rounding could make variances negative.
 */
#define EXACT 1e-6

/*
 * The innovations, which are the differences between readings and predictions, show whether the
 * process fits the present phase of the program. If it fits, the mean of the squared innovations,
 * each divided by its variance, is 1. If the mean of the last readings, about 50, is higher,
 * variances are enlarged by this mean, but at most by WIDER_MAX. They are never reduced. The
 * estimates themselves do not change: adapting the gain to the innovations did not improve the
 * totals (docs/bench.md).
 */
#define LATELY 0.02
#define WIDER_MAX 16.0

/*
 * The largest innovation, in standard deviations, that affects other events and past intervals. If
 * a reading is further from its prediction, its effect on them is limited to the effect of this
 * innovation. Without the limit, a burst of an event that was quiet so far would cause bursts in
 * the estimates of all events that are correlated with the event.
 */
#define FAR_OFF 6.0

/**
 * struct joint_state - A state.
 * @n: number of events
 * @size: number of elements of @x
 * @begun: an interval has begun
 * @rho: as in struct joint
 * @slow: as in struct joint
 * @fast: as in struct joint
 * @x: the state, shape [@size]
 * @p: covariance of @x, shape [@size][@size]
 * @gain: gain of a reading, shape [@size]
 * @mean: mean of each event if @x does not contain the means; otherwise 0; shape [@n]
 * @likelihood: logarithm of the likelihood
 * @scores: sum of the squared innovations, each divided by its variance
 * @lately: mean of the last squared innovations, each divided by its variance
 * @wider: sum over all steps of the factor by which variances are enlarged
 * @steps: number of steps so far
 */
struct joint_state {
	size_t n;
	size_t size;
	int begun;
	double rho;
	double *slow;
	double *fast;
	double *x;
	double *p;
	double *gain;
	double *mean;
	double likelihood;
	double scores;
	double lately;
	double wider;
	double steps;
};

/* The offsets of the parts of @x, in units of n. */
enum part {
	SLOW,
	FAST,
	MEAN,
	SUM,
	PARTS,
};

int joint_state_make(struct joint_state **out, const struct joint *joint, int whole)
{
	size_t n = joint->events, size = (whole ? PARTS : MEAN) * n;
	struct joint_state *state;

	if (!n || n > ESTIMATE_EVENTS_MAX)
		return -EINVAL;
	state = calloc(1, sizeof(*state));
	if (!state)
		return -ENOMEM;
	*state = (struct joint_state){.n = n, .size = size, .rho = joint->rho, .lately = 1};
	state->slow = calloc(2 * n * n + size * size + 2 * size + n, sizeof(double));
	if (!state->slow) {
		free(state);
		return -ENOMEM;
	}
	state->fast = state->slow + n * n;
	state->p = state->fast + n * n;
	state->x = state->p + size * size;
	state->gain = state->x + size;
	state->mean = state->gain + size;
	memcpy(state->slow, joint->slow, n * n * sizeof(double));
	memcpy(state->fast, joint->fast, n * n * sizeof(double));
	for (size_t i = 0; i < n; i++) {
		size_t mean = MEAN * n + i;

		memcpy(state->p + i * size, joint->slow + i * n, n * sizeof(double));
		state->mean[i] = whole ? 0 : joint->mean[i];
		if (!whole)
			continue;
		state->x[mean] = joint->mean[i];
		state->p[mean * size + mean] = joint->mean_variance[i];
	}
	*out = state;
	return 0;
}

int joint_state_new(struct joint_state **out, const struct joint *joint)
{
	return joint_state_make(out, joint, 1);
}

void joint_state_free(struct joint_state *state)
{
	if (!state)
		return;
	free(state->slow);
	free(state);
}

/*
 * The slow part of each event decays and receives new noise. The part that is independent in each
 * interval is replaced.
 */
void joint_state_predict(struct joint_state *state, double length)
{
	size_t n = state->n, size = state->size;
	double *x = state->x, *p = state->p;
	double phi = state->begun ? pow(state->rho, length) : 1;

	for (size_t i = 0; i < n; i++) {
		x[i] *= phi;
		x[FAST * n + i] = 0;
	}
	for (size_t a = 0; a < size; a++) {
		double *row = p + a * size, share = a < n ? phi : 1;

		if (a >= FAST * n && a < MEAN * n) {
			memset(row, 0, size * sizeof(*row));
			continue;
		}
		for (size_t b = 0; b < n; b++)
			row[b] *= phi * share;
		memset(row + FAST * n, 0, n * sizeof(*row));
		for (size_t b = MEAN * n; b < size; b++)
			row[b] *= share;
	}
	for (size_t i = 0; i < n; i++) {
		double *slow = p + i * size, *fast = p + (FAST * n + i) * size + FAST * n;

		for (size_t j = 0; j < n; j++) {
			slow[j] += (1 - phi * phi) * state->slow[i * n + j];
			/* A long interval averages the noise of the nominal intervals in it. */
			fast[j] = state->fast[i * n + j] / length;
		}
	}
	state->begun = 1;
}

/*
 * Get the covariance of a reading with the whole state. Because a reading is the sum of three parts
 * of the state, this is the sum of three rows of P.
 */
static double reading_covariance(const struct joint_state *state, size_t i, double *gain)
{
	size_t n = state->n, size = state->size;
	const double *slow = state->p + i * size, *fast = state->p + (FAST * n + i) * size;
	const double *mean = state->p + (MEAN * n + i) * size;

	if (size == MEAN * n) {
		for (size_t b = 0; b < size; b++)
			gain[b] = slow[b] + fast[b];
		return gain[i] + gain[FAST * n + i];
	}
	for (size_t b = 0; b < size; b++)
		gain[b] = slow[b] + fast[b] + mean[b];
	return gain[i] + gain[FAST * n + i] + gain[MEAN * n + i];
}

static double reading_of(const struct joint_state *state, size_t i)
{
	size_t n = state->n;

	return state->x[i] + state->x[FAST * n + i] +
	       (state->size == MEAN * n ? state->mean[i] : state->x[MEAN * n + i]);
}

/*
 * Given the state, readings are independent of each other. For this reason, they can be processed
 * one after the other.
 */
void joint_state_correct(struct joint_state *state, size_t i, double value)
{
	size_t n = state->n, size = state->size;
	double variance = state->slow[i * n + i] + state->fast[i * n + i];
	double *restrict gain = state->gain;
	double s = reading_covariance(state, i, gain) + EXACT * variance;
	double y = value - reading_of(state, i);

	double limit = FAR_OFF * sqrt(fmax(s, 0)), others = 1;

	if (!(s > 0))
		return;
	/* The limit applies only to a whole state, and not when candidates are judged. */
	if (size == PARTS * n && fabs(y) > limit)
		others = limit / fabs(y);
	state->scores += y * y / s;
	state->lately += LATELY * (y * y / s - state->lately);
	state->likelihood -= 0.5 * (log(2 * M_PI * s) + y * y / s);
	for (size_t a = 0; a < size; a++) {
		double k = gain[a] / s, *restrict row = state->p + a * size;

		state->x[a] += k * y * (a % n == i && a < SUM * n ? 1 : others);
		for (size_t b = 0; b < size; b++)
			row[b] -= k * gain[b];
	}
}

/* Add the events of an interval to the totals: total += length * events. */
static void state_sum(struct joint_state *state, double length)
{
	size_t n = state->n, size = state->size;
	double *p = state->p;

	for (size_t i = 0; i < n; i++) {
		double *restrict sum = p + (SUM * n + i) * size;

		state->x[SUM * n + i] += length * reading_of(state, i);
		for (size_t part = SLOW; part <= MEAN; part++) {
			const double *restrict row = p + (part * n + i) * size;

			for (size_t b = 0; b < size; b++)
				sum[b] += length * row[b];
		}
	}
	for (size_t a = 0; a < size; a++) {
		double *restrict row = p + a * size;

		for (size_t i = 0; i < n; i++)
			row[SUM * n + i] +=
				length * (row[i] + row[FAST * n + i] + row[MEAN * n + i]);
	}
}

void joint_state_step(struct joint_state *state, const double *values, double length)
{
	joint_state_predict(state, length);
	for (size_t i = 0; i < state->n; i++)
		if (!isnan(values[i]))
			joint_state_correct(state, i, values[i]);
	state->wider += joint_state_wider_now(state);
	state->steps++;
	if (state->size == PARTS * state->n)
		state_sum(state, length);
}

void joint_state_run(struct joint_state *state, const struct joint_readings *readings,
		     double *estimates, double *deviations)
{
	size_t n = readings->events;

	for (size_t t = 0; t < readings->intervals; t++) {
		joint_state_step(state, readings->values + t * n,
				 readings->lengths ? readings->lengths[t] : 1);
		if (estimates)
			joint_state_estimates(state, estimates + t * n, deviations + t * n);
	}
}

double joint_state_covariance(const struct joint_state *state, size_t i, size_t j)
{
	size_t n = state->n, size = state->size;
	double sum = 0;

	for (size_t a = SLOW; a <= MEAN; a++)
		for (size_t b = SLOW; b <= MEAN; b++)
			sum += state->p[(a * n + i) * size + b * n + j];
	return sum * joint_state_wider_now(state);
}

double joint_state_event(const struct joint_state *state, size_t event, double *variance)
{
	*variance = fmax(joint_state_covariance(state, event, event), 0);
	return fmax(reading_of(state, event), 0);
}

void joint_state_estimates(const struct joint_state *state, double *estimates, double *deviations)
{
	for (size_t i = 0; i < state->n; i++) {
		estimates[i] = joint_state_event(state, i, &deviations[i]);
		deviations[i] = sqrt(deviations[i]);
	}
}

double joint_state_fast(const struct joint_state *state, size_t event)
{
	return state->fast[event * state->n + event] * joint_state_wider_now(state);
}

double joint_state_next(const struct joint_state *state, size_t event, double length,
			double *variance)
{
	size_t n = state->n, size = state->size, ii = event * n + event;
	size_t slow = event, mean = MEAN * n + event;
	const double *p = state->p;
	double phi = pow(state->rho, length);
	double known = phi * phi * p[slow * size + slow] + 2 * phi * p[slow * size + mean] +
		       p[mean * size + mean];
	double noise = (1 - phi * phi) * state->slow[ii] + state->fast[ii] / length;

	*variance = fmax(known + noise, 0) * joint_state_wider_now(state);
	return fmax(phi * state->x[slow] + state->x[mean], 0);
}

void joint_state_totals(const struct joint_state *state, double *totals, double *covariance)
{
	size_t n = state->n, size = state->size;
	double scale = joint_state_wider(state);

	memcpy(totals, state->x + SUM * n, n * sizeof(*totals));
	for (size_t i = 0; covariance && i < n; i++)
		memcpy(covariance + i * n, state->p + (SUM * n + i) * size + SUM * n,
		       n * sizeof(*covariance));
	for (size_t k = 0; covariance && k < n * n; k++)
		covariance[k] *= scale;
}

double joint_state_likelihood(const struct joint_state *state)
{
	return state->likelihood;
}

double joint_state_scores(const struct joint_state *state)
{
	return state->scores;
}

double joint_state_wider(const struct joint_state *state)
{
	return state->steps > 0 ? state->wider / state->steps : 1;
}

double joint_state_wider_now(const struct joint_state *state)
{
	return fmin(fmax(state->lately, 1), WIDER_MAX);
}
