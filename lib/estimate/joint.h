/* SPDX-License-Identifier: MIT */
/*
 * Joint: the process of one program's events together, and its state with their totals.
 *
 * What lives here: the implementation of smile/estimate/state.h. Events of a program rise and fall
 * together, so that a reading of one event contains information about the others. A joint process
 * has, for each pair of events, a covariance that decays over time, and a covariance within an
 * interval. Its parameters are learned from the readings themselves, or from complete samples of an
 * earlier run. In addition to the readings, the state holds their means, which are not known in
 * advance, and their sums. So the band of a total includes the uncertainty of all intervals that
 * were not read.
 *
 * Readings are exact. Units: events per nominal interval; lengths of intervals are in nominal
 * intervals. Errors and threads: as in smile/estimate.h.
 */
#ifndef LIB_ESTIMATE_JOINT_H
#define LIB_ESTIMATE_JOINT_H

#include <stddef.h>

#include <smile/estimate/state.h>

/**
 * struct joint_readings - The readings, by interval.
 * @values: readings, shape [@intervals][@events]; NAN: not read
 * @lengths: length of each interval, in nominal intervals; NULL: all 1
 * @intervals: number of intervals
 * @events: number of events
 */
struct joint_readings {
	const double *values;
	const double *lengths;
	size_t intervals;
	size_t events;
};

/* The weight of shared variance: none, or more if events were read together more often. */
enum joint_sharing {
	JOINT_SHARE_NONE,
	JOINT_SHARE_CAUTIOUS,
	JOINT_SHARE_FREELY,
};

/**
 * struct joint - Parameters of a joint process.
 * @events: number of events
 * @rho: the factor by which the slow part decays in an interval: 0 to 1
 * @mean: mean of each event, shape [@events]
 * @mean_variance: variance of @mean, the same shape
 * @slow: covariance of the slow part, shape [@events][@events]
 * @fast: covariance of the part that is new in each interval, the same shape
 * @sharing: weight of the pairs
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
 * joint_learn() - Find the parameters that predict best.
 * @samples: samples of an earlier run, or @readings, to which candidates are fitted
 * @readings: readings by which candidates are judged
 *
 * Each candidate is fitted to @samples, and judged by the likelihood of the readings to which it
 * was not fitted: of all @readings, or, if both are the same, of every fourth block of 24
 * intervals. The best candidate is then fitted to all samples. If its innovations were larger than
 * it expects, its covariances are enlarged, so that the width of bands matches the errors.
 *
 * Means of an earlier run count as known with a standard deviation of a fifth of their value. The
 * means of @readings count as unknown, because they must be estimated.
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
 * joint_state_step() - Process one interval: predict, correct by the readings, add to the totals.
 * @values: readings, shape [events]; NAN: not read
 * @length: length of the interval, in nominal intervals, above 0
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
 * joint_state_run() - Make the steps of all readings. @estimates, @deviations: receive those of
 * each interval, shape [intervals][events]; or NULL
 */
void joint_state_run(struct joint_state *state, const struct joint_readings *readings,
		     double *estimates, double *deviations);

/**
 * joint_state_estimates() - The estimate of each event in the last interval; never below 0.
 *
 * If recent readings were further from their predictions than expected, as after a change of phase,
 * deviations are enlarged accordingly.
 *
 * @estimates: shape [events]
 * @deviations: shape [events]
 */
void joint_state_estimates(const struct joint_state *state, double *estimates, double *deviations);

/**
 * joint_state_event() - The estimate of one event, and its variance.
 */
double joint_state_event(const struct joint_state *state, size_t event, double *variance);

/**
 * joint_state_covariance() - The covariance of two events in the last interval.
 *
 * The result is enlarged like the deviations.
 */
double joint_state_covariance(const struct joint_state *state, size_t i, size_t j);

/**
 * joint_state_fast() - The variance of the part of an event that is new in a nominal interval.
 *
 * The result is enlarged like the deviations.
 */
double joint_state_fast(const struct joint_state *state, size_t event);

/**
 * joint_state_next() - The prediction of an event in the next interval.
 * @length: length of the next interval, in nominal intervals
 * @variance: receives the variance of the prediction
 *
 * Return: events per nominal interval; never below 0.
 */
double joint_state_next(const struct joint_state *state, size_t event, double length,
			double *variance);

/**
 * joint_state_totals() - The total of each event over all intervals.
 * @totals: receives the totals, shape [events]; they can be below 0 if little was read
 * @covariance: receives the covariance of the totals, shape [events][events]; or NULL
 */
void joint_state_totals(const struct joint_state *state, double *totals, double *covariance);

/**
 * joint_state_likelihood() - Logarithm of the likelihood of the readings.
 */
double joint_state_likelihood(const struct joint_state *state);

/* ---- without means and sums, for lib/estimate/joint.c ---- */

/**
 * joint_state_make() - Like joint_state_new().
 * @whole: 0: means are fixed to those of @joint, and there are no totals; a step costs a quarter
 */
int joint_state_make(struct joint_state **out, const struct joint *joint, int whole);

/**
 * joint_state_scores() - Sum of the squared innovations divided by their variances.
 */
double joint_state_scores(const struct joint_state *state);

/**
 * joint_state_wider() - The factor for the covariance of the totals.
 *
 * The factor is above 1 if readings were sometimes further from their predictions than expected,
 * else 1.
 */
double joint_state_wider(const struct joint_state *state);

/* The same for the variances of the last interval. */
double joint_state_wider_now(const struct joint_state *state);

#endif /* LIB_ESTIMATE_JOINT_H */
