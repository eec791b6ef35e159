/* SPDX-License-Identifier: MIT */
/*
 * Joint: the process of one program's events together, and its state with their totals.
 *
 * What lives here: what smile/estimate/state.h is made of. Events of a program rise and fall
 * together, so that a reading of one contains information about the others. A joint process has,
 * for each pair of events, a covariance that decays over time, and one within an interval. Its
 * parameters are learned from the readings themselves, or from complete samples of an earlier run.
 * The state holds, beside the readings, their means, which are not known in advance, and their
 * sums. So the band of a total includes everything that was not read.
 *
 * Readings are exact. Units: events a nominal interval; the length of another interval is in
 * nominal ones. Errors and threads: as in smile/estimate.h.
 */
#ifndef LIB_ESTIMATE_JOINT_H
#define LIB_ESTIMATE_JOINT_H

#include <stddef.h>

#include <smile/estimate/state.h>

/**
 * struct joint_readings - What was read, by interval.
 * @values: shape [@intervals][@events]; NAN: not read
 * @lengths: of each interval, in nominal ones; NULL: all 1
 * @intervals: how many
 * @events: how many
 */
struct joint_readings {
	const double *values;
	const double *lengths;
	size_t intervals;
	size_t events;
};

/* How much events share: nothing, or more if they were read together more often. */
enum joint_sharing {
	JOINT_SHARE_NONE,
	JOINT_SHARE_CAUTIOUS,
	JOINT_SHARE_FREELY,
};

/**
 * struct joint - Parameters of a joint process.
 * @events: how many
 * @rho: the share of the slow part that is left after an interval: 0 to 1
 * @mean: of each event, shape [@events]
 * @mean_variance: variance of @mean, the same shape
 * @slow: covariance of the slow part, shape [@events][@events]
 * @fast: covariance of the part that is new in each interval, the same shape
 * @sharing: how much weight the pairs had
 */
struct joint {
	size_t events;
	double rho;
	double *mean;
	double *mean_variance;
	double *slow;
	double *fast;
	enum joint_sharing sharing;
};

int joint_new(struct joint **out, size_t events);
void joint_free(struct joint *joint);

/**
 * joint_learn() - The parameters that predict best.
 * @samples: to learn from: of an earlier run; or @readings
 * @readings: by which candidates are judged
 *
 * Each candidate is fitted to @samples, and judged by the likelihood of @readings to which it is
 * not fitted: of all, or, where both are the same, of each fourth block of 24 intervals. The best
 * one is then fitted to all samples. If its innovations were larger than it expects, its
 * covariances are enlarged, so that bands are as wide as errors are.
 *
 * Means of an earlier run are taken as known to a fifth of their value. The means of @readings are
 * not taken as known, since they are to be estimated.
 *
 * Return: 0.
 * Errors: -ENODATA if an event was read less than twice; -ENOMEM.
 */
int joint_learn(struct joint *joint, const struct joint_readings *samples,
		const struct joint_readings *readings);

struct joint_state;

/**
 * joint_state_new() - Create a state, before its first interval.
 * @joint: copied
 *
 * Return: 0.
 * Errors: -EINVAL for no events, or too many; -ENOMEM.
 */
int joint_state_new(struct joint_state **out, const struct joint *joint);
void joint_state_free(struct joint_state *state);

/**
 * joint_state_step() - One interval: predict, correct by the readings, add to the totals.
 * @values: shape [events]; NAN: not read
 * @length: of the interval, in nominal ones, above 0
 */
void joint_state_step(struct joint_state *state, const double *values, double length);

/**
 * joint_state_predict() - The first part of a step: predict all events over an interval.
 */
void joint_state_predict(struct joint_state *state, double length);

/**
 * joint_state_correct() - The second part: take in the reading of an event.
 */
void joint_state_correct(struct joint_state *state, size_t event, double value);

/**
 * joint_state_run() - The steps of all readings. @estimates, @deviations: of each interval, shape
 * [intervals][events]; or NULL
 */
void joint_state_run(struct joint_state *state, const struct joint_readings *readings,
		     double *estimates, double *deviations);

/**
 * joint_state_estimates() - Each event in the last interval; never below 0.
 *
 * If recent readings were further from their predictions than expected, as after a change of phase,
 * deviations are enlarged accordingly.
 *
 * @estimates: shape [events]
 * @deviations: shape [events]
 */
void joint_state_estimates(const struct joint_state *state, double *estimates, double *deviations);

/**
 * joint_state_event() - One of them: its estimate, and the variance of that.
 */
double joint_state_event(const struct joint_state *state, size_t event, double *variance);

/**
 * joint_state_covariance() - The covariance of two events in the last interval.
 *
 * Enlarged as the deviations are.
 */
double joint_state_covariance(const struct joint_state *state, size_t i, size_t j);

/**
 * joint_state_fast() - The variance of the part of an event that is new in a nominal interval.
 *
 * Enlarged as the deviations are.
 */
double joint_state_fast(const struct joint_state *state, size_t event);

/**
 * joint_state_next() - An event in the interval to come, predicted.
 * @length: of that interval, in nominal ones
 * @variance: receives its variance
 *
 * Return: events a nominal interval; never below 0.
 */
double joint_state_next(const struct joint_state *state, size_t event, double length,
			double *variance);

/**
 * joint_state_totals() - Each event over all intervals.
 * @totals: shape [events]; can be below 0 where little was read
 * @covariance: of the totals, shape [events][events]; or NULL
 */
void joint_state_totals(const struct joint_state *state, double *totals, double *covariance);

/**
 * joint_state_likelihood() - Logarithm of the likelihood of the readings.
 */
double joint_state_likelihood(const struct joint_state *state);

/* ---- without means and sums, for lib/estimate/joint.c ---- */

/**
 * joint_state_make() - As joint_state_new().
 * @whole: 0: means are as in @joint, and there are no totals; a step costs a quarter
 */
int joint_state_make(struct joint_state **out, const struct joint *joint, int whole);

/**
 * joint_state_scores() - Sum of the squared innovations by their variances.
 */
double joint_state_scores(const struct joint_state *state);

/**
 * joint_state_wider() - The factor for the covariance of the totals.
 *
 * It is above 1 if readings were at times further from their predictions than expected, else 1.
 */
double joint_state_wider(const struct joint_state *state);

/* The same for the variances of the last interval. */
double joint_state_wider_now(const struct joint_state *state);

#endif /* LIB_ESTIMATE_JOINT_H */
