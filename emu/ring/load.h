/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Load: requests that nodes offer to the ring at random times.
 *
 * What lives here: the sources of requests, one for each node. docs/ring.md, section 7. Pure C11,
 * no I/O, no allocation, only integers. It may use ring.h and <base/random.h>.
 */
#ifndef EMU_RING_LOAD_H
#define EMU_RING_LOAD_H

#include "emu/ring/ring.h"

#define LOAD_NODES_MAX 128U
#define LOAD_COMMANDS_MAX 16U
#define LOAD_NEVER UINT64_MAX

/**
 * struct load_step - A row of a distribution.
 * @clocks: a time from one request to the next
 * @cumulative: share of all times up to this one, times 2^32, rounded down; in the last row
 *              UINT32_MAX
 */
struct load_step {
	uint64_t clocks;
	uint32_t cumulative;
};

/**
 * struct load_source - The requests that a node offers.
 * @first: the shortest time between two requests in clocks, if there are no @steps
 * @last: the longest time; all times from @first to @last are equally probable
 * @steps: a distribution to be used instead; kept by reference
 * @step_count: number of its rows
 * @targets: a bit for each target node, 64 in a word; the bit of the node itself has no effect. 0:
 *           the node offers nothing
 * @commands: the commands, which are equally probable
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
 * @random: state of the generator
 * @due: clock of the next request; LOAD_NEVER: there is none
 * @next: the next request
 */
struct load_node {
	struct load_source source;
	uint64_t random;
	uint64_t due;
	struct ring_offer next;
};

/**
 * struct load - The sources of a ringlet, or of several ringlets that are joined.
 * @earliest: clock before which no request is due
 */
struct load {
	uint64_t earliest;
	unsigned int nodes;
	struct load_node node[LOAD_NODES_MAX];
};

/**
 * load_default() - The thesis's source: times from 0.6 to 6 us, all commands with 0, 64 and 256
 *		    bytes in request or response.
 * @symbol_ps: duration of a clock
 */
struct load_source load_default(uint32_t symbol_ps);

/**
 * load_init() - Set up the same source at all nodes.
 */
void load_init(struct load *load, unsigned int nodes, const struct load_source *source,
	       uint64_t seed);

/**
 * load_set_source() - Give a node another source, before the first load_step().
 */
void load_set_source(struct load *load, unsigned int node, const struct load_source *source);

/**
 * load_offer - Accept a request. Return: 0, or -errno if it must wait.
 */
typedef int load_offer(void *context, unsigned int node, const struct ring_offer *offer);

/**
 * load_step() - Offer a ringlet the requests that are due. It is called in front of each
 * ring_step().
 *
 * If the ring does not accept a packet, the packet waits, and its latency counts from the clock in
 * which it was due.
 */
void load_step(struct load *load, struct ring *ring);

/**
 * load_step_to() - Offer the requests that are due to another receiver.
 */
void load_step_to(struct load *load, uint64_t clock, load_offer *offer, void *context);

#endif /* EMU_RING_LOAD_H */
