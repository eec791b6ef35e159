/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Handles trylock if threads take turns. This file may use preload.h.
 *
 * Simulated time decides whether a lock is free, so the result is the same in every run. On the
 * host, a thread can be ahead of its simulated clock. It can have released a lock that it still
 * holds in simulated time. In this case, trylock fails although the lock is free on the host. C11
 * permits this: mtx_trylock() may fail at any time. But if a thread has waited in the kernel
 * before, for example for a message that the lock is free, it may rely on success. In this case,
 * and for semaphores, the host decides, and the library reports that the result depends on the
 * host.
 */
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "run/preload/base/preload.h"

/*
 * A thread's trylocks can fail repeatedly because the owner never releases the lock in simulated
 * time. If they fail for TRY_PATIENCE, without a pause longer than TRY_PAUSE between two of them,
 * the host decides whether the lock is free. After the first such case in a process, the limit is
 * TRY_PATIENCE_LATER.
 */
#define TRY_PATIENCE 1000000000U /* ns */
#define TRY_PATIENCE_LATER 10000000U
#define TRY_PAUSE 1000000000U
#define TRY_YIELDS 10000U

static uint64_t try_now(void)
{
	struct timespec now;

	/*
	 * By the last argument, the tracer knows that this is not a system call of the program, as
	 * in trace_ask_id().
	 */
	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now, STREAM_CALL);
	/* Add 1, so that the result is never 0. */
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec + 1;
}

/* Return whether the thread's trylocks have failed for so long that the host must decide. */
static bool try_in_vain(void)
{
	static atomic_bool waited;
	uint64_t now = try_now();

	if (now - trace_self.refused_last > TRY_PAUSE)
		trace_self.refused_first = now;
	trace_self.refused_last = now;
	if (now - trace_self.refused_first < (waited ? TRY_PATIENCE_LATER : TRY_PATIENCE))
		return false;
	waited = true;
	trace_self.refused_last = 0;
	return true;
}

enum trace_tried trace_try(uint64_t id, uint64_t how)
{
	volatile uint32_t turn = 0, answer = STREAM_ANSWER_NONE;

	trace_frames_here();
	trace_call(STREAM_CALL_ACQUIRE, id, how | STREAM_TRY, (uint64_t)(uintptr_t)&turn,
		   (uint64_t)(uintptr_t)&answer, 0);
	trace_await(&turn);
	if (answer == STREAM_ANSWER_NONE)
		return TRACE_FREE;
	trace_emit(STREAM_CALL_RESUME, 0, 0);
	if (answer == STREAM_ANSWER_TAKEN && !try_in_vain())
		return TRACE_BUSY;
	trace_chance(STREAM_CHANCE_TRY);
	return TRACE_HOST;
}

bool trace_try_again(unsigned *tries)
{
	if (!trace_turns || ++*tries == TRY_YIELDS)
		return false;
	trace_yield();
	return true;
}

void trace_try_ended(uint64_t id, bool taken)
{
	trace_emit(STREAM_CALL_ACQUIRED, id, 0);
	if (taken)
		return;
	trace_emit(STREAM_CALL_RELEASE, id, 0);
	trace_chance(STREAM_CHANCE_TRY);
}
