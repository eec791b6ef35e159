/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Server: the node's work on what is in its input buffers. A request gets its response, a response
 * ends its transaction.
 */
#include <errno.h>

#include "emu/ring/ring_inside.h"

/* Return: whether it could be done. */
static bool finish(struct ring *ring, unsigned int at, const struct ring_packet *packet)
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
		ring_transaction_end(ring, at, packet->transaction);
	else if (response >= 0 && ring_offer(ring, at, &offer) == -EAGAIN)
		return false;
	if (ring->watch.done)
		ring->watch.done(ring->watch.context, ring, at, packet);
	return true;
}

void ring_serve(struct ring *ring, unsigned int at)
{
	struct ring_node *node = &ring->nodes[at];

	if (!node->served)
		return;
	for (unsigned int class = 0; class < RING_CLASSES; class ++) {
		struct ring_input *input = &node->input[class];

		if (!input->count)
			continue;
		if (!input->serving) {
			input->serving = true;
			input->until = ring->clock + node->service_clocks;
		} else if (ring->clock >= input->until &&
			   finish(ring, at, &input->packets[input->first])) {
			input->serving = false;
			ring_input_remove(ring, at, class);
		}
	}
}
