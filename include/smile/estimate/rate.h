/* SPDX-License-Identifier: MIT */
/*
 * Rates that follow from several events, and bands. Part of <smile/estimate.h>.
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
 * struct Estimate_band - What is known of a number.
 * @value: the estimate
 * @deviation: its standard deviation; 0: it is exact
 * @low: lower end of the range that holds the true number with a probability of 95 %; of an event
 *       never below 0
 * @high: upper end
 * @impossible: 1: a share below 0 or above 1: read it as unknown
 */
struct Estimate_band {
	double value;
	double deviation;
	double low;
	double high;
	int impossible;
};

/* Events of each of the two sums of a rate, at most. */
#define ESTIMATE_TERMS_MAX 4

/**
 * enum Estimate_rate_kind - How a rate follows from two sums of events.
 * @ESTIMATE_SHARE: one by the other: 0 to 1, else it is impossible
 * @ESTIMATE_REST: 1 less a share, such as a hit rate from misses
 * @ESTIMATE_RATIO: one by the other, which can be above 1
 * @ESTIMATE_PER_SECOND: the first sum by the time
 */
enum Estimate_rate_kind {
	ESTIMATE_SHARE,
	ESTIMATE_REST,
	ESTIMATE_RATIO,
	ESTIMATE_PER_SECOND,
};

/**
 * struct Estimate_rate - A rate.
 * @kind: how it follows
 * @scale: factor of ESTIMATE_RATIO and ESTIMATE_PER_SECOND, such as bytes a line
 * @of: events of the first sum, by index, shape [@of_count]
 * @of_count: how many, 1 to ESTIMATE_TERMS_MAX
 * @by: events of the second sum, shape [@by_count]
 * @by_count: how many; 0 with ESTIMATE_PER_SECOND
 *
 * No event may be twice in one sum.
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
 * Estimate_rate_derive() - A rate and its band, from counts and their covariance.
 * @rate: which
 * @counts: of the events, shape [@events]
 * @covariance: of @counts, shape [@events][@events]
 * @events: how many
 * @seconds: in which they were counted
 * @band: receives the rate
 *
 * The deviation follows from the covariance to first order, so that events that rise and fall
 * together make the band of their ratio narrower. NAN in the covariance makes it NAN.
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -EINVAL for a rate that cannot be, or a time that is not above 0; -EDOM if the second sum
 * is not above 0.
 * Source: [2006] eq. 6.26 to 6.29 are such rates.
 */
int Estimate_rate_derive(const struct Estimate_rate *rate, const double *counts,
			 const double *covariance, size_t events, double seconds,
			 struct Estimate_band *band);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_ESTIMATE_RATE_H */
