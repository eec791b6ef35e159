/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/exchange/interval_timer.c: nodes with separate clocks, in simulated time. One node
 * stops for some time.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "lib/exchange/interval_timer.h"

#define INTERVAL 1000
#define NODES 3

static void leads(void **state)
{
	struct interval_timer timer = {.due_ns = 5000, .interval_ns = INTERVAL};

	assert_int_equal(interval_timer_wake_ns(&timer, 1), 5000);
	assert_false(interval_timer_next(&timer, 4999, 1, 0, 0));
	/* This interval starts 100 too late, but the next one is due at its original time. */
	assert_true(interval_timer_next(&timer, 5100, 1, 0, 0));
	assert_int_equal(timer.number, 1);
	assert_int_equal(timer.due_ns, 6000);
	/* The timer is late by several intervals, and skips them. */
	assert_true(interval_timer_next(&timer, 9300, 1, 0, 0));
	assert_int_equal(timer.number, 2);
	assert_int_equal(timer.due_ns, 10300);
	/* The node that leads ignores the calls of other nodes. */
	assert_false(interval_timer_next(&timer, 9400, 1, 1, 3));
	/* The node was stopped, while the other nodes continued. */
	assert_true(interval_timer_next(&timer, 90000, 1, 0, 81));
	assert_int_equal(timer.number, 81);
}

static void follows(void **state)
{
	struct interval_timer timer = {.due_ns = 5000, .interval_ns = INTERVAL};

	assert_int_equal(interval_timer_wake_ns(&timer, 0), 5500);
	assert_true(interval_timer_next(&timer, 4990, 0, 1, 7));
	assert_int_equal(timer.number, 7);
	assert_int_equal(timer.due_ns, 5990);
	/* If no call arrives, the node starts the interval itself. */
	assert_false(interval_timer_next(&timer, 6400, 0, 0, 7));
	assert_true(interval_timer_next(&timer, 6490, 0, 0, 7));
	assert_int_equal(timer.number, 8);
	assert_int_equal(timer.due_ns, 6990);
	/* The call for this interval arrives when the node has already started the interval. */
	assert_false(interval_timer_next(&timer, 6600, 0, 1, 8));
	assert_int_equal(timer.number, 8);
	assert_int_equal(timer.due_ns, 7600);
	assert_true(interval_timer_next(&timer, 7600, 0, 1, 9));
	assert_int_equal(timer.number, 9);
}

/* struct simulated - A node. Its clock is ahead of the simulation's clock by @ahead. */
struct simulated {
	struct interval_timer timer;
	uint64_t ahead;
	uint64_t asleep_from, asleep_to;
	uint64_t begun_at;
	uint64_t heard;
	int called;
};

static int here(const struct simulated *node, uint64_t now)
{
	return now < node->heard + 4 * INTERVAL;
}

/* Three nodes. The first one stops at time 20,000, and continues later. */
static void together(void **state)
{
	struct simulated nodes[NODES] = {
		{.ahead = 100000, .asleep_from = 20000, .asleep_to = 60000},
		{.ahead = 7000},
		{.ahead = 31},
	};
	uint64_t apart = 0, intervals = 0;

	for (size_t i = 0; i < NODES; i++)
		nodes[i].timer = (struct interval_timer){.due_ns = nodes[i].ahead + 500 + 300 * i,
							 .interval_ns = INTERVAL};
	for (uint64_t now = 1; now < 100000; now++) {
		for (size_t i = 0; i < NODES; i++) {
			struct simulated *node = &nodes[i];
			uint64_t begun = 0;
			int lead = 1;

			if (now >= node->asleep_from && now < node->asleep_to)
				continue;
			for (size_t j = 0; j < NODES; j++) {
				if (j == i || !here(&nodes[j], now))
					continue;
				begun = nodes[j].timer.number > begun ? nodes[j].timer.number
								      : begun;
				lead &= j > i;
			}
			if (interval_timer_next(&node->timer, now + node->ahead, lead, node->called,
						begun)) {
				node->begun_at = node->heard = now;
				for (size_t j = 0; j < NODES && lead; j++)
					nodes[j].called |= j != i;
				intervals += i == 2;
			}
			node->called = 0;
		}
		/* The nodes must be in step after their start, and some time after the pause. */
		if ((now > 5000 && now < 20000) || now > 65000)
			for (size_t i = 1; i < NODES; i++) {
				uint64_t distance = nodes[i].begun_at > nodes[0].begun_at
							    ? nodes[i].begun_at - nodes[0].begun_at
							    : nodes[0].begun_at - nodes[i].begun_at;

				if (nodes[i].timer.number == nodes[0].timer.number &&
				    distance > apart)
					apart = distance;
				assert_in_range(nodes[i].timer.number, nodes[0].timer.number - 1,
						nodes[0].timer.number + 1);
			}
	}
	/* A call arrives after one step of the simulation. */
	assert_in_range(apart, 0, 1);
	/* No node has waited for the node that stopped. */
	assert_in_range(intervals, 96, 101);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(leads),
		cmocka_unit_test(follows),
		cmocka_unit_test(together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
