/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of run/session/gather.c. Threads are gathered on one processor if they then pass turns to
 * each other faster. After some time, both ways are measured anew.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/session/gather.h"

#define SHORT_NS 5000U
#define MIDDLE_NS 20000U

static uint64_t now;

/*
 * Make the turns of one measurement; each takes @each_ns. Return: whether the threads are gathered.
 */
static bool measure(struct gather *gather, uint64_t each_ns)
{
	bool gathered = gather->gathered;

	for (unsigned int i = 0; i < GATHER_TURNS; i++) {
		assert_int_equal(gather->gathered, gathered);
		now += each_ns;
		gathered = gather_turn(gather, now);
	}
	return gathered;
}

/* Make turns of @each_ns until the next measurement without gathering begins. */
static uint64_t next_measurement(struct gather *gather, uint64_t each_ns)
{
	uint64_t begun = now;

	while (gather->state == GATHER_KEPT)
		measure(gather, each_ns);
	assert_int_equal(gather->state, GATHER_SPREAD);
	assert_false(gather->gathered);
	return now - begun;
}

static void begin(struct gather *gather)
{
	*gather = (struct gather){0};
	now = 1000000000000;
	gather->begun_ns = now;
}

static void threads_are_gathered_if_that_is_faster(void **state)
{
	struct gather gather;

	begin(&gather);
	assert_true(measure(&gather, MIDDLE_NS));
	assert_true(measure(&gather, SHORT_NS));
	assert_int_equal(gather.state, GATHER_KEPT);
	assert_true(measure(&gather, SHORT_NS));
}

static void threads_are_spread_if_that_is_faster(void **state)
{
	struct gather gather;

	begin(&gather);
	assert_true(measure(&gather, SHORT_NS));
	assert_false(measure(&gather, MIDDLE_NS));
	assert_int_equal(gather.state, GATHER_KEPT);
	assert_false(measure(&gather, SHORT_NS));
}

static void threads_that_compute_for_long_are_not_gathered(void **state)
{
	struct gather gather;

	begin(&gather);
	for (unsigned int i = 0; i < 10; i++)
		assert_false(measure(&gather, GATHER_LONG_NS + 1));
	assert_int_equal(gather.state, GATHER_SPREAD);
	/* The gathered threads start to compute for a long time. */
	assert_true(measure(&gather, MIDDLE_NS));
	assert_true(measure(&gather, SHORT_NS));
	assert_false(measure(&gather, GATHER_LONG_NS + 1));
	assert_int_equal(gather.state, GATHER_SPREAD);
}

/* The first measurement may start long before the first turn. */
static void a_late_first_turn_is_no_error(void **state)
{
	struct gather gather = {0};

	now = 1000000000000;
	assert_false(measure(&gather, MIDDLE_NS));
	assert_true(measure(&gather, MIDDLE_NS));
	assert_true(measure(&gather, SHORT_NS));
}

static void both_are_measured_again(void **state)
{
	struct gather gather;
	uint64_t kept;

	begin(&gather);
	measure(&gather, MIDDLE_NS);
	measure(&gather, SHORT_NS);
	kept = next_measurement(&gather, SHORT_NS);
	assert_in_range(kept, GATHER_KEEP_NS, GATHER_KEEP_NS + GATHER_TURNS * SHORT_NS);
	/* As long as gathered threads are slower, gathering is measured less and less often. */
	for (uint64_t keep_ns = GATHER_KEEP_NS; keep_ns < 4 * (uint64_t)GATHER_KEEP_MAX_NS;
	     keep_ns *= 2) {
		uint64_t wanted = keep_ns < GATHER_KEEP_MAX_NS ? keep_ns : GATHER_KEEP_MAX_NS;

		assert_true(measure(&gather, SHORT_NS));
		assert_false(measure(&gather, MIDDLE_NS));
		kept = next_measurement(&gather, SHORT_NS);
		assert_in_range(kept, wanted, wanted + GATHER_TURNS * SHORT_NS);
	}
	/* If gathering is faster once, it is measured often from then on. */
	measure(&gather, MIDDLE_NS);
	measure(&gather, SHORT_NS);
	next_measurement(&gather, SHORT_NS);
	measure(&gather, SHORT_NS);
	measure(&gather, MIDDLE_NS);
	kept = next_measurement(&gather, SHORT_NS);
	assert_in_range(kept, GATHER_KEEP_NS, GATHER_KEEP_NS + GATHER_TURNS * SHORT_NS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_are_gathered_if_that_is_faster),
		cmocka_unit_test(threads_are_spread_if_that_is_faster),
		cmocka_unit_test(threads_that_compute_for_long_are_not_gathered),
		cmocka_unit_test(a_late_first_turn_is_no_error),
		cmocka_unit_test(both_are_measured_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
