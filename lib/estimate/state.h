/* SPDX-License-Identifier: MIT */
/*
 * State: the events of one program together, and their totals.
 *
 * What lives here: the second interface of lib/estimate. Events of a program rise and fall
 * together, so that a reading of one contains information about the others. A joint process has,
 * for each pair of events, a covariance that decays over time, and one within an interval. Its
 * parameters are learned from the readings themselves, or from complete samples of an earlier run.
 * The state holds, beside the readings, their means, which are not known in advance, and their
 * sums. So the band of a total includes everything that was not read.
 *
 * Readings are exact. Units: events a nominal interval; the length of another interval is in
 * nominal ones. Errors and threads: as in lib/estimate/estimate.h.
 */
#ifndef LIB_ESTIMATE_STATE_H
#define LIB_ESTIMATE_STATE_H

#include <stddef.h>

/* Events of one program, at most. */
#define MONITOR_STATE_MAX 128

/**
 * struct Monitor_readings - What was read, by interval.
 * @values: shape [@intervals][@events]; NAN: not read
 * @lengths: of each interval, in nominal ones; NULL: all 1
 * @intervals: how many
 * @events: how many
 */
struct Monitor_readings {
	const double *values;
	const double *lengths;
	size_t intervals;
	size_t events;
};

/* What events share: nothing; or the more, the oftener they were read together. */
enum Monitor_sharing {
	MONITOR_SHARE_NONE,
	MONITOR_SHARE_CAUTIOUS,
	MONITOR_SHARE_FREELY,
};

/**
 * struct Monitor_joint - Parameters of a joint process.
 * @events: how many
 * @rho: the share of the slow part that is left after an interval: 0 to 1
 * @mean: of each event, shape [@events]
 * @mean_variance: variance of @mean, the same shape
 * @slow: covariance of the slow part, shape [@events][@events]
 * @fast: covariance of the part that is new in each interval, the same shape
 * @sharing: how much pairs were believed
 */
struct Monitor_joint {
	size_t events;
	double rho;
	double *mean;
	double *mean_variance;
	double *slow;
	double *fast;
	enum Monitor_sharing sharing;
};

int Monitor_joint_new(struct Monitor_joint **out, size_t events);
void Monitor_joint_free(struct Monitor_joint *joint);

/**
 * Monitor_joint_fit() - Parameters by moments of the readings that lie a few intervals apart.
 * @rho: of the process
 * @sharing: how much pairs are believed
 *
 * Return: 0.
 * Errors: -ENODATA if an event was read less than twice; -ENOMEM.
 */
int Monitor_joint_fit(struct Monitor_joint *joint, const struct Monitor_readings *readings,
		      double rho, enum Monitor_sharing sharing);

/**
 * Monitor_joint_learn() - The parameters that predict best.
 * @samples: to learn from: of an earlier run; or @readings
 * @readings: by which candidates are judged
 *
 * Each candidate is fitted to @samples, and judged by the likelihood of @readings to which it is
 * not fitted: of all, or, where both are the same, of each fourth block of 24 intervals. The best
 * one is then fitted to all samples. If its innovations were larger than it expects, its
 * covariances are enlarged, so that bands are as wide as errors are.
 *
 * Means of an earlier run are taken as known to a fifth of their value. The means of @readings are
 * not taken as known, since they are what is wanted.
 *
 * Return: 0.
 * Errors: as Monitor_joint_fit().
 */
int Monitor_joint_learn(struct Monitor_joint *joint, const struct Monitor_readings *samples,
			const struct Monitor_readings *readings);

struct Monitor_state;

/**
 * Monitor_state_new() - Create a state, before its first interval.
 * @joint: copied
 *
 * Return: 0.
 * Errors: -EINVAL for no events, or too many; -ENOMEM.
 */
int Monitor_state_new(struct Monitor_state **out, const struct Monitor_joint *joint);
void Monitor_state_free(struct Monitor_state *state);

/**
 * Monitor_state_step() - One interval: predict, correct by what was read, add to the totals.
 * @values: shape [events]; NAN: not read
 * @length: of the interval, in nominal ones, above 0
 */
void Monitor_state_step(struct Monitor_state *state, const double *values, double length);

/**
 * Monitor_state_run() - The steps of all readings. @estimates, @deviations: of each interval, shape
 * [intervals][events]; or NULL
 */
void Monitor_state_run(struct Monitor_state *state, const struct Monitor_readings *readings,
		       double *estimates, double *deviations);

/**
 * Monitor_state_estimates() - Each event in the last interval; never below 0.
 *
 * If recent readings were further from their predictions than expected, as after a change of phase,
 * deviations are enlarged accordingly.
 *
 * @estimates: shape [events]
 * @deviations: shape [events]
 */
void Monitor_state_estimates(const struct Monitor_state *state, double *estimates,
			     double *deviations);

/**
 * Monitor_state_totals() - Each event over all intervals.
 * @totals: shape [events]; can be below 0 where little was read
 * @covariance: of the totals, shape [events][events]; or NULL
 */
void Monitor_state_totals(const struct Monitor_state *state, double *totals, double *covariance);

/**
 * Monitor_state_likelihood() - Logarithm of the likelihood of what was read.
 */
double Monitor_state_likelihood(const struct Monitor_state *state);

/* ---- without means and sums, for lib/estimate/joint.c ---- */

/**
 * state_new() - As Monitor_state_new().
 * @whole: 0: means are as in @joint, and there are no totals; a step costs a quarter
 */
int state_new(struct Monitor_state **out, const struct Monitor_joint *joint, int whole);

/**
 * state_scores() - Sum of the squared innovations by their variances.
 */
double state_scores(const struct Monitor_state *state);

/**
 * state_wider() - The factor for the covariance of the totals, at least 1, because readings were at
 * times further from their predictions than expected.
 */
double state_wider(const struct Monitor_state *state);

/* The same for the variances of the last interval. */
double state_wider_now(const struct Monitor_state *state);

#endif /* LIB_ESTIMATE_STATE_H */
