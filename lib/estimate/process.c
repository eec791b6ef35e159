// SPDX-License-Identifier: MIT
/*
 * Process: the parameters of a counter, and their discrete form over one interval. See
 * smile/estimate.h. This file may use only libm.
 */
#include <math.h>

#include <smile/estimate.h>

static int is_usable(double number)
{
	return isfinite(number) && fabs(number) <= ESTIMATE_NUMBER_MAX;
}

const char *Estimate_process_check(const struct Estimate_process *process)
{
	if (!is_usable(process->sigma) || !is_usable(process->beta) || !is_usable(process->mean) ||
	    !is_usable(process->r))
		return "a parameter is not a number, or is beyond 1e100";
	if (!(process->sigma > 0))
		return "sigma is not above 0";
	if (process->sigma < 1 / ESTIMATE_NUMBER_MAX)
		return "sigma is below 1e-100";
	if (!(process->beta > 0))
		return "beta is not above 0";
	if (process->beta < 1 / ESTIMATE_NUMBER_MAX)
		return "beta is below 1e-100";
	if (process->r < 0)
		return "r is a variance, and below 0";
	return NULL;
}

/*
 * Compute u - 2 (1 - e^-u) + (1 - e^-2u) / 2. All terms up to the order u^2 cancel, and u^3 / 3
 * remains. For small u, the formula would lose all digits, so compute the series instead.
 */
static double noise_shape(double u)
{
	double term = -u, sum = 0;

	if (u > 0.5)
		return u + 2 * expm1(-u) - 0.5 * expm1(-2 * u);
	for (int n = 2; n < 24; n++) {
		term *= -u / n;
		sum += term * (2 - ldexp(1, n - 1));
	}
	return sum;
}

struct Estimate_transition Estimate_process_transition(const struct Estimate_process *process,
						       double dt_s)
{
	double u = process->beta * dt_s, sigma = process->sigma;
	double lost = -expm1(-u);

	return (struct Estimate_transition){
		.phi12 = lost / process->beta,
		.phi22 = exp(-u),
		.q11 = 2 * (sigma / process->beta) * (sigma / process->beta) * noise_shape(u),
		.q12 = sigma * (sigma / process->beta) * lost * lost,
		.q22 = sigma * sigma * -expm1(-2 * u),
	};
}
