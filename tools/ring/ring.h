/* SPDX-License-Identifier: MIT */
/*
 * smile ring: the types and functions that its parts share.
 *
 * What lives here: the request, the result, and the calls between options, simulation and output.
 * It may use tools/common, emu/ring, and of lib/ trace-db/spread.h and pcapng.
 */
#ifndef TOOLS_RING_RING_H
#define TOOLS_RING_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/ring/replay.h"
#include "lib/trace-db/spread.h"

/* The number of commands: B-Link packets have 16 bits for a command, and few are in use. */
#define RING_COMMANDS 256U

/**
 * struct ring_trace_node - The requests of a node in a trace.
 * @between: times from each of its requests to the next [clocks]
 * @commands: number of its requests with each command; shape [RING_COMMANDS]
 * @targets: one bit per node: it has sent a request to this node
 */
struct ring_trace_node {
	struct spread between;
	uint64_t commands[RING_COMMANDS];
	uint64_t targets[LOAD_NODES_MAX / 64];
};

/**
 * struct ring_trace - The requests of captures.
 * @replay: the requests in their order, each with the request that it waits for
 * @nodes: statistics of the nodes; shape [LOAD_NODES_MAX]
 * @ns: the time that the trace took
 * @requests: number of requests of all nodes
 * @bytes: data in the requests and in their responses
 * @own: of each command, the least time from request to response in the trace, minus the time in
 *       this network if it is idle [clocks]; UINT64_MAX: not known. Shape [RING_COMMANDS]
 */
struct ring_trace {
	struct replay replay;
	struct ring_trace_node nodes[LOAD_NODES_MAX];
	uint64_t ns;
	uint64_t requests;
	uint64_t bytes;
	uint64_t own[RING_COMMANDS];
};

/**
 * struct ring_request - The command line.
 * @config: the network
 * @topology: the topology as the user gave it
 * @load: file of a distribution; NULL: the default
 * @write: file of the packets; NULL: none
 * @svg: file of the picture; NULL: none
 * @nodes: number of nodes
 * @link_mb: rate of a link [MB/s]
 * @seed: seed of the random numbers
 * @duration_ns: simulated time
 * @compare: simulate the trace and random loads, instead of one simulation
 * @json: print a JSON document instead of tables
 * @symbol_ps: time of a clock, from @link_mb
 * @clocks: simulated time; with a trace, until all its requests have ended
 * @trace: a trace instead of a random load; NULL: none
 */
struct ring_request {
	struct network_config config;
	const char *topology;
	const char *load;
	const char *write;
	const char *svg;
	uint32_t nodes;
	uint32_t link_mb;
	uint64_t seed;
	uint64_t duration_ns;
	int compare;
	int json;
	uint32_t symbol_ps;
	uint64_t clocks;
	struct ring_trace *trace;
};

/**
 * struct ring_node_result - Results of a node.
 * @received_bytes: data that it has received
 * @latency: times from when a request was due until its transaction ended [clocks]
 */
struct ring_node_result {
	uint64_t received_bytes;
	struct spread latency;
};

/**
 * struct ring_result - Results of a simulation.
 * @network: the network at the end
 * @load: the load at the end
 * @replay: the replayed trace of the request
 * @rings: memory of @network
 * @nodes: results of the nodes; shape [LOAD_NODES_MAX]
 * @bytes: data that all nodes have received
 * @full_bytes: the most data that was received with any load that was tried
 * @full_factor: the highest of these loads without @overload, in multiples of the load
 * @overload: more and more requests were due that found no room
 */
struct ring_result {
	struct network network;
	struct load load;
	struct replay *replay;
	struct ring *rings;
	struct ring_node_result nodes[LOAD_NODES_MAX];
	uint64_t bytes;
	uint64_t full_bytes;
	double full_factor;
	bool overload;
};

/**
 * ring_load_read() - Read a distribution of times.
 * @steps: receives the rows; to be freed
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int ring_load_read(const char *path, uint32_t symbol_ps, struct load_step **steps, uint32_t *count);

/**
 * ring_captures_read() - Read the requests of captures of B-Links.
 * @request: its network and @symbol_ps are set
 * @trace: receives them, must be zeroed; to be freed by ring_captures_free() in any case
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int ring_captures_read(const struct ring_request *request, char **paths, int count,
		       struct ring_trace *trace);

void ring_captures_free(struct ring_trace *trace);

/**
 * ring_simulate() - Run the simulation; with a random load, run further simulations to find the
 * load
 *		     that is too high.
 * @request: with a trace, @clocks is set here
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int ring_simulate(struct ring_request *request, const struct load_source *source,
		  struct ring_result *result);

/**
 * ring_simulate_loads() - Run the simulation once, with a separate random load for each node.
 * @request: for @clocks
 * @sources: shape [@request->nodes]
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int ring_simulate_loads(const struct ring_request *request, const struct load_source *sources,
			struct ring_result *result);

void ring_result_free(struct ring_result *result);

/**
 * ring_compare() - Print the throughput of a trace beside the predictions of simulations: of the
 * trace
 *		    itself, of a load fitted to it, and of the default load.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int ring_compare(struct ring_request *request);

/* A file of packets. */
struct ring_packets;

/**
 * ring_packets_open() - Create the file, with an interface for each link of the network.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int ring_packets_open(struct ring_packets **out, const char *path, struct network *network,
		      uint32_t symbol_ps);

/**
 * ring_packets_close() - Complete the file. NULL does nothing.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int ring_packets_close(struct ring_packets *packets);

/**
 * ring_formula() - The time that a trace takes by the formula of smile run --network.
 *
 * Return: clocks; below 0: the network has more nodes than the formula allows.
 */
double ring_formula(const struct ring_request *request);

/* The load of the link behind a node of a ringlet, 0 to 1. */
double ring_link_load(const struct ring *ring, unsigned int at);

/* Bytes in the simulated time, as bytes per second. */
double ring_rate(const struct ring_request *request, uint64_t bytes);

/* Clocks in nanoseconds, rounded. */
uint64_t ring_ns(const struct ring_request *request, uint64_t clocks);

/**
 * ring_svg() - Draw the network with the load of its links.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int ring_svg(const struct ring_request *request, const struct ring_result *result);

void ring_show(const struct ring_request *request, const struct ring_result *result);
int ring_show_json(const struct ring_request *request, const struct ring_result *result);

#endif /* TOOLS_RING_RING_H */
