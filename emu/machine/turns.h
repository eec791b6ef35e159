/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Turns: find the processor with the lowest clock, which has the next turn.
 *
 * What lives here: a binary tree that sorts turns. A turn is one of the processors that take turns.
 * The key of a turn, which is called its place, has the cycle of the processor's clock in the high
 * bits, and the number of the turn in the low bits. The leaves of the tree are the places of all
 * turns. Each inner node of the tree is the smaller place of its two children. May use
 * machine_inside.h.
 */
#ifndef EMU_MACHINE_TURNS_H
#define EMU_MACHINE_TURNS_H

#include "machine_inside.h"

#define TURN_BITS 6U

_Static_assert(MACHINE_TURNS == 1U << TURN_BITS, "a turn's number fits into its place");
_Static_assert(CLOCK_MAX < UINT64_MAX >> TURN_BITS, "and so does a cycle");

/**
 * struct turns - The tree.
 * @rows: log2 of the number of leaves
 * @tree: the root has index 1; the last row starts at 1 << @rows
 */
struct turns {
	unsigned rows;
	uint64_t tree[2 * MACHINE_TURNS];
};

static inline uint64_t *turns_places(struct turns *turns)
{
	return turns->tree + ((size_t)1 << turns->rows);
}

/* Initialise the tree with the processors of @turn, shape [@count], and their clocks. */
static inline void turns_begin(struct turns *turns, const struct machine *machine,
			       const struct machine_turn *turn, size_t count)
{
	uint64_t *tree = turns->tree, *places;

	turns->rows = count > 16 ? TURN_BITS : count > 4 ? 4 : count > 2 ? 2 : 1;
	places = turns_places(turns);
	for (size_t i = 0; i < (size_t)1 << turns->rows; i++)
		places[i] = i < count ? machine_clock(machine, turn[i].processor) << TURN_BITS | i
				      : UINT64_MAX;
	for (size_t i = ((size_t)1 << turns->rows) - 1; i > 0; i--)
		tree[i] = tree[2 * i] < tree[2 * i + 1] ? tree[2 * i] : tree[2 * i + 1];
}

/* Get the turn that a place identifies. @clock: receives the clock of the turn. */
static inline unsigned turns_of(uint64_t place, uint64_t *clock)
{
	*clock = place >> TURN_BITS;
	return place & (MACHINE_TURNS - 1);
}

/* Get the next turn, which has the lowest place. @clock: receives the clock of the turn. */
static inline unsigned turns_next(const struct turns *turns, uint64_t *clock)
{
	return turns_of(turns->tree[1], clock);
}

static inline uint64_t turns_clock(struct turns *turns, size_t turn)
{
	return turns_places(turns)[turn] >> TURN_BITS;
}

/*
 * Move a turn whose clock has advanced. @rows: the number of rows of @turns. It is an argument, so
 * that the compiler generates separate code for each number.
 * Return: the lowest place.
 */
static inline __attribute__((always_inline)) uint64_t
turns_moved(struct turns *turns, unsigned rows, unsigned turn, uint64_t clock)
{
	uint64_t *tree = turns->tree, place = clock << TURN_BITS | turn;

	for (size_t at = ((size_t)1 << rows) + turn; at > 1; at /= 2) {
		uint64_t other = tree[at ^ 1];

		tree[at] = place;
		place = other < place ? other : place;
	}
	tree[1] = place;
	return place;
}

#endif /* EMU_MACHINE_TURNS_H */
