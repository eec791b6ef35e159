/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of emu/ring/prediction.c and route.c: the predicted loads of links and times are compared
 * with a simulation of the same transactions.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <base/random.h>
#include <hw/blink.h>

#include "emu/ring/prediction.h"
#include "emu/ring/replay.h"

#define REQUESTS 200U

static const uint8_t commands[] = {BLINK_READSB, BLINK_WRITESB, BLINK_NREAD64, BLINK_NWRITE64,
				   BLINK_DMOVE64};

/**
 * struct traffic - The requests of each node, which follow one another, and their times.
 * @alone: clocks of each node if it never waited
 * @ended: clock at which the last transaction of each node ended
 */
struct traffic {
	struct network_config config;
	struct prediction predict;
	struct network network;
	struct replay replay;
	struct ring *rings;
	struct replay_request requests[PREDICTION_NODES_MAX][REQUESTS];
	double alone[PREDICTION_NODES_MAX];
	uint64_t ended[PREDICTION_NODES_MAX];
};

static void note_ended(void *context, const struct network *network, unsigned int node,
		       const struct ring_packet *packet)
{
	struct traffic *traffic = context;

	traffic->ended[packet->class == RING_REQUEST ? packet->source : node] = network->clock;
	replay_ended(&traffic->replay, network, node, packet);
}

/*
 * @think: average number of clocks from the end of a request to the next request. @hot: true if
 * half of the requests are to node 0.
 */
static struct traffic *traffic_make(enum network_topology topology, unsigned int nodes,
				    unsigned int width, uint32_t think, bool hot)
{
	struct traffic *traffic = calloc(1, sizeof(*traffic));
	uint64_t state = 7;

	assert_non_null(traffic);
	traffic->config = (struct network_config){topology, nodes, width, ring_defaults(2)};
	assert_int_equal(prediction_init(&traffic->predict, &traffic->config), 0);
	for (unsigned int node = 0; node < nodes; node++) {
		for (unsigned int i = 0; i < REQUESTS; i++) {
			uint32_t target = random_below(&state, nodes - 1);
			uint8_t command = commands[random_below(&state, sizeof(commands))];

			target += target >= node;
			if (hot && node && i % 2)
				target = 0;
			traffic->requests[node][i] = (struct replay_request){
				.wait = 1 + random_below(&state, 2 * think),
				.target = (uint16_t)target,
				.command = command,
				.after_end = i > 0,
			};
			prediction_add(&traffic->predict, node, target, command, 1);
			traffic->alone[node] +=
				(double)(traffic->requests[node][i].wait +
					 prediction_idle(&traffic->config, node, target, command));
		}
		traffic->replay.node[node].requests = traffic->requests[node];
		traffic->replay.node[node].count = REQUESTS;
	}
	return traffic;
}

static void traffic_simulate(struct traffic *traffic)
{
	traffic->rings = calloc((size_t)network_rings(&traffic->config), sizeof(*traffic->rings));
	assert_non_null(traffic->rings);
	assert_int_equal(network_init(&traffic->network, &traffic->config, traffic->rings), 0);
	traffic->network.watch = (struct network_watch){.context = traffic, .ended = note_ended};
	replay_begin(&traffic->replay);
	while (!replay_done(&traffic->replay, &traffic->network)) {
		replay_step(&traffic->replay, &traffic->network);
		network_step(&traffic->network, NULL);
	}
	/* Run until the last echoes have arrived. */
	for (unsigned int clock = 0; clock < 2000; clock++)
		network_step(&traffic->network, NULL);
}

static void traffic_free(struct traffic *traffic)
{
	free(traffic->rings);
	free(traffic);
}

static void loads_are_what_the_simulation_counts(void **state)
{
	static const struct {
		enum network_topology topology;
		unsigned int nodes, width;
	} cases[] = {{NETWORK_RING, 5, 0},
		     {NETWORK_RINGLETS, 7, 3},
		     {NETWORK_RINGLETS, 4, 1},
		     {NETWORK_TORUS, 8, 4}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct traffic *traffic = traffic_make(cases[i].topology, cases[i].nodes,
						       cases[i].width, 2000, false);
		unsigned int link = 0;

		traffic_simulate(traffic);
		for (unsigned int ring = 0; ring < traffic->network.ring_count; ring++)
			for (unsigned int at = 0; at < traffic->rings[ring].config.nodes; at++) {
				const struct ring_counts *counts =
					&traffic->rings[ring].nodes[at].counts;

				assert_true(prediction_link_load(&traffic->predict, link++, 1) ==
					    (double)(counts->own.symbols + counts->bypass.symbols +
						     counts->gap_symbols));
			}
		assert_int_equal(link, traffic->predict.link_count);
		traffic_free(traffic);
	}
}

static void load_of_a_link_is_that_of_its_transactions(void **state)
{
	struct traffic *traffic = traffic_make(NETWORK_TORUS, 8, 4, 100, false);

	for (unsigned int link = 0; link < traffic->predict.link_count; link++) {
		double sum = 0;

		for (unsigned int node = 0; node < 8; node++)
			for (unsigned int i = 0; i < REQUESTS; i++)
				sum += prediction_transaction_load(
					&traffic->predict, link, node,
					traffic->requests[node][i].target,
					traffic->requests[node][i].command);
		assert_true(sum == prediction_link_load(&traffic->predict, link, 1));
	}
	traffic_free(traffic);
}

/* The average error of the predicted times of all nodes [percent]. */
static double error_of(enum network_topology topology, unsigned int nodes, unsigned int width,
		       uint32_t think, bool hot)
{
	struct traffic *traffic = traffic_make(topology, nodes, width, think, hot);
	double clocks[PREDICTION_NODES_MAX], waits[PREDICTION_NODES_MAX], is = 0, predicted = 0;
	unsigned int each[PREDICTION_NODES_MAX];

	traffic_simulate(traffic);
	for (unsigned int node = 0; node < nodes; node++) {
		each[node] = 1;
		clocks[node] = traffic->alone[node];
	}
	prediction_time(&traffic->predict, each, clocks, waits);
	for (unsigned int node = 0; node < nodes; node++) {
		is += (double)traffic->ended[node];
		predicted += traffic->alone[node] + waits[node];
	}
	traffic_free(traffic);
	return 100 * (predicted / is - 1);
}

static void times_are_within_ten_percent_of_the_simulation(void **state)
{
	static const struct {
		enum network_topology topology;
		unsigned int nodes, width;
	} cases[] = {{NETWORK_RING, 4, 0},	{NETWORK_RING, 8, 0},  {NETWORK_RING, 16, 0},
		     {NETWORK_RINGLETS, 16, 4}, {NETWORK_TORUS, 4, 2}, {NETWORK_TORUS, 16, 4}};
	static const uint32_t thinks[] = {1, 50, 300, 2000};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (size_t k = 0; k < sizeof(thinks) / sizeof(thinks[0]); k++) {
			double error = error_of(cases[i].topology, cases[i].nodes, cases[i].width,
						thinks[k], false);

			if (error < -10 || error > 10)
				fail_msg("case %zu, %u clocks between requests: %+.1f %%", i,
					 thinks[k], error);
		}
}

static void a_node_that_all_ask_is_within_twenty_percent(void **state)
{
	static const unsigned int nodes[] = {4, 8};

	for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++) {
		double error = error_of(NETWORK_RING, nodes[i], 0, 50, true);

		if (error < -20 || error > 20)
			fail_msg("%u nodes: %+.1f %%", nodes[i], error);
	}
}

static void without_traffic_nobody_waits(void **state)
{
	struct network_config config = {NETWORK_RING, 3, 0, ring_defaults(2)};
	struct prediction *predict = calloc(1, sizeof(*predict));
	double clocks[3] = {10, 20, 30}, waits[3] = {1, 1, 1};
	unsigned int each[3] = {1, 1, 1};

	assert_non_null(predict);
	assert_int_equal(prediction_init(predict, &config), 0);
	prediction_time(predict, each, clocks, waits);
	for (unsigned int node = 0; node < 3; node++)
		assert_true(waits[node] == 0 && clocks[node] == 10.0 * (node + 1));
	/* If only one node uses the network, it does not wait for others. */
	prediction_add(predict, 0, 1, BLINK_NREAD64, 1000);
	clocks[0] = 1000 * (double)prediction_idle(&config, 0, 1, BLINK_NREAD64);
	prediction_time(predict, each, clocks, waits);
	assert_true(waits[0] > -1e-6 && waits[0] < 1e-6);
	/* The load of a link is at most its capacity. */
	clocks[0] = 10;
	prediction_time(predict, each, clocks, waits);
	assert_true(prediction_link_load(predict, 1, clocks[0]) < predict->capacity[1] * 1.0001);
	assert_true(waits[0] > 0.9999 * (clocks[0] - 10) && waits[0] < 1.0001 * clocks[0]);
	prediction_clear(predict);
	assert_true(prediction_link_load(predict, 0, 1) == 0);
	free(predict);
}

static void networks_that_are_too_large_are_refused(void **state)
{
	struct network_config config = {NETWORK_TORUS, 96, 12, ring_defaults(2)};
	struct prediction *predict = calloc(1, sizeof(*predict));

	assert_non_null(predict);
	assert_int_equal(prediction_init(predict, &config), -EINVAL);
	config = (struct network_config){NETWORK_RINGLETS, 64, 1, ring_defaults(2)};
	assert_int_equal(prediction_init(predict, &config), 0);
	assert_int_equal(predict->link_count, 192);
	free(predict);
}

/*
 * `smile cluster` uses the same distance in both directions, because both nodes give the response
 * the same time stamp.
 */
static void an_idle_network_is_as_far_from_both_ends(void **state)
{
	static const uint8_t accesses[] = {BLINK_READSB, BLINK_WRITESB, BLINK_LOCKSB};
	struct network_config configs[] = {{NETWORK_RING, 5, 0, ring_defaults(2)},
					   {NETWORK_RINGLETS, 7, 3, ring_defaults(2)},
					   {NETWORK_TORUS, 12, 4, ring_defaults(2)}};

	(void)state;
	for (size_t i = 0; i < sizeof(configs) / sizeof(configs[0]); i++)
		for (unsigned int pair = 0; pair < configs[i].nodes * configs[i].nodes; pair++)
			for (size_t c = 0; c < sizeof(accesses); c++) {
				unsigned int a = pair / configs[i].nodes;
				unsigned int b = pair % configs[i].nodes;

				if (a == b)
					continue;
				assert_int_equal(prediction_idle(&configs[i], a, b, accesses[c]),
						 prediction_idle(&configs[i], b, a, accesses[c]));
				assert_int_equal(prediction_idle(&configs[i], a, b, BLINK_READSB),
						 prediction_idle(&configs[i], a, b, BLINK_WRITESB));
			}
}

/*
 * Computed by hand: link 4 of ringlets:3 goes from node 3, the first node of ringlet 1, to node 4.
 */
static void links_are_named_by_their_ends(void **state)
{
	struct network_config config = {NETWORK_RINGLETS, 6, 3, ring_defaults(2)};
	struct prediction *predict = calloc(1, sizeof(*predict));
	struct prediction_link link;

	assert_non_null(predict);
	assert_int_equal(prediction_init(predict, &config), 0);
	link = prediction_link(predict, 4);
	assert_int_equal(link.ringlet, 1);
	assert_int_equal(link.from, 3);
	assert_int_equal(link.to, 4);
	link = prediction_link(predict, 3);
	assert_int_equal(link.from, NETWORK_BRIDGE);
	assert_int_equal(link.to, 0);
	prediction_add(predict, 4, 5, BLINK_NWRITE64, 2);
	assert_int_equal(prediction_busiest(predict), 5);
	prediction_clear(predict);
	assert_int_equal(prediction_busiest(predict), 0);
	assert_true(prediction_link_load(predict, 5, 1) == 0);
	free(predict);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_are_what_the_simulation_counts),
		cmocka_unit_test(load_of_a_link_is_that_of_its_transactions),
		cmocka_unit_test(times_are_within_ten_percent_of_the_simulation),
		cmocka_unit_test(a_node_that_all_ask_is_within_twenty_percent),
		cmocka_unit_test(without_traffic_nobody_waits),
		cmocka_unit_test(networks_that_are_too_large_are_refused),
		cmocka_unit_test(an_idle_network_is_as_far_from_both_ends),
		cmocka_unit_test(links_are_named_by_their_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
