/* SPDX-License-Identifier: MIT */
/*
 * Rotation: the choice of the events that are read next.
 */
#ifndef TOOLS_STAT_ROTATION_H
#define TOOLS_STAT_ROTATION_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct rotation - A rotation of events. Each event is read once per round, in a new order in each
 * round, so that each pair of events is sometimes read together; or always in the same order.
 * @events: number of events
 * @at_once: number of events read at a time
 * @order: order of this round, shape [@events]; the caller owns it
 * @next: index in @order of the first event of the next set
 * @seed: seed of the order
 * @ordered: the order is the same in all rounds
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
 * @order: memory for the order, shape [@events], which must exist as long as the rotation
 */
void rotation_init(struct rotation *rotation, size_t events, size_t at_once, size_t *order);

/* Get the next set. Return: number of its events; @set has room for @at_once events. */
size_t rotation_next(struct rotation *rotation, size_t *set);

/**
 * rotation_seek() - If the order is the same in all rounds, continue with the set of an interval,
 * counted from 1: table 8.1 of the thesis.
 */
void rotation_seek(struct rotation *rotation, uint64_t interval);

#endif /* TOOLS_STAT_ROTATION_H */
