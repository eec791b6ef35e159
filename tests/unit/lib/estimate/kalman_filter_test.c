/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/estimate/kalman_filter.c. The tests compare it with a filter that uses whole
 * matrices and with known vectors, and use many steps and simulated processes.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include <smile/estimate.h>

#include "tests/unit/lib/estimate/allocations.h"
#include "tests/unit/lib/estimate/dense.h"

#define EVENTS 6

/* The first processor of table 6.2 of the paper of 2006. */
static const struct Estimate_process six[EVENTS] = {
	{5.26e6, 38.8, 6.19e6, 1e-4 * 5.26e6 * 5.26e6},
	{5.83e4, 49.2, 7.40e4, 1e-2 * 5.83e4 * 5.83e4},
	{6.65e6, 55.3, 8.40e6, 0},
	{2.41e4, 34.3, 2.77e4, 2.41e4 * 2.41e4},
	{2.02e4, 112.7, 2.53e4, 1},
	{7.25e6, 40.0, 8.71e6, 1e6},
};

static struct Estimate_filter *filter_of(const struct Estimate_process *processes, size_t count,
					 enum Estimate_model model)
{
	struct Estimate_filter *filter;

	assert_int_equal(Estimate_filter_new(&filter, processes, count, model), 0);
	return filter;
}

static void near(double got, double expected, double share)
{
	if (fabs(got - expected) > share * fabs(expected))
		fail_msg("%.12g is not %.12g", got, expected);
}

/* ---- known vectors --------------------------------------------------------------------------- */

static void covariance_is(const struct Estimate_filter *filter, double p11, double p12, double p22)
{
	double p[3];

	Estimate_filter_covariance(filter, 0, p);
	near(p[0], p11, 5e-5);
	near(p[1], p12, 5e-5);
	near(p[2], p22, 5e-5);
}

/*
 * DATA_MEM_REFS is read in every third interval of 20 ms. Compare the covariance before each
 * reading.
 */
static void periodic_reading_reaches_its_steady_state(void **state)
{
	struct Estimate_filter *filter = filter_of(six, 1, ESTIMATE_INTEGRATED);
	double reading = 6e6, before, after, difference, variance;

	for (int k = 0; k < 300; k++) {
		Estimate_filter_correct(filter, NULL, &reading, k % 3 == 0);
		Estimate_filter_predict(filter, 0.02);
	}
	covariance_is(filter, 5.2570e10, 6.3020e11, 2.7599e13);
	Estimate_filter_estimates(filter, &before, NULL);
	Estimate_filter_innovation(filter, 0, reading + 1000, &difference, &variance);
	reading += 1000;
	Estimate_filter_correct(filter, NULL, &reading, 1);
	Estimate_filter_estimates(filter, &after, NULL);
	near((after - before) / difference, 0.950002, 2e-6);
	Estimate_filter_predict(filter, 0.02);
	covariance_is(filter, 1.0786e10, 3.5300e11, 2.6133e13);
	Estimate_filter_predict(filter, 0.02);
	covariance_is(filter, 2.8994e10, 5.3753e11, 2.7342e13);
	Estimate_filter_free(filter);
}

/* ---- the oracle ------------------------------------------------------------------------------ */

static void agree(struct Estimate_filter *filter, struct dense *dense)
{
	double estimates[EVENTS], p[3], whole[3], x;

	Estimate_filter_estimates(filter, estimates, NULL);
	for (size_t i = 0; i < EVENTS; i++) {
		Estimate_filter_covariance(filter, i, p);
		x = dense_state(dense, i, whole);
		/* The rounding errors of intermediate results are proportional to sigma. */
		assert_true(fabs(estimates[i] - x) < 1e-9 * (fabs(x) + six[i].sigma));
		for (int j = 0; j < 3; j++)
			assert_true(fabs(p[j] - whole[j]) < 1e-9 * six[i].sigma * six[i].sigma);
	}
}

static void agrees_with_whole_matrices(enum Estimate_model model)
{
	struct Estimate_filter *filter = filter_of(six, EVENTS, model);
	struct dense *dense = dense_new(six, EVENTS, model, 0.02);
	double truth[EVENTS][400];
	uint64_t seed = 1;

	for (size_t i = 0; i < EVENTS; i++)
		Estimate_process_simulate(&six[i], 0.02, &seed, truth[i], 400);
	for (size_t k = 0; k < 400; k++) {
		size_t set[] = {2 * (k % 3), 2 * (k % 3) + 1}, all[] = {0, 1, 2, 3, 4, 5};
		double values[EVENTS];

		for (size_t i = 0; i < EVENTS; i++)
			values[i] = truth[i][k];
		/*
		 * In some steps all events are read, so that the filter uses its faster form of the
		 * step.
		 */
		if (k % 7 == 6) {
			assert_int_equal(Estimate_filter_correct(filter, NULL, values, EVENTS), 0);
			assert_int_equal(dense_correct(dense, all, values, EVENTS), 0);
		} else {
			double both[] = {values[set[0]], values[set[1]]};

			assert_int_equal(Estimate_filter_correct(filter, set, both, 2), 0);
			assert_int_equal(dense_correct(dense, set, both, 2), 0);
		}
		agree(filter, dense);
		assert_int_equal(Estimate_filter_predict(filter, 0.02), 0);
		dense_predict(dense);
		agree(filter, dense);
	}
	Estimate_filter_free(filter);
	dense_free(dense);
}

static void gauss_markov_agrees_with_whole_matrices(void **state)
{
	agrees_with_whole_matrices(ESTIMATE_GAUSS_MARKOV);
}

static void integrated_agrees_with_whole_matrices(void **state)
{
	agrees_with_whole_matrices(ESTIMATE_INTEGRATED);
}

/* ---- many steps ------------------------------------------------------------------------------ */

/*
 * The readings that cause the largest rounding errors: exact readings, and readings of nearly no
 * weight.
 */
static void covariance_stays_positive_for_10_million_steps(void **state)
{
	static const struct Estimate_process hard[] = {
		{5.26e6, 38.8, 6.19e6, 0},
		{1e-3, 1e-3, 0, 1e12},
		{1, 1e4, 0, 1e-12},
	};
	struct Estimate_filter *filter = filter_of(hard, 3, ESTIMATE_INTEGRATED);
	double reading[] = {6e6, 0, 0}, p[3];

	for (uint32_t k = 0; k < 10000000; k++) {
		Estimate_filter_predict(filter, 0.02);
		for (size_t i = 0; i < 3 && k % 64 == 0; i++) {
			Estimate_filter_covariance(filter, i, p);
			/* The covariance is symmetric, since P12 is stored once. */
			if (!(p[0] > 0) || !(p[2] > 0) || !(p[0] * p[2] >= p[1] * p[1]))
				fail_msg("step %u: %g %g %g", k, p[0], p[1], p[2]);
		}
		if (k % 3 == 0)
			Estimate_filter_correct(filter, NULL, reading, 3);
	}
	Estimate_filter_free(filter);
}

/* ---- simulated processes --------------------------------------------------------------------- */

#define STEPS 20000

/*
 * The probability that a normal number is within 1, or within 1.96, standard deviations of the
 * mean.
 */
#define WITHIN_1 0.6827
#define WITHIN_2 0.95

static void simulated_readings_are_as_the_filter_expects(void **state)
{
	static const struct Estimate_process process = {5.26e6, 38.8, 6.19e6, 1e11};
	struct Estimate_process truth = process;
	struct Estimate_filter *filter = filter_of(&process, 1, ESTIMATE_GAUSS_MARKOV);
	double *values = malloc(STEPS * sizeof(*values)), *errors = malloc(STEPS * sizeof(*errors));
	double within[2] = {0}, chi = 0, estimate, deviation, difference, variance;
	struct Estimate_process noise = {sqrt(process.r), 1e9, 0, 0};
	uint64_t seed = 7;
	int readings = 0;

	truth.r = 0;
	Estimate_process_simulate(&truth, 0.02, &seed, values, STEPS);
	Estimate_process_simulate(&noise, 0.02, &seed, errors, STEPS);
	for (size_t k = 0; k < STEPS; k++) {
		double reading = values[k] + errors[k];

		if (k)
			Estimate_filter_predict(filter, 0.02);
		if (k % 3 == 0) {
			Estimate_filter_innovation(filter, 0, reading, &difference, &variance);
			chi += difference * difference / variance;
			readings++;
			Estimate_filter_correct(filter, NULL, &reading, 1);
		}
		Estimate_filter_estimates(filter, &estimate, &deviation);
		within[0] += fabs(values[k] - estimate) < deviation;
		within[1] += fabs(values[k] - estimate) < 1.96 * deviation;
	}
	/*
	 * With n degrees of freedom, chi^2 has the mean n and the variance 2 n. It exceeds 3.3
	 * standard deviations with a probability of 1 in 1000.
	 */
	assert_true(fabs(chi - readings) < 3.3 * sqrt(2.0 * readings));
	/*
	 * Errors are correlated over about two intervals, so the number of independent errors is
	 * lower.
	 */
	assert_true(fabs(within[0] / STEPS - WITHIN_1) < 3.3 * sqrt(0.22 * 3 / STEPS));
	assert_true(fabs(within[1] / STEPS - WITHIN_2) < 3.3 * sqrt(0.05 * 3 / STEPS));
	free(values);
	free(errors);
	Estimate_filter_free(filter);
}

/*
 * One interval in three has a reading. The rms error is 0.762 sigma. If the last reading were used
 * instead, it would be 0.941 sigma.
 */
static void simulated_error_is_the_least_possible(void **state)
{
	static const struct Estimate_process process = {1, 38.8, 5, 0};
	struct Estimate_filter *filter = filter_of(&process, 1, ESTIMATE_GAUSS_MARKOV);
	double *values = malloc(STEPS * sizeof(*values)), sum = 0, held = 0, last = 0, estimate;
	uint64_t seed = 3;

	Estimate_process_simulate(&process, 0.02, &seed, values, STEPS);
	for (size_t k = 0; k < STEPS; k++) {
		if (k)
			Estimate_filter_predict(filter, 0.02);
		if (k % 3 == 0) {
			last = values[k];
			Estimate_filter_correct(filter, NULL, &values[k], 1);
		}
		Estimate_filter_estimates(filter, &estimate, NULL);
		sum += (estimate - values[k]) * (estimate - values[k]);
		held += (last - values[k]) * (last - values[k]);
	}
	assert_true(fabs(sqrt(sum / STEPS) - 0.762) < 0.02);
	assert_true(fabs(sqrt(held / STEPS) - 0.941) < 0.02);
	free(values);
	Estimate_filter_free(filter);
}

/* ---- time and invalid calls ------------------------------------------------------------------ */

/*
 * If no reading is between two short intervals, they must give the same result as one long
 * interval.
 */
static void predict_by_parts_is_predict_at_once(void **state)
{
	for (int model = 0; model < 2; model++) {
		struct Estimate_filter *parts = filter_of(six, EVENTS, (enum Estimate_model)model);
		struct Estimate_filter *whole = filter_of(six, EVENTS, (enum Estimate_model)model);
		double reading = 7e6, a[EVENTS], b[EVENTS], sa[EVENTS], sb[EVENTS];

		Estimate_filter_correct(parts, NULL, &reading, 1);
		Estimate_filter_correct(whole, NULL, &reading, 1);
		Estimate_filter_predict(parts, 0.013);
		Estimate_filter_predict(parts, 0.007);
		Estimate_filter_predict(whole, 0.02);
		Estimate_filter_estimates(parts, a, sa);
		Estimate_filter_estimates(whole, b, sb);
		for (size_t i = 0; i < EVENTS; i++) {
			near(a[i], b[i], 1e-12);
			near(sa[i], sb[i], 1e-12);
		}
		Estimate_filter_free(parts);
		Estimate_filter_free(whole);
	}
}

static void mistakes_change_nothing(void **state)
{
	static const struct Estimate_process bad = {1, -1, 0, 0};
	struct Estimate_filter *filter = filter_of(six, EVENTS, ESTIMATE_GAUSS_MARKOV),
			       *none = NULL;
	double before[EVENTS], after[EVENTS], values[] = {1, NAN};
	size_t counters[] = {0, EVENTS};

	Estimate_filter_estimates(filter, before, NULL);
	assert_int_equal(Estimate_filter_predict(filter, 0), -EINVAL);
	assert_int_equal(Estimate_filter_predict(filter, -1), -EINVAL);
	assert_int_equal(Estimate_filter_predict(filter, NAN), -EINVAL);
	assert_int_equal(Estimate_filter_predict(filter, INFINITY), -EINVAL);
	assert_int_equal(Estimate_filter_correct(filter, counters, values, 2), -EINVAL);
	values[1] = 1;
	assert_int_equal(Estimate_filter_correct(filter, counters, values, 2), -EINVAL);
	assert_int_equal(Estimate_filter_correct(filter, NULL, values, EVENTS + 1), -EINVAL);
	Estimate_filter_estimates(filter, after, NULL);
	for (size_t i = 0; i < EVENTS; i++)
		assert_true(before[i] == after[i]);
	assert_int_equal(Estimate_filter_new(&none, &bad, 1, ESTIMATE_GAUSS_MARKOV), -EINVAL);
	assert_int_equal(Estimate_filter_new(&none, six, 0, ESTIMATE_GAUSS_MARKOV), -EINVAL);
	assert_int_equal(Estimate_filter_new(&none, six, 1, (enum Estimate_model)2), -EINVAL);
	assert_null(none);
	Estimate_filter_free(NULL);
	Estimate_filter_free(filter);
}

static void a_step_allocates_nothing(void **state)
{
	static const struct Estimate_process processes[3] = {
		{.sigma = 1, .beta = 1}, {.sigma = 2, .beta = 3}, {.sigma = 3, .beta = 9}};
	double estimates[3], deviations[3], p[3], value = 1;
	struct Estimate_filter *filter;

	for (int model = 0; model < 2; model++) {
		size_t before = allocations;

		assert_int_equal(
			Estimate_filter_new(&filter, processes, 3, (enum Estimate_model)model), 0);
		assert_true(allocations > before);
		before = allocations;
		for (size_t step = 0; step < 20; step++) {
			size_t counter = step % 3;

			Estimate_filter_predict(filter, 0.1 + (double)(step % 2));
			Estimate_filter_innovation(filter, counter, value, &p[0], &p[1]);
			Estimate_filter_correct(filter, &counter, &value, 1);
			Estimate_filter_estimates(filter, estimates, deviations);
			Estimate_filter_covariance(filter, counter, p);
		}
		assert_int_equal(allocations, before);
		Estimate_filter_free(filter);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_step_allocates_nothing),
		cmocka_unit_test(periodic_reading_reaches_its_steady_state),
		cmocka_unit_test(gauss_markov_agrees_with_whole_matrices),
		cmocka_unit_test(integrated_agrees_with_whole_matrices),
		cmocka_unit_test(covariance_stays_positive_for_10_million_steps),
		cmocka_unit_test(simulated_readings_are_as_the_filter_expects),
		cmocka_unit_test(simulated_error_is_the_least_possible),
		cmocka_unit_test(predict_by_parts_is_predict_at_once),
		cmocka_unit_test(mistakes_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
