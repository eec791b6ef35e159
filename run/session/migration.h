/* SPDX-License-Identifier: MIT */
/*
 * run/session: migrates pages while the program runs, as an adaptive run-time system would do.
 *
 * What lives here: the number of remote accesses in an epoch by page and source, as the cards count
 * them; and the decision at the end of the epoch which pages move. The papers name such a run-time
 * system as a use of the monitor [2002, 5], but do not define its rules. This project defines the
 * rules, as follows. These files may use emu/machine and include/.
 *
 * A card sees no accesses of its own node to this node's memory, so the number of accesses of a
 * page's home to the page must be estimated. The estimate assumes that the home accesses the page
 * at the same rate as before the page moved to this home. The estimate also has a maximum, which is
 * the total number of these earlier accesses. Each time that the page moves back to its previous
 * home, the maximum doubles.
 *
 * A page can move only to the node that uses it most. The page moves if the cost of that node's
 * accesses exceeds each of two limits: the cost of the home's accesses plus the cost of two moves;
 * and twice the cost of the accesses of the node with the second highest use, plus the cost of two
 * moves.
 *
 * A move can be judged soon after it was made: the accesses of the old home are now remote, so the
 * cards count them. A move is right if its estimated saving exceeds the cost of the move plus the
 * loss of the old home. If the old home has lost half the cost of a move before the move is judged
 * to be right, the page moves back. The total cost of moves is limited (see run/session/budget.h).
 */
#ifndef RUN_SESSION_MIGRATION_H
#define RUN_SESSION_MIGRATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/machine/machine.h"

/*
 * The papers do not give the cost of a move, so this project defines it. The old home writes the
 * page in blocks of this size with nwrite64. Each block costs as much as a remote write. Then the
 * page is mapped on the new node and unmapped on the old node. During the move, the threads of the
 * new node stop.
 */
#define MIGRATE_BLOCK_BYTES 64U
#define MIGRATE_MAP_CYCLES 10000U
/*
 * The longest interval, in nanoseconds, at which moves are judged. If epochs are shorter, the
 * interval is also shorter.
 */
#define MIGRATE_LOOK_NS 100000U
/* Number of moves that are stored for the summary; later moves are only counted. */
#define MIGRATE_KEPT 65536U

/**
 * struct migrate_move - A page that has moved.
 * @cycle: cycle of the move
 * @page: number of the page
 * @from: home of the page before the move
 * @to: home of the page after the move
 * @back: this move reverses the page's previous move
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
 * @epochs: number of epochs that have ended
 * @moves: number of moves of pages
 * @back: number of these moves that reversed an earlier move
 * @cycles: cycles for which nodes had to stop because of moves, added up over all nodes
 */
struct migrate_totals {
	uint64_t epochs;
	uint64_t moves;
	uint64_t back;
	uint64_t cycles;
};

/**
 * struct migrate_config - The times at which pages move and moves are judged.
 * @epoch_cycles: length of an epoch in cycles; pages move at the end of each epoch. 0: pages move
 *                when a phase begins
 * @look_cycles: the longest interval, in cycles, at which moves are judged
 */
struct migrate_config {
	uint64_t epoch_cycles;
	uint64_t look_cycles;
};

struct migrate;

/**
 * migrate_create() - Create the state of migration, without any counts.
 * @machine: the machine; must exist longer than the state of migration
 *
 * Return: the state; NULL if memory is missing.
 */
struct migrate *migrate_create(struct machine *machine, const struct migrate_config *config);
void migrate_destroy(struct migrate *migrate);

/**
 * migrate_count() - Count a frame on a node's B-Link if it is a request.
 * @node: number of the node. Only one thread at a time may call this function for a node
 * @frame: the frame, of which at least the first two bus words must be readable
 */
int migrate_count(struct migrate *migrate, unsigned node, const void *frame);

/**
 * migrate_look() - Judge moves, and reverse the wrong ones. At the end of an epoch, also move
 * pages. No other function of this file may run at the same time.
 * @cycle: the current cycle. All requests before this cycle have been counted, and no later request
 *         has been counted
 * @phase: a phase begins at @cycle
 * @delays: receives, for each node, the number of cycles for which the node must stop; shape
 *          [nodes]
 */
int migrate_look(struct migrate *migrate, uint64_t cycle, bool phase, uint64_t *delays);

struct migrate_totals migrate_totals(const struct migrate *migrate);

/**
 * migrate_moves() - Get the moves in order of time, but at most the first MIGRATE_KEPT.
 * @moves: receives the moves, which stay the property of @migrate
 *
 * Return: the number of moves.
 */
size_t migrate_moves(const struct migrate *migrate, const struct migrate_move **moves);

#endif /* RUN_SESSION_MIGRATION_H */
