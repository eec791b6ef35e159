// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Bench of the filter: the time of a step for different numbers of counters, with blocks and with
 * whole matrices. These are figures 5.28 to 5.33 and 6.1 to 6.12 of the thesis of 2006. All
 * counters are read in each step, as in these figures.
 *
 * usage: estimate_bench
 *
 * Prints CSV: model,form,counters,seconds. The budget is 1 % of 20 ms.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <smile/estimate.h>

#include "tests/unit/lib/estimate/dense.h"

#define BUDGET_S 0.0002
#define STEPS 20

static double now_s(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* The shortest time of several runs, because other processes can only increase the time. */
static double blocks_s(const struct Estimate_process *processes, const double *values, size_t n,
		       enum Estimate_model model)
{
	struct Estimate_filter *filter;
	double best = 1e9;

	if (Estimate_filter_new(&filter, processes, n, model) < 0)
		exit(2);
	Estimate_filter_predict(filter, 0.02);
	for (int run = 0; run < 20; run++) {
		double begin = now_s(), took;

		for (int step = 0; step < STEPS; step++) {
			Estimate_filter_correct(filter, NULL, values, n);
			Estimate_filter_predict(filter, 0.02);
		}
		took = (now_s() - begin) / STEPS;
		best = took < best ? took : best;
	}
	Estimate_filter_free(filter);
	return best;
}

static double dense_s(const struct Estimate_process *processes, const double *values, size_t n,
		      enum Estimate_model model)
{
	struct dense *dense = dense_new(processes, n, model, 0.02);
	size_t *counters = malloc(n * sizeof(*counters));
	double best = 1e9;

	if (!counters)
		exit(2);
	for (size_t i = 0; i < n; i++)
		counters[i] = i;
	for (int run = 0; run < 5; run++) {
		double begin = now_s(), took;

		if (dense_correct(dense, counters, values, n))
			exit(2);
		dense_predict(dense);
		took = now_s() - begin;
		best = took < best ? took : best;
	}
	dense_free(dense);
	free(counters);
	return best;
}

int main(void)
{
	static const size_t sizes[] = {1,  2,  4,   8,	  16,	24,    32,    48,
				       64, 96, 120, 1000, 3000, 10000, 30000, 100000};
	static const char *const names[] = {"gauss-markov", "integrated"};
	size_t most = 100000;
	struct Estimate_process *processes = malloc(most * sizeof(*processes));
	double *values = malloc(most * sizeof(*values));

	if (!processes || !values)
		return 2;
	for (size_t i = 0; i < most; i++) {
		processes[i] = (struct Estimate_process){.sigma = 1e4 + (double)i,
							 .beta = 20 + (double)(i % 130),
							 .mean = 1e4,
							 .r = 1e4};
		values[i] = 1e4 + (double)(i % 1000);
	}
	puts("model,form,counters,seconds");
	for (int model = 0; model < 2; model++) {
		for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
			size_t n = sizes[k];

			printf("%s,blocks,%zu,%.3g\n", names[model], n,
			       blocks_s(processes, values, n, (enum Estimate_model)model));
			if (n <= 120)
				printf("%s,dense,%zu,%.3g\n", names[model], n,
				       dense_s(processes, values, n, (enum Estimate_model)model));
		}
	}
	fprintf(stderr, "budget: %g s a step, 1 %% of 20 ms\n", BUDGET_S);
	free(processes);
	free(values);
	return 0;
}
