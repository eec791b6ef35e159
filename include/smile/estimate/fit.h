/* SPDX-License-Identifier: MIT */
/*
 * Fits: find the process of a counter from its samples. Part of <smile/estimate.h>.
 */
#ifndef SMILE_ESTIMATE_FIT_H
#define SMILE_ESTIMATE_FIT_H

#include <stddef.h>

#include <smile/estimate/process.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * struct Estimate_samples - Readings of one event for an off-line analysis.
 * @values: the readings of all sets, one set after another
 * @dt_s: time from one reading to the next
 * @lengths: number of readings of each set, shape [@sets]
 * @sets: number of sets
 */
struct Estimate_samples {
	const double *values;
	double dt_s;
	const size_t *lengths;
	size_t sets;
};

/**
 * struct Estimate_fit - The result of an off-line analysis.
 * @process: the most likely parameters; if the likelihood indicates that a part of the variance has
 *           no correlation in time, @r is this part
 * @fast: 1: successive readings are hardly correlated. In this case beta is the smallest value at
 *        which their correlation could not be distinguished from chance
 * @sigma_low: lower end of the 95 % confidence interval of sigma
 * @sigma_high: upper end of the 95 % confidence interval of sigma
 * @beta_low: lower end of the 95 % confidence interval of beta
 * @beta_high: upper end of the 95 % confidence interval of beta; INFINITY if the readings do not
 *             limit beta
 * @mean_low: lower end of the 95 % confidence interval of the mean
 * @mean_high: upper end of the 95 % confidence interval of the mean
 * @line: sigma and beta, computed from a straight line through the logarithm of the
 *        autocorrelation; beta is 0 if no line can be drawn
 * @line_lags: number of points of the line
 * @samples: number of readings
 * @likelihood: logarithm of the likelihood of the process
 * @integrated: logarithm of the likelihood of a process of the model ESTIMATE_INTEGRATED that has
 *              the same beta and the most likely sigma for this beta
 */
struct Estimate_fit {
	struct Estimate_process process;
	int fast;
	double sigma_low;
	double sigma_high;
	double beta_low;
	double beta_high;
	double mean_low;
	double mean_high;
	struct Estimate_process line;
	size_t line_lags;
	size_t samples;
	double likelihood;
	double integrated;
};

/* The largest number of lags of an autocorrelation. */
#define ESTIMATE_LAGS_MAX 64

/**
 * Estimate_autocorrelation() - Compute the autocorrelation minus the squared mean, averaged over
 * all sets.
 * @samples: readings
 * @lags: number of requested lags, 1 to ESTIMATE_LAGS_MAX
 * @correlation: receives the autocorrelation at each lag, from lag 0, shape [@lags]
 *
 * The call does not subtract the squared mean from the autocorrelation. Instead, the call subtracts
 * the mean of all sets from the values before it multiplies the values. The result is the same,
 * except for rounding errors and for small differences at the ends of the sets.
 *
 * Context: any thread.
 * Return: the number of lags filled in, which is less than the number of readings of the longest
 * set.
 * Source: [2006] eq. 5.25; the printed sum has one term too many.
 */
size_t Estimate_autocorrelation(const struct Estimate_samples *samples, size_t lags,
				double *correlation);

/**
 * Estimate_fit() - Find the parameters of an event.
 * @samples: readings
 * @fit: receives the parameters
 *
 * The search starts at the parameters of a line through the logarithm of the autocorrelation, and
 * finds the most likely parameters. The line alone is less exact, because for a fast process only
 * two or three of its points are above the noise.
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -ENODATA for fewer than 8 readings; -ERANGE if all readings are equal; -EINVAL for a
 * value or a time that is not a number, is too large, or is too close to 0.
 * Source: [2006] section 5.2; the line's parameters are -beta and ln sigma^2, not beta and sigma^2
 * as printed.
 */
int Estimate_fit(const struct Estimate_samples *samples, struct Estimate_fit *fit);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_ESTIMATE_FIT_H */
