/* SPDX-License-Identifier: MIT */
/*
 * emu/run: pages that move while the program runs, as an adaptive run-time system would move them.
 *
 * What lives here: the counts of remote accesses of an epoch by page and source, which are those of
 * the cards, and the decision which pages move at its end. The papers name such a run-time system
 * as a use of the monitor [2002, 5]; its rules are defined here. May use the machine and include/.
 *
 * A card sees no accesses of its own node, so the use that a home makes of its page is an estimate:
 * the accesses of that node, in each epoch, before the page moved to it; for a page that has never
 * moved, those of the second of the other nodes. A page moves to the node that uses it most, once
 * that use, less the home's, has cost twice a move. Each move of a page after its first doubles
 * this threshold, up to 64 times, so that pages do not oscillate.
 */
#ifndef EMU_RUN_MIGRATION_H
#define EMU_RUN_MIGRATION_H

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
/* Moves that are kept for the summary. */
#define MIGRATE_KEPT 65536U

/**
 * struct migrate_move - A page that has moved.
 * @cycle: when
 * @page: number
 * @from: node
 * @to: node
 */
struct migrate_move {
	uint64_t cycle;
	uint64_t page;
	unsigned from;
	unsigned to;
};

/**
 * struct migrate_totals - All moves.
 * @epochs: that have ended
 * @moves: pages that have moved, each time
 * @cycles: that nodes stood still for it, summed over nodes
 */
struct migrate_totals {
	uint64_t epochs;
	uint64_t moves;
	uint64_t cycles;
};

struct migrate;

/**
 * migrate_create() - No counts yet.
 * @machine: kept by reference
 *
 * Return: NULL without memory.
 */
struct migrate *migrate_create(struct machine *machine);
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
 * migrate_epoch() - Move pages, at the end of an epoch; no other call is under way.
 * @cycle: its end
 * @delays: receives the cycles for which each node stands still; shape [nodes]
 *
 * Return: 0; -ENOMEM.
 */
int migrate_epoch(struct migrate *migrate, uint64_t cycle, uint64_t *delays);

struct migrate_totals migrate_totals(const struct migrate *migrate);

/**
 * migrate_moves() - The first MIGRATE_KEPT moves, in their order.
 *
 * Return: how many; *@moves belongs to @migrate.
 */
size_t migrate_moves(const struct migrate *migrate, const struct migrate_move **moves);

#endif /* EMU_RUN_MIGRATION_H */
