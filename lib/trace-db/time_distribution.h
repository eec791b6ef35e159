/* SPDX-License-Identifier: MIT */
/*
 * Time distribution: computes the exact distribution of many times.
 *
 * What lives here: values with their frequencies, and the results that are computed from them. The
 * functions have no side effects, except that they allocate memory: 16 bytes for each distinct
 * value. May use libc.
 */
#ifndef LIB_TRACE_DB_TIME_DISTRIBUTION_H
#define LIB_TRACE_DB_TIME_DISTRIBUTION_H

#include <stddef.h>
#include <stdint.h>

#define TIME_DISTRIBUTION_NEW 65536U

struct time_distribution_value {
	uint64_t value;
	uint64_t count;
};

/**
 * struct time_distribution - The values. Initially, all members are 0.
 * @values: the distinct values in ascending order, each with its frequency; shape [@distinct]
 * @fresh: values that were added since the last sort; shape [@fresh_count]
 * @count: number of all values
 */
struct time_distribution {
	struct time_distribution_value *values;
	size_t distinct;
	uint64_t *fresh;
	size_t fresh_count;
	uint64_t count;
};

/**
 * time_distribution_add() - Add a value. Return: 0; -ENOMEM.
 */
int time_distribution_add(struct time_distribution *times, uint64_t value);

/**
 * time_distribution_sort() - Sort the values. Call this after the last time_distribution_add().
 * Return: 0; -ENOMEM.
 */
int time_distribution_sort(struct time_distribution *times);
void time_distribution_free(struct time_distribution *times);

/**
 * struct time_distribution_summary - The summary of the values.
 * @mean: arithmetic mean
 * @deviation: standard deviation of the values, computed for a whole population, and not for a
 *             sample
 * @burstiness: (deviation - mean) / (deviation + mean): -1 for a clock, 0 for a Poisson process,
 *              and close to 1 for bursts (Goh and Barabasi 2008); 0 if deviation and mean are 0
 */
struct time_distribution_summary {
	uint64_t count;
	uint64_t least;
	uint64_t most;
	double mean;
	double deviation;
	double burstiness;
};

void time_distribution_summarize(const struct time_distribution *times,
				 struct time_distribution_summary *summary);

/**
 * time_distribution_quantile() - Get the smallest value v with which the share of values up to v is
 * at least @share.
 * @share: 0 to 1
 */
uint64_t time_distribution_quantile(const struct time_distribution *times, double share);

/**
 * time_distribution_between() - Get the number of values from @first to @last.
 */
uint64_t time_distribution_between(const struct time_distribution *times, uint64_t first,
				   uint64_t last);

/**
 * time_distribution_step() - Get the number after @limit in the sequence 1, 2, 5, 10, 20, 50, and
 * so on. If
 * @limit is 0, the result is 1.
 */
uint64_t time_distribution_step(uint64_t limit);

#endif /* LIB_TRACE_DB_TIME_DISTRIBUTION_H */
