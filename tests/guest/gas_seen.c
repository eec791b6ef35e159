/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program for libsmile-gas and the node's own card: all nodes run it at the same time.
 *
 * 	SMILE_NODE=N SMILE_NODES=COUNT gas_seen
 *
 * What lives here: rounds, in which each node stores to the memory of all others, waits at a
 * barrier, and then immediately stops its card. The card of a node must have counted all stores
 * that have arrived in the node's memory.
 *
 * May use: <smile/gas.h>, <smile/monitor.h>, POSIX.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <smile/gas.h>
#include <smile/monitor.h>

#define ROUNDS 150
#define WORDS 5 /* stored in the page of each other node in each round */

static unsigned int node, nodes;
static struct Gas *gas;
static struct Monitor *card;

static void check(int good, const char *what)
{
	if (good)
		return;
	printf("not ok %s (%s; %s)\n", what, Gas_error_message(), Monitor_error_message());
	exit(1);
}

static void store(volatile uint64_t *memory)
{
	for (unsigned int other = 0; other < nodes; other++) {
		for (unsigned int i = 0; other != node && i < WORDS; i++)
			memory[other * GAS_PAGE_BYTES / 8 + node * WORDS + i] = 1;
	}
}

/* Add the rows of a page of the space: the accesses by this node, and those to this node. */
static int page_add(const struct Monitor_histogram_row *rows, size_t count, void *opaque)
{
	uint64_t *with = opaque;
	size_t page;
	int home = Gas_card_page(gas, rows->page, &page);

	for (size_t i = 0; i < count && home >= 0; i++) {
		if (home == (int)node)
			with[rows[i].source] += rows[i].accesses;
		else if (rows[i].source == node)
			with[home] += rows[i].accesses;
	}
	return 0;
}

/* Check that the card has counted all stores of each node in @rounds rounds. */
static void expect(unsigned int rounds)
{
	uint64_t *with = calloc(nodes, sizeof(*with));

	check(with && !Monitor_walk_pages(card, page_add, with), "walk the pages");
	for (unsigned int other = 0; other < nodes; other++) {
		if (other == node || with[other] == 2ULL * rounds * WORDS)
			continue;
		printf("not ok round %u: %" PRIu64 " accesses counted with node %u, not %u\n",
		       rounds, with[other], other, 2 * rounds * WORDS);
		exit(1);
	}
	free(with);
}

int main(void)
{
	const char *self = getenv("SMILE_NODE"), *count = getenv("SMILE_NODES");
	struct smile_config config;
	void *memory;

	node = self ? (unsigned int)atoi(self) : 0;
	nodes = count ? (unsigned int)atoi(count) : 1;
	check(!Gas_open(&gas), "open a space");
	check(!Gas_alloc(gas, nodes * GAS_PAGE_BYTES, GAS_ROUND_ROBIN, &memory), "allocate");
	check(!Gas_share(gas, -1), "share the space");
	Monitor_config_default(&config);
	check(!Monitor_open(&card, "dev:0") && !Monitor_config_set(card, &config), "open the card");
	for (unsigned int round = 1; round <= ROUNDS; round++) {
		check(!Monitor_start(card), "start the card");
		check(!Gas_barrier(gas), "all cards count");
		store(memory);
		check(!Gas_barrier(gas), "all nodes have stored");
		check(Monitor_stop(card) >= 0 && Monitor_swap(card) >= 0, "stop the card");
		expect(round);
	}
	check(!Gas_close(gas), "close the space");
	Monitor_close(card);
	printf("ok counted when it is seen\n");
	return 0;
}
