/* SPDX-License-Identifier: MIT */
/*
 * Payload: gets the transactions and bytes from node to node.
 *
 * What lives here: the smallest number of bytes that a transaction of each type can have, from the
 * table of B-Link commands; and the sums for each pair of nodes. The smallest number is used
 * because the counters of a card count transactions, but not their sizes.
 */
#include <string.h>

#include "lib/monitor/monitor.h"

/*
 * The payload of the commands readsb, writesb and locksb, and of their responses. For each type of
 * transaction, this is the smallest payload.
 */
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
 * @nodes: number of nodes
 * @bytes: 1: sums of bytes; 0: sums of transactions
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
