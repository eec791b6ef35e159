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
 * struct Estimate_process - The parameters of the process that models a counter.
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

/* The largest number that functions accept, so that its square does not overflow. */
#define ESTIMATE_NUMBER_MAX 1e100

/**
 * Estimate_process_check() - Check whether the parameters of a process are possible.
 * @process: process
 *
 * Context: any thread.
 * Return: NULL if the parameters are possible; otherwise a clause that names the problem, such as
 * "sigma is not above 0".
 */
const char *Estimate_process_check(const struct Estimate_process *process);

/**
 * struct Estimate_transition - How the two states x1 and x2 of an ESTIMATE_INTEGRATED process
 * change in one interval.
 * @phi12: factor by which x2 is multiplied before it is added to x1, in s
 * @phi22: factor by which x2 is multiplied
 * @q11: process noise of x1
 * @q12: covariance of the process noises of x1 and x2
 * @q22: process noise of x2
 *
 * With ESTIMATE_GAUSS_MARKOV, only @phi22 and @q22 are used.
 */
struct Estimate_transition {
	double phi12;
	double phi22;
	double q11;
	double q12;
	double q22;
};

/**
 * Estimate_process_transition() - Compute the exact discrete form of a process.
 * @process: a possible process
 * @dt_s: length of the interval, above 0
 *
 * Context: any thread.
 * Return: the discrete form.
 * Source: [2006] eq. 5.17 and 5.21 to 5.23, with corrected signs and factors: for beta dt up to
 * 3.61, the printed matrix is not a covariance matrix.
 */
struct Estimate_transition Estimate_process_transition(const struct Estimate_process *process,
						       double dt_s);

/**
 * Estimate_process_simulate() - Create random readings of a process, for Monte Carlo checks.
 * @process: a possible process
 * @dt_s: time from one reading to the next, above 0
 * @seed: any number; the call updates it, so that the next call creates different readings
 * @values: receives the readings, shape [@count]
 * @count: number of readings
 *
 * For the same arguments, the readings are the same on every machine.
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
