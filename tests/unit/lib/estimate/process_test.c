/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/estimate/process.c, which computes the discrete form of a process. The expected
 * values are known values of a numerical integration of the differential equation; one test
 * integrates here.
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <smile/estimate.h>

struct known {
	double sigma, beta, dt_s;
	struct Estimate_transition step;
};

/* Three events of table B.1 of the paper of 2006, with intervals of 20 and 40 ms. */
static const struct known known[] = {
	{5.26e6, 38.8, 0.02, {1.391125e-2, 4.602433e-1, 3.329237e9, 2.077475e11, 2.180694e13}},
	{5.26e6, 38.8, 0.04, {2.031382e-2, 2.118239e-1, 1.665868e10, 4.429822e11, 2.642617e13}},
	{2.02e4, 112.7, 0.02, {7.941628e-3, 1.049785e-1, 6.158187e4, 2.900319e6, 4.035432e8}},
	{2.02e4, 112.7, 0.04, {8.775328e-3, 1.102048e-2, 1.946815e5, 3.541224e6, 4.079904e8}},
	{1170, 30.66, 0.02, {1.495059e-2, 5.416149e-1, 1.449129e2, 9.381246e3, 9.673377e5}},
	{1170, 30.66, 0.04, {2.304805e-2, 2.933467e-1, 7.865556e2, 2.229525e4, 1.251103e6}},
};

static void near(double got, double expected, double share)
{
	if (fabs(got - expected) > share * fabs(expected))
		fail_msg("%.9g is not %.9g", got, expected);
}

static void transition_of_known_events_is_theirs(void **state)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct Estimate_process process = {known[i].sigma, known[i].beta, 0, 0};
		struct Estimate_transition step =
			Estimate_process_transition(&process, known[i].dt_s);

		near(step.phi12, known[i].step.phi12, 5e-7);
		near(step.phi22, known[i].step.phi22, 5e-7);
		near(step.q11, known[i].step.q11, 5e-7);
		near(step.q12, known[i].step.q12, 5e-7);
		near(step.q22, known[i].step.q22, 5e-7);
	}
}

/* Integrate P' = F P + P F^T + G in small steps, with the Runge-Kutta method. */
static struct Estimate_transition integrated(double sigma, double beta, double dt_s)
{
	double p[3] = {0}, noise = 2 * sigma * sigma * beta;
	size_t steps = 2000;
	double h = dt_s / (double)steps;

	for (size_t i = 0; i < steps; i++) {
		double k[4][3], at[3];

		for (int stage = 0; stage < 4; stage++) {
			double share = stage == 3 ? h : h / 2;

			for (int j = 0; j < 3; j++)
				at[j] = p[j] + (stage ? share * k[stage - 1][j] : 0);
			k[stage][0] = 2 * at[1];
			k[stage][1] = at[2] - beta * at[1];
			k[stage][2] = -2 * beta * at[2] + noise;
		}
		for (int j = 0; j < 3; j++)
			p[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
	}
	return (struct Estimate_transition){.q11 = p[0], .q12 = p[1], .q22 = p[2]};
}

/* The result must be exact even where the closed form would lose digits by cancellation. */
static void transition_noise_is_the_integral(void **state)
{
	static const double us[] = {1e-3, 0.1, 0.49, 0.51, 2, 10};

	for (size_t i = 0; i < sizeof(us) / sizeof(us[0]); i++) {
		struct Estimate_process process = {3, us[i] / 0.02, 0, 0};
		struct Estimate_transition step = Estimate_process_transition(&process, 0.02);
		struct Estimate_transition slow = integrated(3, us[i] / 0.02, 0.02);

		near(step.q11, slow.q11, 1e-9);
		near(step.q12, slow.q12, 1e-9);
		near(step.q22, slow.q22, 1e-9);
	}
}

static void transition_noise_is_a_covariance(void **state)
{
	for (double u = 1e-8; u < 1e3; u *= 1.1) {
		struct Estimate_process process = {1, u, 0, 0};
		struct Estimate_transition step = Estimate_process_transition(&process, 1);

		assert_true(step.q11 > 0 && step.q22 > 0);
		/*
		 * If u is small, both products are of the order of u^4, near the precision of
		 * double.
		 */
		assert_true(step.q11 * step.q22 - step.q12 * step.q12 > 0);
	}
}

static void check_refuses_what_is_no_process(void **state)
{
	static const struct Estimate_process bad[] = {
		{0, 1, 0, 0},	     {-1, 1, 0, 0},	  {1, 0, 0, 0},	     {1, -1, 0, 0},
		{1, 1, 0, -1},	     {NAN, 1, 0, 0},	  {1, NAN, 0, 0},    {1, 1, NAN, 0},
		{1, 1, 0, NAN},	     {INFINITY, 1, 0, 0}, {1, 1e101, 0, 0},  {1, 1, -1e101, 0},
		{1, 1, 0, INFINITY}, {1e-101, 1, 0, 0},	  {1, 1e-101, 0, 0},
	};
	static const struct Estimate_process good = {1, 1, -1, 0};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_non_null(Estimate_process_check(&bad[i]));
	assert_null(Estimate_process_check(&good));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(transition_of_known_events_is_theirs),
		cmocka_unit_test(transition_noise_is_the_integral),
		cmocka_unit_test(transition_noise_is_a_covariance),
		cmocka_unit_test(check_refuses_what_is_no_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
