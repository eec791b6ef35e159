/* SPDX-License-Identifier: MIT */
/*
 * Sampled: recordings of samples, and bands for the errors of their figures.
 *
 * What lives here: the mark of such a recording, and 95 % bands of counts and of shares.
 * docs/sample.md describes their assumptions. May use the public API, jansson and libm.
 */
#ifndef LIB_ANALYSIS_SAMPLED_H
#define LIB_ANALYSIS_SAMPLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include <smile/monitor.h>

/**
 * sampled_mark() - The mark of a sampled recording: its source, unit and period.
 *
 * Return: a new reference to the object "sampled" of the recording's parameters; NULL for an exact
 * recording.
 */
json_t *sampled_mark(struct Monitor *mon);

/**
 * sampled_missing() - The number of missing recordings of the run, which has one recording for each
 * node.
 * @given: number of recordings in the view
 *
 * A node's recording has its accesses to its own memory: without it, the shares of pages on this
 * node are wrong. Return: the number; 0 also for an exact recording.
 */
size_t sampled_missing(struct Monitor *mon, size_t given);

/* The process of `smile sample --children` that a recording is of; 0: it names no process. */
uint32_t sampled_process(struct Monitor *mon);

/* A text of the mark, such as its "source" or "unit"; "?" if it has none. */
const char *sampled_text(const json_t *mark, const char *key);

/**
 * struct sampled_band - A count of samples, and the band of the expected number.
 * @low: lower end
 * @high: upper end
 */
struct sampled_band {
	double low;
	double high;
};

/**
 * sampled_count() - The band of the expected number of samples, of which @count were drawn.
 *
 * Bounds of Poisson's distribution (Garwood): of 100 such bands at least 95 hold the expected
 * number, on average, if the samples were drawn independently.
 */
struct sampled_band sampled_count(uint64_t count);

/**
 * struct sampled_share - A share, and its band.
 */
struct sampled_share {
	double share;
	double low;
	double high;
};

/**
 * sampled_share() - The share of @part in @all.
 *
 * Bounds of the binomial distribution (Clopper and Pearson), with the same confidence. Without
 * samples the share is 0, and the band is 0 to 1.
 */
struct sampled_share sampled_share(uint64_t part, uint64_t all);

/* The ends of a share's band in percent, to be shown with one digit: rounded outwards. */
double sampled_percent_low(const struct sampled_share *share);
double sampled_percent_high(const struct sampled_share *share);

/**
 * sampled_by_chance() - The probability that at least @part of @all samples are of one of two
 * nodes, if both are equally likely.
 */
double sampled_by_chance(uint64_t part, uint64_t all);

/**
 * sampled_difference() - The difference of two shares, the second minus the first, from -1 to 1.
 * @part: shape [2], of the first and the second share; @all has the same shape
 *
 * Newcombe's method 10, with the bounds of sampled_share(): the distance from the difference to its
 * bound is the root of the sum of the squares of two distances, from each share to its far bound.
 */
struct sampled_share sampled_difference(const uint64_t *part, const uint64_t *all);

/**
 * struct sampled_mean - A mean of values that vary, and its band.
 * @known: there are at least two values; else the band is not known, and is 0 to 0
 */
struct sampled_mean {
	double mean;
	double low;
	double high;
	bool known;
};

/**
 * sampled_mean() - The mean of @samples values.
 * @sum: sum of the values
 * @squares: sum of their squares
 *
 * Bounds of Student's distribution: exact for normal values, and a good approximation for the mean
 * of many other values. Latencies have long tails, which few samples may not contain.
 */
struct sampled_mean sampled_mean(uint64_t samples, double sum, double squares);

/* Set the mean and its band, NAME, NAME_low_95 and so on; null: the band is not known. */
void sampled_mean_set(json_t *object, const char *name, const struct sampled_mean *mean);

/**
 * sampled_counts_set() - Set low_95 and high_95 of an object: bands of counts.
 * @name: prefix of the keys: "remote" for "remote_low_95"; or ""
 * @counts: shape [@n]
 */
void sampled_counts_set(json_t *object, const char *name, const uint64_t *counts, size_t n);

/* The same for one count, or for a share. */
void sampled_count_set(json_t *object, const char *name, uint64_t count);
void sampled_share_set(json_t *object, const char *name, uint64_t part, uint64_t all);

#endif /* LIB_ANALYSIS_SAMPLED_H */
