/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the differential test: they show that it can fail.
 *
 * What lives here: the tests make one difference at a time between card and reference, which must
 * be noticed: every bit of a record; every part of the configuration, only by its effect on the
 * records; and single steps that only one of the two executes. May use cmocka, pair.h and
 * traffic.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <base/field.h>

#include "tests/reference/pair.h"
#include "tests/reference/traffic.h"

#define STEPS 60000U
#define FRAME_PAGE 40U

static struct pair *start(void)
{
	/* A configuration on which each of the differences below has an effect. */
	static const struct {
		uint32_t offset;
		uint32_t value;
	} setup[] = {
		{SMILE_REG_NODE, 1},
		{SMILE_REG_FILTER, SMILE_FILTER_ALL & ~SMILE_FILTER_FOREIGN},
		{SMILE_REG_MODE, SMILE_MODE_TYPED_TAGS | SMILE_MODE_STATIC},
		{SMILE_REG_MAX_RANGE, 64},
		{SMILE_REG_ENTRIES, 8},
		{SMILE_REG_PHASE_EVENTS, 0x00ff},
		{SMILE_REG_STATIC_PAGE, SMILE_STATIC_PAGE_VALID | FRAME_PAGE},
		{SMILE_REG_STATIC_NODE, 1},
		{SMILE_REG_STATIC_EVENT, SMILE_STATIC_EVENT_VALID | SMILE_STATIC_EVENT_READ |
						 SMILE_STATIC_EVENT_REQUEST |
						 SMILE_STATIC_EVENT_TOP},
		{SMILE_REG_STATIC_COUNTER, SMILE_STATIC_COUNTER_COUNT_VALID},
		{SMILE_REG_TIMER_PERIOD, 100},
		{SMILE_REG_TIMER_EVENT, 3},
		{SMILE_REG_TIME_PERIOD, 70},
		{SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE},
	};
	struct pair *pair = pair_new();

	for (size_t i = 0; i < sizeof(setup) / sizeof(setup[0]); i++)
		assert_true(pair_write(pair, setup[i].offset, setup[i].value));
	assert_true(pair_compare(pair));
	return pair;
}

/* Only frames, ticks, events, swaps and reads by the host; no change of the configuration. */
static bool wanted(const struct operation *operation)
{
	switch (operation->kind) {
	case OPERATION_WRITE:
		return operation->offset == SMILE_REG_EVENT ||
		       (operation->offset == SMILE_REG_COMMAND &&
			operation->value != SMILE_COMMAND_RESET);
	case OPERATION_FRAME:
	case OPERATION_TICK:
	case OPERATION_DRAIN:
		return true;
	default:
		return false;
	}
}

/* Do the records of some traffic show the difference? */
static bool noticed(struct pair *pair)
{
	struct traffic *traffic = malloc(sizeof(*traffic));
	bool same = true;

	assert_non_null(traffic);
	traffic_begin(traffic, TRAFFIC_FEW, 1);
	for (uint32_t i = 0; same && i < STEPS; i++) {
		const struct operation *operation = traffic_next(traffic);

		if (!wanted(operation))
			continue;
		pair_do(pair, operation);
		same = pair_compare_records(pair);
	}
	free(traffic);
	return !same;
}

static void notice_noDifference_isNotNoticed(void **state)
{
	struct pair *pair = start();

	assert_false(noticed(pair));
	assert_true(pair->compared > 1000);
	assert_true(pair_compare(pair));
	pair_free(pair);
}

static void notice_everyBitOfARecord(void **state)
{
	for (int bit = 0; bit < SMILE_RECORD_BYTES * 8; bit++) {
		struct pair *pair = start();

		pair->flip = bit;
		assert_true(noticed(pair));
		assert_int_equal(pair->compared, 1);
		pair_free(pair);
	}
}

/* Change the configuration of the reference without a register write. */
static void notice_everyPartOfTheConfiguration(void **state)
{
	static const struct {
		uint32_t offset;
		uint32_t value;
	} other[] = {
		{SMILE_REG_NODE, 2},
		{SMILE_REG_FILTER, SMILE_FILTER_ALL},
		{SMILE_REG_FILTER,
		 SMILE_FILTER_ALL & ~(SMILE_FILTER_FOREIGN | SMILE_FILTER_RESPONSE)},
		{SMILE_REG_FILTER, SMILE_FILTER_ALL & ~(SMILE_FILTER_FOREIGN | SMILE_FILTER_LOCK)},
		{SMILE_REG_FILTER,
		 SMILE_FILTER_ALL & ~(SMILE_FILTER_FOREIGN | SMILE_FILTER_OUTGOING)},
		{SMILE_REG_MODE, SMILE_MODE_STATIC},
		{SMILE_REG_MODE, SMILE_MODE_TYPED_TAGS | SMILE_MODE_STATIC | SMILE_MODE_ALIGNED},
		{SMILE_REG_MODE,
		 SMILE_MODE_TYPED_TAGS | SMILE_MODE_STATIC | SMILE_MODE_FAITHFUL_TABLE},
		{SMILE_REG_MODE, SMILE_MODE_TYPED_TAGS},
		{SMILE_REG_MODE, SMILE_MODE_TYPED_TAGS | SMILE_MODE_STATIC | SMILE_MODE_NO_DYNAMIC},
		{SMILE_REG_MAX_RANGE, 60},
		{SMILE_REG_ENTRIES, 7},
		{SMILE_REG_PHASE_EVENTS, 0x01ff},
		{SMILE_REG_STATIC_PAGE, SMILE_STATIC_PAGE_VALID | (FRAME_PAGE + 1)},
		{SMILE_REG_STATIC_NODE, 2},
		{SMILE_REG_STATIC_EVENT,
		 SMILE_STATIC_EVENT_VALID | SMILE_STATIC_EVENT_READ | SMILE_STATIC_EVENT_REQUEST |
			 SMILE_STATIC_EVENT_RESPONSE | SMILE_STATIC_EVENT_TOP},
		{SMILE_REG_STATIC_COUNTER,
		 SMILE_STATIC_COUNTER_COUNT_VALID | SMILE_STATIC_COUNTER_DEACTIVATE_VALID |
			 SMILE_PUT(SMILE_STATIC_COUNTER_DEACTIVATE, SMILE_STATIC_GLOBAL + 3)},
		{SMILE_REG_TIMER_PERIOD, 101},
		{SMILE_REG_TIMER_EVENT, 4},
		{SMILE_REG_TIME_PERIOD, 71},
	};

	for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
		struct pair *pair = start();
		bool seen;

		reference_set(&pair->ref, other[i].offset, other[i].value);
		seen = noticed(pair);
		if (!seen)
			print_error("other %zu\n", i);
		assert_true(seen);
		pair_free(pair);
	}
}

/* Steps that only one of the two executes. */
static void notice_stepsOfOneAlone(void **state)
{
	struct operation operation = {.kind = OPERATION_BUS};
	struct pair *pair;

	operation_frame(&operation, BLINK_READSB, 2, 1, 0, FRAME_PAGE * SMILE_PAGE_BYTES);
	pair = start();
	reference_packet(&pair->ref, operation.frame, operation.bytes);
	assert_false(pair_compare(pair));
	pair_free(pair);

	pair = start();
	reference_link(&pair->ref, true);
	assert_false(pair_compare(pair));
	pair_free(pair);

	pair = start();
	reference_tick(&pair->ref, 1);
	assert_false(pair_compare(pair));
	pair_free(pair);

	/* The first record is in the ring, and its latency timer runs. */
	pair = start();
	pair_write(pair, SMILE_REG_RING_LATENCY, 10);
	pair_write(pair, SMILE_REG_EVENT, 9);
	assert_true(pair_compare(pair));
	assert_true(pair->bench->latency_running);
	pair->ref.machine_us++;
	reference_write(&pair->ref, SMILE_REG_RING_LATENCY, 10);
	assert_false(pair_compare(pair));
	pair_free(pair);

	pair = start();
	reference_write(&pair->ref, SMILE_REG_ID, 0);
	assert_false(pair_compare(pair));
	pair_free(pair);

	/* The line rose and fell again: its level by itself does not show the difference. */
	pair = start();
	reference_write(&pair->ref, SMILE_REG_INT_ENABLE, SMILE_INT_LINK);
	reference_link(&pair->ref, true);
	reference_link(&pair->ref, false);
	reference_write(&pair->ref, SMILE_REG_INT_STATUS, SMILE_INT_LINK);
	reference_write(&pair->ref, SMILE_REG_INT_ENABLE, 0);
	assert_false(pair_compare(pair));
	pair_free(pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(notice_noDifference_isNotNoticed),
		cmocka_unit_test(notice_everyBitOfARecord),
		cmocka_unit_test(notice_everyPartOfTheConfiguration),
		cmocka_unit_test(notice_stepsOfOneAlone),
	};

	return cmocka_run_group_tests_name("notice", tests, NULL, NULL);
}
