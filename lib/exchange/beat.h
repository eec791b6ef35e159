/* SPDX-License-Identifier: MIT */
/*
 * Beat: when a node begins an interval, and which number it has.
 *
 * What lives here: numbers alone; the caller has the clock and the interrupts. The first node that
 * is there leads: it begins an interval when its time has come, and calls the others. They begin it
 * when they are called. If no call comes, they go on by their own clocks, half an interval later:
 * nobody waits for a node.
 */
#ifndef LIB_EXCHANGE_BEAT_H
#define LIB_EXCHANGE_BEAT_H

#include <stdint.h>

/**
 * struct beat - A node's intervals.
 * @number: of the interval that it is in; 0: none yet
 * @due_ns: when the next one begins, by this node's clock
 * @interval_ns: nominal length
 */
struct beat {
	uint64_t number;
	uint64_t due_ns;
	uint64_t interval_ns;
};

/**
 * beat_wake_ns() - When to look at the latest, if no call comes.
 * @leads: this node leads
 */
uint64_t beat_wake_ns(const struct beat *beat, int leads);

/**
 * beat_next() - A call has come, or it is time to look.
 * @now_ns: by this node's clock
 * @leads: this node leads
 * @called: the node that leads has called
 * @begun: the latest interval that another node has begun; 0: none is known
 *
 * Return: 1: the next interval begins, whose number is @beat->number; 0: not yet.
 */
int beat_next(struct beat *beat, uint64_t now_ns, int leads, int called, uint64_t begun);

#endif /* LIB_EXCHANGE_BEAT_H */
