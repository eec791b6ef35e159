/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/estimate/state.c and joint_process.c. The expected values are the conditional
 * distribution of all intervals, computed with whole matrices. Other tests simulate events that
 * depend on a common activity.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <cblas.h>
#include <lapacke.h>

#include <smile/estimate.h>

#include "lib/estimate/joint_process.h"

/* ---- the oracle ------------------------------------------------------------------------------ */

#define N 3
#define T 12

static const double lengths[T] = {1, 1, 0.5, 2, 1, 1, 1.5, 1, 1, 1, 0.25, 1};

static struct joint *three_events(void)
{
	static const double slow[N * N] = {4, 3, 1, 3, 9, -1, 1, -1, 1};
	static const double fast[N * N] = {1, 0.5, 0, 0.5, 2, 0.1, 0, 0.1, 0.3};
	static const double mean[N] = {10, 20, 5};
	struct joint *joint;

	assert_int_equal(joint_new(&joint, N), 0);
	joint->rho = 0.8;
	memcpy(joint->slow, slow, sizeof(slow));
	memcpy(joint->fast, fast, sizeof(fast));
	memcpy(joint->mean, mean, sizeof(mean));
	for (size_t i = 0; i < N; i++)
		joint->mean_variance[i] = 4 * (slow[i * N + i] + fast[i * N + i]);
	return joint;
}

/* The covariance of event i in interval s and event j in interval t. */
static double covariance_of(const struct joint *joint, int s, int i, int t, int j)
{
	double from = 0, low = s < t ? s : t, high = s < t ? t : s, sum;

	for (int k = (int)low + 1; k <= (int)high; k++)
		from += lengths[k];
	sum = pow(joint->rho, from) * joint->slow[i * N + j];
	if (s == t)
		sum += joint->fast[i * N + j] / lengths[s];
	if (i == j)
		sum += 4 * (joint->slow[i * N + i] + joint->fast[i * N + i]);
	return sum;
}

static void totals_are_those_of_all_intervals_at_once(void **state)
{
	struct joint *joint = three_events();
	struct joint_state *filter;
	double values[T * N], a[T * T], b[T * (N + 1)], totals[N], covariance[N * N], prior[N * N];
	double cross[T * N];
	int count = 0, event[T], interval[T];

	openblas_set_num_threads(1);
	assert_int_equal(joint_state_new(&filter, joint), 0);
	for (int t = 0; t < T; t++) {
		for (int i = 0; i < N; i++)
			values[t * N + i] = NAN;
		/* Each interval has a reading of one event, in rotation. Interval 5 has none. */
		if (t != 5) {
			event[count] = t % N;
			interval[count++] = t;
			values[t * N + t % N] = joint->mean[t % N] + 3 * sin(t);
		}
		joint_state_step(filter, values + t * N, lengths[t]);
	}
	for (int k = 0; k < count; k++) {
		int i = event[k];

		for (int l = 0; l < count; l++)
			a[k * count + l] =
				covariance_of(joint, interval[k], i, interval[l], event[l]);
		a[k * count + k] += 1e-6 * (joint->slow[i * N + i] + joint->fast[i * N + i]);
		b[k * (N + 1) + N] = values[interval[k] * N + i] - joint->mean[i];
		for (int j = 0; j < N; j++) {
			cross[k * N + j] = 0;
			for (int t = 0; t < T; t++)
				cross[k * N + j] +=
					lengths[t] * covariance_of(joint, interval[k], i, t, j);
			b[k * (N + 1) + j] = cross[k * N + j];
		}
	}
	assert_int_equal(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'U', count, N + 1, a, count, b, N + 1), 0);
	joint_state_totals(filter, totals, covariance);
	for (int i = 0; i < N; i++) {
		double expected = 0;

		for (int t = 0; t < T; t++)
			expected += lengths[t] * joint->mean[i];
		for (int k = 0; k < count; k++)
			expected += cross[k * N + i] * b[k * (N + 1) + N];
		assert_true(fabs(totals[i] - expected) < 1e-7 * fabs(expected));
		for (int j = 0; j < N; j++) {
			prior[i * N + j] = 0;
			for (int s = 0; s < T; s++)
				for (int t = 0; t < T; t++)
					prior[i * N + j] += lengths[s] * lengths[t] *
							    covariance_of(joint, s, i, t, j);
			for (int k = 0; k < count; k++)
				prior[i * N + j] -= cross[k * N + i] * b[k * (N + 1) + j];
			prior[i * N + j] *= joint_state_wider(filter);
			assert_true(fabs(covariance[i * N + j] - prior[i * N + j]) < 1e-4);
		}
	}
	joint_state_free(filter);
	joint_free(joint);
}

/* ---- simulated events ------------------------------------------------------------------------ */

#define EVENTS 8
#define INTERVALS 1200

static double truth[INTERVALS * EVENTS], seen[INTERVALS * EVENTS];

/*
 * Simulate events that follow one activity and have independent noise. Two of them are read at a
 * time, in rotation.
 */
static struct joint_readings simulated(uint64_t seed)
{
	struct Estimate_process activity = {1, 0.1, 0, 0}, own = {0.2, 1, 0, 0};
	static double common[INTERVALS], noise[INTERVALS];

	Estimate_process_simulate(&activity, 1, &seed, common, INTERVALS);
	for (size_t i = 0; i < EVENTS; i++) {
		Estimate_process_simulate(&own, 1, &seed, noise, INTERVALS);
		for (size_t t = 0; t < INTERVALS; t++)
			truth[t * EVENTS + i] =
				100.0 * (double)(i + 1) * (5 + common[t] + noise[t]);
	}
	for (size_t t = 0; t < INTERVALS; t++)
		for (size_t i = 0; i < EVENTS; i++) {
			/* In each round, other pairs of events are read. */
			size_t turn = (i * (2 * (t / 4 % 4) + 1) + t / 4) % EVENTS;

			seen[t * EVENTS + i] =
				turn / 2 == t % 4 ? truth[t * EVENTS + i] : (double)NAN;
		}
	return (struct joint_readings){seen, NULL, INTERVALS, EVENTS};
}

static void learned_state_beats_holding_and_scaling(void **state)
{
	static double estimates[INTERVALS * EVENTS], deviations[INTERVALS * EVENTS];
	double error = 0, held = 0, scaled = 0, totalled = 0, within = 0, unread = 0;
	double totals[EVENTS], covariance[EVENTS * EVENTS];
	int totals_within = 0, seeds = 5;

	for (int seed = 1; seed <= seeds; seed++) {
		struct joint_readings readings = simulated((uint64_t)seed);
		struct joint *joint;
		struct joint_state *filter;

		assert_int_equal(joint_new(&joint, EVENTS), 0);
		assert_int_equal(joint_learn(joint, &readings, &readings), 0);
		assert_int_equal(joint_state_new(&filter, joint), 0);
		joint_state_run(filter, &readings, estimates, deviations);
		joint_state_totals(filter, totals, covariance);
		for (size_t i = 0; i < EVENTS; i++) {
			double last = NAN, sum = 0, read = 0, count = 0, deviation;

			for (size_t t = 0; t < INTERVALS; t++) {
				size_t at = t * EVENTS + i;
				double weight = 1.0 / (double)(i + 1);

				sum += truth[at];
				if (!isnan(seen[at])) {
					last = seen[at];
					read += last;
					count++;
					continue;
				}
				if (isnan(last))
					continue;
				error += pow(weight * (estimates[at] - truth[at]), 2);
				held += pow(weight * (last - truth[at]), 2);
				within += fabs(estimates[at] - truth[at]) < 1.96 * deviations[at];
				unread++;
			}
			deviation = sqrt(covariance[i * EVENTS + i]);
			totalled += fabs(totals[i] - sum) / sum;
			scaled += fabs(read / count * INTERVALS - sum) / sum;
			totals_within += fabs(totals[i] - sum) < 1.96 * deviation;
		}
		joint_state_free(filter);
		joint_free(joint);
	}
	assert_true(sqrt(error / held) < 0.75);
	assert_true(totalled < 0.5 * scaled);
	assert_true(within / unread > 0.93 && within / unread < 0.98);
	assert_in_range(totals_within, 34, 40);
}

/* In 300,000 intervals, rounding errors must not accumulate. */
static void covariance_of_totals_stays_one_for_many_steps(void **state)
{
	struct joint *joint = three_events();
	struct joint_state *filter;
	double values[N], estimates[N], deviations[N], totals[N], covariance[N * N], last = 0;

	assert_int_equal(joint_state_new(&filter, joint), 0);
	for (int t = 0; t < 300000; t++) {
		for (int i = 0; i < N; i++)
			values[i] = i == t % N ? joint->mean[i] + sin(t) : (double)NAN;
		joint_state_step(filter, values, lengths[t % T]);
		if (t % 1000)
			continue;
		joint_state_estimates(filter, estimates, deviations);
		joint_state_totals(filter, totals, covariance);
		for (int i = 0; i < N; i++) {
			assert_true(isfinite(estimates[i]) && isfinite(deviations[i]));
			/*
			 * The state of an event that was read is exact, except for a small term
			 * that keeps P positive.
			 */
			assert_true(i == t % N ? deviations[i] < 0.01 : deviations[i] > 0.1);
			for (int j = 0; j < N; j++)
				assert_true(fabs(covariance[i * N + j] - covariance[j * N + i]) <=
					    1e-9 * (1 + fabs(covariance[i * N + j])));
		}
		assert_true(covariance[0] > last);
		last = covariance[0];
		assert_int_equal(LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', N, covariance, N), 0);
	}
	joint_state_free(filter);
	joint_free(joint);
}

/*
 * While the events differ from the process, the confidence intervals get wider. Later, they return
 * to the former width.
 */
static void a_change_of_phase_widens_the_bands(void **state)
{
	struct joint *joint = three_events();
	struct joint_state *filter;
	double values[N], estimates[N], deviations[N], before = 0, during = 0, after = 0;

	joint->mean_variance[0] = joint->mean_variance[1] = joint->mean_variance[2] = 1e-6;
	assert_int_equal(joint_state_new(&filter, joint), 0);
	for (int t = 0; t < 900; t++) {
		double far = t >= 300 && t < 400 ? 12 * (t % 2 ? 1 : -1) : sin(t);

		for (int i = 0; i < N; i++)
			values[i] = NAN;
		values[t % 2] = joint->mean[t % 2] + far;
		joint_state_step(filter, values, 1);
		joint_state_estimates(filter, estimates, deviations);
		if (t == 299)
			before = deviations[2];
		if (t == 399)
			during = deviations[2];
		if (t == 899)
			after = deviations[2];
	}
	assert_true(before > 0 && during > 1.5 * before);
	assert_true(after < 1.05 * before);
	assert_true(joint_state_wider(filter) > 1);
	joint_state_free(filter);
	joint_free(joint);
}

/* No result may be NaN. An event that was never read has no process. */
static void odd_readings_give_finite_states(void **state)
{
	static const double odd[] = {0, NAN, NAN, 0,   0, NAN, NAN, 0,
				     5, NAN, NAN, 1e9, 0, NAN, NAN, 0};
	static const double never[] = {1, NAN, 2, NAN, 3, NAN, 4, NAN};
	struct joint_readings readings = {odd, NULL, 8, 2}, none = {never, NULL, 4, 2};
	double totals[2], estimates[2], deviations[2];
	struct joint *joint;
	struct joint_state *filter;

	assert_int_equal(joint_new(&joint, 2), 0);
	assert_int_equal(joint_learn(joint, &readings, &readings), 0);
	assert_int_equal(joint_state_new(&filter, joint), 0);
	joint_state_run(filter, &readings, NULL, NULL);
	joint_state_totals(filter, totals, NULL);
	joint_state_estimates(filter, estimates, deviations);
	for (int i = 0; i < 2; i++) {
		assert_true(isfinite(totals[i]) && isfinite(deviations[i]));
		assert_true(estimates[i] >= 0);
	}
	assert_int_equal(joint_learn(joint, &none, &none), -ENODATA);
	joint_state_free(filter);
	joint_free(joint);
	assert_int_equal(joint_new(&joint, 0), -EINVAL);
	assert_int_equal(joint_new(&joint, ESTIMATE_EVENTS_MAX + 1), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_are_those_of_all_intervals_at_once),
		cmocka_unit_test(learned_state_beats_holding_and_scaling),
		cmocka_unit_test(covariance_of_totals_stays_one_for_many_steps),
		cmocka_unit_test(a_change_of_phase_widens_the_bands),
		cmocka_unit_test(odd_readings_give_finite_states),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
