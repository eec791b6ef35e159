// SPDX-License-Identifier: MIT
/*
 * Sampled. See lib/analysis/sampled.h.
 */
#include "lib/analysis/sampled.h"

#include <math.h>
#include <stdio.h>

#define TAIL 0.025 /* The probability beyond each end of a confidence interval. */
/* The largest number of terms of a series. The series ends earlier if a term becomes 0. */
#define STEPS 200
#define HALVINGS 60
/*
 * Above this count, the cube root of a sum is normally distributed to 1 part in 10000 (Wilson and
 * Hilferty).
 */
#define EXACT_MAX 400U
#define NORMAL 1.959963984540054 /* The quantile of the normal distribution at 1 - TAIL. */

/* Get the probability of at most @count events if @expected events are expected. */
static double poisson_at_most(uint64_t count, double expected)
{
	double sum = 0;

	for (uint64_t i = 0; i <= count; i++)
		sum += exp((double)i * log(expected) - expected - lgamma((double)i + 1));
	return sum;
}

/*
 * Get the expected number of events with which the probability of at most @count events is
 * @probability. The larger the expected number, the smaller the probability.
 */
static double poisson_expected(uint64_t count, double probability)
{
	double low = 0, high = 2 * (double)count + 20;

	for (int i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;

		if (poisson_at_most(count, middle) > probability)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

/* Approximate poisson_expected() for a large count. */
static double cube(double n, double quantile)
{
	double root = 1 - 1 / (9 * n) + quantile / (3 * sqrt(n));

	return n * root * root * root;
}

struct sampled_band sampled_count(uint64_t count)
{
	static struct sampled_band known[EXACT_MAX + 1];
	struct sampled_band *band;

	if (count > EXACT_MAX)
		return (struct sampled_band){cube((double)count, -NORMAL),
					     cube((double)count + 1, NORMAL)};
	/*
	 * Keep the confidence intervals of small counts, because a report often needs them again.
	 */
	band = &known[count];
	if (band->high == 0) {
		band->low = count ? poisson_expected(count - 1, 1 - TAIL) : 0;
		band->high = poisson_expected(count, TAIL);
	}
	return *band;
}

/* Compute the continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), result;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	result = d;
	for (int i = 1; i <= STEPS * 50; i++) {
		double m = i, even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), step;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		result *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		step = d * c;
		result *= step;
		if (fabs(step - 1) < 1e-12)
			break;
	}
	return result;
}

/* Compute the regularized incomplete beta function. */
static double beta_at(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

static double beta_quantile(double a, double b, double probability)
{
	double low = 0, high = 1;

	for (int i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;

		if (beta_at(a, b, middle) < probability)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

struct sampled_share sampled_share(uint64_t part, uint64_t all)
{
	double k = (double)part, n = (double)all;

	if (!all || part > all)
		return (struct sampled_share){0, 0, 1};
	/*
	 * If only one node uses the page, which is the case for most pages, the bounds are powers.
	 */
	if (!part)
		return (struct sampled_share){0, 0, 1 - pow(TAIL, 1 / n)};
	if (part == all)
		return (struct sampled_share){1, pow(TAIL, 1 / n), 1};
	return (struct sampled_share){
		.share = k / n,
		.low = beta_quantile(k, n - k + 1, TAIL),
		.high = beta_quantile(k + 1, n - k, 1 - TAIL),
	};
}

double sampled_percent_low(const struct sampled_share *share)
{
	return floor(1000 * share->low) / 10;
}

double sampled_percent_high(const struct sampled_share *share)
{
	return ceil(1000 * share->high) / 10;
}

double sampled_by_chance(uint64_t part, uint64_t all)
{
	double k = (double)part, n = (double)all, chance;

	if (2 * part <= all || part > all)
		return 1;
	chance = part == all ? pow(0.5, n - 1) : 2 * beta_at(k, n - k + 1, 0.5);
	return chance < 1 ? chance : 1;
}

struct sampled_share sampled_difference(const uint64_t *part, const uint64_t *all)
{
	const struct sampled_share first = sampled_share(part[0], all[0]);
	const struct sampled_share second = sampled_share(part[1], all[1]);
	const double difference = second.share - first.share;

	/* If one of the shares has no samples, nothing is known about the difference. */
	if (!all[0] || !all[1])
		return (struct sampled_share){0, -1, 1};
	return (struct sampled_share){
		.share = difference,
		.low = difference - hypot(second.share - second.low, first.high - first.share),
		.high = difference + hypot(second.high - second.share, first.share - first.low),
	};
}

struct sampled_mean sampled_mean(uint64_t samples, double sum, double squares)
{
	const double n = (double)samples, mean = samples ? sum / n : 0, freedom = n - 1;
	double variance, beta, half;

	if (samples < 2)
		return (struct sampled_mean){.mean = mean};
	variance = (squares - sum * mean) / freedom;
	/*
	 * Compute the quantile of Student's distribution from the quantile of the beta
	 * distribution: t^2 = freedom * (1 - beta) / beta.
	 */
	beta = beta_quantile(freedom / 2, 0.5, 2 * TAIL);
	half = sqrt(freedom * (1 - beta) / beta) * sqrt(variance > 0 ? variance / n : 0);
	return (struct sampled_mean){
		.mean = mean,
		.low = mean > half ? mean - half : 0,
		.high = mean + half,
		.known = true,
	};
}

static void set(json_t *object, const char *name, const char *end, json_t *value)
{
	char key[64];

	snprintf(key, sizeof(key), "%s%s%s", name, *name ? "_" : "", end);
	json_object_set_new(object, key, value);
}

void sampled_counts_set(json_t *object, const char *name, const uint64_t *counts, size_t n)
{
	json_t *low = json_array(), *high = json_array();

	for (size_t i = 0; i < n; i++) {
		struct sampled_band band = sampled_count(counts[i]);

		json_array_append_new(low, json_real(band.low));
		json_array_append_new(high, json_real(band.high));
	}
	set(object, name, "low_95", low);
	set(object, name, "high_95", high);
}

void sampled_count_set(json_t *object, const char *name, uint64_t count)
{
	struct sampled_band band = sampled_count(count);

	set(object, name, "low_95", json_real(band.low));
	set(object, name, "high_95", json_real(band.high));
}

void sampled_share_set(json_t *object, const char *name, uint64_t part, uint64_t all)
{
	struct sampled_share share = sampled_share(part, all);

	set(object, name, "low_95", json_real(share.low));
	set(object, name, "high_95", json_real(share.high));
}

void sampled_mean_set(json_t *object, const char *name, const struct sampled_mean *mean)
{
	json_object_set_new(object, name, json_real(mean->mean));
	set(object, name, "low_95", mean->known ? json_real(mean->low) : json_null());
	set(object, name, "high_95", mean->known ? json_real(mean->high) : json_null());
}
