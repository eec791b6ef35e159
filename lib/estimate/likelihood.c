// SPDX-License-Identifier: MIT
/*
 * Likelihood: computes the likelihood of samples. See lib/estimate/likelihood.h. May use only libm.
 */
#include "lib/estimate/likelihood.h"

#include <math.h>

/* The variance of the prediction has converged if it changes by less than this. */
#define SETTLED 1e-14

struct likelihood likelihood_gauss_markov(const struct Estimate_samples *samples, double mean,
					  double u, double ratio)
{
	double phi = exp(-u), q = -expm1(-2 * u);
	const double *value = samples->values;
	struct likelihood sums = {0};

	for (size_t set = 0; set < samples->sets; set++) {
		double x = 0, p = 1, s = 1 + ratio, log_s = log(s), k = p / s;

		for (size_t i = 0; i < samples->lengths[set]; i++) {
			double y = *value++ - mean - x, next;

			sums.scores += y * y / s;
			sums.logs += log_s;
			x = phi * (x + k * y);
			next = phi * phi * k * ratio + q;
			if (fabs(next - p) > SETTLED * p) {
				p = next;
				s = p + ratio;
				log_s = log(s);
				k = p / s;
			}
		}
		sums.count += samples->lengths[set];
	}
	return sums;
}

struct likelihood likelihood_integrated(const struct Estimate_samples *samples, double u)
{
	/* Compute with dt = 1 and beta = u. A change of the unit of time changes only sigma. */
	struct Estimate_process unit = {.sigma = 1, .beta = u};
	struct Estimate_transition step = Estimate_process_transition(&unit, 1);
	const double *value = samples->values;
	struct likelihood sums = {0};

	for (size_t set = 0; set < samples->sets; set++) {
		double x2 = 0, p22 = 1, last = 0;

		for (size_t i = 0; i < samples->lengths[set]; i++, value++) {
			double y = *value - last - step.phi12 * x2;
			double p11 = step.phi12 * step.phi12 * p22 + step.q11;
			double p12 = step.phi12 * step.phi22 * p22 + step.q12;
			double k2 = p12 / p11;

			last = *value;
			if (!i)
				continue;
			sums.scores += y * y / p11;
			sums.logs += log(p11);
			x2 = step.phi22 * x2 + k2 * y;
			p22 = step.phi22 * step.phi22 * p22 + step.q22 - k2 * p12;
			sums.count++;
		}
	}
	return sums;
}

double likelihood_value(const struct likelihood *sums)
{
	double count = (double)sums->count;

	return -0.5 * (count * (log(2 * M_PI * sums->scores / count) + 1) + sums->logs);
}
