// SPDX-License-Identifier: MIT
/*
 * Fit: finds the parameters of an event's process from samples. See smile/estimate.h. This file may
 * use only libm.
 *
 * The search for the most likely parameters begins at the parameters of the line through the
 * logarithm of the autocorrelation (autocorrelation.h).
 */
#include <errno.h>
#include <math.h>

#include <smile/estimate.h>

#include "lib/estimate/autocorrelation.h"
#include "lib/estimate/likelihood.h"

#define SAMPLES_MIN 8

/*
 * The limits of u, which is beta times dt. Outside these limits, samples cannot distinguish a
 * process from a slower or faster one.
 */
#define U_MIN 1e-6
#define U_MAX 40.0

/* The limits of the ratio r / sigma^2. */
#define RATIO_MIN 1e-5
#define RATIO_MAX 1e3

/* The step for numerical derivatives, as a difference of logarithms. */
#define STEP 0.02

/* ---- the most likely parameters -------------------------------------------------------------- */

struct search {
	const struct Estimate_samples *samples;
	double mean;
	double ratio;
	double log_u;
};

static double value_at(const struct search *search, double log_u, double ratio)
{
	struct likelihood sums =
		likelihood_gauss_markov(search->samples, search->mean, exp(log_u), ratio);

	return likelihood_value(&sums);
}

/*
 * Find the maximum between @low and @high by golden-section search. Return: the position of the
 * maximum; @best receives its value.
 */
static double golden(double (*function)(struct search *, double), struct search *search, double low,
		     double high, double *best)
{
	const double share = 0.6180339887498949;
	double a = high - share * (high - low), b = low + share * (high - low);
	double fa = function(search, a), fb = function(search, b);

	while (high - low > 1e-4) {
		if (fa > fb) {
			high = b;
			b = a;
			fb = fa;
			a = high - share * (high - low);
			fa = function(search, a);
		} else {
			low = a;
			a = b;
			fa = fb;
			b = low + share * (high - low);
			fb = function(search, b);
		}
	}
	*best = fa > fb ? fa : fb;
	return fa > fb ? a : b;
}

static double by_u(struct search *search, double log_u)
{
	return value_at(search, log_u, search->ratio);
}

/*
 * Find the most likely u for a given ratio r / sigma^2. Return: u; @value receives the likelihood
 * of u.
 */
static double best_u(struct search *search, double *value)
{
	double step = (log(U_MAX) - log(U_MIN)) / 24, best = -INFINITY, at = log(U_MIN), f;

	/* Search coarsely first, because the likelihood can have more than one maximum. */
	for (double x = log(U_MIN); x <= log(U_MAX) + step / 2; x += step) {
		f = by_u(search, x);
		if (f > best) {
			best = f;
			at = x;
		}
	}
	return golden(by_u, search, fmax(at - step, log(U_MIN)), fmin(at + step, log(U_MAX)),
		      value);
}

/*
 * Get the likelihood of a ratio r / sigma^2, with the most likely u for this ratio. Search for u
 * only near the last u. @log_ratio: logarithm of the ratio.
 */
static double by_ratio(struct search *search, double log_ratio)
{
	double value;

	search->ratio = exp(log_ratio);
	search->log_u = golden(by_u, search, fmax(search->log_u - 1.5, log(U_MIN)),
			       fmin(search->log_u + 1.5, log(U_MAX)), &value);
	return value;
}

/*
 * Decide whether readings have an error of their own. The fit assumes an error only if it increases
 * the likelihood by as much as the Bayesian information criterion (BIC) requires.
 */
static void search_ratio(struct search *search, double *value, size_t count)
{
	struct search with = *search;
	double gain = 0.5 * log((double)count), log_ratio = 0, best = -INFINITY, found;

	/*
	 * With each step, a larger share of the variance is attributed to errors, so the process
	 * becomes slower.
	 */
	for (double x = log(RATIO_MIN); x < log(RATIO_MAX); x += 1.5) {
		with.ratio = exp(x);
		found = by_ratio(&with, x);
		if (found > best) {
			best = found;
			log_ratio = x;
		}
	}
	if (best < *value + gain)
		return;
	with.log_u = search->log_u;
	log_ratio = golden(by_ratio, &with, fmax(log_ratio - 1.5, log(RATIO_MIN)),
			   fmin(log_ratio + 1.5, log(RATIO_MAX)), &found);
	by_ratio(&with, log_ratio);
	*search = with;
	*value = found;
}

/* ---- confidence ------------------------------------------------------------------------------ */

/*
 * Get -2 ln L, in which L is the likelihood, for a given u, variance and ratio. If readings are
 * exact, @log_ratio is ignored.
 */
static double deviance(const struct search *search, double log_u, double log_variance,
		       double log_ratio)
{
	struct likelihood sums = likelihood_gauss_markov(search->samples, search->mean, exp(log_u),
							 search->ratio > 0 ? exp(log_ratio) : 0);

	return (double)sums.count * log_variance + sums.logs + sums.scores / exp(log_variance);
}

/*
 * Invert a symmetric matrix of @n <= 3 rows in place, by elimination. Return: 0; -1 if the matrix
 * is not definite.
 */
static int invert(double m[3][3], size_t n)
{
	for (size_t k = 0; k < n; k++) {
		double pivot = m[k][k];

		if (!(pivot > 0))
			return -1;
		m[k][k] = 1;
		for (size_t j = 0; j < n; j++)
			m[k][j] /= pivot;
		for (size_t i = 0; i < n; i++) {
			double factor = m[i][k];

			if (i == k)
				continue;
			m[i][k] = 0;
			for (size_t j = 0; j < n; j++)
				m[i][j] -= factor * m[k][j];
		}
	}
	return 0;
}

/* Half the width of a 95 % confidence interval of a normal distribution, in standard deviations. */
#define BAND_95 1.96

/*
 * Compute the 95 % confidence interval of beta. It is computed from the interval of the correlation
 * phi = e^(-beta dt), because the error of phi is symmetric, but the error of beta is not.
 */
static void beta_confidence(double dt_s, double phi, double phi_se, struct Estimate_fit *fit)
{
	double low = phi - BAND_95 * phi_se, high = phi + BAND_95 * phi_se;

	fit->beta_high = low > 0 && !fit->fast ? -log(low) / dt_s : INFINITY;
	fit->beta_low = high < 1 ? -log(high) / dt_s : 0;
}

/*
 * Compute the matrix of second derivatives of the likelihood at its maximum, with respect to u,
 * variance and ratio, and invert this matrix.
 */
static int curvature(const struct search *search, double variance, double m[3][3])
{
	double at[3] = {search->log_u, log(variance), search->ratio > 0 ? log(search->ratio) : 0};
	size_t n = search->ratio > 0 ? 3 : 2;

	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++) {
			double f[4], x[3];

			for (int corner = 0; corner < 4; corner++) {
				for (size_t k = 0; k < 3; k++)
					x[k] = at[k];
				x[i] += corner & 1 ? STEP : -STEP;
				x[j] += corner & 2 ? STEP : -STEP;
				f[corner] = deviance(search, x[0], x[1], x[2]);
			}
			m[i][j] = (f[3] - f[1] - f[2] + f[0]) / (8 * STEP * STEP);
		}
	}
	return invert(m, n);
}

static void confidence_find(const struct search *search, double variance, struct Estimate_fit *fit)
{
	double u = exp(search->log_u), phi = exp(-u), count = (double)fit->samples;
	double sigma = fit->process.sigma, mean_band, m[3][3];

	mean_band = BAND_95 * sqrt((variance * (1 + phi) / (1 - phi) + fit->process.r) / count);
	fit->mean_low = fit->process.mean - mean_band;
	fit->mean_high = fit->process.mean + mean_band;
	fit->sigma_high = INFINITY;
	fit->beta_high = INFINITY;
	if (curvature(search, variance, m) < 0)
		return;
	beta_confidence(search->samples->dt_s, phi, phi * u * sqrt(m[0][0]), fit);
	if (fit->fast)
		beta_confidence(search->samples->dt_s, phi, 1 / sqrt(count), fit);
	fit->sigma_low = sigma * exp(-BAND_95 * sqrt(m[1][1]) / 2);
	fit->sigma_high = sigma * exp(BAND_95 * sqrt(m[1][1]) / 2);
}

static int samples_check(const struct Estimate_samples *samples, size_t count)
{
	double least = INFINITY, most = -INFINITY;

	if (count < SAMPLES_MIN)
		return -ENODATA;
	if (!(samples->dt_s > 0) || samples->dt_s > ESTIMATE_NUMBER_MAX)
		return -EINVAL;
	for (size_t i = 0; i < count; i++) {
		if (!(fabs(samples->values[i]) <= ESTIMATE_NUMBER_MAX))
			return -EINVAL;
		least = fmin(least, samples->values[i]);
		most = fmax(most, samples->values[i]);
	}
	return most > least ? 0 : -ERANGE;
}

int Estimate_fit(const struct Estimate_samples *samples, struct Estimate_fit *fit)
{
	size_t count = autocorrelation_samples(samples);
	int error = samples_check(samples, count);
	struct likelihood sums;
	struct Estimate_fit found = {.samples = count};
	struct search search = {.samples = samples};
	double variance, slowest;

	if (error < 0)
		return error;
	search.mean = autocorrelation_mean(samples, count);
	found.process.mean = search.mean;
	autocorrelation_line(samples, &found);
	search.log_u = best_u(&search, &found.likelihood);
	search_ratio(&search, &found.likelihood, count);
	/* In uncorrelated samples, chance causes correlations of up to 2 / sqrt(count). */
	slowest = log(0.5 * log((double)count / 4));
	found.fast = !(search.ratio > 0) && search.log_u > slowest;
	if (found.fast)
		search.log_u = slowest;
	sums = likelihood_gauss_markov(samples, search.mean, exp(search.log_u), search.ratio);
	variance = sums.scores / (double)count;
	found.process.sigma = sqrt(variance);
	found.process.beta = exp(search.log_u) / samples->dt_s;
	found.process.r = search.ratio * variance;
	if (!(found.process.beta <= ESTIMATE_NUMBER_MAX &&
	      found.process.beta >= 1 / ESTIMATE_NUMBER_MAX))
		return -EINVAL;
	confidence_find(&search, variance, &found);
	sums = likelihood_integrated(samples, exp(search.log_u));
	found.integrated = likelihood_value(&sums);
	*fit = found;
	return 0;
}
