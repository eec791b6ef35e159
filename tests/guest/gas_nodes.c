/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program for libsmile-gas: all nodes run it at the same time.
 *
 * 	SMILE_NODE=N SMILE_NODES=COUNT gas_nodes all|missing
 *
 * What lives here: tests of memory at the same addresses, barriers, reductions, locks, and moves of
 * pages, after which no node may read a stale page. Other tests open several spaces in turn, or
 * make errors: different layouts, a space that is too large, calls that do not match, a node that
 * ends. With "missing", the last node does not join.
 *
 * May use: <smile/gas.h>, POSIX.
 */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <smile/gas.h>

#define WORDS (GAS_PAGE_BYTES / 8)
#define ROUNDS 12
#define TURNS 150
#define BASE 0x200000000000UL

static unsigned int node, nodes;
static struct Gas *gas;

static void check(int good, const char *what)
{
	if (good)
		return;
	printf("not ok %s (%s)\n", what, Gas_error_message());
	exit(1);
}

static void said(const char *words)
{
	char what[100];

	snprintf(what, sizeof(what), "the message says '%s'", words);
	check(strstr(Gas_error_message(), words) != NULL, what);
}

/* Open a space of @pages pages, which are placed round-robin. */
static volatile uint64_t *space_open(size_t pages)
{
	void *memory;

	check(!Gas_open(&gas) && Gas_node(gas) == node && Gas_nodes(gas) == nodes, "open a space");
	check(!Gas_alloc(gas, pages * GAS_PAGE_BYTES, GAS_ROUND_ROBIN, &memory), "allocate");
	return memory;
}

static void space_share(void)
{
	check(!Gas_share(gas, -1), "share the space");
}

static void space_close(void)
{
	check(!Gas_close(gas), "close the space");
}

/* ---- parts ---- */

/* Open a second space while the first one is open. */
static void second(void)
{
	struct Gas *first = gas;

	space_open(2);
	check(Gas_share(gas, -1) == -EBUSY, "a second space");
	said("has a space already");
	check(!Gas_close(gas), "close a space that is not shared");
	gas = first;
}

static void layouts(void)
{
	volatile uint64_t *first = space_open(10);
	void *block, *placed;
	size_t page;

	check((uintptr_t)first == BASE, "the address is the same on all nodes");
	check(!Gas_alloc(gas, 4 * nodes * GAS_PAGE_BYTES - 1, GAS_BLOCK, &block), "allocate");
	check(!Gas_alloc(gas, 5 * GAS_PAGE_BYTES, GAS_BLOCK, &placed), "allocate");
	check((uintptr_t)block == BASE + 10 * GAS_PAGE_BYTES, "extents follow one another");
	/* The bytes lie on two pages. */
	check(!Gas_place(gas, (uint8_t *)placed + 2 * GAS_PAGE_BYTES - 1, 2, nodes - 1), "place");
	check(Gas_place(gas, placed, 5 * GAS_PAGE_BYTES + 1, 0) == -EINVAL, "place too much");
	check(Gas_place(gas, placed, 1, nodes) == -EINVAL, "place on a node that there is not");
	check(Gas_barrier(gas) == -EINVAL, "a barrier before the space is shared");
	said("Gas_share()");
	space_share();
	check(Gas_share(gas, -1) == -EBUSY, "share it again");
	check(Gas_alloc(gas, 1, GAS_BLOCK, &block) == -EBUSY, "allocate afterwards");
	check(Gas_place(gas, placed, 1, 0) == -EBUSY, "place afterwards");
	for (page = 0; page < 10; page++)
		check(Gas_home(gas, page) == (int)(page % nodes), "round-robin");
	for (page = 0; page < 4 * nodes; page++)
		check(Gas_home(gas, 10 + page) == (int)(page / 4), "block");
	check(Gas_home(gas, 11 + 4 * nodes) == (int)nodes - 1, "by call");
	check(Gas_home(gas, Gas_pages(gas)) == -EINVAL, "no such page");
	check(Gas_pages(gas) == 15 + 4 * nodes, "the number of pages");
	for (page = 0; page < Gas_pages(gas); page++)
		check(first[page * WORDS + 7] == 0, "it is zero at first");
	check(!Gas_barrier(gas), "barrier");
	/* In each page, each node writes its own word. */
	for (page = 0; page < Gas_pages(gas); page++)
		first[page * WORDS + node] = page * 100 + node;
	check(!Gas_barrier(gas), "barrier");
	for (page = 0; page < Gas_pages(gas) * nodes; page++)
		check(first[page / nodes * WORDS + page % nodes] ==
			      page / nodes * 100 + page % nodes,
		      "what each node has stored");
	second();
	check(!Gas_barrier(gas), "the first is as it was");
	space_close();
}

/* A value for node @of. The sum of the nodes' values depends on the order. */
static double value_of(unsigned int of)
{
	return pow(10, of * 5) / 3;
}

static void reductions(void)
{
	double sum = 0, expected = value_of(0);
	unsigned int i, round;

	space_open(1);
	space_share();
	for (i = 1; i < nodes; i++)
		expected += value_of(i);
	for (round = 0; round < ROUNDS; round++) {
		check(!Gas_sum(gas, value_of(node), &sum) && !memcmp(&sum, &expected, sizeof(sum)),
		      "a sum, bit for bit");
		check(!Gas_max(gas, node == round % nodes ? 7.5 : -(double)node, &sum) &&
			      sum == 7.5,
		      "a maximum");
	}
	check(!Gas_max(gas, node ? -3.0 * node : NAN, &sum) && (nodes == 1 || sum == -3),
	      "a maximum without NaN");
	space_close();
}

static void locks(void)
{
	volatile uint64_t *memory = space_open(nodes);
	unsigned int i;

	space_share();
	check(Gas_lock(gas, GAS_LOCKS) == -EINVAL, "a lock that there is not");
	for (i = 0; i < TURNS; i++) {
		/* The words of the second lock are on another node. */
		check(!Gas_lock(gas, i % 2), "lock");
		memory[i % 2 * WORDS * (nodes - 1) + i % 2] += node + 1;
		check(!Gas_unlock(gas, i % 2), "unlock");
	}
	check(!Gas_barrier(gas), "barrier");
	for (i = 0; i < 2; i++)
		check(memory[i * WORDS * (nodes - 1) + i] == TURNS / 2 * nodes * (nodes + 1) / 2,
		      "what all have added under a lock");
	space_close();
}

/* The node on which page @page lies from round @round on. */
static unsigned int home_of(size_t page, unsigned int round)
{
	return (unsigned int)((page * 7 + round * (page % 3 + 1)) % nodes);
}

static void moves(void)
{
	volatile uint64_t *memory = space_open(30);
	struct Gas_move wishes[31];
	unsigned int round, i;
	size_t page, count;
	int expected;

	space_share();
	for (round = 1; round <= ROUNDS; round++) {
		/*
		 * In every other round, the node of each page requests its move. In the other
		 * rounds, node 0 requests all moves.
		 */
		count = 0;
		expected = 0;
		for (page = 0; page < 30; page++) {
			expected += Gas_home(gas, page) != (int)home_of(page, round);
			if (round % 2 ? Gas_home(gas, page) == (int)node : node == 0)
				wishes[count++] = (struct Gas_move){page, home_of(page, round)};
		}
		check(Gas_move(gas, wishes, count) == expected, "so many pages move");
		for (page = 0; page < 30; page++) {
			check(Gas_home(gas, page) == (int)home_of(page, round), "to their nodes");
			for (i = 0; i < nodes; i++)
				check(memory[page * WORDS + i * 8] == (round - 1) * (page + i),
				      "with what all nodes have stored");
		}
		check(!Gas_barrier(gas), "barrier");
		if (round == ROUNDS / 2)
			check(!Gas_count_own(gas, 1), "own pages through the adapter");
		for (page = 0; page < 30; page++)
			memory[page * WORDS + node * 8] = round * (page + node);
	}
	check(!Gas_count_own(gas, 0), "and not");
	check(Gas_move(gas, NULL, 0) == 0, "no wishes");
	/*
	 * Requests are applied in the order of the nodes. If a node makes several requests for a
	 * page, the last one is applied.
	 */
	wishes[0] = (struct Gas_move){3, node};
	wishes[1] = (struct Gas_move){3, (node + 1) % nodes};
	check(Gas_move(gas, wishes, 2) >= 0 && Gas_home(gas, 3) == 0, "wishes that contradict");
	wishes[0].page = 30;
	check(Gas_move(gas, wishes, 1) == -EINVAL, "no such page");
	wishes[0] = (struct Gas_move){0, nodes};
	check(Gas_move(gas, wishes, 1) == -EINVAL, "no such node");
	check(Gas_move(gas, wishes, 31) == -EINVAL, "too many wishes");
	/* The refused calls are no meeting, so the next call is a barrier for all nodes. */
	check(!Gas_barrier(gas), "barrier");
	for (page = 0; page < 30; page++)
		check(memory[page * WORDS + node * 8] == ROUNDS * (page + node), "nothing is lost");
	space_close();
}

static void differences(void)
{
	space_open(5 + (node == nodes - 1));
	check(Gas_share(gas, -1) == -EINVAL, "sizes that differ");
	said("have different layouts");
	check(!Gas_close(gas), "close a space that is not shared");

	check(!Gas_place(gas, space_open(5), 1, node), "place");
	check(Gas_share(gas, -1) == -EINVAL, "layouts that differ");
	said("have different layouts");
	check(!Gas_close(gas), "close a space that is not shared");
}

static void too_large(void)
{
	void *memory;

	space_open(20000);
	check(Gas_share(gas, -1) == -ENOSPC, "more pages than the adapter's memory has");
	said("memory=SIZE");
	check(Gas_alloc(gas, (size_t)1 << 33, GAS_BLOCK, &memory) == -ENOMEM, "far too many");
	check(Gas_alloc(gas, 0, GAS_BLOCK, &memory) == -EINVAL, "no bytes");
	check(!Gas_close(gas), "close a space that is not shared");
	check(!Gas_open(&gas) && Gas_share(gas, -1) == -EINVAL, "a space without an extent");
	check(!Gas_close(gas), "close it");
}

/* One node calls a move, while the others call something else. */
static void mismatch(void)
{
	struct Gas_move wish = {0, nodes - 1};
	int ret;

	space_open(4);
	space_share();
	ret = node ? Gas_barrier(gas) : Gas_move(gas, &wish, 1);
	/* When this node calls, another node may already have ended its space. */
	check(ret == -EPROTO || (nodes > 2 && ret == -EHOSTUNREACH), "a move outside a barrier");
	if (ret == -EPROTO)
		said("all nodes must make the same calls");
	check(Gas_barrier(gas) == ret, "and nothing else afterwards");
	check(!Gas_close(gas), "close what has failed");
}

static void loss(void)
{
	space_open(4);
	space_share();
	if (node == nodes - 1)
		check(!Gas_lock(gas, 0), "lock");
	check(!Gas_barrier(gas), "barrier");
	if (node == nodes - 1)
		return;
	check(Gas_lock(gas, 0) == -EHOSTUNREACH, "a lock whose holder has ended");
	said("has ended");
	check(Gas_barrier(gas) == -EHOSTUNREACH, "and a barrier with that node");
	check(!Gas_close(gas), "close what has failed");
}

static void missing(void)
{
	if (node < nodes - 1) {
		space_open(4);
		check(Gas_share(gas, 1000) == -ETIMEDOUT, "a node that is missing");
		said("has not reached Gas_share()");
		check(!Gas_close(gas), "close a space that is not shared");
	}
	printf("ok missing\n");
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
		int alone;
	} parts[] = {
		{"layouts", layouts, 1},
		{"reductions", reductions, 1},
		{"locks", locks, 1},
		{"moves", moves, 1},
		{"differences", differences, 0},
		{"too large", too_large, 0},
		{"mismatch", mismatch, 0},
		{"loss", loss, 0},
	};
	const char *number = getenv("SMILE_NODE"), *count = getenv("SMILE_NODES");
	size_t i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	node = number ? (unsigned int)atoi(number) : 0;
	nodes = count ? (unsigned int)atoi(count) : 1;
	if (argc > 1 && !strcmp(argv[1], "missing")) {
		missing();
		return 0;
	}
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (nodes == 1 && !parts[i].alone)
			continue;
		if (argc > 1 && strcmp(argv[1], "all") && strcmp(argv[1], parts[i].name))
			continue;
		parts[i].run();
		printf("ok %s\n", parts[i].name);
	}
	return 0;
}
