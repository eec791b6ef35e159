/* SPDX-License-Identifier: MIT */
/*
 * Estimate: the state of multiplexed counters, with its uncertainty.
 *
 * What lives here: the interface of lib/estimate. A counter is a random process; a filter holds one
 * process for each counter, predicts all of them over an interval, and corrects those that were
 * read. The result is the mean and the standard deviation of each counter's reading, whether it was
 * read or not.
 *
 *	struct Monitor_filter *filter;
 *	if (Monitor_filter_new(&filter, processes, 3, MONITOR_GAUSS_MARKOV) < 0)
 *		errx(2, "no filter");
 *	for (size_t k = 0; k < intervals; k++) {
 *		size_t read = k % 3;
 *		if (k > 0)
 *			Monitor_filter_predict(filter, 0.02);
 *		Monitor_filter_correct(filter, &read, &readings[k], 1);
 *		Monitor_filter_estimates(filter, estimates, deviations);
 *	}
 *	Monitor_filter_free(filter);
 *
 * No function here does I/O, and only Monitor_filter_new() allocates. One filter is
 * used by one thread at a time; different ones are independent. Errors: 0, or -errno with outputs
 * untouched.
 *
 * Source: "Distributed Shared Memory Architectures and Global Performance State Estimation" (2006),
 * chapters 5 and 6; "2006" below. Its printed process noise is corrected.
 */
#ifndef LIB_ESTIMATE_ESTIMATE_H
#define LIB_ESTIMATE_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

/**
 * enum Monitor_model - What is a Gauss-Markov process.
 * @MONITOR_GAUSS_MARKOV: the reading less its mean: one state a counter
 * @MONITOR_INTEGRATED: the rate of change of the reading, which is its integral: two states a
 *                      counter, the choice of 2006
 */
enum Monitor_model {
	MONITOR_GAUSS_MARKOV,
	MONITOR_INTEGRATED,
};

/**
 * struct Monitor_process - A counter's parameters.
 * @sigma: standard deviation of the process, events an interval; above 0
 * @beta: reciprocal of its correlation time, 1/s; above 0
 * @mean: of the reading, events an interval
 * @r: variance of the error of a reading; 0: readings are exact
 *
 * The autocorrelation is sigma^2 exp(-beta |tau|).
 */
struct Monitor_process {
	double sigma;
	double beta;
	double mean;
	double r;
};

/* Numbers beyond this are refused, so that no square overflows. */
#define MONITOR_ESTIMATE_MAX 1e100

/**
 * Monitor_process_check() - Is such a process possible?
 *
 * Return: NULL; else what is wrong, as a clause: "sigma is not above 0".
 */
const char *Monitor_process_check(const struct Monitor_process *process);

/**
 * struct Monitor_transition - One interval of the two-state process of MONITOR_INTEGRATED.
 * @phi12: x1 gains this share of x2, s
 * @phi22: x2 keeps this share of itself
 * @q11: process noise of x1
 * @q12: covariance of both noises
 * @q22: process noise of x2
 *
 * With MONITOR_GAUSS_MARKOV, @phi22 and @q22 alone.
 */
struct Monitor_transition {
	double phi12;
	double phi22;
	double q11;
	double q12;
	double q22;
};

/**
 * Monitor_process_transition() - The exact discrete form of a process.
 * @dt_s: length of the interval, above 0
 *
 * Source: 2006, eq. 5.17 and 5.21 to 5.23, whose signs and factors are corrected: the printed
 * matrix is no covariance for beta dt up to 3.61.
 */
struct Monitor_transition Monitor_process_transition(const struct Monitor_process *process,
						     double dt_s);

/**
 * Monitor_process_simulate() - Readings of a process, for a check by Monte Carlo.
 * @seed: any number; updated, so that the next call gives other readings
 * @values: receives them, shape [@count]
 */
void Monitor_process_simulate(const struct Monitor_process *process, double dt_s, uint64_t *seed,
			      double *values, size_t count);

struct Monitor_filter;

/**
 * Monitor_filter_new() - Create a filter, before its first interval.
 * @out: receives it
 * @processes: one a counter, copied, shape [@count]
 * @count: 1 at least
 * @model: of all counters
 *
 * Each counter begins at its mean, with variance sigma^2 (with MONITOR_INTEGRATED both states).
 *
 * Return: 0.
 * Errors: -EINVAL for an impossible process or model; -ENOMEM.
 */
int Monitor_filter_new(struct Monitor_filter **out, const struct Monitor_process *processes,
		       size_t count, enum Monitor_model model);

/* Free a filter; NULL does nothing. */
void Monitor_filter_free(struct Monitor_filter *filter);

/**
 * Monitor_filter_predict() - Predict all counters over an interval.
 * @dt_s: its true length; another one than last time costs an exp() a counter
 *
 * Return: 0.
 * Errors: -EINVAL for a length that is not above 0.
 */
int Monitor_filter_predict(struct Monitor_filter *filter, double dt_s);

/**
 * Monitor_filter_correct() - Take in the readings of the interval.
 * @counters: which were read, shape [@count]; NULL: the first @count
 * @values: what they read, events an interval, shape [@count]
 *
 * Return: 0.
 * Errors: -EINVAL for a counter that is not there or a value that is no number.
 */
int Monitor_filter_correct(struct Monitor_filter *filter, const size_t *counters,
			   const double *values, size_t count);

/**
 * Monitor_filter_innovation() - The new information of a reading, before it is taken in.
 * @difference: receives the reading less its prediction
 * @variance: receives the variance that the filter expects of it
 *
 * In a filter that fits, difference^2 / variance is 1 on average.
 */
void Monitor_filter_innovation(const struct Monitor_filter *filter, size_t counter, double value,
			       double *difference, double *variance);

/**
 * Monitor_filter_estimates() - The state of all counters.
 * @estimates: receives the readings' means, shape [counters]
 * @deviations: receives their standard deviations, shape [counters]; or NULL
 */
void Monitor_filter_estimates(const struct Monitor_filter *filter, double *estimates,
			      double *deviations);

/**
 * Monitor_filter_covariance() - The covariance of one counter's states.
 * @p: receives P11, P12 and P22; with MONITOR_GAUSS_MARKOV the last two are 0
 */
void Monitor_filter_covariance(const struct Monitor_filter *filter, size_t counter, double p[3]);

/**
 * struct Monitor_samples - Readings of one event for an off-line analysis.
 * @values: all sets, one after the other
 * @dt_s: time from one reading to the next
 * @lengths: readings of each set, shape [@sets]
 * @sets: how many
 */
struct Monitor_samples {
	const double *values;
	double dt_s;
	const size_t *lengths;
	size_t sets;
};

/**
 * struct Monitor_fit - The result of an off-line analysis.
 * @process: the likeliest parameters; @r is the part of the variance that has no correlation in
 *           time, if the likelihood says that there is any
 * @fast: successive readings are hardly correlated: beta is the least that makes no difference
 * @sigma_low: 95 % confidence
 * @sigma_high: 95 % confidence
 * @beta_low: 95 % confidence
 * @beta_high: 95 % confidence; INFINITY if the readings set no limit
 * @mean_low: 95 % confidence
 * @mean_high: 95 % confidence
 * @line: sigma and beta of the straight line through the logarithm of the autocorrelation; beta 0:
 *        there is no line
 * @line_lags: points of that line
 * @samples: readings
 * @likelihood: logarithm of the likelihood of the process
 * @integrated: the same for MONITOR_INTEGRATED, with its likeliest sigma at the same beta
 */
struct Monitor_fit {
	struct Monitor_process process;
	int fast;
	double sigma_low;
	double sigma_high;
	double beta_low;
	double beta_high;
	double mean_low;
	double mean_high;
	struct Monitor_process line;
	size_t line_lags;
	size_t samples;
	double likelihood;
	double integrated;
};

/* Lags of an autocorrelation, at most. */
#define MONITOR_LAGS_MAX 64

/**
 * Monitor_autocorrelation() - The mean over sets of the autocorrelation less the squared mean.
 * @lags: wanted, 1 to MONITOR_LAGS_MAX
 * @correlation: receives them, from lag 0 on, shape [@lags]
 *
 * Source: 2006, eq. 5.25, whose sum has one term too many in print.
 *
 * The mean of all sets is subtracted from the values before they are multiplied; the result is the
 * same except for rounding and the sets' ends.
 *
 * Return: lags filled in: fewer than the longest set has readings.
 */
size_t Monitor_autocorrelation(const struct Monitor_samples *samples, size_t lags,
			       double *correlation);

/**
 * Monitor_fit() - The parameters of an event.
 * @fit: receives them
 *
 * Source: 2006, section 5.2; the line's parameters are -beta and ln sigma^2, not beta and sigma^2
 * as printed. The search for the likeliest parameters begins at them. The line alone is less exact:
 * of a fast process only two or three of its points are above the noise.
 *
 * Return: 0.
 * Errors: -ENODATA for fewer than 8 readings; -ERANGE if all are equal; -EINVAL for a number that
 * is none or too large.
 */
int Monitor_fit(const struct Monitor_samples *samples, struct Monitor_fit *fit);

#endif /* LIB_ESTIMATE_ESTIMATE_H */
