/* SPDX-License-Identifier: MIT */
/* A run-time system that uses the counts of cards to move pages to the nodes that use them: */
#include <err.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <smile/gas.h>
#include <smile/monitor.h>

#include "adaptive.h"

/*
 * After each phase of the program, a node reads from its own card which nodes have accessed the
 * node's pages. If another node has accessed a page more often than the node itself, the node moves
 * the page to that node.
 *
 * A Monitor counts from the time at which it was opened. To get the counts of one phase, the node
 * keeps the counts up to the previous phase, and subtracts them. The arrays @now and @before are
 * indexed by [page][node]. They contain the accesses by each node while the page lay on this node.
 */
struct adaptive {
	struct Gas *gas;
	struct Monitor *card;
	uint64_t *now;
	uint64_t *before;
	uint64_t remote_now; /* this node's accesses to pages of other nodes */
	uint64_t remote_before;
	struct Gas_move *moves;
	int learning; /* the card also counts this node's accesses to its own pages */
	double settled; /* remote accesses of all nodes, in the phase in which learning ended */
};

/* Return the result of a call. If the call has failed, end the program. */
static int space(int result)
{
	if (result < 0)
		errx(2, "%s", Gas_error_message());
	return result;
}

static void card(int result)
{
	if (result < 0)
		errx(2, "the card: %s", Monitor_error_message());
}

static void *zeros(size_t count, size_t bytes)
{
	void *memory = calloc(count, bytes);

	if (!memory)
		err(2, "%zu times %zu bytes", count, bytes);
	return memory;
}

struct adaptive *adaptive_open(struct Gas *gas)
{
	struct adaptive *adaptive = zeros(1, sizeof(*adaptive));
	size_t pages = Gas_pages(gas);
	struct smile_config config;

	adaptive->gas = gas;
	adaptive->now = zeros(pages * Gas_nodes(gas), sizeof(uint64_t));
	adaptive->before = zeros(pages * Gas_nodes(gas), sizeof(uint64_t));
	adaptive->moves = zeros(pages, sizeof(struct Gas_move));

	card(Monitor_open(&adaptive->card, "dev:0"));
	/* Use one counter for each page, node and type of access, not smaller ranges. */
	Monitor_config_default(&config);
	config.max_range_bytes = SMILE_PAGE_BYTES;
	card(Monitor_config_set(adaptive->card, &config));
	card(Monitor_ranges_only(adaptive->card, 0, 0));

	/* A card sees a node's accesses to its own pages only if they pass the adapter. */
	adaptive->learning = 1;
	space(Gas_count_own(gas, 1));
	card(Monitor_start(adaptive->card));
	space(Gas_barrier(gas)); /* now all cards count */
	return adaptive;
}

/*
 * Add the card's rows of one page. If the page lies on this node, add them to the counts of the
 * page, otherwise to the remote accesses.
 */
static int page_add(const struct Monitor_histogram_row *rows, size_t count, void *opaque)
{
	struct adaptive *adaptive = opaque;
	unsigned int self = Gas_node(adaptive->gas), nodes = Gas_nodes(adaptive->gas);
	size_t page;
	int home = Gas_card_page(adaptive->gas, rows->page, &page);

	for (size_t i = 0; i < count && home >= 0; i++) {
		if (home == (int)self && rows[i].source < nodes)
			adaptive->now[page * nodes + rows[i].source] += rows[i].accesses;
		else if (rows[i].source == self)
			adaptive->remote_now += rows[i].accesses;
	}
	return 0;
}

/* Get the node that has used the page most in this phase; if several have, prefer this node. */
static unsigned int page_user(const struct adaptive *adaptive, size_t page)
{
	unsigned int nodes = Gas_nodes(adaptive->gas), user = Gas_node(adaptive->gas);
	const uint64_t *now = adaptive->now + page * nodes,
		       *before = adaptive->before + page * nodes;

	for (unsigned int node = 0; node < nodes; node++) {
		if (now[node] - before[node] > now[user] - before[user])
			user = node;
	}
	return user;
}

/* Read the card's counts. */
static void counts_take(struct adaptive *adaptive)
{
	size_t bytes = Gas_pages(adaptive->gas) * Gas_nodes(adaptive->gas) * sizeof(uint64_t);

	card(Monitor_stop(adaptive->card));
	card(Monitor_swap(adaptive->card));
	memcpy(adaptive->before, adaptive->now, bytes);
	memset(adaptive->now, 0, bytes);
	adaptive->remote_before = adaptive->remote_now;
	adaptive->remote_now = 0;
	card(Monitor_walk_pages(adaptive->card, page_add, adaptive));
}

int adaptive_phase(struct adaptive *adaptive, double *remote)
{
	struct Gas *gas = adaptive->gas;
	size_t count = 0;
	int moved;

	space(Gas_barrier(gas)); /* the phase has ended on all nodes */
	counts_take(adaptive);
	space(Gas_sum(gas, (double)(adaptive->remote_now - adaptive->remote_before), remote));
	for (size_t page = 0; adaptive->learning && page < Gas_pages(gas); page++) {
		unsigned int user = page_user(adaptive, page);

		if (Gas_home(gas, page) == (int)Gas_node(gas) && user != Gas_node(gas))
			adaptive->moves[count++] = (struct Gas_move){page, user};
	}
	moved = space(Gas_move(gas, adaptive->moves, count));

	/* All nodes have the same numbers, so all of them take the same decision. */
	if (adaptive->learning && !moved) {
		adaptive->learning = 0;
		adaptive->settled = *remote;
	} else if (!adaptive->learning && *remote > 2 * adaptive->settled) {
		adaptive->learning = 1; /* the program's accesses have changed */
	}
	space(Gas_count_own(gas, adaptive->learning));
	card(Monitor_start(adaptive->card));
	space(Gas_barrier(gas));
	return moved;
}

void adaptive_close(struct adaptive *adaptive)
{
	card(Monitor_close(adaptive->card));
	free(adaptive->moves);
	free(adaptive->before);
	free(adaptive->now);
	free(adaptive);
}
