// SPDX-License-Identifier: MIT
/*
 * Output of smile ring: tables, a picture of the network in characters, and JSON.
 */
#include <stdio.h>

#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "tools/ring/ring.h"

/* A link with at least this load is marked. */
#define LOAD_FULL 0.9
#define LOAD_HALF 0.5

#define LINKS_A_LINE 8U
#define MEGABYTE 1e6

static uint64_t retries(const struct network *network, unsigned int node)
{
	uint64_t sum = 0;

	for (unsigned int ring = 0; ring < network->ring_count; ring++)
		for (unsigned int at = 0; at < network->rings[ring].config.nodes; at++)
			if (network->node[ring][at] == node)
				for (unsigned int class = 0; class < RING_CLASSES; class ++)
					sum += network->rings[ring].nodes[at].counts.retries[class];
	return sum;
}

static void show_nodes(const struct ring_request *request, const struct ring_result *result)
{
	struct output_table *table = output_table_new();

	output_table_columns(table,
			     ">NODE|>INJECTED|>DELIVERED|>RETRIED|>MB/S|>MEDIAN NS|>99 % NS");
	for (unsigned int node = 0; node < request->nodes; node++) {
		const struct ring_node_result *seen = &result->nodes[node];

		output_table_cell(table, OUTPUT_STRONG, "%u", node);
		output_table_count(table, OUTPUT_PLAIN, result->network.given[node]);
		output_table_count(table, OUTPUT_PLAIN, result->network.ended[node]);
		output_table_count(table, OUTPUT_PLAIN, retries(&result->network, node));
		output_table_cell(table, OUTPUT_PLAIN, "%.1f",
				  ring_rate(request, seen->received_bytes) / MEGABYTE);
		if (!seen->latency.count) {
			output_table_none(table);
			output_table_none(table);
			continue;
		}
		output_table_count(
			table, OUTPUT_PLAIN,
			ring_ns(request, time_distribution_quantile(&seen->latency, 0.5)));
		output_table_count(
			table, OUTPUT_PLAIN,
			ring_ns(request, time_distribution_quantile(&seen->latency, 0.99)));
	}
	output_table_print(table);
}

static enum output_style load_style(double load)
{
	return load >= LOAD_FULL ? OUTPUT_BAD : load < LOAD_HALF ? OUTPUT_GOOD : OUTPUT_PLAIN;
}

/*
 * Print the name of a node in the picture. The port of a switch is named by the number of its
 * ringlet.
 */
static void show_place(const struct network *network, unsigned int ring, unsigned int at)
{
	if (network->node[ring][at] != NETWORK_BRIDGE)
		printf("%u", network->node[ring][at]);
	else if (ring + 1 == network->ring_count)
		printf("port %u", at);
	else
		printf("port %u", ring);
}

/* Print each ringlet as a row of nodes, and each link with its load. */
static void show_links(const struct network *network)
{
	for (unsigned int ring = 0; ring < network->ring_count; ring++) {
		unsigned int nodes = network->rings[ring].config.nodes;

		printf("%sringlet %u%s\n    ", output_begin(OUTPUT_STRONG), ring,
		       output_end(OUTPUT_STRONG));
		for (unsigned int at = 0; at < nodes; at++) {
			double load = ring_link_load(&network->rings[ring], at);

			show_place(network, ring, at);
			printf(" %s-%.0f%%->%s ", output_begin(load_style(load)), 100 * load,
			       output_end(load_style(load)));
			if (at % LINKS_A_LINE == LINKS_A_LINE - 1 && at + 1 < nodes)
				printf("\n    ");
		}
		show_place(network, ring, 0);
		putchar('\n');
	}
}

/*
 * Print the times of a trace: the recorded time, the simulated time, and the time by the formula
 * with its error.
 */
static void show_times(const struct ring_request *request)
{
	double clocks = ring_formula(request);

	printf("the trace took %.6g s, and takes %.6g s here", (double)request->trace->ns / 1e9,
	       (double)ring_ns(request, request->clocks) / 1e9);
	if (clocks >= 0 && request->clocks)
		printf("; by formula %.6g s, %+.1f %%", clocks * request->symbol_ps / 1e12,
		       100 * (clocks / (double)request->clocks - 1));
	putchar('\n');
}

void ring_show(const struct ring_request *request, const struct ring_result *result)
{
	show_nodes(request, result);
	printf("\n%slinks%s: load of each, from node to node\n", output_begin(OUTPUT_STRONG),
	       output_end(OUTPUT_STRONG));
	show_links(&result->network);
	printf("\nthroughput %.1f MB/s of data; ", ring_rate(request, result->bytes) / MEGABYTE);
	if (request->trace)
		show_times(request);
	else
		printf("the network can carry %.3g times this load, and at most %.1f MB/s\n",
		       result->full_factor, ring_rate(request, result->full_bytes) / MEGABYTE);
	if (result->overload)
		printf("%soverload%s: requests come faster than the network can carry them, so "
		       "their latency keeps growing\n",
		       output_begin(OUTPUT_BAD), output_end(OUTPUT_BAD));
	putchar('\n');
	output_text("legend: INJECTED = requests that were put into an output buffer; DELIVERED = "
		    "requests that have ended; RETRIED = busy echoes; MB/S = data that has arrived "
		    "at the node; latency = the time from when a request is due until its response "
		    "arrives. The load of a link is the share of its time that packets and the "
		    "gaps after them take. 1 MB is 1000000 bytes; a link carries %u MB/s; "
		    "simulated time: %.3g s.",
		    request->link_mb, (double)ring_ns(request, request->clocks) / 1e9);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *json_time(const struct ring_request *request,
			 const struct time_distribution *latency, double share)
{
	return latency->count ? json_integer(document_int(ring_ns(
					request, time_distribution_quantile(latency, share))))
			      : json_null();
}

static json_t *json_node(const struct ring_request *request, const struct ring_result *result,
			 unsigned int node)
{
	const struct ring_node_result *seen = &result->nodes[node];

	return json_pack("{s:i, s:I, s:I, s:I, s:f, s:{s:o, s:o}}", "node", (int)node, "injected",
			 document_int(result->network.given[node]), "delivered",
			 document_int(result->network.ended[node]), "retried",
			 document_int(retries(&result->network, node)), "throughput_bytes_per_s",
			 ring_rate(request, seen->received_bytes), "latency_ns", "median",
			 json_time(request, &seen->latency, 0.5), "p99",
			 json_time(request, &seen->latency, 0.99));
}

static json_t *json_place(const struct network *network, unsigned int ring, unsigned int at)
{
	uint32_t node = network->node[ring][at];

	return node == NETWORK_BRIDGE ? json_null() : json_integer(node);
}

static json_t *json_links(const struct network *network)
{
	json_t *links = json_array();

	for (unsigned int ring = 0; ring < network->ring_count; ring++) {
		unsigned int nodes = network->rings[ring].config.nodes;

		for (unsigned int at = 0; at < nodes; at++)
			if (json_array_append_new(
				    links,
				    json_pack("{s:i, s:o, s:o, s:f}", "ringlet", (int)ring, "from",
					      json_place(network, ring, at), "to",
					      json_place(network, ring, (at + 1) % nodes), "load",
					      ring_link_load(&network->rings[ring], at)))) {
				json_decref(links);
				return NULL;
			}
	}
	return links;
}

/* Compute the time by the formula, in seconds. */
static json_t *json_formula(const struct ring_request *request)
{
	double clocks = request->trace ? ring_formula(request) : -1;

	return clocks < 0 ? json_null() : json_real(clocks * request->symbol_ps / 1e12);
}

int ring_show_json(const struct ring_request *request, const struct ring_result *result)
{
	json_t *nodes = json_array();

	for (unsigned int node = 0; node < request->nodes; node++)
		/*
		 * If memory runs out, print no document, because an array with a missing item would
		 * be wrong.
		 */
		if (json_array_append_new(nodes, json_node(request, result, node))) {
			json_decref(nodes);
			return output_json(NULL);
		}
	return output_json(json_pack(
		"{s:s, s:s, s:I, s:f, s:o, s:o, s:o, s:f, s:o, s:o, s:b, s:o, s:o}", "schema",
		"smile.ring/1", "topology", request->topology, "link_bytes_per_s",
		document_int(request->link_mb * 1000000ULL), "seconds",
		(double)ring_ns(request, request->clocks) / 1e9, "trace_seconds",
		request->trace ? json_real((double)request->trace->ns / 1e9) : json_null(),
		"formula_seconds", json_formula(request), "seed",
		request->trace ? json_null() : json_integer(document_int(request->seed)),
		"throughput_bytes_per_s", ring_rate(request, result->bytes),
		"saturation_bytes_per_s",
		request->trace ? json_null() : json_real(ring_rate(request, result->full_bytes)),
		"saturation_load", request->trace ? json_null() : json_real(result->full_factor),
		"overload", result->overload, "nodes", nodes, "links",
		json_links(&result->network)));
}
