/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Load: the sources of random requests. See load.h.
 */
#include "emu/ring/load.h"

#include <string.h>

#include <base/random.h>
#include <base/search.h>
#include <hw/blink.h>

/* The shortest and the longest time between requests in the thesis, 4.4.2. */
#define DEFAULT_FIRST_PS 600000U
#define DEFAULT_LAST_PS 6000000U

/* The addresses of requests are random lines of 64 bytes in 64 MB. */
#define LINE_BYTES 64U
#define LINES (1U << 20)

/*
 * Seeds of different nodes differ by a multiple of this constant. The random numbers of
 * neighbouring nodes, and of neighbouring seeds, are then independent.
 */
#define NODE_SEED 0x9e3779b97f4a7c15ULL

struct load_source load_default(uint32_t symbol_ps)
{
	return (struct load_source){
		.first = DEFAULT_FIRST_PS / symbol_ps,
		.last = DEFAULT_LAST_PS / symbol_ps,
		.targets = {~0ULL, ~0ULL},
		.commands = {BLINK_NREAD64, BLINK_NREAD256, BLINK_NWRITE64, BLINK_NWRITE256},
		.command_count = 4,
	};
}

static uint64_t draw_time(struct load_node *node)
{
	const struct load_source *source = &node->source;
	uint32_t number;
	size_t at;

	if (!source->steps)
		return source->first +
		       random_below(&node->random, source->last - source->first + 1);
	number = random_below(&node->random, UINT32_MAX);
	SEARCH_FIRST(at, source->step_count - 1, i, source->steps[i].cumulative >= number);
	return source->steps[at].clocks;
}

static bool is_target(const struct load *load, unsigned int at, unsigned int target)
{
	return target != at && load->node[at].source.targets[target / 64] >> target % 64 & 1;
}

/* Choose a target at random. Return: whether the source has a target. */
static bool draw_target(struct load *load, unsigned int at, unsigned int *target)
{
	unsigned int targets = 0, left;

	for (unsigned int node = 0; node < load->nodes; node++)
		targets += is_target(load, at, node);
	if (!targets)
		return false;
	left = random_below(&load->node[at].random, targets);
	for (*target = 0; !is_target(load, at, *target) || left--; ++*target)
		;
	return true;
}

/* Choose the request that follows the request that was due at @clock. */
static void draw(struct load *load, unsigned int at, uint64_t clock)
{
	struct load_node *node = &load->node[at];
	const struct load_source *source = &node->source;
	uint64_t due = clock + draw_time(node);
	unsigned int target;

	node->due = LOAD_NEVER;
	if (!draw_target(load, at, &target))
		return;
	node->due = due;
	node->next = (struct ring_offer){
		.since = due,
		.source = (uint16_t)at,
		.target = (uint16_t)target,
		.exit = (uint8_t)target,
	};
	node->next.command = source->commands[random_below(&node->random, source->command_count)];
	node->next.address = (uint64_t)LINE_BYTES * random_below(&node->random, LINES);
}

void load_set_source(struct load *load, unsigned int at, const struct load_source *source)
{
	load->node[at].source = *source;
	draw(load, at, 0);
	load->earliest = 0;
}

void load_init(struct load *load, unsigned int nodes, const struct load_source *source,
	       uint64_t seed)
{
	memset(load, 0, sizeof(*load));
	load->nodes = nodes;
	for (unsigned int at = 0; at < nodes; at++) {
		load->node[at].random = seed + (at + 1) * NODE_SEED;
		load_set_source(load, at, source);
	}
}

void load_step_to(struct load *load, uint64_t clock, load_offer *offer, void *context)
{
	if (clock < load->earliest)
		return;
	load->earliest = LOAD_NEVER;
	for (unsigned int at = 0; at < load->nodes; at++) {
		struct load_node *node = &load->node[at];

		while (node->due <= clock && !offer(context, at, &node->next))
			draw(load, at, node->due);
		if (node->due < load->earliest)
			load->earliest = node->due;
	}
}

static int offer_ring(void *context, unsigned int at, const struct ring_offer *offer)
{
	return ring_offer(context, at, offer);
}

void load_step(struct load *load, struct ring *ring)
{
	load_step_to(load, ring->clock, offer_ring, ring);
}
