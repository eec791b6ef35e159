/* SPDX-License-Identifier: MIT */
/*
 * Rotation: choose the set of events that is counted next.
 */
#ifndef TOOLS_STAT_ROTATION_H
#define TOOLS_STAT_ROTATION_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct rotation - A rotation of events. In each round, each event is counted at least once. If
 * @ordered is set, the events always have the same order. Otherwise each round has a new random
 * order, so that over time each pair of events is counted together.
 * @events: number of events
 * @at_once: number of events that are counted at the same time
 * @order: the order of this round, in memory of the caller, shape [@events]
 * @next: index in @order of the first event of the next set
 * @seed: state of the random numbers for the order
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
 * rotation_init() - Initialize a rotation.
 * @order: memory for the order, shape [@events]; it must exist as long as the rotation
 */
void rotation_init(struct rotation *rotation, size_t events, size_t at_once, size_t *order);

/*
 * Get the next set of events. @set: has room for @at_once events. Return: number of events in the
 * set.
 */
size_t rotation_next(struct rotation *rotation, size_t *set);

/**
 * rotation_seek() - If the events always have the same order, continue with the set that belongs to
 * an interval. Intervals are counted from 1 (table 8.1 of the thesis).
 */
void rotation_seek(struct rotation *rotation, uint64_t interval);

#endif /* TOOLS_STAT_ROTATION_H */
