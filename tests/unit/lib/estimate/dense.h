/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Dense: the same filter with whole matrices, over LAPACKE and OpenBLAS, as table 5.4 of 2006 has
 * its operations. An oracle for lib/estimate/filter.c, and its peer in `make papers`.
 */
#ifndef TESTS_UNIT_LIB_ESTIMATE_DENSE_H
#define TESTS_UNIT_LIB_ESTIMATE_DENSE_H

#include <stddef.h>

#include <smile/estimate.h>

struct dense;

/* Two states a counter if integrated, one if not; NULL: no memory. */
struct dense *dense_new(const struct Estimate_process *processes, size_t count,
			enum Estimate_model model, double dt_s);
void dense_free(struct dense *dense);

void dense_predict(struct dense *dense);

/* Readings of these counters, at once. Return: 0; else what LAPACKE says. */
int dense_correct(struct dense *dense, const size_t *counters, const double *values, size_t count);

/* A counter's reading and its covariance, P11, P12, P22. */
double dense_state(const struct dense *dense, size_t counter, double p[3]);

#endif /* TESTS_UNIT_LIB_ESTIMATE_DENSE_H */
