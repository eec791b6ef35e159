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
	 * This node has begun the interval before the call arrived: it is already in this interval.
	 */
	if (calls && begun && begun <= beat->number) {
		beat->due_ns = now_ns + beat->interval_ns;
		return 0;
	}
	if (!calls && now_ns < beat_wake_ns(beat, leads))
		return 0;
	/* A node that was stopped, or has joined later, continues at the interval of the others. */
	beat->number = begun > beat->number + 1 ? begun : beat->number + 1;
	/*
	 * A beat by the own clock keeps the planned times, so that a late beat does not delay later
	 * beats.
	 */
	beat->due_ns = calls ? now_ns + beat->interval_ns : beat->due_ns + beat->interval_ns;
	if (beat->due_ns <= now_ns)
		beat->due_ns = now_ns + beat->interval_ns;
	return 1;
}
