/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Test of lib/estimate/autocorrelation.c: compare with an autocorrelation that was computed by
 * hand.
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <smile/estimate.h>

/* There are two sets of values, (1, 2, 3) and (5). Their mean is 2.75. */
static void autocorrelation_is_the_mean_over_sets(void **state)
{
	static const double few[] = {1, 2, 3, 5};
	static const size_t two[] = {3, 1};
	struct Estimate_samples samples = {few, 1, two, 2};
	double correlation[4];

	assert_int_equal(Estimate_autocorrelation(&samples, 4, correlation), 3);
	assert_true(fabs(correlation[0] - (1.75 * 1.75 + .75 * .75 + .25 * .25 + 2.25 * 2.25) / 4) <
		    1e-12);
	assert_true(fabs(correlation[1] - (1.75 * .75 - .75 * .25) / 2) < 1e-12);
	assert_true(fabs(correlation[2] - -1.75 * .25) < 1e-12);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(autocorrelation_is_the_mean_over_sets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
