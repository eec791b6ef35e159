// SPDX-License-Identifier: MIT
/*
 * Autocorrelation: the off-line analysis of the paper of 2006. See autocorrelation.h. May use only
 * libm.
 */
#include <math.h>

#include "lib/estimate/autocorrelation.h"

size_t autocorrelation_samples(const struct Estimate_samples *samples)
{
	size_t count = 0;

	for (size_t i = 0; i < samples->sets; i++)
		count += samples->lengths[i];
	return count;
}

double autocorrelation_mean(const struct Estimate_samples *samples, size_t count)
{
	double first = samples->values[0], sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += samples->values[i] - first;
	return first + sum / (double)count;
}

/*
 * Sum up the products of values that are @lag apart, over all sets. Return: the number of products.
 */
static size_t lag_sum(const struct Estimate_samples *samples, double mean, size_t lag, double *sum)
{
	const double *values = samples->values;
	size_t terms = 0;

	*sum = 0;
	for (size_t set = 0; set < samples->sets; set++) {
		size_t length = samples->lengths[set];

		for (size_t k = 0; k + lag < length; k++)
			*sum += (values[k] - mean) * (values[k + lag] - mean);
		terms += length > lag ? length - lag : 0;
		values += length;
	}
	return terms;
}

size_t Estimate_autocorrelation(const struct Estimate_samples *samples, size_t lags,
				double *correlation)
{
	size_t count = autocorrelation_samples(samples), terms;
	double mean, sum;

	if (!count)
		return 0;
	mean = autocorrelation_mean(samples, count);
	for (size_t lag = 0; lag < lags && lag < ESTIMATE_LAGS_MAX; lag++) {
		terms = lag_sum(samples, mean, lag, &sum);
		if (!terms)
			return lag;
		correlation[lag] = sum / (double)terms;
	}
	return lags < ESTIMATE_LAGS_MAX ? lags : ESTIMATE_LAGS_MAX;
}

void autocorrelation_line(const struct Estimate_samples *samples, struct Estimate_fit *fit)
{
	double correlation[ESTIMATE_LAGS_MAX], sx = 0, sy = 0, sxx = 0, sxy = 0, n = 0, slope;
	size_t lags = Estimate_autocorrelation(samples, ESTIMATE_LAGS_MAX, correlation);
	double noise = 2 * correlation[0] / sqrt((double)fit->samples);

	for (size_t lag = 0; lag < lags && correlation[lag] > noise; lag++) {
		double x = (double)lag * samples->dt_s, y = log(correlation[lag]);

		n++;
		sx += x;
		sy += y;
		sxx += x * x;
		sxy += x * y;
	}
	fit->line_lags = (size_t)n;
	if (n < 2)
		return;
	slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
	if (!(slope < 0))
		return;
	fit->line.beta = -slope;
	fit->line.mean = fit->process.mean;
	fit->line.sigma = exp((sy - slope * sx) / n / 2);
}
