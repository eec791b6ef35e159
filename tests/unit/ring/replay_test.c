/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of emu/ring/replay.c: the times at which the requests of a trace are due.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include <hw/blink.h>

#include "emu/ring/replay.h"

#define SHOWN 8U

/**
 * struct shown - The results of a replayed trace.
 * @due: times at which the requests were due, in the order in which they ended
 * @ended: times at which these requests ended
 */
struct shown {
	struct network network;
	struct replay replay;
	struct ring *ring;
	uint64_t due[SHOWN];
	uint64_t ended[SHOWN];
	unsigned int count;
};

static void note_ended(void *context, const struct network *network, unsigned int node,
		       const struct ring_packet *packet)
{
	struct shown *shown = context;

	assert_true(shown->count < SHOWN);
	shown->due[shown->count] = packet->since;
	shown->ended[shown->count++] = network->clock;
	replay_ended(&shown->replay, network, node, packet);
}

static struct shown *run_skipping(unsigned int node, const struct replay_request *requests,
				  uint64_t count, bool skip)
{
	struct network_config config = {NETWORK_RING, 3, 0, ring_defaults(3)};
	struct shown *shown = calloc(1, sizeof(*shown));

	assert_non_null(shown);
	shown->ring = calloc(1, sizeof(*shown->ring));
	assert_non_null(shown->ring);
	assert_int_equal(network_init(&shown->network, &config, shown->ring), 0);
	shown->network.watch.context = shown;
	shown->network.watch.ended = note_ended;
	shown->replay.node[node].requests = requests;
	shown->replay.node[node].count = count;
	replay_begin(&shown->replay);
	for (unsigned int clock = 0; !replay_done(&shown->replay, &shown->network); clock++) {
		uint64_t due = replay_due(&shown->replay, &shown->network);

		assert_true(clock < 100000);
		if (skip && due != LOAD_NEVER && due > shown->network.clock &&
		    network_rests(&shown->network))
			network_skip(&shown->network, due - shown->network.clock);
		replay_step(&shown->replay, &shown->network);
		network_step(&shown->network, NULL);
	}
	assert_int_equal(shown->count, count);
	return shown;
}

static struct shown *run(unsigned int node, const struct replay_request *requests, uint64_t count)
{
	return run_skipping(node, requests, count, false);
}

static void end(struct shown *shown)
{
	free(shown->ring);
	free(shown);
}

static void requests_are_due_as_in_the_trace(void **state)
{
	static const struct replay_request requests[] = {
		{.wait = 50, .target = 0, .command = BLINK_NREAD64},
		{.wait = 200, .target = 1, .command = BLINK_NWRITE16},
		{.wait = 0, .target = 0, .command = BLINK_NREAD64},
	};
	struct shown *shown = run(2, requests, 3);

	assert_int_equal(shown->due[0], 50);
	assert_int_equal(shown->due[1] + shown->due[2], 500);
	assert_int_equal(shown->due[1], 250);
	end(shown);
}

static void a_request_waits_for_the_end_of_the_one_before(void **state)
{
	static const struct replay_request requests[] = {
		{.wait = 10, .target = 0, .command = BLINK_NREAD256},
		{.wait = 5, .target = 1, .command = BLINK_DMOVE64, .after_end = true},
		{.wait = 0, .target = 0, .command = BLINK_NREAD64, .after_end = true},
	};
	struct shown *shown = run(2, requests, 3);

	assert_int_equal(shown->due[0], 10);
	assert_true(shown->ended[0] > 10 + 128);
	assert_int_equal(shown->due[1], shown->ended[0] + 5);
	assert_int_equal(shown->due[2], shown->ended[1]);
	end(shown);
}

/* Two requests are outstanding. The first one ends, but the third request waits for the second. */
static void only_the_request_before_counts(void **state)
{
	static const struct replay_request requests[] = {
		{.wait = 0, .target = 0, .command = BLINK_NREAD64},
		{.wait = 60, .target = 0, .command = BLINK_NREAD256},
		{.wait = 7, .target = 0, .command = BLINK_NREAD64, .after_end = true},
	};
	struct shown *shown = run(2, requests, 3);

	assert_true(shown->ended[0] > 60);
	assert_int_equal(shown->due[2], shown->ended[1] + 7);
	end(shown);
}

/* To skip clocks in which nothing happens must not change the result. */
static void skipped_clocks_are_as_others(void **state)
{
	static const struct replay_request requests[] = {
		{.wait = 3000, .target = 0, .command = BLINK_NREAD256},
		{.wait = 20000, .target = 1, .command = BLINK_NWRITE64, .after_end = true},
		{.wait = 100, .target = 1, .command = BLINK_DMOVE64},
		{.wait = 9000, .target = 0, .command = BLINK_NREAD64, .after_end = true},
	};
	struct shown *whole = run(2, requests, 4), *skipped = run_skipping(2, requests, 4, true);

	assert_int_equal(whole->network.clock, skipped->network.clock);
	assert_memory_equal(whole->due, skipped->due, sizeof(whole->due));
	assert_memory_equal(whole->ended, skipped->ended, sizeof(whole->ended));
	for (unsigned int at = 0; at < 3; at++)
		assert_memory_equal(&whole->ring->nodes[at].counts,
				    &skipped->ring->nodes[at].counts,
				    sizeof(whole->ring->nodes[at].counts));
	end(whole);
	end(skipped);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_are_due_as_in_the_trace),
		cmocka_unit_test(a_request_waits_for_the_end_of_the_one_before),
		cmocka_unit_test(only_the_request_before_counts),
		cmocka_unit_test(skipped_clocks_are_as_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
