/* SPDX-License-Identifier: MIT */
/*
 * A fit: the process of a counter, from samples. Part of <smile/estimate.h>.
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
 * @values: all sets, one after the other
 * @dt_s: time from one reading to the next
 * @lengths: readings of each set, shape [@sets]
 * @sets: how many
 */
struct Estimate_samples {
	const double *values;
	double dt_s;
	const size_t *lengths;
	size_t sets;
};

/**
 * struct Estimate_fit - The result of an off-line analysis.
 * @process: the likeliest parameters; @r is the part of the variance that has no correlation in
 *           time, if the likelihood says that there is any
 * @fast: successive readings are hardly correlated: beta is the least that makes no difference
 * @sigma_low: 95 % confidence
 * @sigma_high: 95 % confidence
 * @beta_low: 95 % confidence
 * @beta_high: 95 % confidence; INFINITY if the readings set no limit
 * @mean_low: 95 % confidence
 * @mean_high: 95 % confidence
 * @line: sigma and beta of the straight line through the logarithm of the autocorrelation; beta 0:
 *        there is no line
 * @line_lags: points of that line
 * @samples: readings
 * @likelihood: logarithm of the likelihood of the process
 * @integrated: the same for ESTIMATE_INTEGRATED, with its likeliest sigma at the same beta
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

/* Lags of an autocorrelation, at most. */
#define ESTIMATE_LAGS_MAX 64

/**
 * Estimate_autocorrelation() - The mean over sets of the autocorrelation less the squared mean.
 * @samples: readings
 * @lags: wanted, 1 to ESTIMATE_LAGS_MAX
 * @correlation: receives them, from lag 0 on, shape [@lags]
 *
 * The mean of all sets is subtracted from the values before they are multiplied; the result is the
 * same except for rounding and the sets' ends.
 *
 * Context: any thread.
 * Return: lags filled in: fewer than the longest set has readings.
 * Source: [2006] eq. 5.25, whose sum has one term too many in print.
 */
size_t Estimate_autocorrelation(const struct Estimate_samples *samples, size_t lags,
				double *correlation);

/**
 * Estimate_fit() - The parameters of an event.
 * @samples: readings
 * @fit: receives them
 *
 * The search for the likeliest parameters begins at the parameters of the line through the
 * logarithm of the autocorrelation. The line alone is less exact: of a fast process only two or
 * three of its points are above the noise.
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -ENODATA for fewer than 8 readings; -ERANGE if all are equal; -EINVAL for a value that is
 * not a number, or too large.
 * Source: [2006] section 5.2; the line's parameters are -beta and ln sigma^2, not beta and sigma^2
 * as printed.
 */
int Estimate_fit(const struct Estimate_samples *samples, struct Estimate_fit *fit);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_ESTIMATE_FIT_H */
