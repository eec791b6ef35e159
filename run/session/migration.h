/* SPDX-License-Identifier: MIT */
/*
 * run/session: pages that move while the program runs, as an adaptive run-time system would move
 * them.
 *
 * What lives here: the counts of remote accesses of an epoch by page and source, which are those of
 * the cards, and the decision which pages move at its end. The papers name such a run-time system
 * as a use of the monitor [2002, 5]; its rules are defined here. May use the machine and include/.
 *
 * A card sees no accesses of its own node, so the use that a home makes of its page is an estimate:
 * the accesses of that node before the page moved to it, as many in a cycle, and not more in all;
 * twice as many for each time that the page has gone back to the home that it had before. A page
 * moves to the node that uses it most, once that use has cost two moves more than the home's, and
 * than twice that of the next node.
 *
 * Whether that was right shows soon: the old home's use is remote now. A move is right once what it
 * has saved, by the estimate, has paid for it and for what the old home lost. If the old home loses
 * half a move before, the page goes back. What moves may cost is limited: see run/session/budget.h.
 */
#ifndef RUN_SESSION_MIGRATION_H
#define RUN_SESSION_MIGRATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/machine/machine.h"

/*
 * What a move costs, defined here: the old home writes the page in blocks of so many bytes, as
 * nwrite64 does, each at the price of a remote write; then it is mapped, and unmapped elsewhere.
 * The node that gets it stands still for that long.
 */
#define MIGRATE_BLOCK_BYTES 64U
#define MIGRATE_MAP_CYCLES 10000U
/* Moves are judged as often, if pages do not move more often. */
#define MIGRATE_LOOK_NS 100000U
/* Moves that are kept for the summary. */
#define MIGRATE_KEPT 65536U

/**
 * struct migrate_move - A page that has moved.
 * @cycle: when
 * @page: number
 * @from: node
 * @to: node
 * @back: the last move of this page is taken back
 */
struct migrate_move {
	uint64_t cycle;
	uint64_t page;
	unsigned from;
	unsigned to;
	bool back;
};

/**
 * struct migrate_totals - All moves.
 * @epochs: that have ended
 * @moves: pages that have moved, each time
 * @back: of these, moves that were taken back
 * @cycles: that nodes stood still for it, summed over nodes
 */
struct migrate_totals {
	uint64_t epochs;
	uint64_t moves;
	uint64_t back;
	uint64_t cycles;
};

/**
 * struct migrate_config - When pages move.
 * @epoch_cycles: at the end of each epoch of so many cycles; 0: where phases begin
 * @look_cycles: moves are judged at intervals of at most so many cycles
 */
struct migrate_config {
	uint64_t epoch_cycles;
	uint64_t look_cycles;
};

struct migrate;

/**
 * migrate_create() - No counts yet.
 * @machine: kept by reference
 *
 * Return: NULL without memory.
 */
struct migrate *migrate_create(struct machine *machine, const struct migrate_config *config);
void migrate_destroy(struct migrate *migrate);

/**
 * migrate_count() - Requests have passed on a node's B-Link.
 * @node: the node; one thread at a time for each
 * @requests: BLINK_REQUEST_*, shape [@count]
 *
 * Return: 0; -ENOMEM.
 */
int migrate_count(struct migrate *migrate, unsigned node, const uint64_t *requests, size_t count);

/**
 * migrate_look() - Judge moves, take back what was wrong, and at the end of an epoch move pages; no
 * other call is under way.
 * @cycle: all requests before it have been counted, none after it
 * @phase: a phase begins there
 * @delays: receives the cycles for which each node stands still; shape [nodes]
 *
 * Return: 0; -ENOMEM.
 */
int migrate_look(struct migrate *migrate, uint64_t cycle, bool phase, uint64_t *delays);

struct migrate_totals migrate_totals(const struct migrate *migrate);

/**
 * migrate_moves() - The first MIGRATE_KEPT moves, in their order.
 *
 * Return: how many; *@moves belongs to @migrate.
 */
size_t migrate_moves(const struct migrate *migrate, const struct migrate_move **moves);

#endif /* RUN_SESSION_MIGRATION_H */
