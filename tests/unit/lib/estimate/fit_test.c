/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/estimate/fit.c: processes with known parameters are simulated, and the parameters
 * must be within the confidence limits of the fit.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <smile/estimate.h>

#define SETS 10
#define LENGTH 3000

static double values[SETS * LENGTH];
static size_t lengths[SETS];

static struct Estimate_samples simulated(const struct Estimate_process *process, double dt_s,
					 uint64_t seed)
{
	for (size_t i = 0; i < SETS; i++) {
		Estimate_process_simulate(process, dt_s, &seed, values + i * LENGTH, LENGTH);
		lengths[i] = LENGTH;
	}
	return (struct Estimate_samples){values, dt_s, lengths, SETS};
}

/*
 * Each confidence interval contains the true value with a probability of 95 %. For 12 seeds, the
 * probability that fewer than 9 intervals contain it is 1 in 400.
 */
static void confidence_holds_the_truth(const struct Estimate_process *process)
{
	int sigma = 0, beta = 0, mean = 0;

	for (uint64_t seed = 1; seed <= 12; seed++) {
		struct Estimate_samples samples = simulated(process, 0.04, 1000 * seed);
		struct Estimate_fit fit;

		assert_int_equal(Estimate_fit(&samples, &fit), 0);
		assert_true(fit.likelihood > fit.integrated);
		sigma += fit.sigma_low < process->sigma && process->sigma < fit.sigma_high;
		beta += fit.beta_low < process->beta && process->beta < fit.beta_high;
		mean += fit.mean_low < process->mean && process->mean < fit.mean_high;
		assert_true(fabs(fit.process.sigma / process->sigma - 1) < 0.05);
	}
	assert_in_range(sigma, 9, 12);
	assert_in_range(beta, 9, 12);
	assert_in_range(mean, 9, 12);
}

/*
 * INST_RETIRED and L2_LINES_IN of table 5.1 of the paper of 2006, and readings with a large error.
 */
static void fit_of_slow_process_holds_the_truth(void **state)
{
	confidence_holds_the_truth(&(struct Estimate_process){7.248e6, 40.02, 8.705e6, 0});
}

static void fit_of_fast_process_holds_the_truth(void **state)
{
	confidence_holds_the_truth(&(struct Estimate_process){2.023e4, 112.7, 2.529e4, 0});
}

static void fit_finds_the_error_of_readings(void **state)
{
	struct Estimate_process process = {1, 2, 5, 0.3};
	struct Estimate_samples samples = simulated(&process, 0.04, 5);
	struct Estimate_fit fit;

	assert_int_equal(Estimate_fit(&samples, &fit), 0);
	assert_true(fabs(fit.process.r - 0.3) < 0.02);
	assert_true(fabs(fit.process.sigma - 1) < 0.05);
	assert_true(fit.beta_low < 2 && 2 < fit.beta_high);
}

static void fit_line_is_near_the_process(void **state)
{
	struct Estimate_process process = {1170, 30.66, 1288, 0};
	struct Estimate_samples samples = simulated(&process, 0.01, 9);
	struct Estimate_fit fit;

	assert_int_equal(Estimate_fit(&samples, &fit), 0);
	assert_true(fit.line_lags > 3);
	assert_true(fabs(fit.line.beta / 30.66 - 1) < 0.2);
	assert_true(fabs(fit.line.sigma / 1170 - 1) < 0.1);
}

static void fit_of_what_is_no_process_is_refused(void **state)
{
	static const double equal[] = {3, 3, 3, 3, 3, 3, 3, 3};
	double bad[] = {1, 2, 3, 4, 5, 6, 7, NAN};
	size_t eight = 8, few = 7;
	struct Estimate_samples samples = {equal, 1, &eight, 1};
	struct Estimate_fit fit = {.samples = 1234};

	assert_int_equal(Estimate_fit(&samples, &fit), -ERANGE);
	samples.values = bad;
	assert_int_equal(Estimate_fit(&samples, &fit), -EINVAL);
	bad[7] = 1e200;
	assert_int_equal(Estimate_fit(&samples, &fit), -EINVAL);
	bad[7] = 8;
	samples.dt_s = 0;
	assert_int_equal(Estimate_fit(&samples, &fit), -EINVAL);
	/* The beta of such readings would be beyond 1e100. */
	samples.dt_s = 1e-300;
	assert_int_equal(Estimate_fit(&samples, &fit), -EINVAL);
	samples.lengths = &few;
	assert_int_equal(Estimate_fit(&samples, &fit), -ENODATA);
	assert_int_equal(fit.samples, 1234);
}

/*
 * For a straight line, jumps or extreme values, the result may have no meaning, but must not be
 * NaN.
 */
static void fit_of_odd_samples_is_finite(void **state)
{
	static const double odd[][8] = {
		{1, 2, 3, 4, 5, 6, 7, 8},
		{0, 0, 0, 0, 0, 0, 0, 1},
		{1, -1, 1, -1, 1, -1, 1, -1},
		{1e100, -1e100, 1e100, 0, 0, 0, 0, 1e100},
		{1e-90, 0, 1e-90, 0, 0, 0, 0, 0},
		{1e15, 1e15 + 1, 1e15, 1e15, 1e15, 1e15, 1e15, 1e15},
	};
	size_t eight = 8;

	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		struct Estimate_samples samples = {odd[i], 1, &eight, 1};
		struct Estimate_fit fit;

		assert_int_equal(Estimate_fit(&samples, &fit), 0);
		assert_true(fit.process.sigma > 0 && isfinite(fit.process.sigma));
		assert_true(fit.process.beta > 0 && isfinite(fit.process.beta));
		assert_true(fit.process.r >= 0 && isfinite(fit.process.r));
		assert_false(isnan(fit.beta_low) || isnan(fit.beta_high));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fit_of_slow_process_holds_the_truth),
		cmocka_unit_test(fit_of_fast_process_holds_the_truth),
		cmocka_unit_test(fit_finds_the_error_of_readings),
		cmocka_unit_test(fit_line_is_near_the_process),
		cmocka_unit_test(fit_of_what_is_no_process_is_refused),
		cmocka_unit_test(fit_of_odd_samples_is_finite),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
