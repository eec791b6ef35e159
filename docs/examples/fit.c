/* SPDX-License-Identifier: MIT */
/* Fit the process of a counter to ten sets of samples, which are simulated here. */
#include <err.h>
#include <stdio.h>

#include <smile/estimate.h>

#define SETS 10
#define EACH 300

int main(void)
{
	static const struct Estimate_process truth = {.sigma = 1170, .beta = 30.66, .mean = 1288};
	static double values[SETS * EACH];
	size_t lengths[SETS];
	struct Estimate_samples samples = {
		.values = values, .dt_s = 0.01, .lengths = lengths, .sets = SETS};
	double correlation[2];
	struct Estimate_fit fit;
	uint64_t seed = 1;

	for (size_t set = 0; set < SETS; set++) {
		lengths[set] = EACH;
		Estimate_process_simulate(&truth, samples.dt_s, &seed, values + set * EACH, EACH);
	}
	if (Estimate_fit(&samples, &fit) < 0)
		errx(2, "these samples are no process");
	printf("sigma %.0f, %.0f to %.0f\n", fit.process.sigma, fit.sigma_low, fit.sigma_high);
	printf("beta %.1f, %.1f to %.1f\n", fit.process.beta, fit.beta_low, fit.beta_high);
	if (Estimate_autocorrelation(&samples, 2, correlation) == 2)
		printf("after 10 ms %.0f %% is left\n", 100 * correlation[1] / correlation[0]);
}
