/* SPDX-License-Identifier: MIT */
/*
 * Interval timer: decide when a node begins each interval, and compute the numbers of the
 * intervals.
 *
 * What lives here: only the computation. The caller reads the clock and handles the interrupts by
 * which nodes call each other. The present node with the lowest number leads. When an interval is
 * due, the leading node begins it and calls the other nodes, which begin the same interval when
 * they are called. If no call arrives, a node begins the interval by itself, half an interval late.
 * No node waits for another node.
 */
#ifndef LIB_EXCHANGE_INTERVAL_TIMER_H
#define LIB_EXCHANGE_INTERVAL_TIMER_H

#include <stdint.h>

/**
 * struct interval_timer - A node's intervals.
 * @number: number of the current interval; 0: no interval has begun
 * @due_ns: time at which the next interval begins, by this node's clock
 * @interval_ns: nominal length of an interval
 */
struct interval_timer {
	uint64_t number;
	uint64_t due_ns;
	uint64_t interval_ns;
};

/**
 * interval_timer_wake_ns() - Get the latest time at which the caller must call beat_next() if no
 * call of another node arrives before.
 * @leads: this node leads
 */
uint64_t interval_timer_wake_ns(const struct interval_timer *timer, int leads);

/**
 * interval_timer_next() - Handle a call of the leading node, or the time of beat_wake_ns().
 * @now_ns: the present time by this node's clock
 * @leads: this node leads
 * @called: the leading node has called since the last beat_next()
 * @begun: the latest interval that another node has begun; 0: not known
 *
 * Return: 1 if the next interval begins, with the number @timer->number; 0 if no interval begins
 * yet.
 */
int interval_timer_next(struct interval_timer *timer, uint64_t now_ns, int leads, int called,
			uint64_t begun);

#endif /* LIB_EXCHANGE_INTERVAL_TIMER_H */
