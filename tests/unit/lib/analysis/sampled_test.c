// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Tests of confidence intervals of samples: known bounds, and how often an interval contains the
 * true value.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>

#include <cmocka.h>

#include <base/random.h>

#include "lib/analysis/sampled.h"

#define DRAWS 4000

static void near(double is, double should_be)
{
	if (fabs(is - should_be) > 0.001 * fabs(should_be) + 1e-6)
		fail_msg("%.6f is not %.6f", is, should_be);
}

/* Bounds from published tables (Garwood 1936): half of a quantile of chi-squared. */
static void count_known_bounds(void **state)
{
	static const struct {
		uint64_t count;
		double low;
		double high;
	} known[] = {
		{0, 0, 3.688879},	   {1, 0.025318, 5.571643},	 {2, 0.242209, 7.224688},
		{10, 4.795389, 18.390356}, {100, 81.363964, 121.627007},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct sampled_band band = sampled_count(known[i].count);

		near(band.low, known[i].low);
		near(band.high, known[i].high);
	}
}

/* A larger count has larger bounds, also where the method changes. */
static void count_bounds_grow(void **state)
{
	struct sampled_band before = sampled_count(0);

	for (uint64_t count = 1; count < 1000; count++) {
		struct sampled_band band = sampled_count(count);

		assert_true(band.low > before.low && band.high > before.high);
		assert_true(band.low < (double)count && band.high > (double)count);
		before = band;
	}
	near(sampled_count(1000000).low, 1000000 - 1959.5);
	near(sampled_count(1000000).high, 1000000 + 1962.0);
	assert_true(isfinite(sampled_count(UINT64_MAX).high));
}

static void share_known_bounds(void **state)
{
	static const struct {
		uint64_t part;
		uint64_t all;
		double low;
		double high;
	} known[] = {
		{0, 10, 0, 0.308497},  {1, 10, 0.002529, 0.445016},   {5, 10, 0.187086, 0.812914},
		{10, 10, 0.691503, 1}, {50, 200, 0.191623, 0.315961}, {1, 1, 0.025, 1},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct sampled_share share = sampled_share(known[i].part, known[i].all);

		near(share.share, (double)known[i].part / (double)known[i].all);
		near(share.low, known[i].low);
		near(share.high, known[i].high);
	}
	/* Without samples, the interval is from 0 to 1. */
	assert_true(sampled_share(0, 0).low == 0 && sampled_share(0, 0).high == 1);
	near(sampled_share(500000, 1000000).low, 0.49902);
	near(sampled_share(500000, 1000000).high, 0.50098);
}

/* Student's quantiles from published tables. */
static void mean_known_bounds(void **state)
{
	static const struct {
		uint64_t samples;
		double quantile;
	} known[] = {
		{2, 12.706205}, {3, 4.302653}, {10, 2.262157}, {31, 2.042272}, {100001, 1.959988}};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const double n = (double)known[i].samples, mean = 100, variance = 4;
		struct sampled_mean band = sampled_mean(known[i].samples, n * mean,
							(n - 1) * variance + n * mean * mean);

		assert_true(band.known);
		near(band.mean, 100);
		near(band.high - band.mean, known[i].quantile * sqrt(variance / n));
		near(band.mean - band.low, band.high - band.mean);
	}
	assert_false(sampled_mean(1, 70, 4900).known);
	near(sampled_mean(1, 70, 4900).mean, 70);
	assert_false(sampled_mean(0, 0, 0).known);
	/* If all values are equal, the interval has no width. No latency is below 0. */
	near(sampled_mean(3, 120, 4800).high, 40);
	assert_true(sampled_mean(2, 101, 10001).low == 0);
}

static double uniform(uint64_t *random)
{
	return ((double)random_below(random, UINT32_MAX) + 0.5) / UINT32_MAX;
}

/*
 * Simulate @scans scans. In each scan, one of four nodes, or no node, is the first to access the
 * page, with fixed probabilities. At least 95 % of the confidence intervals must contain the
 * expected value.
 */
static void coverage(unsigned scans, const double probabilities[4], uint64_t seed)
{
	unsigned counts_hold = 0, shares_hold = 0, bands = 0;
	double any = 0;

	for (int node = 0; node < 4; node++)
		any += probabilities[node];
	for (int draw = 0; draw < DRAWS; draw++) {
		uint64_t samples[4] = {0}, all = 0;

		for (unsigned scan = 0; scan < scans; scan++) {
			double at = uniform(&seed);

			for (int node = 0; node < 4; at -= probabilities[node++])
				if (at < probabilities[node]) {
					samples[node]++;
					all++;
					break;
				}
		}
		for (int node = 0; node < 4; node++, bands++) {
			struct sampled_band band = sampled_count(samples[node]);
			struct sampled_share share = sampled_share(samples[node], all);
			double expected = scans * probabilities[node];

			counts_hold += expected >= band.low && expected <= band.high;
			expected = probabilities[node] / any;
			shares_hold += expected >= share.low && expected <= share.high;
		}
	}
	if (counts_hold < 0.95 * bands || shares_hold < 0.95 * bands)
		fail_msg("of %u bands, %u of counts and %u of shares hold", bands, counts_hold,
			 shares_hold);
}

static void bands_hold_what_was_drawn_from(void **state)
{
	static const double even[] = {0.25, 0.25, 0.25, 0.25};
	static const double one[] = {0.9, 0.02, 0, 0};
	static const double rare[] = {0.01, 0.02, 0.05, 0.001};
	static const double most[] = {0.6, 0.3, 0.05, 0.05};
	static const double *const all[] = {even, one, rare, most};
	static const unsigned scans[] = {3, 20, 200};

	for (size_t i = 0; i < 4; i++)
		for (size_t j = 0; j < 3; j++)
			coverage(scans[j], all[i], 1000 * i + j + 1);
}

/*
 * Draw two shares with known probabilities. Count how often the interval contains their difference.
 */
static void differences_hold_what_was_drawn_from(void **state)
{
	static const double shares[] = {0, 0.05, 0.3, 0.5, 0.97, 1};
	static const uint64_t sizes[] = {5, 40, 300};
	uint64_t seed = 77;

	for (size_t i = 0; i < 6 * 6 * 3; i++) {
		const double of[2] = {shares[i % 6], shares[i / 6 % 6]};
		const uint64_t all[2] = {sizes[i / 36], sizes[(i / 36 + i) % 3]};
		unsigned holds = 0;

		for (int draw = 0; draw < DRAWS / 4; draw++) {
			uint64_t part[2] = {0, 0};
			struct sampled_share band;

			for (int side = 0; side < 2; side++)
				for (uint64_t n = 0; n < all[side]; n++)
					part[side] += uniform(&seed) < of[side];
			band = sampled_difference(part, all);
			holds += of[1] - of[0] >= band.low - 1e-9 &&
				 of[1] - of[0] <= band.high + 1e-9;
		}
		/* For 1000 draws, the standard deviation of 95 % is 0.7 %. */
		if (holds < 0.93 * DRAWS / 4)
			fail_msg("%.2f and %.2f: %u hold", of[0], of[1], holds);
	}
	assert_true(sampled_difference((uint64_t[]){0, 3}, (uint64_t[]){0, 5}).low == -1);
	assert_true(sampled_difference((uint64_t[]){3, 0}, (uint64_t[]){5, 0}).high == 1);
}

/* Known tails of the binomial distribution, times two. */
static void chance_known(void **state)
{
	near(sampled_by_chance(1, 1), 1);
	near(sampled_by_chance(6, 6), 0.03125);
	near(sampled_by_chance(9, 10), 0.021484);
	near(sampled_by_chance(61, 100), 0.035200);
	near(sampled_by_chance(5, 10), 1);
	near(sampled_by_chance(2, 10), 1);
	near(sampled_by_chance(3, 2), 1);
	assert_true(sampled_by_chance(5000, 5000) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(count_known_bounds),
		cmocka_unit_test(count_bounds_grow),
		cmocka_unit_test(share_known_bounds),
		cmocka_unit_test(chance_known),
		cmocka_unit_test(mean_known_bounds),
		cmocka_unit_test(bands_hold_what_was_drawn_from),
		cmocka_unit_test(differences_hold_what_was_drawn_from),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
