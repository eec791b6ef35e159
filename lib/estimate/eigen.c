// SPDX-License-Identifier: MIT
/*
 * Eigen: computes eigenvalues by the method of Jacobi. See lib/estimate/eigen.h. May use only libm.
 */
#include "lib/estimate/eigen.h"

#include <math.h>
#include <string.h>

#define SWEEPS_MAX 60

/* Rotate rows and columns p and q so that a[p][q] becomes 0. */
static void rotate(double *a, double *v, size_t n, size_t p, size_t q)
{
	double apq = a[p * n + q], theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
	double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
	double c = 1 / sqrt(t * t + 1), s = t * c;

	for (size_t k = 0; k < n; k++) {
		double x = a[k * n + p], y = a[k * n + q];

		a[k * n + p] = c * x - s * y;
		a[k * n + q] = s * x + c * y;
	}
	for (size_t k = 0; k < n; k++) {
		double x = a[p * n + k], y = a[q * n + k];

		a[p * n + k] = c * x - s * y;
		a[q * n + k] = s * x + c * y;
	}
	/* The eigenvectors are the rows of v. */
	for (size_t k = 0; k < n; k++) {
		double x = v[p * n + k], y = v[q * n + k];

		v[p * n + k] = c * x - s * y;
		v[q * n + k] = s * x + c * y;
	}
}

static int is_diagonal(const double *a, size_t n)
{
	double off = 0, on = 0;

	for (size_t i = 0; i < n; i++) {
		on += a[i * n + i] * a[i * n + i];
		for (size_t j = 0; j < i; j++)
			off += a[i * n + j] * a[i * n + j];
	}
	return off <= 1e-22 * on;
}

void eigen_clip(double *matrix, size_t n, double *work)
{
	double *a = work, *v = work + n * n;
	int negative = 0;

	memcpy(a, matrix, n * n * sizeof(*a));
	memset(v, 0, n * n * sizeof(*v));
	for (size_t i = 0; i < n; i++)
		v[i * n + i] = 1;
	for (int sweep = 0; sweep < SWEEPS_MAX && !is_diagonal(a, n); sweep++)
		for (size_t p = 0; p < n; p++)
			for (size_t q = p + 1; q < n; q++)
				if (fabs(a[p * n + q]) > 1e-300)
					rotate(a, v, n, p, q);
	for (size_t k = 0; k < n; k++)
		negative |= a[k * n + k] < 0;
	if (!negative)
		return;
	memset(matrix, 0, n * n * sizeof(*matrix));
	for (size_t k = 0; k < n; k++) {
		double value = a[k * n + k];

		if (value <= 0)
			continue;
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				matrix[i * n + j] += value * v[k * n + i] * v[k * n + j];
	}
}
