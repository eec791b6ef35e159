/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Decides the order in which threads get memory. See addresses.h.
 *
 * When a thread has ended, glibc gives its arena and its stack to the next new thread. If several
 * threads have ended, glibc reuses the arena and the stack that were freed last. A thread that has
 * reported its end can still be running, and only the kernel knows when it has really ended. For
 * this reason, a thread that gets a turn first waits until the thread that last reported its end no
 * longer exists.
 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run/preload/memory/addresses.h"
#include "run/preload/memory/arena.h"
#include "run/preload/base/preload.h"

/*
 * The largest number of times that a thread checks whether an ending thread still exists. The
 * thread yields between two checks. A few checks are sufficient, unless the ending thread is
 * stopped.
 */
#define ADDRESSES_LOOKS 100000U

static atomic_bool addresses_shared; /* whether the process has, or has had, several threads */
static _Atomic uint32_t addresses_ending; /* id of the thread that last reported its end */
static pthread_key_t addresses_key;
static bool addresses_keyed;

/*
 * The value of the thread's key addresses_key in the first round of destructors. If a destructor
 * sets a key again, libc runs another round of destructors.
 */
#define ADDRESSES_FIRST_ROUND ((void *)1)

static void addresses_await_end(void)
{
	uint32_t tid = atomic_load(&addresses_ending), pid = trace_ask_id(SYS_getpid);
	unsigned looks = 0;

	if (!tid || tid == trace_tid())
		return;
	while (looks++ < ADDRESSES_LOOKS && !syscall(SYS_tgkill, pid, tid, 0))
		trace_yield();
	atomic_compare_exchange_strong(&addresses_ending, &tid, 0);
}

bool addresses_ordered(void)
{
	return trace_turns && atomic_load_explicit(&addresses_shared, memory_order_relaxed) &&
	       arena_glibc();
}

bool addresses_turn(void)
{
	volatile uint32_t turn = 0;
	int saved = errno;

	/*
	 * In a signal handler, the thread must not wait if it is not registered yet, or if it holds
	 * locks of the heap.
	 */
	if (!addresses_ordered() || trace_self.orders || trace_self.in_allocator ||
	    !trace_self.placed)
		return false;
	trace_self.orders = true;
	trace_call(STREAM_CALL_ACQUIRE, trace_id(&addresses_shared, false),
		   STREAM_ORDER | STREAM_OWN, (uint64_t)(uintptr_t)&turn, 0, 0);
	trace_await(&turn);
	addresses_await_end();
	errno = saved;
	return true;
}

void addresses_turn_end(bool turn)
{
	uint64_t id = trace_id(&addresses_shared, false);

	if (!turn)
		return;
	trace_emit(STREAM_CALL_ACQUIRED, id, 0);
	trace_emit(STREAM_CALL_RELEASE, id, 0);
	trace_self.orders = false;
}

bool addresses_turn_block(size_t bytes, const void *site)
{
	bool turn;

	if (!addresses_ordered() || (bytes < ADDRESSES_LARGE && !arena_due(bytes, site)))
		return false;
	turn = addresses_turn();
	if (turn)
		arena_exchange();
	return turn;
}

void addresses_return(void *block, size_t bytes, const void *site)
{
	bool turn;

	if (!arena_return(block, bytes, site))
		return;
	turn = addresses_turn();
	arena_exchange();
	addresses_turn_end(turn);
}

/*
 * A destructor of the thread. It does its work in the last round of destructors, after all code of
 * the program in this thread.
 */
static void addresses_thread_ends(void *rounds)
{
	uintptr_t round = (uintptr_t)rounds;
	bool turn;

	if (round < PTHREAD_DESTRUCTOR_ITERATIONS &&
	    !pthread_setspecific(addresses_key, (void *)(round + 1)))
		return;
	turn = addresses_turn();
	if (turn) {
		arena_exchange();
		arena_leave();
		atomic_store(&addresses_ending, trace_tid());
	}
	addresses_turn_end(turn);
}

void addresses_start(void)
{
	arena_start();
	trace_self.placed = true;
	addresses_keyed = !pthread_key_create(&addresses_key, addresses_thread_ends);
	if (addresses_keyed)
		pthread_setspecific(addresses_key, ADDRESSES_FIRST_ROUND);
}

void addresses_several(void)
{
	if (!atomic_exchange(&addresses_shared, true) && !arena_glibc())
		trace_chance(STREAM_CHANCE_MEMORY);
}

void addresses_forked(void)
{
	atomic_store(&addresses_shared, false);
	trace_self.orders = false;
	arena_forked();
}

void addresses_thread(void)
{
	bool turn;

	if (trace_self.placed)
		return;
	trace_self.placed = true;
	turn = addresses_turn();
	if (!turn)
		return;
	if (!arena_enter())
		trace_chance(STREAM_CHANCE_MEMORY);
	addresses_turn_end(turn);
	if (addresses_keyed)
		pthread_setspecific(addresses_key, ADDRESSES_FIRST_ROUND);
}
