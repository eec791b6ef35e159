/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Locks that are only tried, where there are turns. It may use what preload.h names.
 *
 * Whether a lock is free is for the clocks to say, so that it is the same in each run. They may say no
 * where it is free in truth, since its owner is further on than its clock: so may any try fail, says
 * C11 of mtx_trylock(). A semaphore that is only tried is another matter: who has seen in another
 * way that it was posted counts on it. There the host decides, and that is told.
 */
#include <sched.h>
#include <time.h>

#include "emu/tracer/preload/preload.h"

#define TRY_PATIENCE 1000000000U /* ns */
#define TRY_YIELDS 100000U

static uint64_t try_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	/* Not 0. */
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec + 1;
}

bool trace_try(uint64_t id, uint64_t how)
{
	volatile uint32_t turn = 0;
	volatile uint64_t answer = 0;

	trace_frames_here();
	trace_call(STREAM_CALL_ACQUIRE, id, how | STREAM_TRY, (uint64_t)(uintptr_t)&turn,
		   (uint64_t)(uintptr_t)&answer, 0);
	trace_await(&turn);
	if (!answer) {
		trace_self.refused = 0;
		return true;
	}
	trace_tell(STREAM_CALL_RESUME, 0, 0);
	if (!trace_self.refused)
		trace_self.refused = try_now();
	return false;
}

bool trace_try_again(unsigned *tries)
{
	if (!trace_turns || ++*tries == TRY_YIELDS)
		return false;
	sched_yield();
	return true;
}

void trace_try_ended(uint64_t id, bool taken)
{
	trace_tell(STREAM_CALL_ACQUIRED, id, 0);
	if (taken)
		return;
	trace_tell(STREAM_CALL_RELEASE, id, 0);
	trace_chance(STREAM_CHANCE_TRY);
}

bool trace_try_host(void)
{
	if (try_now() - trace_self.refused < TRY_PATIENCE)
		return false;
	trace_self.refused = 0;
	trace_chance(STREAM_CHANCE_TRY);
	return true;
}
