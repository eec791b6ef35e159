/* SPDX-License-Identifier: MIT */
/*
 * Eigen: symmetric matrices made covariances. For lib/estimate/joint.c.
 */
#ifndef LIB_ESTIMATE_EIGEN_H
#define LIB_ESTIMATE_EIGEN_H

#include <stddef.h>

/**
 * eigen_clip() - The nearest matrix without negative eigenvalues.
 * @matrix: symmetric, shape [@n][@n]
 * @work: memory for two such, and @n
 */
void eigen_clip(double *matrix, size_t n, double *work);

#endif /* LIB_ESTIMATE_EIGEN_H */
