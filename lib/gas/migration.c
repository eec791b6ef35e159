/* SPDX-License-Identifier: MIT */
/*
 * Migration: moves of pages to other home nodes.
 *
 * A move has two meetings, at which all nodes wait for each other. After the first meeting, no node
 * accesses the space, and each node can read the requests of all nodes. Each node then copies its
 * pages that move away. After the second meeting, all pages have been copied. Each node maps the
 * moved pages again, and from then on accesses only their new page frames.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/gas/gas.h"

/* Write this node's requests to its list of moves. Each request is page << 8 | node. */
static int wishes_write(struct Gas *gas, const struct Gas_move *moves, size_t count)
{
	size_t i;

	if (count > gas->pages)
		return gas_fail(-EINVAL, "%zu moves are more than the space has pages: %zu", count,
				gas->pages);
	for (i = 0; i < count; i++) {
		if (moves[i].page >= gas->pages || moves[i].node >= gas->nodes)
			return gas_fail(-EINVAL,
					"page %zu cannot move to node %u: there are %zu pages and "
					"%u nodes",
					moves[i].page, moves[i].node, gas->pages, gas->nodes);
	}
	for (i = 0; i < count && gas->sd; i++)
		gas->list[i] = (uint64_t)moves[i].page << 8 | moves[i].node;
	return 0;
}

/* Read the requests of all nodes, in the order of the nodes. */
static int wishes_read(struct Gas *gas, const uint64_t *counts, uint8_t *home)
{
	unsigned int node;
	uint64_t i, wish;

	for (node = 0; node < gas->nodes; node++) {
		volatile uint64_t *list = node == gas->node ? gas->list : gas->peer[node].list;

		for (i = 0; i < counts[node]; i++) {
			wish = list[i];
			/* If the connection to the node is lost, the word is all ones. */
			if (wish >> 8 >= gas->pages || (wish & 0xff) >= gas->nodes)
				return gas_fail(-EIO, "node %u's list of moves cannot be read",
						node);
			home[wish >> 8] = wish & 0xff;
		}
	}
	return 0;
}

/*
 * Copy the pages that move from this node to other nodes. Neighbouring pages are copied together.
 */
static int frames_copy(struct Gas *gas, const uint8_t *home)
{
	size_t page, end, offset;
	sci_error_t error;

	for (page = 0; page < gas->pages; page = end) {
		end = page + 1;
		if (gas->home[page] != gas->node || home[page] == gas->node)
			continue;
		while (end < gas->pages && gas->home[end] == gas->node && home[end] == home[page])
			end++;
		offset = gas_frames(gas) + page * GAS_PAGE_BYTES;
		SCIStartDmaTransfer(gas->queue, gas->segment, gas->peer[home[page]].segment, offset,
				    (end - page) * GAS_PAGE_BYTES, offset, NULL, NULL,
				    SCI_FLAG_DMA_WAIT, &error);
		if (error != SCI_ERR_OK)
			return gas_fail_sisci(error, "copy pages to another node");
	}
	return 0;
}

/*
 * Do the work between the two meetings of a move and after the second meeting. Return: the number
 * of pages that have moved.
 */
static int pages_move(struct Gas *gas, const uint64_t *counts, uint8_t *home, bool *changed)
{
	int ret, moved = 0;
	size_t page;

	memcpy(home, gas->home, gas->pages);
	ret = wishes_read(gas, counts, home);
	ret = gas_agree(gas, COLLECTIVE_MOVED, ret ? ret : frames_copy(gas, home));
	if (ret)
		return gas->failed = ret;
	for (page = 0; page < gas->pages; page++) {
		changed[page] = home[page] != gas->home[page];
		moved += changed[page];
	}
	memcpy(gas->home, home, gas->pages);
	gas_names_move(gas, changed);
	ret = gas_unmap(gas, changed);
	ret = ret ? ret : gas_map(gas);
	if (ret)
		gas->failed = ret;
	return ret ? ret : moved;
}

int Gas_move(struct Gas *gas, const struct Gas_move *moves, size_t count)
{
	uint64_t counts[GAS_NODES_MAX];
	uint8_t *home;
	bool *changed;
	int ret = gas_usable(gas);

	ret = ret ? ret : wishes_write(gas, moves, count);
	if (ret || !gas->sd)
		return ret;
	home = malloc(gas->pages);
	changed = malloc(gas->pages * sizeof(*changed));
	if (!home || !changed)
		ret = gas_fail(-ENOMEM, "no memory for %zu pages", gas->pages);
	ret = ret ? ret : gas_collective(gas, COLLECTIVE_MOVE, count, counts, GAS_NO_END);
	ret = ret ? ret : pages_move(gas, counts, home, changed);
	free(changed);
	free(home);
	return ret;
}

int Gas_count_own(struct Gas *gas, int on)
{
	bool *changed;
	size_t page;
	int ret = gas_usable(gas);

	if (ret || !gas->sd || gas->own_counted == !!on)
		return ret;
	changed = malloc(gas->pages * sizeof(*changed));
	if (!changed)
		return gas_fail(-ENOMEM, "no memory for %zu pages", gas->pages);
	for (page = 0; page < gas->pages; page++)
		changed[page] = gas->home[page] == gas->node;
	gas->own_counted = on;
	ret = gas_unmap(gas, changed);
	ret = ret ? ret : gas_map(gas);
	if (ret)
		gas->failed = ret;
	free(changed);
	return ret;
}
