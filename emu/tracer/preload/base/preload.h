/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What the files of the preload library share: whether there is a tracer, the calling thread, and
 * how it is reported.
 *
 * The library is loaded into the traced program by LD_PRELOAD and interposes functions of libc,
 * libgomp and libstdc++: each calls the original, and reports to the tracer what the call means for
 * the order of threads. Without a tracer it only calls the original. It allocates nothing from the
 * program's heap, except for tasks and a thread's first block, which is freed at once: the program
 * must get the same addresses in every run.
 */
#ifndef TRACER_PRELOAD_BASE_PRELOAD_H
#define TRACER_PRELOAD_BASE_PRELOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/tracer/preload/base/tracer_call.h"
#include "emu/tracer/preload/base/real_functions.h"

#define EXPORT __attribute__((visibility("default")))

struct task;
struct team;

/**
 * struct trace_chunk - A chunk of a loop whose iterations have blocks that follow one another
 * (ordered).
 * @open: the thread has such a chunk
 * @synced: all chunks before it are done
 * @start: of the loop
 * @end: one past its last iteration
 * @beyond: the same in whole steps: libgomp has both
 * @first: of the chunk
 * @last: one past its last iteration
 */
struct trace_chunk {
	bool open;
	bool synced;
	uint64_t start;
	uint64_t end;
	uint64_t beyond;
	uint64_t first;
	uint64_t last;
};

/**
 * struct trace_thread - What is known of a thread.
 * @tid: its number in the system, 0 if not asked for yet
 * @stack: lowest address of its stack, 0 if not known
 * @stack_end: one past the highest
 * @site: the caller of operator new, or the creator of a task, before malloc is called for that
 * @team: the OpenMP team it works in, or NULL
 * @task: the task of OpenMP that it executes: in a team, else not used
 * @rests: it has reported REST
 * @orders: it has its turn to get memory: see addresses.h
 * @in_allocator: it is in malloc() or the like: a handler that interrupts it must not wait
 * @placed: it is known to the tracer, and has its arena
 * @chunk: of the loop that it is in
 * @nests: nested locks of OpenMP that it holds, each as often as it was taken, and for which task:
 *         [@nests_count]
 * @nests_lost: it had more of them at a time than these
 * @refused_first: when a lock that it tried was not free, the first time of those in a row
 * @refused_last: the last time
 * @sites: calls of which the return address was reported
 */
struct trace_thread {
	uint32_t tid;
	uint64_t stack;
	uint64_t stack_end;
	const void *site;
	struct team *team;
	struct task *task;
	bool rests;
	bool orders;
	bool in_allocator;
	bool placed;
	struct trace_chunk chunk;
	struct {
		const void *lock;
		const struct task *task;
	} nests[8];
	unsigned nests_count;
	bool nests_lost;
	uint64_t refused_first;
	uint64_t refused_last;
	unsigned sites;
};

/* Of so many locks a thread reports where it takes them: what comes first decides its role. */
#define TRACE_SITES 32U

extern _Thread_local struct trace_thread trace_self;
extern bool trace_on; /* there is a tracer */
extern bool trace_turns; /* and locks go from thread to thread as it says */
extern bool trace_heap; /* and it is to know of malloc */
extern bool trace_frames; /* and of what functions the threads are in: stacks count */
extern uint64_t trace_process; /* key of this process's first thread; 0: it is the run's first */

static inline void trace_emit(enum stream_call op, uint64_t a, uint64_t b)
{
	trace_call(op, a, b, 0, 0, 0);
}

/**
 * trace_tid() - The calling thread's number, as in the owner of a mutex.
 */
uint32_t trace_tid(void);

/**
 * trace_id() - By what a lock or a barrier is known.
 * @object: it
 * @shared: whether it is for several processes
 *
 * The address, since all processes share what is in shared memory at the same address. What is
 * for one process alone is at the same address in its children: there the number is another one,
 * with bit 47, which no address of a program has.
 */
uint64_t trace_id(const void *object, bool shared);

/**
 * trace_frames_emit() - Report of the functions that the thread is in. Called where threads begin,
 * meet or wait: what others can reach on its stack is there then.
 * @enters: the function that the caller is about to call as its next, or NULL
 */
void trace_frames_emit(const void *enters);

static inline void trace_frames_here(void)
{
	if (trace_frames)
		trace_frames_emit(NULL);
}

/**
 * trace_await() - Wait for the thread's turn.
 * @turn: enum stream_turn as left by the call that reported the reason
 *
 * Signals are handled meanwhile. Return: whether the turn has come; else there are none any more.
 */
static inline bool trace_await(volatile uint32_t *turn)
{
	while (!*turn)
		trace_emit(STREAM_CALL_AWAIT, (uint64_t)(uintptr_t)turn, 0);
	if (*turn == STREAM_TURN_NONE)
		trace_turns = false;
	return *turn == STREAM_TURN_GIVEN;
}

/* The same where the thread can be cancelled while it waits: the call comes back now and then. */
static inline bool trace_await_cancel(volatile uint32_t *turn)
{
	while (!*turn) {
		trace_emit(STREAM_CALL_AWAIT, (uint64_t)(uintptr_t)turn, 0);
		pthread_testcancel();
	}
	return trace_await(turn);
}

/* Before trace_want(), the return address of the program's call. */
static inline void trace_site(const void *site)
{
	if (trace_self.sites >= TRACE_SITES)
		return;
	trace_self.sites++;
	trace_emit(STREAM_CALL_SITE, (uint64_t)(uintptr_t)site, 0);
}

/* Before the thread takes a lock: it waits here until that is its own. ACQUIRED must follow. */
static inline void trace_want(uint64_t id, bool shared)
{
	volatile uint32_t turn = 0;

	trace_frames_here();
	if (!trace_turns) {
		trace_emit(STREAM_CALL_ACQUIRE, id, shared);
		return;
	}
	trace_call(STREAM_CALL_ACQUIRE, id, shared, (uint64_t)(uintptr_t)&turn, 0, 0);
	trace_await(&turn);
}

enum trace_tried {
	/* It is the thread's in simulated time. Its holder releases it about now: see
	 * trace_try_again(). trace_try_ended() must follow. */
	TRACE_FREE,
	TRACE_BUSY, /* it is not: nothing follows */
	/* that is for the host to say: it is tried on the host, and reported as without turns */
	TRACE_HOST,
};

/**
 * trace_try() - Where there are turns: is a lock free in simulated time that the thread only tries?
 * @how: STREAM_SHARED, STREAM_AGAIN, both or neither
 */
enum trace_tried trace_try(uint64_t id, uint64_t how);

/**
 * trace_try_again() - A lock that is free in simulated time was not on the host.
 * @tries: 0 at first
 *
 * Return: whether to try it again.
 */
bool trace_try_again(unsigned *tries);

/**
 * trace_try_ended() - The thread has the lock, or the try has failed.
 */
void trace_try_ended(uint64_t id, bool taken);

/* A lock that the thread just got, or gives back before it has reported anything else. */
static inline void trace_took(uint64_t id, bool shared)
{
	trace_emit(STREAM_CALL_ACQUIRE, id, trace_turns ? shared | STREAM_TAKEN : shared);
	trace_emit(STREAM_CALL_ACQUIRED, id, 0);
}

/* What the thread does next is the host's making. */
static inline void trace_chance(enum stream_chance chance)
{
	if (trace_turns)
		trace_emit(STREAM_CALL_CHANCE, chance, 0);
}

/**
 * process_start() - At the beginning of the program: see process.c.
 */
void process_start(void);

static inline uint64_t trace_address(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

#endif /* TRACER_PRELOAD_BASE_PRELOAD_H */
