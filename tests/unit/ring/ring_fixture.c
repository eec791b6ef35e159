/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* See ring_fixture.h. */
#include "tests/unit/ring/ring_fixture.h"

#include <string.h>

static void count_packet(void *context, const struct ring *ring, unsigned int at,
			 const struct ring_packet *packet)
{
	struct ringlet *fx = context;

	assert_int_equal(packet->exit, at);
	assert_true(packet->number < FIXTURE_PACKETS);
	fx->came[packet->entry][packet->number]++;
	if (packet->tries > fx->tries)
		fx->tries = packet->tries;
}

struct ringlet *ringlet_start(const struct ring_config *config, const struct load_source *source,
			      uint64_t seed)
{
	static struct ringlet fixture;

	memset(&fixture, 0, sizeof(fixture));
	assert_int_equal(ring_init(&fixture.ring, config), 0);
	fixture.ring.watch.context = &fixture;
	fixture.ring.watch.arrived = count_packet;
	load_init(&fixture.load, config->nodes, source, seed);
	return &fixture;
}

void ringlet_run(struct ringlet *fx, uint64_t clocks)
{
	while (clocks--) {
		load_step(&fx->load, &fx->ring);
		ring_step(&fx->ring);
	}
}

void ringlet_run_checked(struct ringlet *fx, uint64_t clocks)
{
	while (clocks--) {
		ringlet_run(fx, 1);
		ringlet_check(fx);
	}
}

struct load_source ringlet_source(unsigned int command, uint32_t interval)
{
	return (struct load_source){
		.first = interval,
		.last = interval,
		.targets = {~0ULL, ~0ULL},
		.commands = {(uint8_t)command},
		.command_count = 1,
	};
}

/*
 * struct seen - The contents of links and FIFOs: the node and slot of each packet that has a symbol
 * there, and the number of go bits.
 */
struct seen {
	uint64_t slots[RING_NODES_MAX];
	unsigned int go_bits;
};

static void see(struct seen *seen, uint32_t symbol)
{
	if (symbol & SYMBOL_PACKET)
		seen->slots[SMILE_GET(SYMBOL_OWNER, symbol)] |= 1ULL
								<< SMILE_GET(SYMBOL_SLOT, symbol);
	seen->go_bits += (symbol & SYMBOL_GO) != 0;
}

static void see_all(struct seen *seen, const struct ring *ring)
{
	memset(seen, 0, sizeof(*seen));
	for (unsigned int at = 0; at < ring->config.nodes; at++) {
		const struct ring_node *node = &ring->nodes[at];

		for (unsigned int row = 0; row <= ring->config.hop_clocks; row++)
			if (row != ring->now)
				see(seen, ring->links[row][at]);
		for (unsigned int i = 0; i < node->bypass_count; i++)
			see(seen, node->bypass[(node->bypass_first + i) % RING_BYPASS_SYMBOLS]);
		seen->go_bits += node->state != RING_PASS && node->saved;
		/* This includes the packet that the node has begun to send. */
		if (node->state == RING_SEND && node->position < node->length)
			seen->slots[at] |= 1ULL << node->sending;
	}
}

/* The number of a node's packets that have left at least once, and are in no input buffer. */
static unsigned int in_flight(const struct ring_node *node, enum ring_class class)
{
	unsigned int count = 0;

	for (unsigned int slot = 0; slot < RING_SLOTS; slot++) {
		const struct ring_packet *packet = &node->slots[slot];

		if (!(node->free_slots >> slot & 1) && packet->class == class && packet->tries &&
		    !packet->delivered)
			count++;
	}
	return count;
}

void ringlet_check(const struct ringlet *fx)
{
	const struct ring *ring = &fx->ring;
	static struct seen seen;

	see_all(&seen, ring);
	assert_true(seen.go_bits > 0);
	for (unsigned int class = 0; class < RING_CLASSES; class ++) {
		uint64_t injected = 0, received = 0, flying = 0;

		for (unsigned int at = 0; at < ring->config.nodes; at++) {
			const struct ring_node *node = &ring->nodes[at];
			const struct ring_counts *counts = &node->counts;
			uint64_t trying = 0;

			injected += counts->injected[class];
			received += counts->received[class];
			flying += in_flight(node, class);
			for (unsigned int slot = 0; slot < RING_SLOTS; slot++)
				trying += seen.slots[at] >> slot & 1 &&
					  node->slots[slot].class == class;
			/*
			 * Each try of a packet, or the echo of this try, must be on the ring
			 * exactly once.
			 */
			assert_int_equal(counts->tries[class] - counts->echoes[class], trying);
			assert_int_equal(counts->echoes[class],
					 counts->retries[class] + counts->acknowledged[class]);
			assert_int_equal(counts->offered[class] - counts->injected[class],
					 node->output[class].count);
			assert_int_equal(counts->injected[class] - counts->acknowledged[class],
					 node->active[class]);
			assert_true(node->input[class].count <= ring->config.input);
			assert_true(node->bypass_count <= CABLE_SYMBOLS_MAX + ring->config.gap);
			assert_int_equal(node->bypass_count > 0 && node->state == RING_PASS, 0);
		}
		assert_int_equal(injected, received + flying);
	}
}

static bool idle(const struct ring *ring)
{
	for (unsigned int at = 0; at < ring->config.nodes; at++) {
		const struct ring_node *node = &ring->nodes[at];

		if (~node->free_slots || node->transactions || node->input[0].count ||
		    node->input[1].count || node->state != RING_PASS)
			return false;
	}
	return true;
}

void ringlet_drain(struct ringlet *fx)
{
	static struct seen seen;
	struct load_source silent = {.command_count = 1};
	unsigned int hops = fx->ring.config.nodes * fx->ring.config.hop_clocks;

	for (unsigned int at = 0; at < fx->load.nodes; at++)
		load_set_source(&fx->load, at, &silent);
	for (unsigned int clocks = 0; !idle(&fx->ring); clocks++) {
		assert_true(clocks < 1000000);
		ringlet_run(fx, 1);
	}
	for (unsigned int at = 0; at < fx->ring.config.nodes; at++) {
		const struct ring_node *node = &fx->ring.nodes[at];

		for (uint64_t number = 0; number < node->given; number++)
			assert_int_equal(fx->came[at][number], 1);
		assert_int_equal(node->input[0].waiting[0] + node->input[0].waiting[1], 0);
		assert_int_equal(node->input[1].waiting[0] + node->input[1].waiting[1], 0);
	}
	/* Within two rounds, all idle symbols of the ring have go bits. */
	ringlet_run(fx, 2 * hops);
	see_all(&seen, &fx->ring);
	assert_int_equal(seen.go_bits, hops);
}
