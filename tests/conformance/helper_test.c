/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the conformance suite's own checks: each fails when the naive count and the library
 * disagree. A failing check ends its test, so each check is tried in a process of its own, on the
 * emulated card. May use fixture.h, traffic.h and POSIX.
 */

#include "tests/conformance/traffic.h"
#include "tests/harness/failing.h"

/* The number of failed tests when @function is run as one, with the fixture: 0 or 1. */
static int failures(CMUnitTestFunction function)
{
	return failures_of(function, conformance_setup, conformance_teardown);
}

/* Send and count 500 accesses. */
static void send_traffic(struct conformance *c, struct naive *naive)
{
	struct smile_config config = config_default();

	conformance_open(c, &config);
	traffic_add(c, naive, 1, 500, 0);
	conformance_feed(c);
}

static void histogram_right(void **state)
{
	struct naive naive = {0};

	send_traffic(*state, &naive);
	conformance_finish(*state);
	expect_histogram(*state, &naive, true);
	expect_balanced(*state, 500);
	naive_free(&naive);
}

static void histogram_one_more_sent(void **state)
{
	static struct naive naive;

	send_traffic(*state, &naive);
	conformance_finish(*state);
	naive_add(&naive, 0, 0, SMILE_TYPE_READ, 0, 0);
	expect_histogram(*state, &naive, true);
}

static void histogram_one_less_sent(void **state)
{
	static struct naive naive;

	send_traffic(*state, &naive);
	conformance_finish(*state);
	naive.count--;
	expect_histogram(*state, &naive, true);
}

static void histogram_page_of_its_own(void **state)
{
	static struct naive naive;

	send_traffic(*state, &naive);
	conformance_finish(*state);
	naive_add(&naive, 0, 0, SMILE_TYPE_READ, 0x77000, 0);
	expect_histogram(*state, &naive, true);
}

static void histogram_other_type(void **state)
{
	static struct naive naive;

	send_traffic(*state, &naive);
	conformance_finish(*state);
	naive.access[7].type = naive.access[7].type % 3 + 1;
	expect_histogram(*state, &naive, true);
}

static void histogram_other_home(void **state)
{
	static struct naive naive;

	send_traffic(*state, &naive);
	conformance_finish(*state);
	naive.access[7].home = (naive.access[7].home + 1) % 3;
	expect_histogram(*state, &naive, true);
}

static void histogram_not_swapped(void **state)
{
	static struct naive naive;

	send_traffic(*state, &naive);
	expect_histogram(*state, &naive, true);
}

static void expect_histogram_anyDifference_fails(void **state)
{
	assert_int_equal(failures(histogram_right), 0);
	assert_int_equal(failures(histogram_one_more_sent), 1);
	assert_int_equal(failures(histogram_one_less_sent), 1);
	assert_int_equal(failures(histogram_page_of_its_own), 1);
	assert_int_equal(failures(histogram_other_type), 1);
	assert_int_equal(failures(histogram_other_home), 1);
	assert_int_equal(failures(histogram_not_swapped), 1);
}

static void balanced_other_sum(void **state)
{
	static struct naive naive;

	send_traffic(*state, &naive);
	conformance_finish(*state);
	expect_balanced(*state, 499);
}

static void balanced_not_swapped(void **state)
{
	static struct naive naive;

	send_traffic(*state, &naive);
	expect_balanced(*state, 500);
}

static void expect_balanced_anyGap_fails(void **state)
{
	assert_int_equal(failures(balanced_other_sum), 1);
	assert_int_equal(failures(balanced_not_swapped), 1);
}

/* Two static counters, and traffic for them. */
static struct naive_counter counters[] = {
	{.counts = {.home = 1,
		    .address = 0x28000,
		    .bytes = 4096,
		    .filter = SMILE_FILTER_TYPES | SMILE_FILTER_REQUEST}},
	{.counts = {.global = true, .event = 2}, .from = {.global = true, .event = 2}},
};

static void send_static(struct conformance *c, struct naive_steps *steps)
{
	static struct smile_static tables;
	static struct naive naive;
	struct smile_config config = config_default();

	tables = naive_static_tables(counters, 2);
	config.mode |= SMILE_MODE_STATIC;
	c->tables = &tables;
	conformance_open(c, &config);
	step_traffic(c, &naive, steps, 1, 300, 0);
	step_event(c, steps, 2, 0);
	conformance_feed(c);
}

static void static_right(void **state)
{
	struct naive_steps steps = {0};

	send_static(*state, &steps);
	conformance_finish(*state);
	expect_static(*state, &steps, counters, 2, 1);
	naive_steps_free(&steps);
}

static void static_one_more_sent(void **state)
{
	static struct naive_steps steps;

	send_static(*state, &steps);
	conformance_finish(*state);
	naive_steps_add(&steps, &(struct naive_step){.global = true, .event = 2});
	expect_static(*state, &steps, counters, 2, 1);
}

static void static_other_kind(void **state)
{
	static struct naive_steps steps;
	struct naive_counter others[] = {counters[0], counters[1]};

	others[0].counts.filter |= SMILE_FILTER_RESPONSE;
	send_static(*state, &steps);
	conformance_finish(*state);
	expect_static(*state, &steps, others, 2, 1);
}

static void static_other_beginning(void **state)
{
	static struct naive_steps steps;
	struct naive_counter others[] = {counters[0], counters[1]};

	others[0].from = others[1].from;
	send_static(*state, &steps);
	conformance_finish(*state);
	expect_static(*state, &steps, others, 2, 1);
}

static void static_one_counter_more(void **state)
{
	static struct naive_steps steps;

	send_static(*state, &steps);
	conformance_finish(*state);
	expect_static(*state, &steps, counters, 1, 1);
}

static void static_not_swapped(void **state)
{
	static struct naive_steps steps;

	send_static(*state, &steps);
	expect_static(*state, &steps, counters, 2, 1);
}

static void expect_static_anyDifference_fails(void **state)
{
	assert_int_equal(failures(static_right), 0);
	assert_int_equal(failures(static_one_more_sent), 1);
	assert_int_equal(failures(static_other_kind), 1);
	assert_int_equal(failures(static_other_beginning), 1);
	assert_int_equal(failures(static_one_counter_more), 1);
	assert_int_equal(failures(static_not_swapped), 1);
}

static void open_impossible(void **state)
{
	struct smile_config config = config_default();

	config.entries = 0;
	conformance_open(*state, &config);
}

static void conformance_open_impossibleConfig_fails(void **state)
{
	assert_int_equal(failures(open_impossible), 1);
}

static void naive_count_knownAccesses_isKnown(void **state)
{
	struct naive naive = {0};
	struct naive_access like = any_at(1, 2);

	naive_add(&naive, 0, 1, SMILE_TYPE_READ, 0x2000, 0);
	naive_add(&naive, 3, 1, SMILE_TYPE_WRITE, 0x2fff, 1);
	naive_add(&naive, 3, 2, SMILE_TYPE_WRITE, 0x2fff, 1);
	naive_add(&naive, 3, 1, SMILE_TYPE_WRITE, 0x3000, 1);
	assert_int_equal(naive_page_count(&naive, &like), 2);
	assert_int_equal(naive_section_count(&naive, &like, 2048, 0), 1);
	assert_int_equal(naive_section_count(&naive, &like, 2048, 1), 1);
	like.type = SMILE_TYPE_WRITE;
	assert_int_equal(naive_page_count(&naive, &like), 1);
	assert_int_equal(naive_section_count(&naive, &like, 2048, 0), 0);
	like = any_at(NAIVE_ANY, NAIVE_ANY);
	assert_int_equal(naive_page_count(&naive, &like), 4);
	naive_free(&naive);
}

static void naive_static_count_knownSteps_isKnown(void **state)
{
	static const struct naive_step step[] = {
		{.type = SMILE_TYPE_READ, .address = 8},
		{.global = true, .event = 1},
		{.type = SMILE_TYPE_READ, .address = 8},
		{.type = SMILE_TYPE_WRITE, .address = 8},
		{.type = SMILE_TYPE_READ, .address = 11, .response = true},
		{.type = SMILE_TYPE_READ, .address = 12},
		{.type = SMILE_TYPE_READ, .address = 8, .home = 1},
		{.type = SMILE_TYPE_READ, .address = 8, .phase = 1},
		{.global = true, .event = 2, .phase = 1},
		{.type = SMILE_TYPE_READ, .address = 8, .phase = 1},
	};
	struct naive_counter counter = {
		.counts = {.address = 8,
			   .bytes = 4,
			   .filter = SMILE_FILTER_READ | SMILE_FILTER_REQUEST}};
	struct naive_steps steps = {0};

	for (size_t i = 0; i < sizeof(step) / sizeof(step[0]); i++)
		naive_steps_add(&steps, &step[i]);
	assert_int_equal(naive_static_count(&steps, &counter, 0), 2);
	assert_int_equal(naive_static_count(&steps, &counter, 1), 2);
	counter.counts.filter |= SMILE_FILTER_RESPONSE | SMILE_FILTER_WRITE;
	assert_int_equal(naive_static_count(&steps, &counter, 0), 4);
	counter.from = (struct naive_watch){.global = true, .event = 1};
	assert_int_equal(naive_static_count(&steps, &counter, 0), 3);
	counter.until = (struct naive_watch){.global = true, .event = 2};
	assert_int_equal(naive_static_count(&steps, &counter, 1), 1);
	/* The event that ends the counting is also counted. */
	counter.until = counter.counts;
	assert_int_equal(naive_static_count(&steps, &counter, 0), 1);
	assert_int_equal(naive_static_count(&steps, &counter, 1), 0);
	naive_steps_free(&steps);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(expect_histogram_anyDifference_fails),
		cmocka_unit_test(expect_balanced_anyGap_fails),
		cmocka_unit_test(expect_static_anyDifference_fails),
		cmocka_unit_test(conformance_open_impossibleConfig_fails),
		cmocka_unit_test(naive_static_count_knownSteps_isKnown),
		cmocka_unit_test(naive_count_knownAccesses_isKnown),
	};

	conformance_name_set("emu:", NULL);
	return cmocka_run_group_tests_name("helper", tests, NULL, NULL);
}
