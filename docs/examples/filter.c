/* SPDX-License-Identifier: MIT */
/* Estimate three counters. In each interval, only one of them is read. */
#include <err.h>
#include <stdio.h>

#include <smile/estimate.h>

int main(void)
{
	static const struct Estimate_process processes[3] = {
		{.sigma = 7.25e6, .beta = 40, .mean = 8.71e6},
		{.sigma = 2.02e4, .beta = 112.7, .mean = 2.53e4},
		{.sigma = 1170, .beta = 30.66, .mean = 1288},
	};
	static const double readings[6] = {9.1e6, 3.1e4, 2100, 8.8e6, 2.9e4, 1800};
	double estimates[3], deviations[3], difference, variance, p[3];
	struct Estimate_filter *filter;

	if (Estimate_filter_new(&filter, processes, 3, ESTIMATE_GAUSS_MARKOV) < 0)
		errx(2, "no filter");
	for (size_t k = 0; k < 6; k++) {
		size_t counter = k % 3;

		if (k > 0)
			Estimate_filter_predict(filter, 0.02);
		Estimate_filter_innovation(filter, counter, readings[k], &difference, &variance);
		Estimate_filter_correct(filter, &counter, &readings[k], 1);
	}
	Estimate_filter_estimates(filter, estimates, deviations);
	for (size_t i = 0; i < 3; i++)
		printf("counter %zu: %.0f +- %.0f\n", i, estimates[i], deviations[i]);
	Estimate_filter_covariance(filter, 2, p);
	printf("the last reading was %.0f above its prediction, +- 0 now: %g\n", difference, p[0]);
	Estimate_filter_free(filter);
}
