/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Prints the packets that emu/ring sends, for ring_test.py: a line for each packet that leaves a
 * node, and then a line for each node with its measured values: docs/ring.md, section 9.
 *
 * usage: ring_packets TOPOLOGY WIDTH NODES HOP GAP OUTPUT ACTIVE INPUT SERVICE GO_BITS FIRST LAST
 *	  TARGETS SEED CLOCKS COMMANDS STEPS
 *	TOPOLOGY: alone (one ringlet without network), ring, ringlets, torus; TARGETS: one bit for
 *	each node; COMMANDS: two digits for each, or - for a trace on standard input; each line of
 *	a trace is a request: NODE WAIT AFTER-END TARGET COMMAND ADDRESS; STEPS: CLOCKS:SHARE,...,
 *	or -
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/ring/replay.h"

#define ARGUMENTS 18
#define STEPS_MAX 16
#define REQUESTS_MAX 256

static struct ring rings[NETWORK_RINGS_MAX];

static void print_packet(void *context, const struct ring *ring, unsigned int node,
			 const struct ring_packet *packet, bool echo)
{
	struct cable_packet cable;
	uint8_t bytes[CABLE_BYTES_MAX];
	size_t count;

	ring_cable(packet, echo, &cable);
	count = cable_encode(&cable, bytes);
	printf("%" PRIu64 " %td %u ", ring->clock, ring - rings, node);
	for (size_t i = CABLE_SYMBOL_BYTES; i < count; i += CABLE_SYMBOL_BYTES)
		printf("%02x%02x", bytes[i + 1], bytes[i]);
	putchar('\n');
}

static void print_level(const struct ring_level *level)
{
	printf(" %" PRIu64 " %" PRIu64 " %" PRIu32, level->samples, level->sum, level->highest);
}

static void print_points(unsigned int ring_count)
{
	for (const struct ring *ring = rings; ring < rings + ring_count; ring++) {
		for (unsigned int at = 0; at < ring->config.nodes; at++) {
			const struct ring_counts *counts = &ring->nodes[at].counts;
			const uint64_t numbers[] = {
				counts->idles,	     counts->idles_max,	     counts->arrivals,
				counts->own.symbols, counts->bypass.symbols, counts->gap_symbols,
				counts->own.sampled, counts->bypass.sampled, counts->own.clock,
			};

			fputs("points", stdout);
			print_level(&counts->output);
			print_level(&counts->active);
			print_level(&counts->input);
			for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
				printf(" %" PRIu64, numbers[i]);
			putchar('\n');
		}
	}
}

static void source_parse(struct load_source *source, char **argv)
{
	static struct load_step steps[STEPS_MAX];

	source->first = (uint32_t)atoi(argv[0]);
	source->last = (uint32_t)atoi(argv[1]);
	source->targets[0] = strtoull(argv[2], NULL, 0);
	for (const char *at = argv[5]; at[0] && at[1]; at += 2) {
		char digits[] = {at[0], at[1], 0};

		source->commands[source->command_count++] = (uint8_t)strtoul(digits, NULL, 16);
	}
	for (char *at = argv[6]; *at && *at != '-' && source->step_count < STEPS_MAX;) {
		struct load_step *step = &steps[source->step_count++];

		step->clocks = strtoull(at, &at, 10);
		step->cumulative = (uint32_t)strtoul(at + 1, &at, 10);
		at += *at == ',';
		source->steps = steps;
	}
}

static int alone(const struct network_config *config, struct load *load, uint64_t clocks)
{
	struct ring_config ring = config->ring;

	ring.nodes = config->nodes;
	if (ring_init(rings, &ring))
		return -EINVAL;
	rings[0].watch.left = print_packet;
	while (clocks--) {
		load_step(load, &rings[0]);
		ring_step(&rings[0]);
	}
	print_points(1);
	return 0;
}

/* Read the requests of a trace, by node. */
static int trace_read(struct replay *replay)
{
	static struct replay_request requests[LOAD_NODES_MAX][REQUESTS_MAX];
	struct replay_request request;
	unsigned int node, after_end, command;

	while (scanf("%u %" SCNu64 " %u %" SCNu16 " %u %" SCNu64, &node, &request.wait, &after_end,
		     &request.target, &command, &request.address) == 6) {
		if (node >= LOAD_NODES_MAX || replay->node[node].count == REQUESTS_MAX)
			return -EINVAL;
		request.command = (uint8_t)command;
		request.after_end = after_end;
		replay->node[node].requests = requests[node];
		requests[node][replay->node[node].count++] = request;
	}
	replay_begin(replay);
	return 0;
}

static void note_ended(void *context, const struct network *network, unsigned int node,
		       const struct ring_packet *packet)
{
	replay_ended(context, network, node, packet);
}

/* If @load is NULL, a trace is replayed instead. */
static int joined(const struct network_config *config, struct load *load, uint64_t clocks)
{
	static struct network network;
	static struct replay replay;

	if (network_init(&network, config, rings) || (!load && trace_read(&replay)))
		return -EINVAL;
	network.watch.context = &replay;
	network.watch.ended = load ? NULL : note_ended;
	for (unsigned int ring = 0; ring < network.ring_count; ring++)
		rings[ring].watch.left = print_packet;
	while (clocks--) {
		if (!load)
			replay_step(&replay, &network);
		network_step(&network, load);
	}
	print_points(network.ring_count);
	return 0;
}

int main(int argc, char **argv)
{
	static const char *const topologies[] = {"ring", "ringlets", "torus"};
	static struct load load;
	struct load_source source = {0};
	struct network_config config;
	uint64_t clocks;

	if (argc != ARGUMENTS)
		return 2;
	config = (struct network_config){
		.width = (unsigned int)atoi(argv[2]),
		.nodes = (unsigned int)atoi(argv[3]),
		.ring =
			{
				.hop_clocks = (unsigned int)atoi(argv[4]),
				.gap = (unsigned int)atoi(argv[5]),
				.output = (unsigned int)atoi(argv[6]),
				.active = (unsigned int)atoi(argv[7]),
				.input = (unsigned int)atoi(argv[8]),
				.service_clocks = (unsigned int)atoi(argv[9]),
				.go_bits = atoi(argv[10]),
			},
	};
	source_parse(&source, argv + 11);
	clocks = strtoull(argv[15], NULL, 0);
	load_init(&load, config.nodes, &source, strtoull(argv[14], NULL, 0));
	if (!strcmp(argv[1], "alone"))
		return alone(&config, &load, clocks) ? 2 : 0;
	for (unsigned int i = 0; i < 3; i++)
		if (!strcmp(argv[1], topologies[i]))
			config.topology = (enum network_topology)i;
	return joined(&config, strcmp(argv[16], "-") ? &load : NULL, clocks) ? 2 : 0;
}
