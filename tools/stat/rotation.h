/* SPDX-License-Identifier: MIT */
/*
 * Rotation: which events are read next.
 */
#ifndef TOOLS_STAT_ROTATION_H
#define TOOLS_STAT_ROTATION_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct rotation - Each event once a round, in another order each time, so that each pair is read
 * together now and then.
 * @events: how many
 * @at_once: of them, read at a time
 * @order: of this round, shape [@events]; the caller's
 * @next: the first of the next set in @order
 * @seed: of the order
 */
struct rotation {
	size_t events;
	size_t at_once;
	size_t *order;
	size_t next;
	uint64_t seed;
};

/**
 * rotation_init() - Prepare the first set.
 * @order: memory for it, shape [@events], as long as it is used
 */
void rotation_init(struct rotation *rotation, size_t events, size_t at_once, size_t *order);

/* The next set. Return: how many; @set has room for @at_once. */
size_t rotation_next(struct rotation *rotation, size_t *set);

#endif /* TOOLS_STAT_ROTATION_H */
