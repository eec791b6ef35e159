/* SPDX-License-Identifier: MIT */
/*
 * Beat: the times at which a node begins intervals, and the numbers of the intervals.
 *
 * What lives here: only the computation; the caller has the clock and the interrupts. The first
 * present node leads: it begins an interval when the interval is due, and calls the other nodes.
 * They begin the interval when they are called. If no call arrives, they continue by their own
 * clocks, half an interval later: no node waits for another node.
 */
#ifndef LIB_EXCHANGE_BEAT_H
#define LIB_EXCHANGE_BEAT_H

#include <stdint.h>

/**
 * struct beat - A node's intervals.
 * @number: number of the current interval; 0: none yet
 * @due_ns: time at which the next interval begins, by this node's clock
 * @interval_ns: nominal length
 */
struct beat {
	uint64_t number;
	uint64_t due_ns;
	uint64_t interval_ns;
};

/**
 * beat_wake_ns() - The latest time of the next check, if no call arrives.
 * @leads: this node leads
 */
uint64_t beat_wake_ns(const struct beat *beat, int leads);

/**
 * beat_next() - Handle a call, or a due check.
 * @now_ns: by this node's clock
 * @leads: this node leads
 * @called: the leading node has called
 * @begun: the latest interval that another node has begun; 0: not known
 *
 * Return: 1: the next interval begins, whose number is @beat->number; 0: not yet.
 */
int beat_next(struct beat *beat, uint64_t now_ns, int leads, int called, uint64_t begun);

#endif /* LIB_EXCHANGE_BEAT_H */
