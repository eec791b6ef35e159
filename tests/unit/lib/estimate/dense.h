/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A filter that computes the same as lib/estimate/kalman_filter.c, but with whole matrices. It uses
 * LAPACKE and OpenBLAS, and follows table 5.4 of the paper of 2006. The tests use it as an oracle,
 * and `make papers` compares its speed.
 */
#ifndef TESTS_UNIT_LIB_ESTIMATE_DENSE_H
#define TESTS_UNIT_LIB_ESTIMATE_DENSE_H

#include <stddef.h>

#include <smile/estimate.h>

struct dense;

/*
 * An integrated counter has two states, another counter has one. Return: NULL if there is no
 * memory.
 */
struct dense *dense_new(const struct Estimate_process *processes, size_t count,
			enum Estimate_model model, double dt_s);
void dense_free(struct dense *dense);

void dense_predict(struct dense *dense);

/*
 * Correct the state with simultaneous readings of these counters. Return: 0, or an error of
 * LAPACKE.
 */
int dense_correct(struct dense *dense, const size_t *counters, const double *values, size_t count);

/* Return: the estimate of the counter's value. @p receives its covariance: P11, P12, P22. */
double dense_state(const struct dense *dense, size_t counter, double p[3]);

#endif /* TESTS_UNIT_LIB_ESTIMATE_DENSE_H */
