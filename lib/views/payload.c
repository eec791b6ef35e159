/* SPDX-License-Identifier: MIT */
/*
 * Payload: transactions and bytes from node to node.
 *
 * What lives here: the smallest number of bytes of a transaction, by the table of B-Link's
 * commands, and the sums for each pair of nodes. A counter counts transactions, not their sizes.
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
 * struct pair_sums - Sums by pair of nodes.
 * @sums: shape [@nodes][@nodes], by source and home
 * @nodes: shape of @sums
 * @bytes: the sums are of bytes instead of transactions
 */
struct pair_sums {
	uint64_t *sums;
	size_t nodes;
	int bytes;
};

static int pair_add(const struct Monitor_count *count, void *opaque)
{
	const struct pair_sums *pairs = opaque;

	if (count->source < pairs->nodes && count->home < pairs->nodes)
		pairs->sums[count->source * pairs->nodes + count->home] +=
			count->accesses * (pairs->bytes ? Monitor_payload_bytes(count->type) : 1);
	return 0;
}

static int pairs_get(struct Monitor *mon, uint64_t *sums, size_t nodes, int bytes)
{
	struct pair_sums pairs = {sums, nodes, bytes};

	memset(sums, 0, nodes * nodes * sizeof(*sums));
	Monitor_walk_pairs(mon, pair_add, &pairs);
	return Monitor_nodes(mon);
}

int Monitor_get_packets(struct Monitor *mon, uint64_t *counts, size_t nodes)
{
	return pairs_get(mon, counts, nodes, 0);
}

int Monitor_get_bytes(struct Monitor *mon, uint64_t *bytes, size_t nodes)
{
	return pairs_get(mon, bytes, nodes, 1);
}
