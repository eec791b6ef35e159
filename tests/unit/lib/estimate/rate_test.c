/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/estimate/rate.c: rates that were computed by hand, and rates of the paper of 2006.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <smile/estimate.h>

static const double covariance[9] = {4, 2, 0, 2, 9, 0, 0, 0, 1};

static void assert_near(double value, double wanted)
{
	assert_true(fabs(value - wanted) <= 1e-12 * fabs(wanted));
}

static void rates_are_those_by_hand(void **state)
{
	static const double counts[3] = {100, 300, 50};
	struct Estimate_rate rate = {.kind = ESTIMATE_SHARE,
				     .scale = 2,
				     .of = {0},
				     .of_count = 1,
				     .by = {1},
				     .by_count = 1};
	struct Estimate_band band;
	/* The derivative is (da - r db) / b. */
	double r = 100.0 / 300, deviation = sqrt(4 + r * r * 9 - 2 * r * 2) / 300;

	assert_int_equal(Estimate_rate_derive(&rate, counts, covariance, 3, 1, &band), 0);
	assert_near(band.value, r);
	assert_near(band.deviation, deviation);
	assert_near(band.low, r - 1.96 * deviation);
	assert_near(band.high, r + 1.96 * deviation);
	assert_false(band.impossible);
	rate.kind = ESTIMATE_REST;
	assert_int_equal(Estimate_rate_derive(&rate, counts, covariance, 3, 1, &band), 0);
	assert_near(band.value, 1 - r);
	assert_near(band.deviation, deviation);
	rate.kind = ESTIMATE_RATIO;
	assert_int_equal(Estimate_rate_derive(&rate, counts, covariance, 3, 1, &band), 0);
	assert_near(band.value, 2 * r);
	assert_near(band.deviation, 2 * deviation);
	/* The sum of two correlated events, divided by time. */
	rate.kind = ESTIMATE_PER_SECOND;
	rate.of[1] = 1;
	rate.of_count = 2;
	rate.by_count = 0;
	assert_int_equal(Estimate_rate_derive(&rate, counts, covariance, 3, 0.5, &band), 0);
	assert_near(band.value, 2 * 400 / 0.5);
	assert_near(band.deviation, 2 * sqrt(4 + 9 + 2 * 2) / 0.5);
}

/*
 * The hit rates and bandwidths of the paper of 2006, from the means of its table 6.2, at 1000 MHz.
 */
static void rates_of_2006(void **state)
{
	/* DCU_LINES_IN, IFU_IFETCH, IFU_IFETCH_MISS, L2_LINES_IN */
	static const double counts[4] = {7.40e4, 8.40e6, 2.77e4, 2.53e4}, none[16] = {0};
	static const double seconds = 3.9532e7 / 1e9;
	static const struct {
		struct Estimate_rate rate;
		double value;
	} rates[] = {
		{{ESTIMATE_REST, 1, {2}, 1, {1}, 1}, 0.996702},
		{{ESTIMATE_REST, 1, {3}, 1, {0, 2}, 2}, 0.751229},
		{{ESTIMATE_PER_SECOND, 32e-6, {0, 2}, 2, {0}, 0}, 82.32},
		{{ESTIMATE_PER_SECOND, 32e-6, {3}, 1, {0}, 0}, 20.48},
	};
	struct Estimate_band band;

	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(
			Estimate_rate_derive(&rates[i].rate, counts, none, 4, seconds, &band), 0);
		assert_true(fabs(band.value - rates[i].value) < 1e-4 * rates[i].value);
		assert_true(band.deviation == 0);
	}
}

static void what_cannot_be_is_flagged_or_refused(void **state)
{
	double counts[3] = {100, 90, -1}, unknown[9] = {4, 0, 0, 0, NAN, 0, 0, 0, 1};
	struct Estimate_rate rate = {
		.kind = ESTIMATE_SHARE, .of = {0}, .of_count = 1, .by = {1}, .by_count = 1};
	struct Estimate_band band;

	assert_int_equal(Estimate_rate_derive(&rate, counts, covariance, 3, 1, &band), 0);
	assert_true(band.impossible);
	assert_int_equal(Estimate_rate_derive(&rate, counts, unknown, 3, 1, &band), 0);
	assert_true(isfinite(band.value) && isnan(band.deviation) && isnan(band.low));
	rate.by[0] = 2;
	assert_int_equal(Estimate_rate_derive(&rate, counts, covariance, 3, 1, &band), -EDOM);
	rate.by[0] = 3;
	assert_int_equal(Estimate_rate_derive(&rate, counts, covariance, 3, 1, &band), -EINVAL);
	rate.by[0] = 1;
	assert_int_equal(Estimate_rate_derive(&rate, counts, covariance, 3, 0, &band), -EINVAL);
	rate.of[1] = 0;
	rate.of_count = 2;
	assert_int_equal(Estimate_rate_derive(&rate, counts, covariance, 3, 1, &band), -EINVAL);
	rate.of_count = ESTIMATE_TERMS_MAX + 1;
	assert_int_equal(Estimate_rate_derive(&rate, counts, covariance, 3, 1, &band), -EINVAL);
	rate.of_count = 0;
	assert_int_equal(Estimate_rate_derive(&rate, counts, covariance, 3, 1, &band), -EINVAL);
	rate.of_count = 1;
	rate.kind = ESTIMATE_PER_SECOND;
	assert_int_equal(Estimate_rate_derive(&rate, counts, covariance, 3, 1, &band), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_are_those_by_hand),
		cmocka_unit_test(rates_of_2006),
		cmocka_unit_test(what_cannot_be_is_flagged_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
