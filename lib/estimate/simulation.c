// SPDX-License-Identifier: MIT
/*
 * Simulation: generates readings of a known process. See smile/estimate.h. May use only libm.
 */
#include <math.h>

#include <smile/estimate.h>

/*
 * Get the next random number, by splitmix64. Return: a uniformly distributed number, at least 0 and
 * below 1.
 */
static double even(uint64_t *seed)
{
	uint64_t z = *seed += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Get a normally distributed random number, by the method of Box and Muller. */
static double normal(uint64_t *seed)
{
	double a = even(seed), b = even(seed);

	return sqrt(-2 * log(1 - a)) * cos(2 * M_PI * b);
}

void Estimate_process_simulate(const struct Estimate_process *process, double dt_s, uint64_t *seed,
			       double *values, size_t count)
{
	double phi = exp(-process->beta * dt_s);
	double noise = process->sigma * sqrt(-expm1(-2 * process->beta * dt_s));
	double x = process->sigma * normal(seed);

	for (size_t i = 0; i < count; i++) {
		values[i] = process->mean + x;
		if (process->r > 0)
			values[i] += sqrt(process->r) * normal(seed);
		x = phi * x + noise * normal(seed);
	}
}
