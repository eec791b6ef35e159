// SPDX-License-Identifier: MIT
/* Tests of lib/analysis/live/live_source.c: the states, changes and intervals of a source. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <smile/monitor.h>

#include "lib/analysis/live/live_source.h"
#include "tests/unit/request_packets.h"

static uint64_t clock_now_ns;

static uint64_t test_clock(void)
{
	return clock_now_ns;
}

static int setup(void **state)
{
	struct live *live = calloc(1, sizeof(*live));

	*state = live;
	clock_now_ns = 5000000000;
	live->kind = LIVE_CARD;
	if (Monitor_open(&live->mon, "emu:") < 0 || Monitor_start(live->mon) < 0)
		return -1;
	live->members_count = 1;
	live->members = calloc(1, sizeof(*live->members));
	live->members[0].mon = live->mon;
	live_begin(live, test_clock);
	return 0;
}

static int teardown(void **state)
{
	struct live *live = *state;

	Monitor_close(live->mon);
	free(live->members);
	free(live);
	return 0;
}

/* Node 1 reads page 5 of node 0. */
static void reads(struct live *live, unsigned int count)
{
	request_packets(live->mon, count, 1, 0, BLINK_READSB, 5);
}

static void live_look_drains_a_card(void **state)
{
	struct live *live = *state;
	struct live_interval interval;

	reads(live, 10);
	/* One counter has all ten events; no record is left in the ring. */
	assert_int_equal(live_poll(live, 0), 0);
	clock_now_ns += 2000000000;
	assert_int_equal(live_look(live, &interval), LIVE_RECORDS);
	assert_true(interval.seconds == 2.0);
	assert_int_equal(interval.records, 1);
	assert_int_equal(interval.events, 10);
	assert_true(interval.packets_known);
	assert_int_equal(interval.packets, 10);
	assert_true(live_rate(interval.events, &interval) == 5.0);
	assert_int_equal(live->nodes, 2);
}

static void live_look_begins_a_new_interval(void **state)
{
	struct live *live = *state;
	struct live_interval interval;

	reads(live, 10);
	live_look(live, &interval);
	reads(live, 3);
	clock_now_ns += 1000000000;
	live_look(live, &interval);
	assert_int_equal(interval.events, 3);
	assert_int_equal(live_totals(live)->loss.delivered, 13);
	assert_int_equal(live_totals(live)->time_ns, 1000000000);
	assert_int_equal(live_look(live, &interval), 0);
	assert_int_equal(interval.events, 0);
	assert_true(live_rate(5, &interval) == 0);
}

static void live_poll_of_a_source_that_ended_returns_at_once(void **state)
{
	struct live *live = *state;

	live->state = LIVE_ENDED;
	assert_int_equal(live_poll(live, 1000000), 0);
	live->state = LIVE_FAILED;
	assert_int_equal(live_poll(live, 1000000), 0);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(live_look_drains_a_card),
		TEST(live_look_begins_a_new_interval),
		TEST(live_poll_of_a_source_that_ended_returns_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
