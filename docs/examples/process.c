/* SPDX-License-Identifier: MIT */
/* Print how much of a counter's deviation from its mean is left after 20 ms. */
#include <err.h>
#include <stdio.h>

#include <smile/estimate.h>

int main(void)
{
	struct Estimate_process process = {.sigma = 20200, .beta = 112.7, .mean = 25300};
	struct Estimate_transition step;
	const char *wrong = Estimate_process_check(&process);
	uint64_t seed = 1;
	double readings[3];

	if (wrong)
		errx(2, "no such process: %s", wrong);
	step = Estimate_process_transition(&process, 0.02);
	printf("%.1f %% is left\n", 100 * step.phi22);
	Estimate_process_simulate(&process, 0.02, &seed, readings, 3);
	printf("readings could be %.0f, %.0f, %.0f\n", readings[0], readings[1], readings[2]);
}
