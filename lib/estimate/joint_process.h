/* SPDX-License-Identifier: MIT */
/*
 * Joint process: a process that models all events of a program together, and the state of this
 * process, with the totals of the events.
 *
 * What lives here: the implementation of smile/estimate/state.h. The counts of a program's events
 * often rise and fall together, so a reading of one event contains information about the other
 * events. For each pair of events, a joint process has two covariances: one of the parts that
 * change slowly, and one of the parts that are independent in each interval. The parameters of the
 * process are learned from the readings, or from complete samples of an earlier run. The state
 * includes the events, their means, which are not known in advance, and their totals. For this
 * reason, the confidence interval of a total includes the uncertainty of all intervals in which the
 * event was not read.
 *
 * Readings have no error. Readings and estimates are in events per nominal interval, and lengths
 * are in nominal intervals. The rules of smile/estimate.h for errors and threads apply.
 */
#ifndef LIB_ESTIMATE_JOINT_PROCESS_H
#define LIB_ESTIMATE_JOINT_PROCESS_H

#include <stddef.h>

#include <smile/estimate/state.h>

/**
 * struct joint_readings - Readings of all events by interval.
 * @values: readings, shape [@intervals][@events]; NAN: the event was not read
 * @lengths: length of each interval, in nominal intervals; NULL: all lengths are 1
 * @intervals: number of intervals
 * @events: number of events
 */
struct joint_readings {
	const double *values;
	const double *lengths;
	size_t intervals;
	size_t events;
};

/*
 * The treatment of the covariance of two events. It can be ignored, or it can be weighted by how
 * often both events were read together.
 */
enum joint_sharing {
	JOINT_SHARE_NONE,
	JOINT_SHARE_CAUTIOUS,
	JOINT_SHARE_FREELY,
};

/**
 * struct joint - Parameters of a joint process.
 * @events: number of events
 * @rho: the factor by which the slow part of the events decays in an interval, from 0 to 1
 * @mean: mean of each event, shape [@events]
 * @mean_variance: variance of @mean, shape [@events]
 * @slow: covariance of the part of the events that decays slowly, shape [@events][@events]
 * @fast: covariance of the part of the events that is independent in each interval, shape
 *        [@events][@events]
 * @sharing: the treatment of the covariance of two events
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
 * joint_learn() - Find the parameters that predict the readings best.
 * @samples: the readings to which candidates are fitted: samples of an earlier run, or @readings
 *           itself
 * @readings: readings by which candidates are judged
 *
 * A candidate is a set of parameters. The function fits each candidate to @samples, and then judges
 * it by the likelihood of other readings. If @samples are from an earlier run, the other readings
 * are all @readings. If @samples is @readings, the other readings are every fourth block of 24
 * intervals, to which the candidate is not fitted. The best candidate is then fitted again, to all
 * samples. If the differences between readings and predictions are larger than this candidate
 * predicts, its covariances are enlarged until they agree.
 *
 * If @samples are from an earlier run, the mean of each event counts as known, with a standard
 * deviation of a fifth of the mean. If @samples is @readings, the means count as unknown.
 *
 * Return: 0.
 * Errors: -ENODATA if an event was read less than twice; -ENOMEM.
 */
int joint_learn(struct joint *joint, const struct joint_readings *samples,
		const struct joint_readings *readings);

struct joint_state;

/**
 * joint_state_new() - Create a state, before its first interval.
 * @joint: the process; the function makes a copy of it
 *
 * Return: 0.
 * Errors: -EINVAL if there are no events, or too many; -ENOMEM.
 */
int joint_state_new(struct joint_state **out, const struct joint *joint);
void joint_state_free(struct joint_state *state);

/**
 * joint_state_step() - Process one interval: predict the events, correct them by the readings, and
 * add them to the totals.
 * @values: readings, shape [events]; NAN: not read
 * @length: length of the interval, in nominal intervals, above 0
 */
void joint_state_step(struct joint_state *state, const double *values, double length);

/**
 * joint_state_predict() - Make the first part of a step: predict all events for the next interval.
 */
void joint_state_predict(struct joint_state *state, double length);

/**
 * joint_state_correct() - Make the second part of a step: correct the state by the reading of an
 * event.
 */
void joint_state_correct(struct joint_state *state, size_t event, double value);

/**
 * joint_state_run() - Make a step for each interval of the readings. @estimates, @deviations:
 * receive the estimates and standard deviations of each interval, shape [intervals][events]; may be
 * NULL
 */
void joint_state_run(struct joint_state *state, const struct joint_readings *readings,
		     double *estimates, double *deviations);

/**
 * joint_state_estimates() - Get the estimate of each event in the last interval. An estimate is
 * never below 0.
 *
 * If recent readings differed from their predictions by more than expected, for example after a
 * change of the program's phase, the standard deviations are enlarged accordingly.
 *
 * @estimates: receives the estimates, shape [events]
 * @deviations: receives the standard deviations, shape [events]
 */
void joint_state_estimates(const struct joint_state *state, double *estimates, double *deviations);

/**
 * joint_state_event() - Get the estimate of one event, and its variance.
 */
double joint_state_event(const struct joint_state *state, size_t event, double *variance);

/**
 * joint_state_covariance() - Get the covariance of two events in the last interval.
 *
 * The covariance is enlarged in the same way as the deviations of joint_state_estimates().
 */
double joint_state_covariance(const struct joint_state *state, size_t i, size_t j);

/**
 * joint_state_fast() - Get the variance of the part of an event that is independent in each nominal
 * interval.
 *
 * The variance is enlarged in the same way as the deviations of joint_state_estimates().
 */
double joint_state_fast(const struct joint_state *state, size_t event);

/**
 * joint_state_next() - Predict an event in the next interval.
 * @length: length of the next interval, in nominal intervals
 * @variance: receives the variance of the prediction
 *
 * Return: the predicted events per nominal interval, at least 0.
 */
double joint_state_next(const struct joint_state *state, size_t event, double length,
			double *variance);

/**
 * joint_state_totals() - Get the total of each event over all intervals.
 * @totals: receives the totals, shape [events]; if there were few readings, a total can be below 0
 * @covariance: receives the covariance of the totals, shape [events][events]; may be NULL
 */
void joint_state_totals(const struct joint_state *state, double *totals, double *covariance);

/**
 * joint_state_likelihood() - Get the logarithm of the likelihood of the readings.
 */
double joint_state_likelihood(const struct joint_state *state);

/* ---- states that can lack means and totals, for lib/estimate/joint_process.c ---- */

/**
 * joint_state_make() - Create a state like joint_state_new(), with or without unknown means and
 * totals.
 * @whole: 1: create the same state as joint_state_new(); 0: the means are fixed to the means of
 *         @joint, and there are no totals, so that a step takes only a quarter of the time
 */
int joint_state_make(struct joint_state **out, const struct joint *joint, int whole);

/**
 * joint_state_scores() - Get the sum of the squared innovations, each divided by its variance. An
 * innovation is the difference between a reading and its prediction.
 */
double joint_state_scores(const struct joint_state *state);

/**
 * joint_state_wider() - Get the factor by which the covariance of the totals is enlarged.
 *
 * If some readings differed from their predictions by more than expected, the factor is above 1;
 * otherwise it is 1.
 */
double joint_state_wider(const struct joint_state *state);

/* Get the factor by which the variances of the estimates in the last interval are enlarged. */
double joint_state_wider_now(const struct joint_state *state);

#endif /* LIB_ESTIMATE_JOINT_PROCESS_H */
