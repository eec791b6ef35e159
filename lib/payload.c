/* SPDX-License-Identifier: MIT */
/*
 * Payload: bytes from node to node.
 *
 * What lives here: how many bytes a transaction carries at least, by the table of B-Link's commands,
 * and the node x node sums of that. A counter counts transactions, and not how large each was.
 */
#include <string.h>

#include "lib/error.h"
#include "lib/monitor.h"

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
 * struct payload - A matrix, while it is filled.
 * @bytes: shape [@nodes][@nodes]
 */
struct payload {
	uint64_t *bytes;
	size_t nodes;
};

static int payload_add(const struct Monitor_count *count, void *opaque)
{
	struct payload *payload = opaque;

	if (count->source < payload->nodes && count->home < payload->nodes)
		payload->bytes[count->source * payload->nodes + count->home] +=
			count->accesses * Monitor_payload_bytes(count->type);
	return 0;
}

int Monitor_get_bytes(struct Monitor *mon, uint64_t *bytes, size_t nodes)
{
	struct payload payload = {.bytes = bytes, .nodes = nodes};
	int error;

	memset(bytes, 0, nodes * nodes * sizeof(*bytes));
	error = Monitor_walk_phases(mon, payload_add, &payload);
	return error < 0 ? error : Monitor_nodes(mon);
}
