/* SPDX-License-Identifier: MIT */
/*
 * Rates that are computed from several events, and confidence bands. Part of <smile/estimate.h>.
 */
#ifndef SMILE_ESTIMATE_RATE_H
#define SMILE_ESTIMATE_RATE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* Half the width of the range that holds 95 % of a normal distribution, in standard deviations. */
#define ESTIMATE_BAND_95 1.96

/**
 * struct Estimate_band - The estimate of a number, and its confidence band.
 * @value: the estimate
 * @deviation: standard deviation of the estimate; 0: the estimate is exact
 * @low: lower end of the 95 % confidence interval, which contains the true number with a
 *       probability of 95 %; for an event, never below 0
 * @high: upper end of the 95 % confidence interval
 * @impossible: 1: the number is a share, but its estimate is below 0 or above 1, so the caller must
 *              treat it as unknown
 */
struct Estimate_band {
	double value;
	double deviation;
	double low;
	double high;
	int impossible;
};

/* The largest number of events in each of the two sums of a rate. */
#define ESTIMATE_TERMS_MAX 4

/**
 * enum Estimate_rate_kind - How a rate is computed from two sums of events.
 * @ESTIMATE_SHARE: the first sum divided by the second; a value outside 0 to 1 is impossible
 * @ESTIMATE_REST: 1 minus a share, such as a hit rate that is computed from misses
 * @ESTIMATE_RATIO: the first sum divided by the second, which can be above 1
 * @ESTIMATE_PER_SECOND: the first sum divided by the time
 */
enum Estimate_rate_kind {
	ESTIMATE_SHARE,
	ESTIMATE_REST,
	ESTIMATE_RATIO,
	ESTIMATE_PER_SECOND,
};

/**
 * struct Estimate_rate - A rate.
 * @kind: how the rate is computed
 * @scale: factor of ESTIMATE_RATIO and ESTIMATE_PER_SECOND, such as bytes per line
 * @of: indices of the events in the first sum, shape [@of_count]
 * @of_count: number of events of the first sum, 1 to ESTIMATE_TERMS_MAX
 * @by: indices of the events in the second sum, shape [@by_count]
 * @by_count: number of events of the second sum; 0 with ESTIMATE_PER_SECOND
 *
 * No event may occur twice in one sum.
 */
struct Estimate_rate {
	enum Estimate_rate_kind kind;
	double scale;
	size_t of[ESTIMATE_TERMS_MAX];
	size_t of_count;
	size_t by[ESTIMATE_TERMS_MAX];
	size_t by_count;
};

/**
 * Estimate_rate_derive() - Compute a rate and its band from counts and their covariance.
 * @rate: the rate
 * @counts: counts of the events, shape [@events]
 * @covariance: covariance of @counts, shape [@events][@events]
 * @events: number of events
 * @seconds: time in which the events were counted
 * @band: receives the rate and its band
 *
 * The deviation is a first-order approximation from the covariance, so the band of a ratio is
 * narrower if its events rise and fall together. If the covariance contains NAN, the deviation is
 * NAN.
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -EINVAL for an impossible rate, or a time that is not above 0; -EDOM if the second sum is
 * not above 0.
 * Source: [2006] eq. 6.26 to 6.29, which are examples of such rates.
 */
int Estimate_rate_derive(const struct Estimate_rate *rate, const double *counts,
			 const double *covariance, size_t events, double seconds,
			 struct Estimate_band *band);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_ESTIMATE_RATE_H */
