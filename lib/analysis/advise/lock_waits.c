// SPDX-License-Identifier: MIT
/*
 * Advise: describes how long threads wait for locks. See lib/analysis/advise/advise.h.
 *
 * What lives here: the function that writes for how much of the predicted time the program's
 * threads wait for locks. It assumes that they wait as long as in the recorded run. prediction.c
 * includes these waits in the predicted time.
 */
#include "lib/analysis/advise/advise.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

/*
 * A sentence about waits for locks is written only if they take at least this share of the threads'
 * time.
 */
#define LOCK_WAITS_NOTED 0.03

/* Get the predicted time of all threads. */
static double threads_cycles(const struct Monitor_advise *advise)
{
	double all = 0;

	for (size_t i = 0; i < advise->run.by_thread.count; i++)
		all += (double)advise->run.by_thread.at[i].end_cycle -
		       (double)advise->run.by_thread.at[i].begin_cycle;
	return advise->time.now ? all * (double)advise->time.then / (double)advise->time.now : 0;
}

/*
 * Write the source line that takes a lock. If the line is not known, write the data at the lock's
 * address. If the data is not known, write the address.
 */
static void place_put(struct Monitor *mon, const struct run_facts_lock *lock, char *text)
{
	struct Monitor_place place;

	if (lock->site && !Monitor_call_name(mon, lock->site, text) && *text)
		return;
	if (!Monitor_variable_find(mon, lock->lock, &place))
		snprintf(text, MONITOR_NAME_BYTES, "%s", place.name);
	else
		snprintf(text, MONITOR_NAME_BYTES, "0x%" PRIx64, lock->lock);
}

int advise_lock_waits(const struct Monitor_advise *advise, char *text, size_t bytes)
{
	double all = threads_cycles(advise);
	double share = (double)advise->run.lock_waits.cycles / all;
	char place[MONITOR_NAME_BYTES] = "";

	if (!advise->sums.moved || all <= 0 || share < LOCK_WAITS_NOTED ||
	    !advise->run.lock_waits.locks.count)
		return 0;
	place_put(advise->mon, advise->run.lock_waits.locks.at, place);
	snprintf(text, bytes,
		 "threads wait for locks for %.0f%% of the predicted time, mostly at %s: these "
		 "waits are taken from the recorded run, since the effect of a placement on them "
		 "is not predicted; the range has shorter and longer waits",
		 100 * share, place);
	return 1;
}
