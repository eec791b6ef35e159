/* SPDX-License-Identifier: MIT */
/*
 * Processes: the stochastic model of a counter, and its discrete form. Part of <smile/estimate.h>.
 */
#ifndef SMILE_ESTIMATE_PROCESS_H
#define SMILE_ESTIMATE_PROCESS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * struct Estimate_process - A counter's parameters.
 * @sigma: standard deviation of the process, in events per interval; above 0
 * @beta: reciprocal of the process's correlation time, in 1/s; above 0
 * @mean: mean of the readings, in events per interval
 * @r: variance of the error of a reading; 0: readings are exact
 *
 * The autocorrelation is sigma^2 exp(-beta |tau|).
 */
struct Estimate_process {
	double sigma;
	double beta;
	double mean;
	double r;
};

/* Larger numbers are rejected, so that no square overflows. */
#define ESTIMATE_NUMBER_MAX 1e100

/**
 * Estimate_process_check() - Whether a process is possible.
 * @process: process
 *
 * Context: any thread.
 * Return: NULL if it is possible; else a clause that names the problem, such as "sigma is not above
 * 0".
 */
const char *Estimate_process_check(const struct Estimate_process *process);

/**
 * struct Estimate_transition - One interval of the two-state process of ESTIMATE_INTEGRATED.
 * @phi12: the share of x2 that is added to x1, in s
 * @phi22: the share of x2 that x2 keeps
 * @q11: process noise of x1
 * @q12: covariance of both process noises
 * @q22: process noise of x2
 *
 * With ESTIMATE_GAUSS_MARKOV only @phi22 and @q22 are used.
 */
struct Estimate_transition {
	double phi12;
	double phi22;
	double q11;
	double q12;
	double q22;
};

/**
 * Estimate_process_transition() - The exact discrete form of a process.
 * @process: a possible process
 * @dt_s: length of the interval, above 0
 *
 * Context: any thread.
 * Return: the discrete form.
 * Source: [2006] eq. 5.17 and 5.21 to 5.23, whose signs and factors are corrected: the printed
 * matrix is not a covariance matrix for beta dt up to 3.61.
 */
struct Estimate_transition Estimate_process_transition(const struct Estimate_process *process,
						       double dt_s);

/**
 * Estimate_process_simulate() - Create random readings of a process, for Monte Carlo checks.
 * @process: a possible process
 * @dt_s: time from one reading to the next, above 0
 * @seed: any number; updated, so that the next call creates other readings
 * @values: receives the readings, shape [@count]
 * @count: number of readings
 *
 * The numbers are the same on every machine.
 *
 * Context: any thread.
 */
void Estimate_process_simulate(const struct Estimate_process *process, double dt_s, uint64_t *seed,
			       double *values, size_t count);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_ESTIMATE_PROCESS_H */
