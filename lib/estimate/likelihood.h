/* SPDX-License-Identifier: MIT */
/*
 * Likelihood: the likelihood of samples for a process of unit variance. For lib/estimate/fit.c.
 */
#ifndef LIB_ESTIMATE_LIKELIHOOD_H
#define LIB_ESTIMATE_LIKELIHOOD_H

#include <smile/estimate.h>

/**
 * struct likelihood - Sums over all readings.
 * @scores: sum of the squared innovations divided by their variances, for a process of variance 1
 * @logs: sum of the logarithms of these variances
 * @count: number of readings
 */
struct likelihood {
	double scores;
	double logs;
	size_t count;
};

/**
 * likelihood_gauss_markov() - The sums for one state.
 * @mean: mean of the readings
 * @u: beta dt
 * @ratio: r / sigma^2
 */
struct likelihood likelihood_gauss_markov(const struct Estimate_samples *samples, double mean,
					  double u, double ratio);

/**
 * likelihood_integrated() - The sums for two states, exact readings, from the second reading of
 * each set on.
 */
struct likelihood likelihood_integrated(const struct Estimate_samples *samples, double u);

/**
 * likelihood_value() - The logarithm of the likelihood with the most likely variance.
 */
double likelihood_value(const struct likelihood *sums);

#endif /* LIB_ESTIMATE_LIKELIHOOD_H */
