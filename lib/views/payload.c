/* SPDX-License-Identifier: MIT */
/*
 * Payload: bytes from node to node.
 *
 * What lives here: the least number of bytes of a transaction, by the table of B-Link's commands,
 * and the node x node sums. A counter counts transactions, not their sizes.
 */
#include <string.h>

#include "lib/monitor/monitor.h"

/* readsb and its response; writesb; locksb and its response: the smallest of their type. */
#define PAYLOAD_BLOCK_BYTES 16U

unsigned int Monitor_payload_bytes(unsigned int type)
{
	switch (type) {
	case SMILE_TYPE_LOCK:
		return 2 * PAYLOAD_BLOCK_BYTES;
	case SMILE_TYPE_EVENT:
		return 0;
	default:
		return PAYLOAD_BLOCK_BYTES;
	}
}

/**
 * struct payload - Bytes by pair of nodes.
 * @bytes: shape [@nodes][@nodes], by source and home
 */
struct payload {
	uint64_t *bytes;
	size_t nodes;
};

static int payload_add(const struct Monitor_count *count, void *opaque)
{
	const struct payload *payload = opaque;

	if (count->source < payload->nodes && count->home < payload->nodes)
		payload->bytes[count->source * payload->nodes + count->home] +=
			count->accesses * Monitor_payload_bytes(count->type);
	return 0;
}

int Monitor_get_bytes(struct Monitor *mon, uint64_t *bytes, size_t nodes)
{
	struct payload payload = {bytes, nodes};

	memset(bytes, 0, nodes * nodes * sizeof(*bytes));
	Monitor_walk_pairs(mon, payload_add, &payload);
	return Monitor_nodes(mon);
}
