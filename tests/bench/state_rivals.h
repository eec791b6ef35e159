/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Rivals of the estimator, from the literature on multiplexed counters. They estimate each event
 * separately, from its readings before and after an interval. So they need the later reading, which
 * does not exist yet when a running program requests an estimate.
 *
 * Sources: the names are those of [2006] 3.1.2: TAM, DIRA and MLR, of W. Mathur and J. Cook.
 */
#ifndef TESTS_BENCH_STATE_RIVALS_H
#define TESTS_BENCH_STATE_RIVALS_H

#include <stddef.h>

/**
 * rival_trapezoid() - TAM: a straight line from one reading to the next.
 * @seen: readings, NAN in intervals without a reading, shape [@intervals][@events]
 * @estimates: receives the estimates, in the same shape; before the first reading its value, after
 * the last reading its value
 */
void rival_trapezoid(const double *seen, size_t events, size_t intervals, double *estimates);

/* DIRA: between two readings, each half of the time has the value of the nearer reading. */
void rival_divided(const double *seen, size_t events, size_t intervals, double *estimates);

/**
 * rival_regression() - MLR: a linear function of the reading before and the reading after.
 * @deviations: receives the standard deviation of the residuals, in the same shape; 0 in intervals
 * with a reading
 *
 * The coefficients are a least-squares fit of each reading by the two readings beside it.
 */
void rival_regression(const double *seen, size_t events, size_t intervals, double *estimates,
		      double *deviations);

#endif /* TESTS_BENCH_STATE_RIVALS_H */
