/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/trace-db/time_distribution.c: the results are compared with those of an array of all
 * values.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/trace-db/time_distribution.h"

#define VALUES 200001U

static uint64_t values[VALUES];

static int ascending(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static void time_distribution_of_many_values_is_exact(void **unused)
{
	static const double shares[] = {0, 0.25, 0.5, 0.99, 1};
	struct time_distribution times = {0};
	struct time_distribution_summary summary;
	uint64_t state = 3;
	double sum = 0;

	for (size_t i = 0; i < VALUES; i++) {
		state = state * 6364136223846793005ULL + 1442695040888963407ULL;
		values[i] = (state >> 33) % 5000 * (i % 7 ? 1 : 1000);
		sum += (double)values[i];
		assert_int_equal(time_distribution_add(&times, values[i]), 0);
	}
	assert_int_equal(time_distribution_sort(&times), 0);
	qsort(values, VALUES, sizeof(values[0]), ascending);
	time_distribution_summarize(&times, &summary);
	assert_int_equal(summary.count, VALUES);
	assert_int_equal(summary.least, values[0]);
	assert_int_equal(summary.most, values[VALUES - 1]);
	assert_true(fabs(summary.mean - sum / VALUES) < 1e-6 * summary.mean);
	for (size_t i = 0; i < 5; i++) {
		size_t rank = (size_t)ceil(shares[i] * VALUES);

		assert_int_equal(time_distribution_quantile(&times, shares[i]),
				 values[rank ? rank - 1 : 0]);
	}
	for (size_t i = 0, at = 0; i < times.distinct; i++) {
		for (uint64_t k = 0; k < times.values[i].count; k++)
			assert_int_equal(values[at++], times.values[i].value);
		assert_true(!i || times.values[i].value > times.values[i - 1].value);
	}
	assert_int_equal(time_distribution_between(&times, 0, UINT64_MAX), VALUES);
	time_distribution_free(&times);
}

static void spread_burstiness_of_a_clock_is_minus_one(void **unused)
{
	struct time_distribution times = {0};
	struct time_distribution_summary summary;

	for (int i = 0; i < 100; i++)
		assert_int_equal(time_distribution_add(&times, 250), 0);
	assert_int_equal(time_distribution_sort(&times), 0);
	time_distribution_summarize(&times, &summary);
	assert_true(summary.burstiness == -1);
	time_distribution_free(&times);
	/* Without values, all results are 0. */
	assert_int_equal(time_distribution_sort(&times), 0);
	time_distribution_summarize(&times, &summary);
	assert_int_equal(summary.count, 0);
	assert_int_equal(time_distribution_quantile(&times, 0.5), 0);
}

static void time_distribution_step_is_1_2_5_10(void **unused)
{
	static const uint64_t limits[] = {0, 1, 2, 5, 10, 20, 50, 100, 200};

	for (size_t i = 0; i + 1 < sizeof(limits) / sizeof(limits[0]); i++)
		assert_int_equal(time_distribution_step(limits[i]), limits[i + 1]);
	assert_int_equal(time_distribution_step(999), 1000);
	assert_true(time_distribution_step(UINT64_MAX - 1) == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_distribution_of_many_values_is_exact),
		cmocka_unit_test(spread_burstiness_of_a_clock_is_minus_one),
		cmocka_unit_test(time_distribution_step_is_1_2_5_10),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
