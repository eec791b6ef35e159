/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Load: requests that nodes offer to the ring at random times.
 *
 * What lives here: a source of requests for each node. docs/ring.md, section 7, describes the load.
 * Pure C11, no I/O, no allocation, only integers. May use ring.h and <base/random.h>.
 */
#ifndef EMU_RING_LOAD_H
#define EMU_RING_LOAD_H

#include "emu/ring/ring.h"

#define LOAD_NODES_MAX 128U
#define LOAD_COMMANDS_MAX 16U
#define LOAD_NEVER UINT64_MAX

/**
 * struct load_step - A row of a cumulative distribution of times.
 * @clocks: a time from one request to the next, in clocks
 * @cumulative: the share of times that are not longer than @clocks, times 2^32, rounded down;
 *              UINT32_MAX in the last row
 */
struct load_step {
	uint64_t clocks;
	uint32_t cumulative;
};

/**
 * struct load_source - The requests that a node offers.
 * @first: the shortest time between two requests in clocks; used if @steps is NULL
 * @last: the longest time between two requests in clocks; all times from @first to @last are
 *        equally probable
 * @steps: a distribution of times to use instead; it must exist as long as the load; may be NULL
 * @step_count: number of rows of @steps
 * @targets: a bit for each target node, 64 bits in a word. The bit of the offering node itself has
 *           no effect. If no other bit is set, the node offers nothing
 * @commands: the commands of the requests; they are chosen with equal probability
 * @command_count: number of commands; at least 1
 */
struct load_source {
	uint32_t first;
	uint32_t last;
	const struct load_step *steps;
	uint32_t step_count;
	uint64_t targets[LOAD_NODES_MAX / 64];
	uint8_t commands[LOAD_COMMANDS_MAX];
	uint8_t command_count;
};

/**
 * struct load_node - The state of a source.
 * @random: state of the random number generator
 * @due: clock at which the next request is due; LOAD_NEVER: there is none
 * @next: the next request
 */
struct load_node {
	struct load_source source;
	uint64_t random;
	uint64_t due;
	struct ring_offer next;
};

/**
 * struct load - The sources of all nodes of a ringlet or of a network.
 * @earliest: no request is due before this clock
 */
struct load {
	uint64_t earliest;
	unsigned int nodes;
	struct load_node node[LOAD_NODES_MAX];
};

/**
 * load_default() - Get the source of the thesis. The times between its requests are 0.6 to 6 us,
 * and its commands are all commands with 0, 64 or 256 bytes in the request or the response.
 * @symbol_ps: duration of a clock in ps
 */
struct load_source load_default(uint32_t symbol_ps);

/**
 * load_init() - Give all nodes the same source.
 */
void load_init(struct load *load, unsigned int nodes, const struct load_source *source,
	       uint64_t seed);

/**
 * load_set_source() - Set the source of one node. Call this function before the first load_step().
 */
void load_set_source(struct load *load, unsigned int node, const struct load_source *source);

/**
 * load_offer - A function that accepts a request of a node. Return: 0; -errno if the request must
 * wait.
 */
typedef int load_offer(void *context, unsigned int node, const struct ring_offer *offer);

/**
 * load_step() - Offer all requests that are due to a ringlet. Call this function before each
 * ring_step().
 *
 * If the ringlet cannot accept a request yet, the request waits. The latency of the request is
 * measured from the clock at which the request was due.
 */
void load_step(struct load *load, struct ring *ring);

/**
 * load_step_to() - Offer all requests that are due, by calling @offer instead of ring_offer().
 */
void load_step_to(struct load *load, uint64_t clock, load_offer *offer, void *context);

#endif /* EMU_RING_LOAD_H */
