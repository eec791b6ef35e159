/* SPDX-License-Identifier: MIT */
/*
 * Likelihood: computes the likelihood of samples for a process of unit variance. Only
 * lib/estimate/fit.c uses this file.
 */
#ifndef LIB_ESTIMATE_LIKELIHOOD_H
#define LIB_ESTIMATE_LIKELIHOOD_H

#include <smile/estimate.h>

/**
 * struct likelihood - Sums over all readings.
 * @scores: sum of the squared innovations, each divided by its variance, for a process with the
 *          variance 1. An innovation is the difference between a reading and its prediction
 * @logs: sum of the logarithms of the variances of the innovations
 * @count: number of readings
 */
struct likelihood {
	double scores;
	double logs;
	size_t count;
};

/**
 * likelihood_gauss_markov() - Compute the sums for a process with one state.
 * @mean: mean of the readings
 * @u: beta times the length of an interval
 * @ratio: r / sigma^2
 */
struct likelihood likelihood_gauss_markov(const struct Estimate_samples *samples, double mean,
					  double u, double ratio);

/**
 * likelihood_integrated() - Compute the sums for a process with two states and exact readings. The
 * sums do not include the first reading of each set.
 */
struct likelihood likelihood_integrated(const struct Estimate_samples *samples, double u);

/**
 * likelihood_value() - Get the logarithm of the likelihood. The function assumes the variance of
 * the process for which the likelihood is largest.
 */
double likelihood_value(const struct likelihood *sums);

#endif /* LIB_ESTIMATE_LIKELIHOOD_H */
