/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/estimate/state.c: correlated events, each of which is read only in some intervals.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include <smile/estimate.h>

#include "lib/estimate/joint_process.h"
#include "tests/unit/lib/estimate/allocations.h"

/* A level that jumps at times. The first two events are multiples of it. */
static double level(int t)
{
	return (t / 13 % 2 ? 300 : 100) + 10 * sin(t * 1.7);
}

static double length_of(int t)
{
	return t % 10 ? 0.01 : 0.02;
}

/* The count of an event in interval @t. */
static double count_of(int t, int event)
{
	return (event + 1) * level(t) * length_of(t) * 100;
}

static struct Estimate_state *state_of(size_t events)
{
	static const char *const names[] = {"a", "b", "c", "d"};
	struct Estimate_state *state;

	assert_int_equal(Estimate_state_new(&state), 0);
	for (size_t i = 0; i < events; i++)
		assert_int_equal(Estimate_state_event(state, names[i]), i);
	assert_int_equal(Estimate_state_predict(state, 0), 0);
	return state;
}

/*
 * Whether an event is read in interval @t. In each interval, one or both of the first two events
 * are read.
 */
static int is_read(int t, int event)
{
	return event < 2 && (event == (t * 7 + t / 3) % 2 || t % 5 == 0);
}

/* Simulate an interval with its readings. @time_s: the begin of the interval; receives its end. */
static void interval_run(struct Estimate_state *state, int t, double *time_s)
{
	double begin_s = *time_s;

	*time_s += length_of(t);
	assert_int_equal(Estimate_state_predict(state, *time_s), 0);
	for (int i = 0; i < 2; i++)
		if (is_read(t, i))
			assert_int_equal(Estimate_state_reading(state, (size_t)i, begin_s, *time_s,
								count_of(t, i)),
					 0);
}

static void unread_events_are_estimated_once_they_are_learned(void **unused)
{
	double error = 0, held = 0, last[2] = {0}, within = 0, unread = 0, time_s = 0;
	struct Estimate_state *state = state_of(3);
	struct Estimate_band band;
	int learned = 0;

	for (int t = 0; t < 900; t++) {
		int read = (t * 7 + t / 3) % 2;
		double truth = count_of(t, !read);

		interval_run(state, t, &time_s);
		assert_int_equal(Estimate_state_band(state, (size_t)read, &band), 1);
		assert_true(band.value == count_of(t, read) && band.deviation == 0);
		assert_true(band.low == band.value && band.high == band.value);
		assert_int_equal(Estimate_state_band(state, 2, &band), -ENODATA);
		if (!is_read(t, !read) && t > 100) {
			assert_int_equal(Estimate_state_band(state, (size_t)!read, &band), 0);
			assert_true(band.value >= 0 && band.deviation > 0 && band.low >= 0);
			error += pow(band.value - truth, 2);
			held += pow(last[!read] * length_of(t) - truth, 2);
			within += band.low <= truth && truth <= band.high;
			unread++;
		}
		for (int i = 0; i < 2; i++)
			if (is_read(t, i))
				last[i] = count_of(t, i) / length_of(t);
		if (!learned)
			assert_true(t < 16);
		learned += Estimate_state_learn(state);
	}
	/* The state learned after 16, 32, 64, 128, 256 and 512 intervals. */
	assert_int_equal(learned, 6);
	assert_true(unread > 500);
	assert_true(error < 0.25 * held);
	assert_true(within > 0.9 * unread);
	Estimate_state_free(state);
}

/* The confidence interval of a rate of correlated events is narrower than that of each event. */
static void rates_use_what_events_share(void **unused)
{
	struct Estimate_state *state = state_of(3);
	struct Estimate_rate share = {
		.kind = ESTIMATE_SHARE, .of = {0}, .of_count = 1, .by = {1}, .by_count = 1};
	struct Estimate_rate speed = {
		.kind = ESTIMATE_PER_SECOND, .scale = 32, .of = {0, 1}, .of_count = 2};
	struct Estimate_rate unknown = {.kind = ESTIMATE_PER_SECOND, .of = {2}, .of_count = 1};
	struct Estimate_band a, b, band;
	double time_s = 0, narrower = 0, rates = 0, within = 0;

	assert_int_equal(Estimate_state_rate(state, &share), 0);
	assert_int_equal(Estimate_state_rate(state, &speed), 1);
	assert_int_equal(Estimate_state_rate(state, &unknown), 2);
	assert_int_equal(Estimate_state_rate_band(state, 0, &band), -ENODATA);
	for (int t = 0; t < 600; t++) {
		interval_run(state, t, &time_s);
		Estimate_state_learn(state);
		assert_int_equal(Estimate_state_rate_band(state, 2, &band), -ENODATA);
		if (t % 5 == 0) {
			double truth = 32 * (count_of(t, 0) + count_of(t, 1)) / length_of(t);

			/* Both events were read, so the rate is exact. */
			assert_int_equal(Estimate_state_rate_band(state, 0, &band), 0);
			assert_true(fabs(band.value - 0.5) < 1e-12 && !band.impossible);
			assert_true(band.deviation == 0);
			assert_int_equal(Estimate_state_rate_band(state, 1, &band), 0);
			assert_true(fabs(band.value - truth) < 1e-9 * truth);
		} else if (t > 100) {
			assert_int_equal(Estimate_state_rate_band(state, 0, &band), 0);
			within += band.low <= 0.5 && 0.5 <= band.high;
			rates++;
		}
	}
	assert_true(within > 0.9 * rates);
	/* Neither event is read. Both depend on the same unknown level. */
	assert_int_equal(Estimate_state_predict(state, time_s + 0.01), 0);
	assert_int_equal(Estimate_state_band(state, 0, &a), 0);
	assert_int_equal(Estimate_state_band(state, 1, &b), 0);
	assert_int_equal(Estimate_state_rate_band(state, 0, &band), 0);
	narrower = band.deviation / band.value;
	assert_true(narrower < 0.5 * hypot(a.deviation / a.value, b.deviation / b.value));
	Estimate_state_free(state);
}

/* The prediction for the next interval must equal the state after this interval has begun. */
static void the_next_interval_is_predicted(void **unused)
{
	struct Estimate_state *state = state_of(2);
	struct Estimate_band next, band;
	double time_s = 0;

	assert_int_equal(Estimate_state_next(state, 0, 0.01, &next), -ENODATA);
	for (int t = 0; t < 200; t++) {
		interval_run(state, t, &time_s);
		Estimate_state_learn(state);
	}
	for (int i = 0; i < 2; i++) {
		double seconds = 0.013;

		assert_int_equal(Estimate_state_next(state, (size_t)i, seconds, &next), 0);
		assert_int_equal(Estimate_state_predict(state, time_s += seconds), 0);
		assert_int_equal(Estimate_state_band(state, (size_t)i, &band), 0);
		assert_true(fabs(next.value - band.value) < 1e-9 * band.value);
		assert_true(fabs(next.deviation - band.deviation) < 1e-9 * band.deviation);
	}
	assert_int_equal(Estimate_state_next(state, 2, 0.01, &next), -EINVAL);
	assert_int_equal(Estimate_state_next(state, 0, 0, &next), -EINVAL);
	Estimate_state_free(state);
}

/*
 * If only a part of an interval is read, the count is scaled. The confidence interval must contain
 * the count of the whole interval.
 */
static void parts_of_an_interval_are_scaled(void **unused)
{
	struct Estimate_state *state = state_of(2);
	struct Estimate_process process = {.sigma = 10, .beta = 1e4, .mean = 100};
	enum { PARTS = 4, INTERVALS = 400 };
	double values[PARTS * INTERVALS], within = 0, scaled = 0;
	struct Estimate_band band;
	uint64_t seed = 3;

	/* The parts are independent of each other. */
	Estimate_process_simulate(&process, 1, &seed, values, PARTS * INTERVALS);
	for (int t = 0; t < INTERVALS; t++) {
		double truth = 0, read = 0;
		/* In the first 20 intervals, all parts are read. */
		int parts = t < 20 ? PARTS : 1 + t % PARTS;

		for (int k = 0; k < PARTS; k++) {
			truth += values[t * PARTS + k];
			read += k < parts ? values[t * PARTS + k] : 0;
		}
		assert_int_equal(Estimate_state_predict(state, t + 1), 0);
		assert_int_equal(
			Estimate_state_reading(state, 0, t, t + parts / (double)PARTS, read), 0);
		assert_int_equal(Estimate_state_band(state, 0, &band), 1);
		assert_true(fabs(band.value - read * PARTS / parts) < 1e-9);
		if (parts == PARTS)
			assert_true(band.deviation == 0);
		else if (t > 50) {
			assert_true(band.deviation > 0);
			within += band.low <= truth && truth <= band.high;
			scaled++;
		}
		Estimate_state_learn(state);
	}
	assert_true(within > 0.85 * scaled && within < scaled);
	Estimate_state_free(state);
}

static void events_can_come_later(void **unused)
{
	struct Estimate_state *state = state_of(2);
	struct Estimate_band band;
	double time_s = 0;
	char name[16];

	for (int t = 0; t < 40; t++)
		interval_run(state, t, &time_s);
	assert_int_equal(Estimate_state_event(state, "later"), 2);
	/* The count that was read in this interval is still known. */
	assert_int_equal(Estimate_state_band(state, 0, &band), is_read(39, 0));
	assert_int_equal(Estimate_state_band(state, 2, &band), -ENODATA);
	for (int t = 40; t < 80; t++) {
		double begin_s = time_s;

		interval_run(state, t, &time_s);
		if (t % 2)
			assert_int_equal(
				Estimate_state_reading(state, 2, begin_s, time_s, count_of(t, 2)),
				0);
		Estimate_state_learn(state);
	}
	assert_int_equal(Estimate_state_band(state, 2, &band), 1);
	/* If the window has no more room, it gets shorter. */
	for (size_t i = 3; i < ESTIMATE_EVENTS_MAX; i++) {
		snprintf(name, sizeof(name), "e%zu", i);
		assert_int_equal(Estimate_state_event(state, name), i);
	}
	assert_int_equal(Estimate_state_event(state, "more"), -E2BIG);
	for (int t = 80; t < 400; t++) {
		interval_run(state, t, &time_s);
		assert_int_equal(Estimate_state_band(state, 0, &band) == 1, is_read(t, 0));
	}
	assert_int_equal(Estimate_state_find(state, "e100"), 100);
	Estimate_state_free(state);
}

/* Predictions, readings and results allocate no memory. Only learning does. */
static void a_step_allocates_nothing(void **unused)
{
	struct Estimate_rate share = {
		.kind = ESTIMATE_SHARE, .of = {0}, .of_count = 1, .by = {1}, .by_count = 1};
	struct Estimate_state *state = state_of(3);
	struct Estimate_band band;
	double time_s = 0;
	size_t before, learned = 0;

	Estimate_state_rate(state, &share);
	for (int t = 0; t < 600; t++) {
		before = allocations;
		interval_run(state, t, &time_s);
		for (size_t i = 0; i < 3; i++) {
			Estimate_state_band(state, i, &band);
			Estimate_state_next(state, i, 0.01, &band);
		}
		Estimate_state_rate_band(state, 0, &band);
		assert_int_equal(allocations, before);
		learned += Estimate_state_learn(state) == 1;
		if (learned == 1)
			assert_true(allocations > 0);
	}
	assert_int_equal(learned, 6);
	Estimate_state_free(state);
}

static void bad_input_is_refused(void **unused)
{
	struct Estimate_rate rate = {.kind = ESTIMATE_SHARE, .of = {0}, .of_count = 1};
	struct Estimate_band band = {.value = 7};
	struct Estimate_state *state = state_of(2);

	assert_int_equal(Estimate_state_event(state, ""), -EINVAL);
	assert_int_equal(Estimate_state_event(state, "a"), -EEXIST);
	assert_int_equal(Estimate_state_find(state, "c"), -ENOENT);
	assert_int_equal(Estimate_state_reading(state, 0, 0, 1, 5), -ERANGE);
	assert_int_equal(Estimate_state_predict(state, 0), -EINVAL);
	assert_int_equal(Estimate_state_predict(state, NAN), -EINVAL);
	assert_int_equal(Estimate_state_predict(state, 1), 0);
	assert_int_equal(Estimate_state_reading(state, 2, 0, 1, 5), -EINVAL);
	assert_int_equal(Estimate_state_reading(state, 0, 1, 1, 5), -EINVAL);
	assert_int_equal(Estimate_state_reading(state, 0, 0, 1, NAN), -EINVAL);
	/* The previous interval has ended, and the next one has not begun. */
	assert_int_equal(Estimate_state_reading(state, 0, -1, 0, 5), -ERANGE);
	assert_int_equal(Estimate_state_reading(state, 0, 1, 2, 5), -ERANGE);
	assert_int_equal(Estimate_state_reading(state, 0, 0, 1, 5), 0);
	assert_int_equal(Estimate_state_reading(state, 0, 0, 1, 5), -EALREADY);
	assert_int_equal(Estimate_state_band(state, 1, &band), -ENODATA);
	assert_int_equal(Estimate_state_band(state, 2, &band), -EINVAL);
	assert_int_equal(Estimate_state_rate(state, &rate), -EINVAL);
	rate.by_count = 1;
	rate.by[0] = 2;
	assert_int_equal(Estimate_state_rate(state, &rate), -EINVAL);
	assert_int_equal(Estimate_state_rate_band(state, 0, &band), -EINVAL);
	assert_true(band.value == 7);
	assert_int_equal(Estimate_state_learn(state), 0);
	Estimate_state_free(state);
	Estimate_state_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unread_events_are_estimated_once_they_are_learned),
		cmocka_unit_test(rates_use_what_events_share),
		cmocka_unit_test(the_next_interval_is_predicted),
		cmocka_unit_test(parts_of_an_interval_are_scaled),
		cmocka_unit_test(events_can_come_later),
		cmocka_unit_test(a_step_allocates_nothing),
		cmocka_unit_test(bad_input_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
