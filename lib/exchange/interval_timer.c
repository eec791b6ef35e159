// SPDX-License-Identifier: MIT
/*
 * Interval timer. See lib/exchange/interval_timer.h.
 */
#include "lib/exchange/interval_timer.h"

uint64_t interval_timer_wake_ns(const struct interval_timer *timer, int leads)
{
	return leads ? timer->due_ns : timer->due_ns + timer->interval_ns / 2;
}

int interval_timer_next(struct interval_timer *timer, uint64_t now_ns, int leads, int called,
			uint64_t begun)
{
	int calls = called && !leads;

	/*
	 * The call is for an interval that this node has already begun by its own clock.
	 */
	if (calls && begun && begun <= timer->number) {
		timer->due_ns = now_ns + timer->interval_ns;
		return 0;
	}
	if (!calls && now_ns < interval_timer_wake_ns(timer, leads))
		return 0;
	/*
	 * A node that was stopped, or has joined late, continues with the interval of the other
	 * nodes.
	 */
	timer->number = begun > timer->number + 1 ? begun : timer->number + 1;
	/*
	 * If the node begins the interval by its own clock, keep the planned times, so that one
	 * late interval does not delay later intervals.
	 */
	timer->due_ns = calls ? now_ns + timer->interval_ns : timer->due_ns + timer->interval_ns;
	if (timer->due_ns <= now_ns)
		timer->due_ns = now_ns + timer->interval_ns;
	return 1;
}
