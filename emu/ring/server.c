/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Server: the node's work on the packets in its input buffers. A request gets its response, and a
 * response ends its transaction.
 */
#include <errno.h>

#include "emu/ring/ring_inside.h"

static bool finish(void *context, struct ring *ring, unsigned int at,
		   const struct ring_packet *packet)
{
	int response = ring_response(packet->command);
	struct ring_offer offer = {
		.since = ring->clock,
		.target = packet->source,
		.source = packet->target,
		.command = (uint8_t)response,
		.transaction = packet->transaction,
		.exit = packet->entry,
	};

	if (packet->class == RING_RESPONSE)
		transaction_end(&ring->nodes[at], packet->transaction);
	else if (response >= 0 && ring_offer(ring, at, &offer) == -EAGAIN)
		return false;
	return true;
}

static void remove_first(struct ring_node *node, struct ring_input *input)
{
	input->serving = false;
	input->first = (input->first + 1) % RING_BUFFER_MAX;
	input->count--;
	level_sample(&node->counts.input,
		     node->input[RING_REQUEST].count + node->input[RING_RESPONSE].count);
}

void ring_serve(struct ring *ring, unsigned int at)
{
	struct ring_node *node = &ring->nodes[at];
	ring_finish *end = ring->finish ? ring->finish : finish;

	for (unsigned int class = 0; class < RING_CLASSES; class ++) {
		struct ring_input *input = &node->input[class];
		const struct ring_packet *packet = &input->packets[input->first];

		if (!input->count)
			continue;
		if (!input->serving) {
			input->serving = true;
			input->until = ring->clock + node->service_clocks;
		} else if (ring->clock >= input->until &&
			   end(ring->finish_context, ring, at, packet)) {
			if (ring->watch.done)
				ring->watch.done(ring->watch.context, ring, at, packet);
			remove_first(node, input);
		}
	}
}
