// SPDX-License-Identifier: MIT
/*
 * Advise: waits for locks. See lib/analysis/advise/advise.h.
 *
 * What lives here: how much of the predicted time the program's threads wait for locks, if they
 * wait as long as recorded, in a sentence. How the prediction takes these waits is in predict.c.
 */
#include "lib/analysis/advise/advise.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

/* A share of the threads' time from which on waits are worth a sentence. */
#define LOCK_WAITS_NOTED 0.03

/* The predicted time of all threads. */
static double threads_cycles(const struct Monitor_advise *advise)
{
	const json_t *run = advise_recorded_run(advise), *thread;
	double all = 0;
	size_t i;

	json_array_foreach(json_object_get(run, "by_thread"), i, thread) all +=
		(double)(json_integer_value(json_object_get(thread, "end_cycle")) -
			 json_integer_value(json_object_get(thread, "begin_cycle")));
	return advise->time.now ? all * (double)advise->time.then / (double)advise->time.now : 0;
}

/* Where a lock is taken; what lies there; or its address. */
static void place_put(struct Monitor *mon, const json_t *lock, char *text)
{
	uint64_t address = (uint64_t)json_integer_value(json_object_get(lock, "lock"));
	uint64_t site = (uint64_t)json_integer_value(json_object_get(lock, "site"));
	struct Monitor_place place;

	if (site && !Monitor_call_name(mon, site, text) && *text)
		return;
	if (!Monitor_variable_find(mon, address, &place))
		snprintf(text, MONITOR_NAME_BYTES, "%s", place.name);
	else
		snprintf(text, MONITOR_NAME_BYTES, "0x%" PRIx64, address);
}

int advise_lock_waits(const struct Monitor_advise *advise, char *text, size_t bytes)
{
	const json_t *waits = json_object_get(advise_recorded_run(advise), "lock_waits");
	const json_t *lock = json_array_get(json_object_get(waits, "locks"), 0);
	double all = threads_cycles(advise);
	double share = (double)json_integer_value(json_object_get(waits, "cycles")) / all;
	char place[MONITOR_NAME_BYTES] = "";

	if (!advise->sums.moved || all <= 0 || share < LOCK_WAITS_NOTED || !lock)
		return 0;
	place_put(advise->mon, lock, place);
	snprintf(text, bytes,
		 "threads wait for locks for %.0f%% of the predicted time, most of that at %s: it "
		 "is taken from the recorded run, since what a placement changes there is not "
		 "predicted; the range has shorter and longer waits",
		 100 * share, place);
	return 1;
}
