// SPDX-License-Identifier: MIT
/*
 * Simulation: simulate the network under load, collect the results of its nodes, and find its
 * highest throughput.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/progress.h"
#include "tools/common/signals.h"
#include "tools/common/tool.h"
#include "tools/ring/ring.h"

#define CLOCKS_BETWEEN_LOOKS 4096U

/*
 * The smallest number of idle clocks that are skipped. If fewer clocks are skipped, checking
 * whether the network is idle takes longer than simulating these clocks.
 */
#define WORTH_SKIPPING 16U

/*
 * A node is overloaded if its next request has waited, at the end, for longer than a hundredth of
 * the simulated time.
 */
#define OVERLOAD_SHARE 100U

/* The factor between two loads in the search for the load at which the network saturates. */
#define FACTOR_STEP 1.25

static void note_arrived(void *context, const struct network *network, unsigned int node,
			 const struct ring_packet *packet)
{
	struct ring_result *result = context;
	unsigned int bytes = CABLE_SYMBOL_BYTES * cable_data_symbols(packet->type);

	result->nodes[node].received_bytes += bytes;
	result->bytes += bytes;
}

static void note_ended(void *context, const struct network *network, unsigned int node,
		       const struct ring_packet *packet)
{
	struct ring_result *result = context;

	if (time_distribution_add(
		    &result->nodes[packet->class == RING_REQUEST ? packet->source : node].latency,
		    network->clock - packet->since))
		exit(tool_error("no memory"));
	if (result->replay)
		replay_ended(result->replay, network, node, packet);
}

/* Simulate the trace until all its requests have ended. */
static int run_replay(struct ring_result *result)
{
	struct network *network = &result->network;

	replay_begin(result->replay);
	while (!replay_done(result->replay, network)) {
		uint64_t due = replay_due(result->replay, network);

		/*
		 * Skip the clocks until the next request if the network is idle. A program computes
		 * most of the time, so most clocks are skipped.
		 */
		if (due != LOAD_NEVER && due > network->clock + WORTH_SKIPPING &&
		    network_rests(network))
			network_skip(network, due - network->clock);
		replay_step(result->replay, network);
		network_step(network, NULL);
		if (network->clock % CLOCKS_BETWEEN_LOOKS)
			continue;
		if (signals_count()) {
			progress_clear();
			return tool_error("interrupted");
		}
		if (progress_due())
			progress_show("%.0f million clocks", (double)network->clock / 1e6);
	}
	progress_clear();
	return TOOL_OK;
}

/* Simulate a number of clocks. Return: TOOL_OK; TOOL_ERROR if a signal has ended the simulation. */
static int run(struct ring_result *result, uint64_t clocks, const char *what)
{
	for (uint64_t clock = 0; clock < clocks; clock++) {
		network_step(&result->network, &result->load);
		if (clock % CLOCKS_BETWEEN_LOOKS)
			continue;
		if (signals_count()) {
			progress_clear();
			return tool_error("interrupted");
		}
		if (progress_due())
			progress_show("%s: %.0f %%", what, 100.0 * (double)clock / (double)clocks);
	}
	progress_clear();
	return TOOL_OK;
}

static int start(const struct ring_request *request, const struct load_source *source,
		 struct ring_result *result)
{
	if (network_init(&result->network, &request->config, result->rings))
		return tool_error("this network is not possible");
	load_init(&result->load, request->nodes, source, request->seed);
	result->network.watch.context = result;
	result->network.watch.arrived = note_arrived;
	return TOOL_OK;
}

/*
 * Check whether a node has more requests than it can send, so that its next request is waiting at
 * the end.
 */
static bool is_overloaded(const struct ring_request *request, const struct ring_result *result)
{
	for (unsigned int node = 0; node < request->nodes; node++) {
		uint64_t due = result->load.node[node].due;

		if (due < request->clocks &&
		    request->clocks - due > request->clocks / OVERLOAD_SHARE)
			return true;
	}
	return false;
}

/*
 * Make a source of requests with all times divided by @factor. @steps: receives the rows of the new
 * source, which the caller must free.
 */
static struct load_source faster(const struct load_source *source, double factor,
				 struct load_step **steps)
{
	struct load_source scaled = *source;

	*steps = NULL;
	scaled.first = (uint32_t)((double)source->first / factor);
	scaled.last = (uint32_t)((double)source->last / factor);
	if (!source->steps)
		return scaled;
	*steps = tool_memory(source->step_count, sizeof(**steps));
	for (uint32_t i = 0; i < source->step_count; i++) {
		(*steps)[i] = source->steps[i];
		(*steps)[i].clocks = (uint64_t)((double)source->steps[i].clocks / factor);
	}
	scaled.steps = *steps;
	return scaled;
}

/*
 * Simulate @factor times the load. Get the amount of data that is received, and whether the load is
 * too high.
 */
static int try_factor(const struct ring_request *request, const struct load_source *source,
		      double factor, struct ring_result *trial)
{
	struct load_step *steps;
	struct load_source scaled = faster(source, factor, &steps);
	char what[32];
	int status;

	snprintf(what, sizeof(what), "at %.2f times the load", factor);
	trial->bytes = 0;
	status = start(request, &scaled, trial);
	if (status == TOOL_OK)
		status = run(trial, request->clocks, what);
	trial->overload = is_overloaded(request, trial);
	free(steps);
	return status;
}

/*
 * If the ring can carry the load, raise the load step by step until it is too high. Otherwise lower
 * the load until the ring can carry it.
 */
static int find_saturation(const struct ring_request *request, const struct load_source *source,
			   struct ring_result *result)
{
	struct ring_result *trial = tool_memory(1, sizeof(*trial));
	double step = result->overload ? 1 / FACTOR_STEP : FACTOR_STEP;
	int status = TOOL_OK;

	trial->rings = tool_memory((size_t)network_rings(&request->config), sizeof(*trial->rings));
	result->full_bytes = result->bytes;
	result->full_factor = 1;
	for (double factor = step;; factor *= step) {
		status = try_factor(request, source, factor, trial);
		if (status != TOOL_OK)
			break;
		if (trial->bytes > result->full_bytes)
			result->full_bytes = trial->bytes;
		if (!trial->overload)
			result->full_factor = factor;
		if (trial->overload != result->overload)
			break;
	}
	ring_result_free(trial);
	free(trial);
	return status;
}

static int simulate_load(const struct ring_request *request, const struct load_source *source,
			 struct ring_result *result)
{
	struct ring_packets *packets = NULL;
	int status = start(request, source, result), closed;

	if (status == TOOL_OK && request->write)
		status = ring_packets_open(&packets, request->write, &result->network,
					   request->symbol_ps);
	if (status != TOOL_OK)
		return status;
	result->network.watch.ended = note_ended;
	result->replay = request->trace ? &request->trace->replay : NULL;
	status = result->replay ? run_replay(result) : run(result, request->clocks, "under load");
	closed = ring_packets_close(packets);
	return status == TOOL_OK ? closed : status;
}

int ring_simulate(struct ring_request *request, const struct load_source *source,
		  struct ring_result *result)
{
	int status;

	result->rings =
		tool_memory((size_t)network_rings(&request->config), sizeof(*result->rings));
	status = simulate_load(request, source, result);
	for (unsigned int node = 0; status == TOOL_OK && node < request->nodes; node++)
		if (time_distribution_sort(&result->nodes[node].latency))
			status = tool_error("no memory");
	if (request->trace) {
		request->clocks = result->network.clock;
		return status;
	}
	result->overload = is_overloaded(request, result);
	return status == TOOL_OK ? find_saturation(request, source, result) : status;
}

int ring_simulate_loads(const struct ring_request *request, const struct load_source *sources,
			struct ring_result *result)
{
	int status;

	result->rings =
		tool_memory((size_t)network_rings(&request->config), sizeof(*result->rings));
	status = start(request, &sources[0], result);
	for (unsigned int node = 0; status == TOOL_OK && node < request->nodes; node++)
		load_set_source(&result->load, node, &sources[node]);
	return status == TOOL_OK ? run(result, request->clocks, "under load") : status;
}

void ring_result_free(struct ring_result *result)
{
	for (unsigned int node = 0; node < LOAD_NODES_MAX; node++)
		time_distribution_free(&result->nodes[node].latency);
	free(result->rings);
}

double ring_link_load(const struct ring *ring, unsigned int at)
{
	const struct ring_counts *counts = &ring->nodes[at].counts;

	return (double)(counts->own.symbols + counts->bypass.symbols + counts->gap_symbols) /
	       (double)ring->clock;
}

double ring_rate(const struct ring_request *request, uint64_t bytes)
{
	return (double)bytes * 1e12 / ((double)request->clocks * request->symbol_ps);
}

uint64_t ring_ns(const struct ring_request *request, uint64_t clocks)
{
	return clocks / 1000 * request->symbol_ps +
	       (clocks % 1000 * request->symbol_ps + 500) / 1000;
}

uint64_t ring_clocks(const struct ring_request *request, uint64_t ns)
{
	return ns / request->symbol_ps * 1000 + ns % request->symbol_ps * 1000 / request->symbol_ps;
}
