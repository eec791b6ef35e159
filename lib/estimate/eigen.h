/* SPDX-License-Identifier: MIT */
/*
 * Eigen: changes a symmetric matrix into a covariance matrix. Only lib/estimate/joint_process.c
 * uses this file.
 */
#ifndef LIB_ESTIMATE_EIGEN_H
#define LIB_ESTIMATE_EIGEN_H

#include <stddef.h>

/**
 * eigen_clip() - Replace a matrix by the nearest matrix without negative eigenvalues.
 * @matrix: symmetric, shape [@n][@n]
 * @work: memory for 2 * @n * @n + @n numbers
 */
void eigen_clip(double *matrix, size_t n, double *work);

#endif /* LIB_ESTIMATE_EIGEN_H */
