/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/estimate/online.c: events that are read now and then, and belong together.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/estimate/online.h"
#include "lib/estimate/state.h"

#define EVENTS 3

/* A level that jumps, of which all three are multiples; the third is never read. */
static double level(int t)
{
	return (t / 13 % 2 ? 300 : 100) + 10 * sin(t * 1.7);
}

static void unread_events_are_estimated_once_they_are_learned(void **state)
{
	double values[EVENTS], estimates[EVENTS], deviations[EVENTS];
	double error = 0, held = 0, last[2] = {0}, within = 0, unread = 0;
	struct Monitor_online *online;
	int learned = 0;

	assert_int_equal(Monitor_online_new(&online, EVENTS), 0);
	for (int t = 0; t < 900; t++) {
		int read = (t * 7 + t / 3) % 2;
		double seconds = t % 10 ? 0.01 : 0.02;

		for (int i = 0; i < EVENTS; i++)
			values[i] = NAN;
		values[read] = (read + 1) * level(t) * seconds * 100;
		/* Now and then both, so that it is seen that they belong together. */
		if (t % 5 == 0)
			values[!read] = (!read + 1) * level(t) * seconds * 100;
		assert_int_equal(
			Monitor_online_step(online, values, seconds, estimates, deviations), 0);
		assert_true(estimates[read] == values[read] && deviations[read] == 0);
		assert_true(isnan(estimates[2]) && isnan(deviations[2]));
		if (!learned)
			assert_true(t < 16);
		if (t > 100 && isnan(values[!read])) {
			double truth = (!read + 1) * level(t) * seconds * 100;

			assert_true(estimates[!read] >= 0 && deviations[!read] > 0);
			error += pow(estimates[!read] - truth, 2);
			held += pow(last[!read] * seconds * 100 - truth, 2);
			within += fabs(estimates[!read] - truth) <= 1.96 * deviations[!read];
			unread++;
		}
		for (int i = 0; i < 2; i++)
			if (!isnan(values[i]))
				last[i] = values[i] / seconds / 100;
		learned += Monitor_online_learn(online);
	}
	/* At 16, 32, 64, 128, 256 and 512. */
	assert_int_equal(learned, 6);
	assert_true(unread > 600);
	assert_true(error < 0.25 * held);
	assert_true(within > 0.9 * unread);
	Monitor_online_free(online);
}

static void bad_input_is_refused(void **state)
{
	double value = 1, estimate = 7, deviation = 7;
	struct Monitor_online *online;

	assert_int_equal(Monitor_online_new(&online, 0), -EINVAL);
	assert_int_equal(Monitor_online_new(&online, MONITOR_STATE_MAX + 1), -EINVAL);
	assert_int_equal(Monitor_online_new(&online, 1), 0);
	assert_int_equal(Monitor_online_step(online, &value, 0, &estimate, &deviation), -EINVAL);
	assert_int_equal(Monitor_online_step(online, &value, NAN, &estimate, &deviation), -EINVAL);
	assert_true(estimate == 7 && deviation == 7);
	assert_int_equal(Monitor_online_learn(online), 0);
	Monitor_online_free(online);
	Monitor_online_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unread_events_are_estimated_once_they_are_learned),
		cmocka_unit_test(bad_input_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
