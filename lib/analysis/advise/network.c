// SPDX-License-Identifier: MIT
/*
 * Advise: the network of the recorded run. See network.h. This is the only file of the library that
 * uses emu/ring: the cost of a placement must be computed by the formula that the run used.
 */
#include "lib/analysis/advise/network.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <hw/blink.h>

#include "emu/ring/prediction.h"
#include "lib/analysis/memory.h"

#define SYMBOL_BYTES 2
/* If every link has at most this load, no transaction waits. */
#define NETWORK_IDLE 0.01
/*
 * Limits of the iteration that finds the time at which all nodes end. TIMES is the largest number
 * of steps. If the relative change of a step is below NEAR, the iteration ends.
 */
#define TIMES 8U
#define NEAR 0.01

/**
 * struct advise_network - A network, and its traffic.
 * @predict: the network
 * @command: for each SMILE_TYPE_*, the command of the request that the access sends
 * @clocks_per_cycle: number of clocks of the network in a cycle of a node's processor
 * @sent: number of transactions, by source, home and SMILE_TYPE_*
 */
struct advise_network {
	struct prediction predict;
	unsigned int command[SMILE_TYPE_COUNT];
	double clocks_per_cycle;
	double sent[PREDICTION_NODES_MAX][PREDICTION_NODES_MAX][SMILE_TYPE_COUNT];
};

#define NAME_ROW(first, count, name, class, type, payload, mark) {first, name},

/* Find the command of a request by its name. Return: the command; -ENOENT. */
static int command_of(const char *name)
{
	static const struct {
		int command;
		const char *name;
	} rows[] = {BLINK_COMMAND_TABLE(NAME_ROW)};

	for (size_t i = 0; name && i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(name, rows[i].name))
			return rows[i].command;
	return -ENOENT;
}

/* Load the commands of requests. Return: 0; -ENOENT: the recording does not have the commands. */
static int commands_load(struct advise_network *network, const struct run_facts *run)
{
	const char *const names[SMILE_TYPE_COUNT] = {
		[SMILE_TYPE_ANY] = run->network.requests.read,
		[SMILE_TYPE_READ] = run->network.requests.read,
		[SMILE_TYPE_WRITE] = run->network.requests.write,
		[SMILE_TYPE_LOCK] = run->network.requests.lock,
	};

	for (unsigned int type = 0; type < SMILE_TYPE_COUNT; type++) {
		int command = command_of(names[type]);

		if (command < 0)
			return command;
		network->command[type] = (unsigned int)command;
	}
	return 0;
}

int advise_network_new(const struct run_facts *run, size_t nodes, uint64_t frequency_hz,
		       struct advise_network **out)
{
	const char *topology = run->network.topology;
	double rate = (double)run->network.link_bytes_per_s;
	struct network_config config = {.nodes = (unsigned int)nodes, .ring = ring_defaults(2)};
	struct advise_network *network;

	*out = NULL;
	if (!topology || !(rate > 0) || !frequency_hz)
		return 0;
	network = analysis_memory(1, sizeof(*network));
	if (!network)
		return -ENOMEM;
	if (commands_load(network, run) < 0) {
		free(network);
		return 0;
	}
	if (nodes > PREDICTION_NODES_MAX || network_topology(topology, &config) ||
	    config.nodes != nodes || prediction_init(&network->predict, &config)) {
		free(network);
		return Monitor_error_set(EINVAL,
					 "the recordings name a network that is not possible with "
					 "%zu nodes: '%s'",
					 nodes, topology);
	}
	network->clocks_per_cycle = rate / SYMBOL_BYTES / (double)frequency_hz;
	*out = network;
	return 0;
}

void advise_network_free(struct advise_network *network)
{
	free(network);
}

void advise_network_clear(struct advise_network *network)
{
	size_t nodes = network->predict.config.nodes;

	for (size_t node = 0; node < nodes; node++)
		memset(network->sent[node], 0, nodes * sizeof(network->sent[node][0]));
}

void advise_network_add(struct advise_network *network, size_t source, size_t home,
			const float sent[SMILE_TYPE_COUNT])
{
	size_t nodes = network->predict.config.nodes;

	if (source == home || source >= nodes || home >= nodes)
		return;
	for (size_t type = 0; type < SMILE_TYPE_COUNT; type++)
		network->sent[source][home][type] += (double)sent[type];
}

/* Compute the traffic on each link. */
static void links_load(struct advise_network *network)
{
	unsigned int nodes = network->predict.config.nodes;

	prediction_clear(&network->predict);
	for (unsigned int node = 0; node < nodes; node++)
		for (unsigned int home = 0; home < nodes; home++)
			for (unsigned int type = 0; type < SMILE_TYPE_COUNT; type++) {
				double sent = network->sent[node][home][type];

				if (sent >= 0.5)
					prediction_add(&network->predict, node, home,
						       network->command[type],
						       (uint64_t)llround(sent));
			}
}

void advise_network_waits(struct advise_network *network, const double *busy, const double *threads,
			  double *waits)
{
	unsigned int each[PREDICTION_NODES_MAX], nodes = network->predict.config.nodes;
	double clocks[PREDICTION_NODES_MAX], found[PREDICTION_NODES_MAX];
	double cycles = 1 / network->clocks_per_cycle, before = 0;
	struct prediction *predict = &network->predict;

	links_load(network);
	memset(waits, 0, nodes * sizeof(*waits));
	for (unsigned int node = 0; node < nodes; node++) {
		each[node] = threads[node] > 1 ? (unsigned int)lround(threads[node]) : 1;
		cycles = fmax(cycles, busy[node]);
	}
	if (prediction_link_load(predict, prediction_busiest(predict),
				 cycles * network->clocks_per_cycle) < NETWORK_IDLE)
		return;
	for (unsigned int i = 0; i < TIMES && fabs(cycles - before) > NEAR * cycles; i++) {
		before = cycles;
		for (unsigned int node = 0; node < nodes; node++)
			clocks[node] = fmax(cycles - waits[node] / each[node], busy[node]) *
				       network->clocks_per_cycle;
		prediction_time(predict, each, clocks, found);
		cycles = 0;
		for (unsigned int node = 0; node < nodes; node++) {
			double wait = found[node] / network->clocks_per_cycle;

			/*
			 * If successive steps are alternately too high and too low, the mean of two
			 * steps is nearer to the solution.
			 */
			waits[node] = i ? (waits[node] + wait) / 2 : wait;
			cycles = fmax(cycles, busy[node] + waits[node] / each[node]);
		}
	}
}

struct advise_link advise_network_busiest(struct advise_network *network, double cycles)
{
	const struct prediction *predict = &network->predict;
	struct prediction_link at;
	unsigned int link;

	links_load(network);
	link = prediction_busiest(predict);
	at = prediction_link(predict, link);
	_Static_assert(ADVISE_SWITCH == NETWORK_BRIDGE, "a port of the switch");
	return (struct advise_link){
		.ringlet = at.ringlet,
		.from = at.from,
		.to = at.to,
		.load = cycles > 0 ? prediction_link_load(predict, link,
							  cycles * network->clocks_per_cycle)
				   : 0,
	};
}
