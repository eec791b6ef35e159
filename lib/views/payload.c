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

int Monitor_get_bytes(struct Monitor *mon, uint64_t *bytes, size_t nodes)
{
	struct histogram_access access;
	struct histogram_walk walk = {0};

	memset(bytes, 0, nodes * nodes * sizeof(*bytes));
	while (smile_histogram_next(&mon->histogram, &walk, &access)) {
		if (access.source < nodes && access.home < nodes)
			bytes[access.source * nodes + access.home] +=
				access.count * Monitor_payload_bytes(access.type);
	}
	return Monitor_nodes(mon);
}
