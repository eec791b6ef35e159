/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Bench of emu/ring: simulated symbols, and packets on links, per second of processor time.
 *
 * What lives here: one simulation of a random load, and the file of its requests, from which
 * ring_ns3.cc simulates the same load. May use emu/ring.
 *
 * usage: ring_bench NODES TOPOLOGY CLOCKS SLOWER REQUESTS
 *
 * SLOWER is the factor by which the intervals between a node's requests are longer than those of
 * the default load. REQUESTS receives a line for each request: clock, source, target, and the
 * symbols of request and response without gaps. Prints the simulated link symbols, seconds, packets
 * on links, completed transactions, their mean clocks since they were due, and the busiest link's
 * load.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "emu/ring/network.h"

#define SEED 1

static struct ring rings[NETWORK_RINGS_MAX];
static struct network network;
static struct load load;
static uint64_t ended, ended_clocks;

static unsigned int symbols_of(unsigned int command)
{
	return cable_send_symbols(cable_send_type(command, false));
}

static int request_write(void *context, unsigned int node, const struct ring_offer *offer)
{
	int response = ring_response(offer->command);

	fprintf(context, "%" PRIu64 " %u %u %u %u\n", offer->since, node,
		(unsigned int)offer->target, symbols_of(offer->command),
		response < 0 ? 0 : symbols_of((unsigned int)response));
	return 0;
}

/* Write all requests, each with the time at which it is due. */
static void requests_write(const struct load_source *source, uint64_t clocks, const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file)
		err(2, "%s", path);
	load_init(&load, network.config.nodes, source, SEED);
	for (uint64_t clock = 0; clock < clocks; clock++)
		load_step_to(&load, clock, request_write, file);
	if (fclose(file))
		err(2, "%s", path);
}

static void note_ended(void *context, const struct network *all, unsigned int node,
		       const struct ring_packet *packet)
{
	ended++;
	ended_clocks += all->clock - packet->since;
}

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void result_print(uint64_t clocks, double seconds)
{
	uint64_t packets = 0, links = 0;
	double busiest = 0;

	for (unsigned int r = 0; r < network.ring_count; r++)
		for (unsigned int n = 0; n < rings[r].config.nodes; n++) {
			const struct ring_counts *counts = &rings[r].nodes[n].counts;
			double full = (double)(counts->own.symbols + counts->bypass.symbols +
					       counts->gap_symbols) /
				      (double)clocks;

			links++;
			packets += counts->arrivals;
			busiest = full > busiest ? full : busiest;
		}
	printf("%" PRIu64 " %.6f %" PRIu64 " %" PRIu64 " %.1f %.3f\n", clocks * links, seconds,
	       packets, ended, ended ? (double)ended_clocks / (double)ended : 0, busiest);
}

int main(int argc, char **argv)
{
	struct network_config config = {.ring = ring_defaults(2)};
	struct load_source source = load_default(RING_SYMBOL_PS);
	uint64_t clocks;
	double begin;

	if (argc != 6)
		errx(2, "usage: ring_bench NODES TOPOLOGY CLOCKS SLOWER REQUESTS");
	if (network_topology(argv[2], &config))
		errx(2, "no topology: %s", argv[2]);
	config.nodes = (unsigned int)atoi(argv[1]);
	clocks = strtoull(argv[3], NULL, 10);
	source.first *= (uint32_t)atoi(argv[4]);
	source.last *= (uint32_t)atoi(argv[4]);
	if (network_init(&network, &config, rings))
		errx(2, "%s nodes, %s: not possible", argv[1], argv[2]);
	network.watch.ended = note_ended;
	requests_write(&source, clocks, argv[5]);
	load_init(&load, config.nodes, &source, SEED);
	begin = cpu_seconds();
	for (uint64_t clock = 0; clock < clocks; clock++)
		network_step(&network, &load);
	result_print(clocks, cpu_seconds() - begin);
	return 0;
}
