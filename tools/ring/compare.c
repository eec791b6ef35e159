// SPDX-License-Identifier: MIT
/*
 * Compare: the throughput of a trace, compared with the throughput that simulations predict for it.
 *
 * What lives here: a random load that is fitted to the trace, and the table of all results. Source:
 * the thesis "Distributed Shared Memory Architectures and Global Performance State Estimation",
 * 4.4.2 and figures 4.17 to 4.19. The thesis compares a default load with a load that was tuned by
 * a trace.
 */
#include <math.h>
#include <stdlib.h>

#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "tools/ring/ring.h"

#define SHARES 4294967296.0 /* 2^32 */
#define MEGABYTE 1e6

/**
 * struct compared - A row of the table.
 * @load: name of the load
 * @requests: number of requests
 * @bytes: number of bytes of data that arrived
 * @seconds: time in which the data arrived
 * @busiest: load of the busiest link; below 0: it is not known
 */
struct compared {
	const char *load;
	uint64_t requests;
	uint64_t bytes;
	double seconds;
	double busiest;
};

enum { COMPARED_OWN, COMPARED_TRACE, COMPARED_FITTED, COMPARED_DEFAULT, COMPARED_COUNT };

/* ---- the fitted load ------------------------------------------------------------------------- */

/*
 * Fill the slots of the node's commands. Each command gets a number of slots in proportion to its
 * share of the requests.
 */
static void fit_commands(const struct ring_trace_node *node, uint64_t all,
			 struct load_source *source)
{
	double owed[RING_COMMANDS] = {0};

	source->command_count = LOAD_COMMANDS_MAX;
	for (unsigned int slot = 0; slot < LOAD_COMMANDS_MAX; slot++) {
		unsigned int most = 0;

		for (unsigned int command = 0; command < RING_COMMANDS; command++) {
			owed[command] += (double)node->commands[command] / (double)all;
			if (owed[command] > owed[most])
				most = command;
		}
		owed[most] -= 1;
		source->commands[slot] = (uint8_t)most;
	}
}

/*
 * Fit a load to the requests of a node. Return: the rows of the distribution, which the caller must
 * free; NULL if the node sends no requests.
 */
static struct load_step *fit_node(const struct ring_trace_node *node, struct load_source *source)
{
	const struct time_distribution *between = &node->between;
	struct load_step *steps;
	uint64_t before = 0, all = 0;

	*source = (struct load_source){.command_count = 1};
	if (!between->count)
		return NULL;
	steps = tool_memory(between->distinct, sizeof(*steps));
	for (size_t i = 0; i < between->distinct; i++) {
		double share;

		before += between->values[i].count;
		share = SHARES * (double)before / (double)between->count;
		steps[i] = (struct load_step){
			.clocks = between->values[i].value,
			.cumulative = share >= UINT32_MAX ? UINT32_MAX : (uint32_t)share,
		};
	}
	for (unsigned int command = 0; command < RING_COMMANDS; command++)
		all += node->commands[command];
	fit_commands(node, all, source);
	source->steps = steps;
	source->step_count = (uint32_t)between->distinct;
	for (unsigned int i = 0; i < LOAD_NODES_MAX / 64; i++)
		source->targets[i] = node->targets[i];
	return steps;
}

/* ---- simulations ----------------------------------------------------------------------------- */

static void take(const struct ring_request *request, const struct ring_result *result,
		 struct compared *row)
{
	const struct network *network = &result->network;

	row->bytes = result->bytes;
	row->seconds = (double)request->clocks * request->symbol_ps / 1e12;
	for (unsigned int node = 0; node < request->nodes; node++)
		row->requests += network->given[node];
	for (unsigned int ring = 0; ring < network->ring_count; ring++)
		for (unsigned int at = 0; at < network->rings[ring].config.nodes; at++)
			row->busiest =
				fmax(row->busiest, ring_link_load(&network->rings[ring], at));
}

static int run_loads(struct ring_request *request, const struct load_source *sources,
		     struct compared *row)
{
	struct ring_result *result = tool_memory(1, sizeof(*result));
	int status = ring_simulate_loads(request, sources, result);

	if (status == TOOL_OK)
		take(request, result, row);
	ring_result_free(result);
	free(result);
	return status;
}

static int run_default(struct ring_request *request, struct compared *row)
{
	struct load_source sources[LOAD_NODES_MAX];

	for (unsigned int node = 0; node < request->nodes; node++)
		sources[node] = load_default(request->symbol_ps);
	return run_loads(request, sources, row);
}

static int run_fitted(struct ring_request *request, struct compared *row)
{
	struct load_source sources[LOAD_NODES_MAX];
	struct load_step *steps[LOAD_NODES_MAX];
	int status;

	for (unsigned int node = 0; node < request->nodes; node++)
		steps[node] = fit_node(&request->trace->nodes[node], &sources[node]);
	status = run_loads(request, sources, row);
	for (unsigned int node = 0; node < request->nodes; node++)
		free(steps[node]);
	return status;
}

/*
 * Nodes and memory themselves need a time that is the same in any network. Add this time to each
 * wait after a response.
 */
static void own_time_add(struct ring_trace *trace, struct replay_node *node)
{
	struct replay_request *requests = (struct replay_request *)node->requests;

	for (uint64_t i = 1; i < node->count; i++) {
		uint64_t own = trace->own[requests[i - 1].command];

		if (requests[i].after_end && own != UINT64_MAX)
			requests[i].wait += own;
	}
}

/*
 * Simulate the trace. Call this function last, because the simulation changes the simulated time of
 * the request.
 */
static int run_trace(struct ring_request *request, struct compared *row)
{
	struct ring_result *result = tool_memory(1, sizeof(*result));
	struct load_source none = load_default(request->symbol_ps);
	int status;

	for (unsigned int node = 0; node < request->nodes; node++)
		own_time_add(request->trace, &request->trace->replay.node[node]);
	status = ring_simulate(request, &none, result);
	if (status == TOOL_OK)
		take(request, result, row);
	ring_result_free(result);
	free(result);
	return status;
}

/* ---- output ---------------------------------------------------------------------------------- */

static double rate(double what, double seconds)
{
	return seconds > 0 ? what / seconds : 0;
}

/* Compute the difference from the throughput of the trace, in percent. */
static double difference(const struct compared *row, const struct compared *own)
{
	double truth = rate((double)own->bytes, own->seconds);

	return truth > 0 ? 100 * (rate((double)row->bytes, row->seconds) / truth - 1) : 0;
}

static int compare_json(const struct ring_request *request, const struct compared *rows)
{
	json_t *list = json_array();

	for (int i = 0; i < COMPARED_COUNT; i++) {
		const struct compared *row = &rows[i];

		json_array_append_new(
			list,
			json_pack("{s:s, s:I, s:f, s:f, s:f, s:o, s:o}", "load", row->load,
				  "requests", document_int(row->requests), "seconds", row->seconds,
				  "requests_per_s", rate((double)row->requests, row->seconds),
				  "throughput_bytes_per_s", rate((double)row->bytes, row->seconds),
				  "difference_percent",
				  i ? json_real(difference(row, &rows[0])) : json_null(),
				  "busiest_link", i ? json_real(row->busiest) : json_null()));
	}
	return output_json(json_pack("{s:s, s:s, s:I, s:I, s:o}", "schema", "smile.ring.compare/1",
				     "topology", request->topology, "link_bytes_per_s",
				     document_int(request->link_mb * 1000000ULL), "seed",
				     document_int(request->seed), "loads", list));
}

static void compare_show(const struct ring_request *request, const struct compared *rows)
{
	struct output_table *table = output_table_new();

	output_table_columns(table, "<LOAD|>REQUESTS|>REQUESTS/S|>MB/S|>TO THE TRACE|"
				    ">BUSIEST LINK");
	for (int i = 0; i < COMPARED_COUNT; i++) {
		const struct compared *row = &rows[i];

		output_table_cell(table, OUTPUT_STRONG, "%s", row->load);
		output_table_count(table, OUTPUT_PLAIN, row->requests);
		output_table_cell(table, OUTPUT_PLAIN, "%.0f",
				  rate((double)row->requests, row->seconds));
		output_table_cell(table, OUTPUT_PLAIN, "%.2f",
				  rate((double)row->bytes, row->seconds) / MEGABYTE);
		if (!i) {
			output_table_none(table);
			output_table_none(table);
			continue;
		}
		output_table_cell(table, OUTPUT_PLAIN, "%+.1f %%", difference(row, &rows[0]));
		output_table_cell(table, OUTPUT_PLAIN, "%.1f %%", 100 * row->busiest);
	}
	output_table_print(table);
	putchar('\n');
	output_text("legend: trace = the traffic as it was captured; replayed = the requests of "
		    "the trace in this network: each request comes as long after the previous one, "
		    "or after the response to it, as in the trace. The nodes themselves need as "
		    "much time for a transaction as in the trace: this is the time of the fastest "
		    "transaction of the same kind, less its time in an idle network. fitted = "
		    "random requests, whose times, commands and targets are distributed as those "
		    "of each node in the trace; default = random requests as without a trace. MB/S "
		    "= data, in units of 1000000 bytes; a link carries %u MB/s. TO THE TRACE = the "
		    "throughput less that of the trace.",
		    request->link_mb);
}

int ring_compare(struct ring_request *request)
{
	struct compared rows[COMPARED_COUNT] = {
		[COMPARED_OWN] = {.load = "trace",
				  .requests = request->trace->requests,
				  .bytes = request->trace->bytes,
				  .seconds = (double)request->trace->ns / 1e9},
		[COMPARED_TRACE] = {.load = "replayed"},
		[COMPARED_FITTED] = {.load = "fitted"},
		[COMPARED_DEFAULT] = {.load = "default"},
	};
	int status;

	request->clocks = ring_clocks(request, request->trace->ns) + 1;
	status = run_fitted(request, &rows[COMPARED_FITTED]);
	if (status == TOOL_OK)
		status = run_default(request, &rows[COMPARED_DEFAULT]);
	if (status == TOOL_OK)
		status = run_trace(request, &rows[COMPARED_TRACE]);
	if (status == TOOL_OK && request->json)
		return compare_json(request, rows);
	if (status == TOOL_OK)
		compare_show(request, rows);
	return status;
}
