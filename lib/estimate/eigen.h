/* SPDX-License-Identifier: MIT */
/*
 * Eigen: conversion of symmetric matrices into covariance matrices. For lib/estimate/joint.c.
 */
#ifndef LIB_ESTIMATE_EIGEN_H
#define LIB_ESTIMATE_EIGEN_H

#include <stddef.h>

/**
 * eigen_clip() - The nearest matrix without negative eigenvalues.
 * @matrix: symmetric, shape [@n][@n]
 * @work: memory for two such matrices and @n further numbers
 */
void eigen_clip(double *matrix, size_t n, double *work);

#endif /* LIB_ESTIMATE_EIGEN_H */
