/* SPDX-License-Identifier: MIT */
/*
 * Sampled: compute bands for the errors of figures that are estimated from samples.
 *
 * What lives here: 95 % bands of counts, shares and means. docs/sample.md describes the assumptions
 * of the bands. May use jansson and libm.
 */
#ifndef LIB_ANALYSIS_SAMPLED_H
#define LIB_ANALYSIS_SAMPLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

/**
 * struct sampled_band - A 95 % confidence interval of an expected number of samples.
 * @low: lower end
 * @high: upper end
 */
struct sampled_band {
	double low;
	double high;
};

/**
 * sampled_count() - Compute the 95 % confidence interval of the expected number of samples, if
 * @count samples were drawn.
 *
 * The ends are bounds of Poisson's distribution (Garwood). If the samples were drawn independently,
 * on average at least 95 of 100 such intervals contain the expected number.
 */
struct sampled_band sampled_count(uint64_t count);

/**
 * struct sampled_share - A share, and its 95 % confidence interval from @low to @high.
 */
struct sampled_share {
	double share;
	double low;
	double high;
};

/**
 * sampled_share() - Compute the share of @part in @all.
 *
 * The ends of the confidence interval are bounds of the binomial distribution (Clopper and
 * Pearson), with a confidence of 95 %. If there are no samples, the share is 0, and the interval is
 * 0 to 1.
 */
struct sampled_share sampled_share(uint64_t part, uint64_t all);

/*
 * Get the lower or the upper end of a share's confidence interval in percent. The lower end is
 * rounded down to one decimal digit, and the upper end is rounded up.
 */
double sampled_percent_low(const struct sampled_share *share);
double sampled_percent_high(const struct sampled_share *share);

/**
 * sampled_by_chance() - Compute the probability that either of two nodes gets at least @part of
 * @all samples, if each sample belongs to each node with equal probability.
 */
double sampled_by_chance(uint64_t part, uint64_t all);

/**
 * sampled_difference() - Compute the difference of two shares, the second minus the first, from -1
 * to 1.
 * @part: numbers of samples for the first and the second share; shape [2]
 * @all: numbers of all samples for the first and the second share; shape [2]
 *
 * The confidence interval is computed by Newcombe's method 10, with the bounds of sampled_share().
 * The upper end, for example, is computed from two distances: from the second share to its upper
 * bound, and from the first share to its lower bound. The distance from the difference to its upper
 * end is the square root of the sum of the squares of these distances.
 */
struct sampled_share sampled_difference(const uint64_t *part, const uint64_t *all);

/**
 * struct sampled_mean - A mean of values that vary, and the 95 % confidence interval of this mean.
 * @known: there are at least two values, so the confidence interval is known; otherwise it is 0 to
 *         0
 */
struct sampled_mean {
	double mean;
	double low;
	double high;
	bool known;
};

/**
 * sampled_mean() - Compute the mean of @samples values.
 * @sum: sum of the values
 * @squares: sum of the squares of the values
 *
 * The ends of the confidence interval are bounds of Student's distribution. They are exact for
 * normally distributed values. For the mean of many values with another distribution, they are a
 * good approximation. Latencies have long tails, which a small number of samples may not contain.
 */
struct sampled_mean sampled_mean(uint64_t samples, double sum, double squares);

/*
 * Set a mean and its confidence interval in @object, with the keys NAME, NAME_low_95 and
 * NAME_high_95, in which NAME is @name. If the interval is not known, its ends are null.
 */
void sampled_mean_set(json_t *object, const char *name, const struct sampled_mean *mean);

/**
 * sampled_counts_set() - Set low_95 and high_95 of @object, which are the ends of the confidence
 * intervals of counts.
 * @name: prefix of the keys, such as "remote" for "remote_low_95"; or ""
 * @counts: shape [@n]
 */
void sampled_counts_set(json_t *object, const char *name, const uint64_t *counts, size_t n);

/* Set the ends of the confidence interval of one count, or of a share. */
void sampled_count_set(json_t *object, const char *name, uint64_t count);
void sampled_share_set(json_t *object, const char *name, uint64_t part, uint64_t all);

#endif /* LIB_ANALYSIS_SAMPLED_H */
