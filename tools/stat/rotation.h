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
 * together now and then; or always in the same order.
 * @events: how many
 * @at_once: of them, read at a time
 * @order: of this round, shape [@events]; the caller's
 * @next: the first of the next set in @order
 * @seed: of the order
 * @ordered: the order stays
 */
struct rotation {
	size_t events;
	size_t at_once;
	size_t *order;
	size_t next;
	uint64_t seed;
	int ordered;
};

/**
 * rotation_init() - Prepare the first set.
 * @order: memory for it, shape [@events], as long as it is used
 */
void rotation_init(struct rotation *rotation, size_t events, size_t at_once, size_t *order);

/* The next set. Return: how many; @set has room for @at_once. */
size_t rotation_next(struct rotation *rotation, size_t *set);

/**
 * rotation_seek() - If the order stays, go to the set of an interval, counted from 1: the thesis's
 * table 8.1.
 */
void rotation_seek(struct rotation *rotation, uint64_t interval);

#endif /* TOOLS_STAT_ROTATION_H */
