// SPDX-License-Identifier: MIT
/* run/session: decides which pages move, and when they move. See run/session/migration.h. */
#include "run/session/migration.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/field.h>
#include <base/array.h>
#include <base/hash_table.h>
#include <hw/blink.h>

#include "run/session/budget.h"

/*
 * A page moves to a node only if the cost of the node's accesses exceeds the cost of the home's
 * accesses by at least the cost of this number of moves.
 */
#define MIGRATE_PAYS 2U
/*
 * The cost of the node's accesses must also be this many times the cost of the accesses by any
 * other node that the cards see.
 */
#define MIGRATE_TIMES 2U
/*
 * Each time that a page moves back, the limit in home_use() doubles, but at most this number of
 * times.
 */
#define MIGRATE_DOUBLINGS 20U

/**
 * struct use - The accesses of one node to one page, since the page moved to its present home.
 * @key: page and node (see use_key())
 * @cycles: the additional cost of the accesses, in cycles, compared with local accesses
 * @since: the cycle from which the accesses were counted
 */
struct use {
	uint64_t key;
	uint64_t cycles;
	uint64_t since;
};

/**
 * struct moving - A page that has moved at least once.
 * @key: number of the page plus 1
 * @home_use: before the page moved to its present home, the amount by which the accesses of this
 *            home cost more than those of the old home, in cycles
 * @home_cycles: length of the time in which @home_use was counted
 * @since: cycle of the last move
 * @saved: estimated number of cycles that the last move has saved
 * @origin: the first home
 * @from: the home before the last move
 * @home: the present home
 * @moves: number of moves
 * @wrong: number of moves that reversed the previous move
 * @back: the last move reversed the previous move
 * @open: the last move was not judged yet
 */
struct moving {
	uint64_t key;
	uint64_t home_use;
	uint64_t home_cycles;
	uint64_t since;
	uint64_t saved;
	unsigned origin;
	unsigned from;
	unsigned home;
	unsigned moves;
	unsigned wrong;
	bool back;
	bool open;
};

/**
 * struct candidate - A page that may move, because it has counts.
 * @page: number of the page
 * @use: the accesses of @node
 * @second: cost of the accesses of the node with the second highest cost, in cycles
 * @home: home of the page, whose card has the counts
 * @node: the node whose accesses have the highest cost
 */
struct candidate {
	uint64_t page;
	struct use use;
	uint64_t second;
	unsigned home;
	unsigned node;
};

/**
 * struct migrate - The state of migration.
 * @machine: the machine
 * @config: the configuration
 * @uses: by home of the page, entries of struct use
 * @moving: entries of struct moving
 * @gain: by type of access, the number of cycles by which a remote access is more expensive than a
 *        local access
 * @move_cycles: cost of a move
 * @remote: by home and source, the additional cost of remote accesses in this epoch, in cycles
 * @epoch: cycle at which this epoch began
 * @now: cycle of the latest call of migrate_look()
 * @budget: the limit on the cost of moves
 * @candidates: the candidates of the present epoch; shape [@candidates_capacity]
 */
struct migrate {
	struct machine *machine;
	struct migrate_config config;
	struct hash_table uses[MACHINE_NODES_MAX];
	struct hash_table moving;
	uint64_t gain[SMILE_TYPE_COUNT];
	uint64_t move_cycles;
	uint64_t remote[MACHINE_NODES_MAX][MACHINE_NODES_MAX];
	uint64_t epoch;
	uint64_t now;
	struct budget budget;
	struct candidate *candidates;
	size_t candidates_count;
	size_t candidates_capacity;
	struct migrate_move *moves;
	size_t moves_count;
	size_t moves_capacity;
	struct migrate_totals totals;
};

struct migrate *migrate_create(struct machine *machine, const struct migrate_config *config)
{
	const struct latency_model *latency = machine_latency(machine);
	struct migrate *migrate = calloc(1, sizeof(*migrate));

	if (!migrate)
		return NULL;
	migrate->machine = machine;
	migrate->config = *config;
	for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
		if (latency->remote_cycles[type] > latency->local_cycles)
			migrate->gain[type] = latency->remote_cycles[type] - latency->local_cycles;
	/* No thread waits while a line is written back, so this write costs no time. */
	if (machine_caches(machine)->count)
		migrate->gain[SMILE_TYPE_WRITE] = 0;
	migrate->move_cycles =
		MIGRATE_MAP_CYCLES + (uint64_t)(SMILE_PAGE_BYTES / MIGRATE_BLOCK_BYTES) *
					     latency->remote_cycles[SMILE_TYPE_WRITE];
	/*
	 * The most that a move can lose: the cost of the move, the cost of moving the page back,
	 * and the loss of the old home between these moves (see move_judge()).
	 */
	migrate->budget.stake = 5 * migrate->move_cycles / 2 + config->look_cycles;
	return migrate;
}

void migrate_destroy(struct migrate *migrate)
{
	if (!migrate)
		return;
	for (unsigned n = 0; n < MACHINE_NODES_MAX; n++)
		hash_table_free(&migrate->uses[n]);
	hash_table_free(&migrate->moving);
	free(migrate->candidates);
	free(migrate->moves);
	free(migrate);
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* Make the key of a page, whose number has 36 bits, and a source. The key is never 0. */
static uint64_t use_key(uint64_t page, unsigned source)
{
	return page << 8 | (source + 1);
}

#define TYPE_ROW(first, count, name, class, type, bytes, confidence)                               \
	if (command - (first) < (count))                                                           \
		return SMILE_TYPE_##type;

/*
 * Get the SMILE_TYPE_* of a command. Responses and events are not requests, so their type is
 * SMILE_TYPE_ANY.
 */
static unsigned command_type(unsigned command)
{
	BLINK_COMMAND_TABLE(TYPE_ROW)
	return SMILE_TYPE_ANY;
}

int migrate_count(struct migrate *migrate, unsigned node, const void *frame)
{
	uint64_t words[BLINK_WORDS_MIN], bd1;
	unsigned source, type;
	struct use *use;

	memcpy(words, frame, sizeof(words));
	bd1 = le64toh(words[0]);
	source = (unsigned)SMILE_GET(BLINK_BD1_SOURCE, bd1);
	type = command_type((unsigned)SMILE_GET(BLINK_BD1_COMMAND, bd1));
	/* A request of this node is counted on the B-Link of the request's home node. */
	if (type == SMILE_TYPE_ANY || SMILE_GET(BLINK_BD1_TARGET, bd1) != node || source == node)
		return 0;
	use = hash_table_add(
		&migrate->uses[node],
		use_key(SMILE_GET(BLINK_BD2_ADDRESS, le64toh(words[1])) / SMILE_PAGE_BYTES, source),
		sizeof(*use));
	if (!use)
		return -ENOMEM;
	if (!use->cycles)
		use->since = migrate->now;
	use->cycles += migrate->gain[type];
	migrate->remote[node][source] += migrate->gain[type];
	return 0;
}

/* ---- candidates ------------------------------------------------------------------------------ */

static int by_page(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	if (a->page != b->page)
		return a->page < b->page ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

/*
 * Make a candidate of each entry of struct use. Then keep one candidate for each page: the node
 * whose accesses have the highest cost. If several nodes have the same cost, keep the lowest of
 * them.
 */
static int candidates_find(struct migrate *migrate)
{
	size_t to = 0;

	migrate->candidates_count = 0;
	for (unsigned n = 0; n < MACHINE_NODES_MAX; n++) {
		const struct use *use;
		size_t position = 0;

		while ((use = hash_table_next(&migrate->uses[n], &position, sizeof(*use)))) {
			if (array_reserve(&migrate->candidates, &migrate->candidates_capacity,
					  migrate->candidates_count,
					  sizeof(*migrate->candidates)) < 0)
				return -ENOMEM;
			migrate->candidates[migrate->candidates_count++] = (struct candidate){
				.page = use->key >> 8,
				.use = *use,
				.home = n,
				.node = (unsigned)(use->key & 0xff) - 1,
			};
		}
	}
	if (migrate->candidates_count)
		qsort(migrate->candidates, migrate->candidates_count, sizeof(*migrate->candidates),
		      by_page);
	for (size_t i = 0; i < migrate->candidates_count; i++) {
		struct candidate next = migrate->candidates[i];
		struct candidate *last = to ? &migrate->candidates[to - 1] : NULL;

		if (!last || last->page != next.page) {
			migrate->candidates[to++] = next;
		} else if (next.use.cycles > last->use.cycles) {
			next.second = last->use.cycles;
			*last = next;
		} else if (next.use.cycles > last->second) {
			last->second = next.use.cycles;
		}
	}
	migrate->candidates_count = to;
	return 0;
}

/*
 * Estimate the cost of the accesses that the page's home has made since the page moved to this
 * home. No card sees these accesses. The estimate assumes that the home accesses the page at the
 * same rate as before the move, up to the number of accesses before the move. Each time that the
 * page has moved back, this maximum doubles.
 */
static uint64_t home_use(const struct migrate *migrate, const struct moving *moving)
{
	unsigned doublings = moving->wrong < MIGRATE_DOUBLINGS ? moving->wrong : MIGRATE_DOUBLINGS;
	double part = (double)(migrate->now - moving->since) / (double)moving->home_cycles;
	double most = (double)(1U << doublings);

	return (uint64_t)((double)moving->home_use * (part < most ? part : most));
}

/*
 * Check whether a move to @node would reverse the page's last move. If the last move has itself
 * reversed a move, the answer is false.
 */
static bool goes_back(const struct moving *moving, unsigned node)
{
	return moving && moving->moves && !moving->back && node == moving->from;
}

static bool pays(const struct migrate *migrate, const struct candidate *candidate,
		 const struct moving *moving)
{
	uint64_t others = candidate->second;

	/*
	 * If all nodes use the page equally, the node with the highest cost now will not keep the
	 * highest cost.
	 */
	if (!goes_back(moving, candidate->node))
		others *= MIGRATE_TIMES;
	if (moving && home_use(migrate, moving) > others)
		others = home_use(migrate, moving);
	return candidate->use.cycles > others &&
	       candidate->use.cycles - others > MIGRATE_PAYS * migrate->move_cycles;
}

static int by_use(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	if (a->use.cycles != b->use.cycles)
		return a->use.cycles > b->use.cycles ? -1 : 1;
	return (a->page > b->page) - (a->page < b->page);
}

/*
 * Choose the candidates whose move is expected to reduce the run time (see pays()). Sort them, the
 * highest cost first. Return: the number of chosen candidates.
 */
static size_t candidates_choose(struct migrate *migrate)
{
	size_t count = 0;

	for (size_t i = 0; i < migrate->candidates_count; i++) {
		const struct candidate *candidate = &migrate->candidates[i];
		const struct moving *moving =
			hash_table_find(&migrate->moving, candidate->page + 1, sizeof(*moving));

		if (pays(migrate, candidate, moving))
			migrate->candidates[count++] = *candidate;
	}
	if (count)
		qsort(migrate->candidates, count, sizeof(*migrate->candidates), by_use);
	return count;
}

/* ---- moves ----------------------------------------------------------------------------------- */

static int move_keep(struct migrate *migrate, const struct candidate *candidate, bool back)
{
	migrate->totals.moves++;
	migrate->totals.back += back;
	migrate->totals.cycles += migrate->move_cycles;
	if (migrate->moves_count == MIGRATE_KEPT)
		return 0;
	if (array_reserve(&migrate->moves, &migrate->moves_capacity, migrate->moves_count,
			  sizeof(*migrate->moves)) < 0)
		return -ENOMEM;
	migrate->moves[migrate->moves_count++] = (struct migrate_move){
		.cycle = migrate->now,
		.page = candidate->page,
		.from = candidate->home,
		.to = candidate->node,
		.back = back,
	};
	return 0;
}

/* Remove the counts of the old home's card, because these counts do not apply to the new home. */
static void uses_forget(struct migrate *migrate, const struct candidate *candidate)
{
	struct hash_table *uses = &migrate->uses[candidate->home];

	for (unsigned n = 0; n < machine_nodes(migrate->machine); n++) {
		struct use *use = hash_table_find(uses, use_key(candidate->page, n), sizeof(*use));

		if (use)
			hash_table_remove(uses, use, sizeof(*use));
	}
}

/*
 * The page moves back, so its last move has saved nothing. If this returns the page to its first
 * home, the cost of this home's remote accesses since the page left is also a loss.
 */
static void went_back(struct migrate *migrate, const struct moving *moving,
		      const struct candidate *candidate)
{
	budget_loses(&migrate->budget, migrate->move_cycles + moving->saved);
	if (candidate->node == moving->origin)
		budget_loses(&migrate->budget, candidate->use.cycles);
}

static int page_move(struct migrate *migrate, const struct candidate *candidate, uint64_t *delays)
{
	struct moving *moving =
		hash_table_find(&migrate->moving, candidate->page + 1, sizeof(*moving));
	bool back;
	int err;

	/*
	 * Do not add a page that is already in the table, because moves_judge() iterates over the
	 * table.
	 */
	if (!moving)
		moving = hash_table_add(&migrate->moving, candidate->page + 1, sizeof(*moving));
	if (!moving)
		return -ENOMEM;
	err = machine_move(migrate->machine, candidate->page, candidate->node);
	if (err < 0)
		return err;
	uses_forget(migrate, candidate);
	if (moving->open)
		budget_settle(&migrate->budget, migrate->move_cycles, 0);
	back = goes_back(moving, candidate->node);
	if (!moving->moves++)
		moving->origin = candidate->home;
	moving->wrong += back;
	moving->back = back;
	moving->home_use = candidate->use.cycles;
	moving->home_cycles = migrate->now - candidate->use.since + 1;
	moving->since = migrate->now;
	moving->from = candidate->home;
	moving->home = candidate->node;
	moving->open = !back;
	if (back)
		went_back(migrate, moving, candidate);
	moving->saved = 0;
	delays[candidate->node] += migrate->move_cycles;
	return move_keep(migrate, candidate, back);
}

/*
 * Judge a move. If the move's estimated gain exceeds its cost plus the loss of the old home, the
 * move was right. If the loss of the old home exceeds half the cost of a move before the move has
 * proved right, the move was wrong, and the page moves back. If neither is true after a time as
 * long as the one in which the page's use was counted before the move, the move is settled without
 * a gain.
 */
static int move_judge(struct migrate *migrate, struct moving *moving, uint64_t *delays)
{
	const struct use *use = hash_table_find(
		&migrate->uses[moving->home], use_key(moving->key - 1, moving->from), sizeof(*use));
	uint64_t lost = use ? use->cycles : 0, gain = home_use(migrate, moving);
	uint64_t price = migrate->move_cycles;

	if (gain > lost + price) {
		moving->open = false;
		moving->saved = moving->home_use;
		budget_settle(&migrate->budget, price, moving->saved);
	} else if (lost > price / 2) {
		const struct candidate candidate = {
			.page = moving->key - 1,
			.use = *use,
			.home = moving->home,
			.node = moving->from,
		};

		return page_move(migrate, &candidate, delays);
	} else if (migrate->now - moving->since >= moving->home_cycles) {
		moving->open = false;
		budget_settle(&migrate->budget, price + lost, 0);
	}
	return 0;
}

static int moves_judge(struct migrate *migrate, uint64_t *delays)
{
	struct moving *moving;
	size_t position = 0;
	int err = 0;

	while (!err && (moving = hash_table_next(&migrate->moving, &position, sizeof(*moving))))
		if (moving->open)
			err = move_judge(migrate, moving, delays);
	return err;
}

/* Check whether any node has spent more than three quarters of the epoch in remote accesses. */
static bool epoch_is_remote(struct migrate *migrate)
{
	uint64_t most = 0, cycles = migrate->now - migrate->epoch;

	for (unsigned source = 0; source < MACHINE_NODES_MAX; source++) {
		uint64_t sum = 0;

		for (unsigned home = 0; home < MACHINE_NODES_MAX; home++) {
			sum += migrate->remote[home][source];
			migrate->remote[home][source] = 0;
		}
		if (sum > most)
			most = sum;
	}
	migrate->epoch = migrate->now;
	return most > cycles / 4 * 3;
}

/*
 * Check whether an epoch ends now. Pages move only at the end of an epoch; otherwise moves are only
 * judged.
 */
static bool epoch_ends(const struct migrate *migrate, uint64_t cycle, bool phase)
{
	uint64_t length = migrate->config.epoch_cycles;

	return length ? cycle / length > migrate->now / length : phase;
}

/*
 * Move the candidates, the highest cost first, if the budget covers the most that the move can
 * lose. A move that reverses the last move needs no budget.
 */
static int candidates_move(struct migrate *migrate, uint64_t *delays)
{
	bool remote = epoch_is_remote(migrate);
	int err = candidates_find(migrate);
	size_t count;

	if (err < 0)
		return err;
	count = candidates_choose(migrate);
	for (size_t i = 0; i < count && !err; i++) {
		const struct candidate *candidate = &migrate->candidates[i];
		const struct moving *moving =
			hash_table_find(&migrate->moving, candidate->page + 1, sizeof(*moving));

		if (goes_back(moving, candidate->node) ||
		    budget_stake(&migrate->budget, migrate->now, remote))
			err = page_move(migrate, candidate, delays);
	}
	return err;
}

int migrate_look(struct migrate *migrate, uint64_t cycle, bool phase, uint64_t *delays)
{
	bool ends = epoch_ends(migrate, cycle, phase);
	int err;

	migrate->now = cycle;
	err = moves_judge(migrate, delays);
	if (err < 0 || !ends)
		return err;
	migrate->totals.epochs++;
	return candidates_move(migrate, delays);
}

struct migrate_totals migrate_totals(const struct migrate *migrate)
{
	return migrate->totals;
}

size_t migrate_moves(const struct migrate *migrate, const struct migrate_move **moves)
{
	*moves = migrate->moves;
	return migrate->moves_count;
}
