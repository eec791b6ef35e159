/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Replay: offer the requests of a trace. See replay.h.
 */
#include "emu/ring/replay.h"

void replay_begin(struct replay *replay)
{
	for (unsigned int at = 0; at < LOAD_NODES_MAX; at++) {
		struct replay_node *node = &replay->node[at];

		node->next = 0;
		node->blocked = false;
		if (node->count)
			node->due = node->requests[0].wait;
	}
}

/*
 * After the network has accepted a request, find the clock at which the next request of the node is
 * due.
 */
static void advance(struct replay_node *node, uint8_t transaction)
{
	const struct replay_request *next;

	if (++node->next == node->count)
		return;
	next = &node->requests[node->next];
	node->transaction = transaction;
	node->blocked = next->after_end;
	if (!node->blocked)
		node->due += next->wait;
}

void replay_step(struct replay *replay, struct network *network)
{
	for (unsigned int at = 0; at < network->config.nodes; at++) {
		struct replay_node *node = &replay->node[at];

		while (node->next < node->count && !node->blocked && node->due <= network->clock) {
			const struct replay_request *request = &node->requests[node->next];
			struct ring_offer offer = {
				.since = node->due,
				.address = request->address,
				.target = request->target,
				.command = request->command,
			};
			uint64_t before = network->transactions[at];

			if (network_offer(network, at, &offer))
				break;
			/*
			 * The id of the request is the id that is in use now and was not in use
			 * before.
			 */
			advance(node, (uint8_t)__builtin_ctzll(network->transactions[at] ^ before));
		}
	}
}

uint64_t replay_due(const struct replay *replay, const struct network *network)
{
	uint64_t due = LOAD_NEVER;

	for (unsigned int at = 0; at < network->config.nodes; at++) {
		const struct replay_node *node = &replay->node[at];

		if (node->next < node->count && !node->blocked && node->due < due)
			due = node->due;
	}
	return due;
}

void replay_ended(struct replay *replay, const struct network *network, unsigned int at,
		  const struct ring_packet *packet)
{
	struct replay_node *node = &replay->node[at];

	if (!node->blocked || node->transaction != packet->transaction)
		return;
	node->blocked = false;
	node->due = network->clock + node->requests[node->next].wait;
}

bool replay_done(const struct replay *replay, const struct network *network)
{
	for (unsigned int at = 0; at < network->config.nodes; at++)
		if (replay->node[at].next < replay->node[at].count ||
		    network->given[at] != network->ended[at])
			return false;
	return true;
}
