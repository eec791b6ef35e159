/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of emu/ring/load.c: the intervals, targets and commands of a load of requests. */
#include <string.h>

#include <hw/blink.h>

#include "tests/unit/ring/ring_fixture.h"

struct offered {
	uint64_t packets;
	uint64_t targets[RING_NODES_MAX];
	uint64_t commands[BLINK_COMMANDS];
	uint64_t last;
	uint64_t intervals[1000];
};

/*
 * Count the requests of node 2. If the interval is longer than all delays, each must leave when it
 * is due.
 */
static void count_request(void *context, const struct ring *ring, unsigned int at,
			  const struct ring_packet *packet)
{
	struct offered *offered = context;
	uint64_t interval = packet->since - offered->last;

	if (packet->class != RING_REQUEST || packet->source != 2)
		return;
	assert_true(interval < 1000);
	offered->packets++;
	offered->targets[packet->target]++;
	offered->commands[packet->command]++;
	offered->intervals[interval]++;
	offered->last = packet->since;
	assert_int_equal(packet->address % 64, 0);
}

static struct offered run(const struct load_source *source, uint64_t clocks)
{
	struct ring_config config = ring_defaults(5);
	struct ringlet *fx = ringlet_start(&config, source, 4);
	struct offered offered = {0};

	fx->ring.watch.context = &offered;
	fx->ring.watch.arrived = count_request;
	ringlet_run(fx, clocks);
	return offered;
}

static void default_is_that_of_the_thesis(void **state)
{
	/* At 667 MB/s, a symbol takes 2999 ps. The interval is 0.6 or 6 us. */
	struct load_source source = load_default(2999);

	assert_int_equal(source.first, 200);
	assert_int_equal(source.last, 2000);
	assert_int_equal(source.command_count, 4);
}

static void all_intervals_and_targets_occur(void **state)
{
	struct load_source source = ringlet_source(BLINK_NREAD64, 0);
	struct offered offered;

	source.first = 500;
	source.last = 509;
	source.commands[1] = BLINK_NWRITE16;
	source.command_count = 2;
	offered = run(&source, 505ULL * 10000);
	assert_in_range(offered.packets, 9990, 10010);
	for (unsigned int interval = 500; interval < 510; interval++)
		assert_in_range(offered.intervals[interval], 850, 1150);
	for (unsigned int at = 0; at < 5; at++)
		assert_in_range(offered.targets[at], at == 2 ? 0 : 2300, at == 2 ? 0 : 2700);
	assert_in_range(offered.commands[BLINK_NREAD64], 4800, 5200);
}

static void distribution_is_drawn_from(void **state)
{
	static const struct load_step steps[] = {
		{300, 1U << 30}, {400, 3U << 30}, {900, UINT32_MAX}};
	struct load_source source = ringlet_source(BLINK_NREAD64, 0);
	struct offered offered;

	source.steps = steps;
	source.step_count = 3;
	/* A quarter, a half and a quarter of the intervals: the mean is 500. */
	offered = run(&source, 500ULL * 10000);
	assert_in_range(offered.packets, 9800, 10200);
	assert_in_range(offered.intervals[300], 2300, 2700);
	assert_in_range(offered.intervals[400], 4800, 5200);
	assert_int_equal(offered.intervals[300] + offered.intervals[400] + offered.intervals[900],
			 offered.packets);
}

static void no_target_is_no_load(void **state)
{
	struct load_source source = ringlet_source(BLINK_NREAD64, 10);

	source.targets[0] = 1ULL << 2;
	/*
	 * With bit 2, node 2 is the only target of the other nodes, and node 2 itself has no
	 * target.
	 */
	assert_int_equal(run(&source, 1000).packets, 0);
}

/* If the ring has no room for a packet, the packet waits. Its latency includes the wait. */
static void latency_counts_from_when_it_was_due(void **state)
{
	struct load_source source = ringlet_source(BLINK_NWRITE256, 10);
	struct ring_config config = ring_defaults(4);
	struct ringlet *fx = ringlet_start(&config, &source, 4);

	ringlet_run(fx, 20000);
	for (unsigned int at = 0; at < 4; at++) {
		const struct ring_counts *counts = &fx->ring.nodes[at].counts;
		uint64_t due = fx->load.node[at].due;

		assert_true(due < 10000);
		assert_int_equal(due, 10 * (counts->offered[RING_REQUEST] + 1));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(default_is_that_of_the_thesis),
		cmocka_unit_test(all_intervals_and_targets_occur),
		cmocka_unit_test(distribution_is_drawn_from),
		cmocka_unit_test(no_target_is_no_load),
		cmocka_unit_test(latency_counts_from_when_it_was_due),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
