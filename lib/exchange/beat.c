// SPDX-License-Identifier: MIT
/*
 * Beat. See lib/exchange/beat.h.
 */
#include "lib/exchange/beat.h"

uint64_t beat_wake_ns(const struct beat *beat, int leads)
{
	return leads ? beat->due_ns : beat->due_ns + beat->interval_ns / 2;
}

int beat_next(struct beat *beat, uint64_t now_ns, int leads, int called, uint64_t begun)
{
	int calls = called && !leads;

	/*
	 * The leading node calls for an interval that this node has already begun by its own clock.
	 */
	if (calls && begun && begun <= beat->number) {
		beat->due_ns = now_ns + beat->interval_ns;
		return 0;
	}
	if (!calls && now_ns < beat_wake_ns(beat, leads))
		return 0;
	/*
	 * If this node was stopped, or has joined late, it continues with the interval of the other
	 * nodes.
	 */
	beat->number = begun > beat->number + 1 ? begun : beat->number + 1;
	/*
	 * If the node begins the interval by its own clock, add to the planned time, and not to the
	 * present time. One late interval then does not delay later intervals.
	 */
	beat->due_ns = calls ? now_ns + beat->interval_ns : beat->due_ns + beat->interval_ns;
	if (beat->due_ns <= now_ns)
		beat->due_ns = now_ns + beat->interval_ns;
	return 1;
}
