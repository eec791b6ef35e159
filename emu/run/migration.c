// SPDX-License-Identifier: MIT
/*
 * emu/run: which pages move, and when. See emu/run/migration.h.
 */
#include "emu/run/migration.h"

#include <errno.h>
#include <stdlib.h>

#include <base/array.h>
#include <base/hash_table.h>
#include <hw/blink.h>

/* A page's use has to have cost so many moves. */
#define MIGRATE_PAYS 2U
/* As long as it is not known whether moves are right, this part of the pages that want to moves. */
#define MIGRATE_TRIAL 8U
/* Doublings of that, one for each move of the page but the first. */
#define MIGRATE_DOUBLINGS 6U

/**
 * struct use - What one node has done to one page since that has its home.
 * @key: see use_key()
 * @cycles: that its accesses cost more than local ones
 */
struct use {
	uint64_t key;
	uint64_t cycles;
};

/**
 * struct moving - A page that has moved at least once.
 * @key: page + 1
 * @home: where it is
 * @home_use: what its home did to it before it got it
 * @home_epochs: in so many epochs
 * @since: epoch of the last move
 * @from: home before it
 * @moves: how often
 */
struct moving {
	uint64_t key;
	uint64_t home_use;
	uint64_t home_epochs;
	uint64_t since;
	unsigned from;
	unsigned home;
	unsigned moves;
};

/**
 * struct candidate - A page of which there are counts.
 * @page: number
 * @home: where the counts came from
 * @node: which uses it most
 * @use: cycles of that node
 * @second: cycles of the next
 */
struct candidate {
	uint64_t page;
	uint64_t use;
	uint64_t second;
	unsigned home;
	unsigned node;
};

/**
 * struct migrate - See the header.
 * @uses: by home: entries of struct use
 * @moving: entries of struct moving
 * @gain: cycles by type that a remote access costs more than a local one
 * @right: first moves after which the old home did not use the page more than the new one had
 * @wrong: and did
 * @candidates: scratch; shape [@candidates_capacity]
 */
struct migrate {
	struct machine *machine;
	struct hash_table uses[MACHINE_NODES_MAX];
	struct hash_table moving;
	uint64_t gain[SMILE_TYPE_COUNT];
	uint64_t right;
	uint64_t wrong;
	struct candidate *candidates;
	size_t candidates_count;
	size_t candidates_capacity;
	struct migrate_move *moves;
	size_t moves_count;
	size_t moves_capacity;
	struct migrate_totals totals;
};

struct migrate *migrate_create(struct machine *machine)
{
	const struct latency_model *latency = machine_latency(machine);
	struct migrate *migrate = calloc(1, sizeof(*migrate));

	if (!migrate)
		return NULL;
	migrate->machine = machine;
	for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
		if (latency->remote_cycles[type] > latency->local_cycles)
			migrate->gain[type] = latency->remote_cycles[type] - latency->local_cycles;
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

/* Of the page, 36 bits, and the source: never 0. */
static uint64_t use_key(uint64_t page, unsigned source)
{
	return page << 8 | (source + 1);
}

int migrate_count(struct migrate *migrate, unsigned node, const uint64_t *requests, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		unsigned source = (unsigned)SMILE_GET(BLINK_REQUEST_SOURCE, requests[i]);
		unsigned type = (unsigned)SMILE_GET(BLINK_REQUEST_TYPE, requests[i]);
		struct use *use;

		/* What goes out is on the home's B-Link as well; an event asks nothing. */
		if (SMILE_GET(BLINK_REQUEST_TARGET, requests[i]) != node || source == node ||
		    type == SMILE_TYPE_ANY)
			continue;
		use = hash_table_add(
			&migrate->uses[node],
			use_key((requests[i] & BLINK_REQUEST_ADDRESS) / SMILE_PAGE_BYTES, source),
			sizeof(*use));
		if (!use)
			return -ENOMEM;
		use->cycles += migrate->gain[type];
	}
	return 0;
}

/* ---- decisions ------------------------------------------------------------------------------- */

static int by_page(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	if (a->page != b->page)
		return a->page < b->page ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

/*
 * One candidate for each use, then one for each page: its node of most use, the lowest of equals.
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
				.use = use->cycles,
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
		} else if (next.use > last->use) {
			next.second = last->use;
			*last = next;
		} else if (next.use > last->second) {
			last->second = next.use;
		}
	}
	migrate->candidates_count = to;
	return 0;
}

static uint64_t move_cycles(const struct migrate *migrate)
{
	const struct latency_model *latency = machine_latency(migrate->machine);

	return MIGRATE_MAP_CYCLES + (uint64_t)(SMILE_PAGE_BYTES / MIGRATE_BLOCK_BYTES) *
					    latency->remote_cycles[SMILE_TYPE_WRITE];
}

static bool pays(const struct migrate *migrate, const struct candidate *candidate,
		 const struct moving *moving)
{
	unsigned doublings = moving ? moving->moves - 1 : 0;
	uint64_t home_use = candidate->second;

	/* As much in each epoch as before it was the home. */
	if (moving)
		home_use = moving->home_use / moving->home_epochs *
			   (migrate->totals.epochs - moving->since);
	if (doublings > MIGRATE_DOUBLINGS)
		doublings = MIGRATE_DOUBLINGS;
	return candidate->use > home_use &&
	       candidate->use - home_use > (MIGRATE_PAYS * move_cycles(migrate)) << doublings;
}

static int move_keep(struct migrate *migrate, uint64_t cycle, const struct candidate *candidate)
{
	if (migrate->moves_count == MIGRATE_KEPT)
		return 0;
	if (array_reserve(&migrate->moves, &migrate->moves_capacity, migrate->moves_count,
			  sizeof(*migrate->moves)) < 0)
		return -ENOMEM;
	migrate->moves[migrate->moves_count++] = (struct migrate_move){
		.cycle = cycle,
		.page = candidate->page,
		.from = candidate->home,
		.to = candidate->node,
	};
	return 0;
}

/* What was counted at a page's old home says nothing of the new one. */
static void uses_forget(struct migrate *migrate, const struct candidate *candidate)
{
	struct hash_table *uses = &migrate->uses[candidate->home];

	for (unsigned n = 0; n < machine_nodes(migrate->machine); n++) {
		struct use *use = hash_table_find(uses, use_key(candidate->page, n), sizeof(*use));

		if (use)
			hash_table_remove(uses, use, sizeof(*use));
	}
}

static int page_move(struct migrate *migrate, uint64_t cycle, const struct candidate *candidate,
		     uint64_t *delays)
{
	struct moving *moving =
		hash_table_add(&migrate->moving, candidate->page + 1, sizeof(*moving));
	int err;

	if (!moving)
		return -ENOMEM;
	err = machine_move(migrate->machine, candidate->page, candidate->node);
	if (err < 0)
		return err;
	uses_forget(migrate, candidate);
	moving->home_epochs = migrate->totals.epochs - moving->since;
	moving->since = migrate->totals.epochs;
	moving->from = candidate->home;
	moving->home = candidate->node;
	moving->home_use = candidate->use;
	moving->moves++;
	delays[candidate->node] += move_cycles(migrate);
	migrate->totals.moves++;
	migrate->totals.cycles += move_cycles(migrate);
	return move_keep(migrate, cycle, candidate);
}

/* Pages that moved for the first time an epoch ago: does the old home use them more? */
static void moves_judge(struct migrate *migrate)
{
	const struct moving *moving;
	size_t position = 0;

	while ((moving = hash_table_next(&migrate->moving, &position, sizeof(*moving)))) {
		const struct use *use;

		if (moving->moves != 1 || moving->since + 1 != migrate->totals.epochs)
			continue;
		use = hash_table_find(&migrate->uses[moving->home],
				      use_key(moving->key - 1, moving->from), sizeof(*use));
		if (use && use->cycles > moving->home_use / moving->home_epochs)
			migrate->wrong++;
		else
			migrate->right++;
	}
}

static int by_use(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	if (a->use != b->use)
		return a->use > b->use ? -1 : 1;
	return (a->page > b->page) - (a->page < b->page);
}

/* Candidates that pay, those with most use first; of them, as many as may move now. */
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
	/* Nothing is known yet, or as many moves were wrong as right: a few are tried. */
	return migrate->right > migrate->wrong ? count
					       : (count + MIGRATE_TRIAL - 1) / MIGRATE_TRIAL;
}

int migrate_epoch(struct migrate *migrate, uint64_t cycle, uint64_t *delays)
{
	size_t count;
	int err;

	migrate->totals.epochs++;
	moves_judge(migrate);
	err = candidates_find(migrate);
	if (err < 0)
		return err;
	count = candidates_choose(migrate);
	for (size_t i = 0; i < count && !err; i++)
		err = page_move(migrate, cycle, &migrate->candidates[i], delays);
	return err;
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
