/* SPDX-License-Identifier: MIT */
/*
 * run/session: pages that move while the program runs, as an adaptive run-time system would move
 * them.
 *
 * What lives here: the remote accesses of an epoch by page and source, as the cards count them, and
 * the decision which pages move at its end. The papers name such a run-time system as a use of the
 * monitor [2002, 5]; its rules are defined here. May use the machine and include/.
 *
 * A card sees no accesses of its own node, so a home's use of its page is an estimate: that node's
 * accesses before the page moved to it, at the same rate, and at most as many; the limit doubles
 * each time that the page has moved back to its previous home. A page moves to the node that uses
 * it most, once the cost of that node's accesses exceeds the home's by the price of two moves, and
 * twice the next node's by the price of two moves.
 *
 * A move can soon be judged, because the accesses of the old home are remote now. A move is right
 * once its estimated saving has paid for the move and for the old home's loss. If the old home
 * loses half the price of a move before that, the page moves back. The cost of moves is limited:
 * see run/session/budget.h.
 */
#ifndef RUN_SESSION_MIGRATION_H
#define RUN_SESSION_MIGRATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/machine/machine.h"

/*
 * The cost of a move, defined here: the old home writes the page in blocks of this size, as
 * nwrite64 does, each at the price of a remote write; then the page is mapped on the new node and
 * unmapped on the old one. The new node stands still for the time of the move.
 */
#define MIGRATE_BLOCK_BYTES 64U
#define MIGRATE_MAP_CYCLES 10000U
/* Moves are judged at this interval, unless pages move more often. */
#define MIGRATE_LOOK_NS 100000U
/* Moves that are kept for the summary. */
#define MIGRATE_KEPT 65536U

/**
 * struct migrate_move - A page that has moved.
 * @cycle: when it moved
 * @page: its number
 * @from: its home before
 * @to: its home afterwards
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
 * struct migrate_totals - Sums over all moves.
 * @epochs: epochs that have ended
 * @moves: number of moves of pages
 * @back: how many of these moves were taken back
 * @cycles: cycles for which nodes stood still, summed over nodes
 */
struct migrate_totals {
	uint64_t epochs;
	uint64_t moves;
	uint64_t back;
	uint64_t cycles;
};

/**
 * struct migrate_config - When pages move.
 * @epoch_cycles: length of an epoch in cycles, at whose end pages move; 0: pages move where phases
 *                begin
 * @look_cycles: moves are judged at intervals of at most this many cycles
 */
struct migrate_config {
	uint64_t epoch_cycles;
	uint64_t look_cycles;
};

struct migrate;

/**
 * migrate_create() - Create the state of migration, without counts.
 * @machine: kept by reference
 *
 * Return: NULL if there is no memory.
 */
struct migrate *migrate_create(struct machine *machine, const struct migrate_config *config);
void migrate_destroy(struct migrate *migrate);

/**
 * migrate_count() - Count a frame that has passed on a node's B-Link, if it is a request.
 * @node: the node; only one thread at a time may count for each node
 * @frame: at least its first two bus words
 *
 * Return: 0; -ENOMEM.
 */
int migrate_count(struct migrate *migrate, unsigned node, const void *frame);

/**
 * migrate_look() - Judge moves, take back wrong ones, and move pages at the end of an epoch; no
 * other call may be running.
 * @cycle: all requests before this cycle have been counted, and none after it
 * @phase: a phase begins at @cycle
 * @delays: receives the cycles for which each node stands still; shape [nodes]
 *
 * Return: 0; -ENOMEM.
 */
int migrate_look(struct migrate *migrate, uint64_t cycle, bool phase, uint64_t *delays);

struct migrate_totals migrate_totals(const struct migrate *migrate);

/**
 * migrate_moves() - Get the first MIGRATE_KEPT moves, in order of time.
 *
 * Return: the number of moves; *@moves belongs to @migrate.
 */
size_t migrate_moves(const struct migrate *migrate, const struct migrate_move **moves);

#endif /* RUN_SESSION_MIGRATION_H */
