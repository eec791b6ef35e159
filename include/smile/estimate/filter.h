/* SPDX-License-Identifier: MIT */
/*
 * A filter: estimates many independent counters whose processes are known. Part of
 * <smile/estimate.h>.
 */
#ifndef SMILE_ESTIMATE_FILTER_H
#define SMILE_ESTIMATE_FILTER_H

#include <stddef.h>

#include <smile/estimate/process.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * enum Estimate_model - The quantity that is modelled as a Gauss-Markov process.
 * @ESTIMATE_GAUSS_MARKOV: the reading minus its mean; one state for each counter
 * @ESTIMATE_INTEGRATED: the rate of change of the reading, so that the reading is the integral of
 *                       the process; two states for each counter; this is the model of [2006]
 */
enum Estimate_model {
	ESTIMATE_GAUSS_MARKOV,
	ESTIMATE_INTEGRATED,
};

struct Estimate_filter;

/**
 * Estimate_filter_new() - Create a filter, before its first interval.
 * @out: receives the filter
 * @processes: one process for each counter, copied, shape [@count]
 * @count: number of counters, at least 1
 * @model: model of all counters
 *
 * The estimate of each counter starts at the mean of the counter's model, with variance sigma^2.
 * With ESTIMATE_INTEGRATED, this is the initial variance of both states of the counter.
 *
 * Return: 0.
 * Errors: -EINVAL for an impossible process or model; -ENOMEM.
 */
int Estimate_filter_new(struct Estimate_filter **out, const struct Estimate_process *processes,
			size_t count, enum Estimate_model model);

/**
 * Estimate_filter_free() - Free a filter.
 * @filter: filter, or NULL
 */
void Estimate_filter_free(struct Estimate_filter *filter);

/**
 * Estimate_filter_predict() - Predict all counters over an interval.
 * @dt_s: true length of the interval; if it differs from the previous length, the call computes an
 *        exp() for each counter
 *
 * Return: 0.
 * Errors: -EINVAL for a length that is not above 0.
 */
int Estimate_filter_predict(struct Estimate_filter *filter, double dt_s);

/**
 * Estimate_filter_correct() - Correct the estimates by the readings of the interval.
 * @counters: indices of the counters that were read, shape [@count]; NULL: the first @count
 *            counters
 * @values: their readings, in events per interval, shape [@count]
 * @count: number of readings
 *
 * Return: 0.
 * Errors: -EINVAL for a counter that does not exist or a value that is not a number.
 */
int Estimate_filter_correct(struct Estimate_filter *filter, const size_t *counters,
			    const double *values, size_t count);

/**
 * Estimate_filter_innovation() - Get the innovation of a reading: its difference from the
 * prediction. Call this function before Estimate_filter_correct().
 * @counter: index of the counter
 * @value: the reading, in events per interval
 * @difference: receives the reading minus its prediction
 * @variance: receives the expected variance of this difference
 *
 * If the processes fit the counters, difference^2 / variance is 1 on average.
 */
void Estimate_filter_innovation(const struct Estimate_filter *filter, size_t counter, double value,
				double *difference, double *variance);

/**
 * Estimate_filter_estimates() - Get the estimates of all counters.
 * @estimates: receives the expected readings, shape [counters]
 * @deviations: receives the standard deviations of the expected readings, shape [counters]; may be
 *              NULL
 */
void Estimate_filter_estimates(const struct Estimate_filter *filter, double *estimates,
			       double *deviations);

/**
 * Estimate_filter_covariance() - Get the covariance of one counter's states.
 * @counter: index of the counter
 * @p: receives P11, P12 and P22; with ESTIMATE_GAUSS_MARKOV the last two are 0
 */
void Estimate_filter_covariance(const struct Estimate_filter *filter, size_t counter, double p[3]);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_ESTIMATE_FILTER_H */
