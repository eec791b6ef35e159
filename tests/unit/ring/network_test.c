/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of emu/ring/network.c: ringlets that a switch connects, the torus, and routes. One test
 * checks that no packet is lost.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <hw/blink.h>

#include "emu/ring/network.h"

/**
 * struct fabric - A network under load.
 * @requests: number of arrived requests, for each source and target
 * @responses: number of arrived responses, for each node that sent the response and node that sent
 * the request
 * @took: duration of the last transaction that ended [clocks]
 */
struct fabric {
	struct network network;
	struct load load;
	struct ring *rings;
	uint32_t requests[LOAD_NODES_MAX][LOAD_NODES_MAX];
	uint32_t responses[LOAD_NODES_MAX][LOAD_NODES_MAX];
	uint64_t took;
};

static void note_arrived(void *context, const struct network *network, unsigned int node,
			 const struct ring_packet *packet)
{
	struct fabric *fabric = context;

	assert_int_equal(node, packet->target);
	if (packet->class == RING_REQUEST)
		fabric->requests[packet->source][node]++;
	else
		fabric->responses[packet->source][node]++;
}

static void note_ended(void *context, const struct network *network, unsigned int node,
		       const struct ring_packet *packet)
{
	((struct fabric *)context)->took = network->clock - packet->since;
}

static struct network_config config_of(enum network_topology topology, unsigned int nodes,
				       unsigned int width)
{
	return (struct network_config){topology, nodes, width, ring_defaults(2)};
}

static struct fabric *start(const struct network_config *config)
{
	struct fabric *fabric = calloc(1, sizeof(*fabric));

	assert_non_null(fabric);
	assert_true(network_rings(config) > 0);
	fabric->rings = calloc((size_t)network_rings(config), sizeof(*fabric->rings));
	assert_non_null(fabric->rings);
	assert_int_equal(network_init(&fabric->network, config, fabric->rings), 0);
	fabric->network.watch = (struct network_watch){fabric, note_arrived, note_ended};
	return fabric;
}

static void end(struct fabric *fabric)
{
	free(fabric->rings);
	free(fabric);
}

static void impossible_networks_are_refused(void **state)
{
	static const struct {
		enum network_topology topology;
		unsigned int nodes, width;
		int rings;
	} cases[] = {
		{NETWORK_RING, 1, 0, -EINVAL},	   {NETWORK_RING, 64, 0, 1},
		{NETWORK_RING, 65, 0, -EINVAL},	   {NETWORK_RINGLETS, 96, 5, 21},
		{NETWORK_RINGLETS, 8, 8, -EINVAL}, {NETWORK_RINGLETS, 9, 8, 3},
		{NETWORK_RINGLETS, 8, 0, -EINVAL}, {NETWORK_RINGLETS, 128, 1, -EINVAL},
		{NETWORK_TORUS, 96, 12, 20},	   {NETWORK_TORUS, 12, 5, -EINVAL},
		{NETWORK_TORUS, 12, 1, -EINVAL},   {NETWORK_TORUS, 4, 4, -EINVAL},
		{NETWORK_TORUS, 4, 2, 4},	   {NETWORK_TORUS, 129, 3, -EINVAL},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct network_config config =
			config_of(cases[i].topology, cases[i].nodes, cases[i].width);

		assert_int_equal(network_rings(&config), cases[i].rings);
	}
}

/* Return: the time from the start of one request until the arrival of its response [clocks]. */
static uint64_t round_trip(const struct network_config *config, unsigned int from, unsigned int to)
{
	struct ring_offer offer = {.target = (uint16_t)to, .command = BLINK_NREAD64};
	struct fabric *fabric = start(config);
	uint64_t took;

	assert_int_equal(network_offer(&fabric->network, from, &offer), 0);
	for (unsigned int clock = 0; clock < 5000 && !fabric->took; clock++)
		network_step(&fabric->network, NULL);
	assert_int_equal(fabric->requests[from][to], 1);
	assert_int_equal(fabric->responses[to][from], 1);
	took = fabric->took;
	end(fabric);
	return took;
}

/*
 * The sum of all delays on an idle network, for NREAD64 with 8 symbols and its response with 38
 * symbols. On each ringlet, a packet takes its hops and its length, and then the service time of
 * the node or bridge. If a bridge passes a packet to a ringlet with a higher number, the packet
 * leaves in the same clock, else in the next clock.
 */
static uint64_t stages(const struct ring_config *ring, unsigned int ringlets, unsigned int hops,
		       unsigned int symbols)
{
	return hops * ring->hop_clocks + ringlets * (symbols - 1 + ring->service_clocks);
}

static void idle_network_takes_the_sum_of_its_stages(void **state)
{
	struct network_config ring = config_of(NETWORK_RING, 8, 0);
	struct network_config ringlets = config_of(NETWORK_RINGLETS, 6, 2);
	struct network_config torus = config_of(NETWORK_TORUS, 12, 4);

	/* From node 2 to node 5, and back to node 2. */
	assert_int_equal(round_trip(&ring, 2, 5),
			 stages(&ring.ring, 1, 3, 8) + 1 + stages(&ring.ring, 1, 5, 38));
	/* Both nodes are on one ringlet, which has two nodes and the port of the switch. */
	assert_int_equal(round_trip(&ringlets, 2, 3),
			 stages(&ringlets.ring, 1, 1, 8) + 1 + stages(&ringlets.ring, 1, 2, 38));
	/*
	 * From node 0 to the second node of ringlet 2: 2 hops to the port, 2 in the switch, 2 to
	 * the node.
	 */
	assert_int_equal(round_trip(&ringlets, 0, 5),
			 stages(&ringlets.ring, 3, 2 + 2 + 2, 8) + 2 +
				 stages(&ringlets.ring, 3, 1 + 1 + 1, 38) + 1);
	/* Along a row, along a column, and both. From 1, 3 back to 0, 0, there are 1 and 1 hops. */
	assert_int_equal(round_trip(&torus, 0, 3),
			 stages(&torus.ring, 1, 3, 8) + 1 + stages(&torus.ring, 1, 1, 38));
	assert_int_equal(round_trip(&torus, 0, 4),
			 stages(&torus.ring, 1, 1, 8) + 1 + stages(&torus.ring, 1, 2, 38));
	assert_int_equal(round_trip(&torus, 0, 11),
			 stages(&torus.ring, 2, 3 + 2, 8) + 1 + stages(&torus.ring, 2, 1 + 1, 38));
}

static void each_node_reaches_each_other(void **state)
{
	const struct network_config configs[] = {
		config_of(NETWORK_RING, 5, 0),
		config_of(NETWORK_RINGLETS, 7, 3),
		config_of(NETWORK_RINGLETS, 3, 1),
		config_of(NETWORK_TORUS, 6, 3),
	};

	for (size_t i = 0; i < sizeof(configs) / sizeof(configs[0]); i++)
		for (unsigned int from = 0; from < configs[i].nodes; from++)
			for (unsigned int to = 0; to < configs[i].nodes; to++)
				if (from != to)
					assert_true(round_trip(&configs[i], from, to) > 0);
}

static void impossible_requests_are_refused(void **state)
{
	struct network_config config = config_of(NETWORK_TORUS, 6, 3);
	struct fabric *fabric = start(&config);
	struct ring_offer offer = {.target = 2, .command = BLINK_NREAD64};

	assert_int_equal(network_offer(&fabric->network, 2, &offer), -EINVAL);
	offer.target = 6;
	assert_int_equal(network_offer(&fabric->network, 2, &offer), -EINVAL);
	offer.target = 1;
	offer.command = BLINK_RESPONSE64;
	assert_int_equal(network_offer(&fabric->network, 2, &offer), -EINVAL);
	offer.command = BLINK_EVENT00;
	assert_int_equal(network_offer(&fabric->network, 2, &offer), -EINVAL);
	end(fabric);
}

/*
 * Offer the full load to a network with little room. Then send nothing more, and wait. Each offered
 * request must have ended exactly once.
 */
static void nothing_is_lost_between_ringlets(void **state)
{
	static const uint8_t commands[] = {BLINK_READSB, BLINK_NWRITE256, BLINK_NREAD256,
					   BLINK_DMOVE64};
	struct network_config configs[] = {
		config_of(NETWORK_RING, 6, 0),
		config_of(NETWORK_RINGLETS, 12, 4),
		config_of(NETWORK_TORUS, 12, 4),
	};
	struct load_source source = {
		.targets = {~0ULL, ~0ULL}, .commands = {0}, .command_count = sizeof(commands)};
	const struct load_source silent = {.command_count = 1};

	memcpy(source.commands, commands, sizeof(commands));
	for (size_t i = 0; i < sizeof(configs) / sizeof(configs[0]); i++) {
		struct network_config *config = &configs[i];
		uint64_t given = 0, ended = 0, came = 0;
		struct fabric *fabric;

		config->ring.input = 1;
		config->ring.output = 2;
		config->ring.service_clocks = 60;
		fabric = start(config);
		load_init(&fabric->load, config->nodes, &source, 11);
		for (unsigned int clock = 0; clock < 60000; clock++)
			network_step(&fabric->network, &fabric->load);
		for (unsigned int node = 0; node < config->nodes; node++) {
			assert_true(fabric->network.given[node] > 20);
			load_set_source(&fabric->load, node, &silent);
		}
		for (unsigned int clock = 0; clock < 100000 && (!clock || given != ended);
		     clock++) {
			given = 0;
			ended = 0;
			network_step(&fabric->network, &fabric->load);
			for (unsigned int node = 0; node < config->nodes; node++) {
				given += fabric->network.given[node];
				ended += fabric->network.ended[node];
			}
		}
		assert_int_equal(given, ended);
		for (unsigned int node = 0; node < config->nodes; node++) {
			assert_int_equal(fabric->network.given[node], fabric->network.ended[node]);
			assert_int_equal(fabric->network.transactions[node], 0);
			for (unsigned int to = 0; to < config->nodes; to++)
				came += fabric->requests[node][to];
		}
		assert_int_equal(came, given);
		assert_int_equal(fabric->network.bridged > 0, config->topology != NETWORK_RING);
		end(fabric);
	}
}

static void topologies_have_names(void **state)
{
	static const char *const wrong[] = {
		"",	   "rings",    "ringlets:", "ringlets:x", "ringlets:3x", "ringlets:200",
		"torus:4", "torus:4x", "torus:x4",  "torus:4x2x"};
	struct network_config config = {.nodes = 7};

	(void)state;
	assert_int_equal(network_topology("ring", &config), 0);
	assert_int_equal(config.topology, NETWORK_RING);
	assert_int_equal(network_topology("ringlets:5", &config), 0);
	assert_int_equal(config.topology, NETWORK_RINGLETS);
	assert_int_equal(config.width, 5);
	assert_int_equal(config.nodes, 7);
	assert_int_equal(network_topology("torus:4x3", &config), 0);
	assert_int_equal(config.topology, NETWORK_TORUS);
	assert_int_equal(config.width, 4);
	assert_int_equal(config.nodes, 12);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(network_topology(wrong[i], &config), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(impossible_networks_are_refused),
		cmocka_unit_test(idle_network_takes_the_sum_of_its_stages),
		cmocka_unit_test(each_node_reaches_each_other),
		cmocka_unit_test(impossible_requests_are_refused),
		cmocka_unit_test(nothing_is_lost_between_ringlets),
		cmocka_unit_test(topologies_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
