/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The same filter with whole matrices, by LAPACKE and OpenBLAS, with the operations of table 5.4 of
 * 2006. It is an oracle for lib/estimate/kalman_filter.c, and is compared with it in `make papers`.
 */
#ifndef TESTS_UNIT_LIB_ESTIMATE_DENSE_H
#define TESTS_UNIT_LIB_ESTIMATE_DENSE_H

#include <stddef.h>

#include <smile/estimate.h>

struct dense;

/* A counter has two states if integrated, else one. Return: NULL if there is no memory. */
struct dense *dense_new(const struct Estimate_process *processes, size_t count,
			enum Estimate_model model, double dt_s);
void dense_free(struct dense *dense);

void dense_predict(struct dense *dense);

/* Correct with simultaneous readings of these counters. Return: 0, or the error of LAPACKE. */
int dense_correct(struct dense *dense, const size_t *counters, const double *values, size_t count);

/* Return: the reading of a counter; @p receives its covariance: P11, P12, P22. */
double dense_state(const struct dense *dense, size_t counter, double p[3]);

#endif /* TESTS_UNIT_LIB_ESTIMATE_DENSE_H */
