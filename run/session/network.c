// SPDX-License-Identifier: MIT
/* run/session: the network between the nodes. See network.h and docs/design/run.md. */
#include "run/session/network.h"

#include <stdlib.h>

#include <hw/blink.h>

/* A link is full if its load exceeds this share of its capacity. */
#define FULL 0.95

/**
 * struct run_network - The network of a run. In this structure, a cycle is a cycle of the machine,
 * and a clock is a clock of the network.
 * @machine: the machine
 * @now: traffic of the current epoch
 * @all: traffic of the whole run
 * @sent: by node, home and SMILE_TYPE_*, the transactions that were counted so far
 * @remote: by processor, the transactions that were counted so far
 * @command: by SMILE_TYPE_*, the BLINK_* command of a transaction
 * @cycle: the traffic was counted up to this cycle
 * @clocks_per_cycle: clocks per cycle
 * @full: by link, cycles of the epochs in which the link was full
 * @waited: by node, clocks for which the node's transactions have waited
 * @stands: by node, cycles for which the node's threads must still be stopped
 */
struct run_network {
	struct machine *machine;
	struct prediction now;
	struct prediction all;
	uint64_t sent[MACHINE_NODES_MAX][MACHINE_NODES_MAX][SMILE_TYPE_COUNT];
	uint64_t remote[MACHINE_PROCESSORS_MAX];
	unsigned command[SMILE_TYPE_COUNT];
	uint64_t cycle;
	double clocks_per_cycle;
	uint64_t full[PREDICTION_LINKS_MAX];
	double waited[MACHINE_NODES_MAX];
	uint64_t stands[MACHINE_NODES_MAX];
};

static unsigned read_command(unsigned line_bytes)
{
	return line_bytes == 256 ? BLINK_NREAD256 : line_bytes == 64 ? BLINK_NREAD64 : BLINK_READSB;
}

/*
 * Find the command for each type of access. With caches, whole lines are fetched and written back;
 * without caches, an access has at most 16 bytes.
 */
static void commands_find(struct run_network *network, unsigned line_bytes, bool writes_lines)
{
	network->command[SMILE_TYPE_READ] = read_command(line_bytes);
	network->command[SMILE_TYPE_LOCK] = BLINK_LOCKSB;
	network->command[SMILE_TYPE_WRITE] = BLINK_WRITESB;
	if (writes_lines && line_bytes == 64)
		network->command[SMILE_TYPE_WRITE] = BLINK_NWRITE64;
	else if (writes_lines && line_bytes == 256)
		network->command[SMILE_TYPE_WRITE] = BLINK_NWRITE256;
}

struct run_network *run_network_new(struct machine *machine, const struct network_config *config,
				    unsigned line_bytes)
{
	struct run_network *network = calloc(1, sizeof(*network));
	const struct caches_shape *caches = machine_caches(machine);

	if (!network)
		return NULL;
	network->machine = machine;
	if (prediction_init(&network->now, config) || prediction_init(&network->all, config)) {
		free(network);
		return NULL;
	}
	if (caches->count)
		commands_find(network, caches->levels[0].line_bytes, true);
	else
		commands_find(network, line_bytes, false);
	network->clocks_per_cycle = 1e12 / RING_SYMBOL_PS / (double)machine_frequency(machine);
	return network;
}

void run_network_free(struct run_network *network)
{
	free(network);
}

static void traffic_take(struct run_network *network)
{
	unsigned nodes = machine_nodes(network->machine);

	prediction_clear(&network->now);
	for (unsigned node = 0; node < nodes; node++)
		for (unsigned home = 0; home < nodes; home++)
			for (unsigned type = 1; type < SMILE_TYPE_COUNT; type++) {
				uint64_t *taken = &network->sent[node][home][type];
				uint64_t all = machine_sent(network->machine, node, home, type);

				if (all == *taken)
					continue;
				prediction_add(&network->now, node, home, network->command[type],
					       all - *taken);
				prediction_add(&network->all, node, home, network->command[type],
					       all - *taken);
				*taken = all;
			}
}

/* For each node, count the processors that have had transactions since the last call. */
static void processors_count(struct run_network *network, unsigned *each)
{
	for (unsigned p = 0; p < machine_processors(network->machine); p++) {
		struct machine_statistics statistics;
		uint64_t remote = 0;

		machine_processor_statistics(network->machine, p, &statistics);
		for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
			remote += statistics.remote[type];
		if (remote != network->remote[p])
			each[machine_processor_node(network->machine, p)]++;
		network->remote[p] = remote;
	}
}

/*
 * The epoch takes as long as the slowest node needs. Count the epoch for each link that is full in
 * this time.
 */
static void full_count(struct run_network *network, const double *clocks, uint64_t cycles)
{
	double longest = 0;

	for (unsigned node = 0; node < machine_nodes(network->machine); node++)
		if (clocks[node] > longest)
			longest = clocks[node];
	for (unsigned link = 0; link < network->now.link_count; link++)
		if (prediction_link_load(&network->now, link, longest) >
		    FULL * network->now.capacity[link])
			network->full[link] += cycles;
}

/* Get the number of clocks of the epoch in which the threads of a node were not stopped. */
static double node_active(struct run_network *network, unsigned node, uint64_t cycles)
{
	uint64_t *stands = &network->stands[node], stood = *stands < cycles ? *stands : cycles;
	double clocks = (double)(cycles - stood) * network->clocks_per_cycle;

	*stands -= stood;
	return clocks > 1 ? clocks : 1;
}

void run_network_epoch(struct run_network *network, uint64_t cycle, uint64_t *delays)
{
	uint64_t cycles = cycle - network->cycle;
	double clocks[MACHINE_NODES_MAX], waits[MACHINE_NODES_MAX];
	unsigned each[MACHINE_NODES_MAX] = {0}, nodes = machine_nodes(network->machine);
	uint64_t delay;

	if (cycle <= network->cycle)
		return;
	network->cycle = cycle;
	traffic_take(network);
	processors_count(network, each);
	for (unsigned node = 0; node < nodes; node++) {
		clocks[node] = node_active(network, node, cycles);
		if (!each[node])
			each[node] = 1;
	}
	prediction_time(&network->now, each, clocks, waits);
	full_count(network, clocks, cycles);
	for (unsigned node = 0; node < nodes; node++) {
		delay = (uint64_t)(waits[node] / each[node] / network->clocks_per_cycle);
		network->waited[node] += waits[node];
		network->stands[node] += delay;
		delays[node] += delay;
	}
}

void run_network_end(struct run_network *network, uint64_t cycle)
{
	traffic_take(network);
	if (cycle > network->cycle)
		network->cycle = cycle;
}

unsigned run_network_links(const struct run_network *network)
{
	return network->all.link_count;
}

void run_network_link(const struct run_network *network, unsigned link, struct run_network_link *is)
{
	double clocks = (double)network->cycle * network->clocks_per_cycle;

	*is = (struct run_network_link){
		.at = prediction_link(&network->all, link),
		.load = clocks > 0 ? prediction_link_load(&network->all, link, clocks) : 0,
		.full = network->cycle ? (double)network->full[link] / (double)network->cycle : 0,
	};
}

unsigned run_network_command(const struct run_network *network, unsigned type)
{
	return network->command[type];
}

uint64_t run_network_waited(const struct run_network *network, unsigned node)
{
	return (uint64_t)(network->waited[node] / network->clocks_per_cycle);
}

double run_network_share(const struct run_network *network, unsigned link, unsigned source,
			 unsigned target)
{
	double all = prediction_link_load(&network->all, link, 1), sum = 0;

	for (unsigned type = 1; type < SMILE_TYPE_COUNT; type++)
		sum += (double)network->sent[source][target][type] *
		       prediction_transaction_load(&network->all, link, source, target,
						   network->command[type]);
	return all > 0 ? sum / all : 0;
}

unsigned run_network_busiest(const struct run_network *network)
{
	return prediction_busiest(&network->all);
}
