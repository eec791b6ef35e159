// SPDX-License-Identifier: MIT
/*
 * Rate: computes rates from several events. See smile/estimate/rate.h. May use only libm.
 */
#include "lib/estimate/rate.h"

#include <errno.h>
#include <math.h>

/* Return whether @terms are indices of existing events, and no event is listed twice. */
static int terms_fit(const size_t *terms, size_t count, size_t events)
{
	for (size_t k = 0; k < count; k++) {
		if (terms[k] >= events)
			return 0;
		for (size_t l = 0; l < k; l++)
			if (terms[l] == terms[k])
				return 0;
	}
	return 1;
}

int rate_is_possible(const struct Estimate_rate *rate, size_t events)
{
	int time = rate->kind == ESTIMATE_PER_SECOND;
	int scaled = time || rate->kind == ESTIMATE_RATIO;

	return (unsigned int)rate->kind <= ESTIMATE_PER_SECOND && rate->of_count > 0 &&
	       rate->of_count <= ESTIMATE_TERMS_MAX && rate->by_count <= ESTIMATE_TERMS_MAX &&
	       (rate->by_count == 0) == time && (!scaled || isfinite(rate->scale)) &&
	       terms_fit(rate->of, rate->of_count, events) &&
	       terms_fit(rate->by, rate->by_count, events);
}

/* Sum up the counts of a rate's terms. */
static double terms_sum(const size_t *terms, size_t count, const double *counts)
{
	double sum = 0;

	for (size_t k = 0; k < count; k++)
		sum += counts[terms[k]];
	return sum;
}

/* Get the covariance of two sums of events. */
static double terms_covariance(const size_t *a, size_t a_count, const size_t *b, size_t b_count,
			       const double *covariance, size_t events)
{
	double sum = 0;

	for (size_t k = 0; k < a_count; k++)
		for (size_t l = 0; l < b_count; l++)
			sum += covariance[a[k] * events + b[l]];
	return sum;
}

void band_make(struct Estimate_band *band, double value, double deviation, double least)
{
	*band = (struct Estimate_band){
		.value = value,
		.deviation = deviation,
		.low = value - ESTIMATE_BAND_95 * deviation,
		.high = value + ESTIMATE_BAND_95 * deviation,
	};
	if (band->low < least)
		band->low = least;
}

/*
 * Get the square root of a variance. If rounding made the variance negative, the root is 0. If the
 * variance is NAN, so is the root.
 */
static double root_of(double variance)
{
	return variance < 0 ? 0 : sqrt(variance);
}

int Estimate_rate_derive(const struct Estimate_rate *rate, const double *counts,
			 const double *covariance, size_t events, double seconds,
			 struct Estimate_band *band)
{
	size_t of_count = rate->of_count, by_count = rate->by_count;
	double of, by, ratio, variance;

	if (!rate_is_possible(rate, events) || !(seconds > 0))
		return -EINVAL;
	of = terms_sum(rate->of, of_count, counts);
	variance = terms_covariance(rate->of, of_count, rate->of, of_count, covariance, events);
	if (rate->kind == ESTIMATE_PER_SECOND) {
		double scale = rate->scale / seconds;

		band_make(band, scale * of, fabs(scale) * root_of(variance), -INFINITY);
		return 0;
	}
	by = terms_sum(rate->by, by_count, counts);
	if (!(by > 0))
		return -EDOM;
	/* Use the derivative of the ratio: d(a / b) = (da - a / b db) / b. */
	ratio = of / by;
	variance += ratio * ratio *
		    terms_covariance(rate->by, by_count, rate->by, by_count, covariance, events);
	variance -= 2 * ratio *
		    terms_covariance(rate->of, of_count, rate->by, by_count, covariance, events);
	variance /= by * by;
	if (rate->kind == ESTIMATE_RATIO) {
		band_make(band, rate->scale * ratio, fabs(rate->scale) * root_of(variance),
			  -INFINITY);
		return 0;
	}
	band_make(band, rate->kind == ESTIMATE_REST ? 1 - ratio : ratio, root_of(variance),
		  -INFINITY);
	band->impossible = band->value < 0 || band->value > 1;
	return 0;
}
