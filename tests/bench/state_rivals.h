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
 * @seen: readings, NAN where there was none, shape [@intervals][@events]
 * @estimates: receives them, the same shape; before the first reading and after the last, these
 */
void rival_trapezoid(const double *seen, size_t events, size_t intervals, double *estimates);

/* DIRA: of the time between two readings, each half is like the reading beside it. */
void rival_divided(const double *seen, size_t events, size_t intervals, double *estimates);

/**
 * rival_regression() - MLR: linear in the reading before and the reading after.
 * @deviations: receives that of its residuals, the same shape; 0 where it was read
 *
 * The coefficients are those of each reading by the two beside it, by least squares.
 */
void rival_regression(const double *seen, size_t events, size_t intervals, double *estimates,
		      double *deviations);

#endif /* TESTS_BENCH_STATE_RIVALS_H */
