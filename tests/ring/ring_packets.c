/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The packets that emu/ring sends, for ring_test.py: a line for each that leaves a node.
 *
 * usage: ring_packets NODES HOP GAP OUTPUT ACTIVE INPUT SERVICE GO_BITS FIRST LAST TARGETS SEED
 *	  CLOCKS COMMANDS STEPS
 *	TARGETS: bit by node; COMMANDS: each two digits; STEPS: CLOCKS:SHARE,..., or -
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/ring/load.h"

#define ARGUMENTS 16
#define STEPS_MAX 16

static void print_packet(void *context, const struct ring *ring, unsigned int node,
			 const struct ring_packet *packet, bool echo)
{
	struct cable_packet cable;
	uint8_t bytes[CABLE_BYTES_MAX];
	size_t count;

	ring_cable(packet, echo, &cable);
	count = cable_encode(&cable, bytes);
	printf("%" PRIu64 " %u ", ring->clock, node);
	for (size_t i = CABLE_SYMBOL_BYTES; i < count; i += CABLE_SYMBOL_BYTES)
		printf("%02x%02x", bytes[i + 1], bytes[i]);
	putchar('\n');
}

int main(int argc, char **argv)
{
	static struct ring ring = {0};
	static struct load load;
	static struct load_step steps[STEPS_MAX];
	struct load_source source = {0};
	struct ring_config config;
	uint64_t clocks;

	if (argc != ARGUMENTS)
		return 2;
	config = (struct ring_config){
		.nodes = (unsigned int)atoi(argv[1]),
		.hop_clocks = (unsigned int)atoi(argv[2]),
		.gap = (unsigned int)atoi(argv[3]),
		.output = (unsigned int)atoi(argv[4]),
		.active = (unsigned int)atoi(argv[5]),
		.input = (unsigned int)atoi(argv[6]),
		.service_clocks = (unsigned int)atoi(argv[7]),
		.go_bits = atoi(argv[8]),
	};
	source.first = (uint32_t)atoi(argv[9]);
	source.last = (uint32_t)atoi(argv[10]);
	source.targets[0] = strtoull(argv[11], NULL, 0);
	clocks = strtoull(argv[13], NULL, 0);
	for (const char *at = argv[14]; at[0] && at[1]; at += 2) {
		char digits[] = {at[0], at[1], 0};

		source.commands[source.command_count++] = (uint8_t)strtoul(digits, NULL, 16);
	}
	for (char *at = argv[15]; *at && *at != '-' && source.step_count < STEPS_MAX;) {
		struct load_step *step = &steps[source.step_count++];

		step->clocks = strtoull(at, &at, 10);
		step->cumulative = (uint32_t)strtoul(at + 1, &at, 10);
		at += *at == ',';
		source.steps = steps;
	}
	if (ring_init(&ring, &config))
		return 2;
	ring.watch.left = print_packet;
	load_init(&load, config.nodes, &source, strtoull(argv[12], NULL, 0));
	for (uint64_t clock = 0; clock < clocks; clock++) {
		load_step(&load, &ring);
		ring_step(&ring);
	}
	return 0;
}
