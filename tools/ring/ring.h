/* SPDX-License-Identifier: MIT */
/*
 * smile ring: the types and functions that the files of this directory share.
 *
 * What lives here: the request, the result, and the functions that connect options, simulation and
 * output. May use tools/common, emu/ring, and of lib/ only trace-db/time_distribution.h and pcapng.
 */
#ifndef TOOLS_RING_RING_H
#define TOOLS_RING_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/ring/replay.h"
#include "lib/trace-db/time_distribution.h"

/*
 * The number of commands for which there are separate statistics. B-Link packets have 16 bits for a
 * command, but only small numbers are in use.
 */
#define RING_COMMANDS 256U

/**
 * struct ring_trace_node - Statistics of the requests of a node in a trace.
 * @between: times from each request of the node to its next request [clocks]
 * @commands: number of the node's requests with each command; shape [RING_COMMANDS]
 * @targets: a bit for each other node, which is set if the node has sent a request to that other
 *           node
 */
struct ring_trace_node {
	struct time_distribution between;
	uint64_t commands[RING_COMMANDS];
	uint64_t targets[LOAD_NODES_MAX / 64];
};

/**
 * struct ring_trace - The requests that captures contain.
 * @replay: the requests of each node in their order, with the waits between them
 * @nodes: statistics of the nodes; shape [LOAD_NODES_MAX]
 * @ns: the time that the trace took
 * @requests: number of requests of all nodes
 * @bytes: data in the requests and in their responses
 * @own: for each command, the shortest time from a request to its response in the trace, minus the
 *       time of this transaction in the idle network [clocks]; UINT64_MAX: not known. Shape
 *       [RING_COMMANDS]
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
 * struct ring_request - The options of the command line.
 * @config: the network
 * @topology: the topology as the user gave it
 * @load: name of a file with a distribution of times; NULL: use the default load
 * @write: name of the file for the packets; NULL: do not write packets
 * @svg: name of the file for the picture; NULL: do not draw
 * @nodes: number of nodes
 * @link_mb: rate of a link [MB/s]
 * @seed: seed of the random numbers
 * @duration_ns: simulated time
 * @compare: simulate the trace and two random loads, and compare them
 * @json: print a JSON document instead of tables
 * @symbol_ps: duration of a clock in ps, computed from @link_mb
 * @clocks: simulated time in clocks; for a trace, the time until all its requests have ended
 * @trace: simulate this trace instead of a random load; NULL: simulate a random load
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
 * struct ring_node_result - Results of a simulation for a node.
 * @received_bytes: number of bytes of data that the node has received
 * @latency: times from the clock at which a request was due to the end of its transaction [clocks]
 */
struct ring_node_result {
	uint64_t received_bytes;
	struct time_distribution latency;
};

/**
 * struct ring_result - Results of a simulation.
 * @network: state of the network at the end
 * @load: state of the load at the end
 * @replay: the trace of the request, while it is replayed; NULL: random load
 * @rings: memory of @network
 * @nodes: results for the nodes; shape [LOAD_NODES_MAX]
 * @bytes: number of bytes of data that all nodes have received
 * @full_bytes: the largest number of received bytes in any simulation
 * @full_factor: the highest load that was tried without @overload, as a multiple of the given load
 * @overload: the load is too high: requests became due faster than nodes could send them
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
 * @steps: receives the rows, which the caller must free
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int ring_load_read(const char *path, uint32_t symbol_ps, struct load_step **steps, uint32_t *count);

/**
 * ring_captures_read() - Read the requests of captures of B-Links.
 * @request: the request, with the network and @symbol_ps set
 * @trace: receives the requests. The caller must zero it before, and must call ring_captures_free()
 *         afterwards, even after an error
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int ring_captures_read(const struct ring_request *request, char **paths, int count,
		       struct ring_trace *trace);

void ring_captures_free(struct ring_trace *trace);

/**
 * ring_simulate() - Simulate the request. For a random load, run further simulations to find the
 * load at which the network is overloaded.
 * @request: for a trace, its @clocks is set
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int ring_simulate(struct ring_request *request, const struct load_source *source,
		  struct ring_result *result);

/**
 * ring_simulate_loads() - Run one simulation, with a separate random load for each node.
 * @request: provides the network and @clocks
 * @sources: shape [@request->nodes]
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int ring_simulate_loads(const struct ring_request *request, const struct load_source *sources,
			struct ring_result *result);

void ring_result_free(struct ring_result *result);

/**
 * ring_compare() - Print the throughput of a trace and the predictions of three simulations: of the
 * trace itself, of a load fitted to the trace, and of the default load.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int ring_compare(struct ring_request *request);

/* A file into which packets are written. */
struct ring_packets;

/**
 * ring_packets_open() - Create the capture, with an interface for each link of the network.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int ring_packets_open(struct ring_packets **out, const char *path, struct network *network,
		      uint32_t symbol_ps);

/**
 * ring_packets_close() - Complete the file. If @packets is NULL, do nothing.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int ring_packets_close(struct ring_packets *packets);

/**
 * ring_formula() - Compute the time of a trace by the formula of `smile run --network`.
 *
 * Return: the time in clocks; below 0 if the network has more nodes than the formula allows.
 */
double ring_formula(const struct ring_request *request);

/* Get the load of the link after a node of a ringlet, from 0 to 1. */
double ring_link_load(const struct ring *ring, unsigned int at);

/* Convert the bytes received in the simulated time to bytes per second. */
double ring_rate(const struct ring_request *request, uint64_t bytes);

/* Convert clocks to nanoseconds, rounded. */
uint64_t ring_ns(const struct ring_request *request, uint64_t clocks);

/* Convert nanoseconds to whole clocks. */
uint64_t ring_clocks(const struct ring_request *request, uint64_t ns);

/**
 * ring_svg() - Draw the network, with the load of each link.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int ring_svg(const struct ring_request *request, const struct ring_result *result);

void ring_show(const struct ring_request *request, const struct ring_result *result);
int ring_show_json(const struct ring_request *request, const struct ring_result *result);

#endif /* TOOLS_RING_RING_H */
