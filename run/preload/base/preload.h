/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Shared by the files of the preload library: whether there is a tracer, the state of the calling
 * thread, and the functions that report it.
 *
 * The library is loaded into the traced program by LD_PRELOAD and interposes functions of libc,
 * libgomp and libstdc++. Each calls the original and reports the call's effect on the order of
 * threads to the tracer. Without a tracer it only calls the original. The program must get the same
 * addresses in every run. The library therefore allocates nothing from the program's heap, except
 * for tasks, and a thread's first block, which is freed immediately.
 */
#ifndef RUN_PRELOAD_BASE_PRELOAD_H
#define RUN_PRELOAD_BASE_PRELOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/preload/base/tracer_call.h"
#include "run/preload/base/real_functions.h"

struct task;
struct team;

/**
 * struct trace_chunk - A chunk of a loop with ordered blocks.
 * @open: the thread is in a chunk with ordered blocks
 * @synced: all earlier chunks have ended
 * @start: first iteration of the loop
 * @end: one past the loop's last iteration
 * @beyond: @end rounded up to a whole number of steps; libgomp uses both
 * @first: first iteration of the chunk
 * @last: one past the chunk's last iteration
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
 * struct trace_thread - A thread's state.
 * @tid: the kernel's thread id; 0 until it is first needed
 * @number: number of the thread in the count of the process that created it; 0: the run's first
 *          thread
 * @stack: lowest address of the stack; 0 if unknown
 * @stack_end: one past the highest address of the stack
 * @team: the thread's OpenMP team, or NULL
 * @task: the OpenMP task that the thread executes; used only in a team
 * @rests: the thread has reported REST
 * @orders: the thread has its turn to allocate: see addresses.h
 * @in_allocator: the thread is in the allocator, so a signal handler must not wait
 * @placed: the thread is registered and has its arena
 * @chunk: chunk of the current loop
 * @nests: shape [@nests_count]: nested OpenMP locks that the thread holds, with their tasks, one
 *         entry for each time a lock was taken
 * @nests_lost: the thread held more nested locks than @nests can hold
 * @refused_first: time of the first of consecutive failed trylocks
 * @refused_last: time of the last of these trylocks
 * @sites: number of reported return addresses
 */
struct trace_thread {
	uint32_t tid;
	uint32_t number;
	uint64_t stack;
	uint64_t stack_end;
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

/* A thread reports the call site of this many of its first locks, since these decide its role. */
#define TRACE_SITES 32U

extern _Thread_local struct trace_thread trace_self;
extern bool trace_on; /* there is a tracer */
extern bool trace_turns; /* threads take turns: the tracer decides the order of locks */
extern bool trace_heap; /* heap blocks are reported */
extern bool trace_frames; /* stack frames are reported, because stacks count */
extern uint64_t trace_process; /* key of the first thread; 0: the first process of the run */

static inline void trace_emit(enum stream_call op, uint64_t a, uint64_t b)
{
	trace_call(op, a, b, 0, 0, 0);
}

/**
 * trace_start() - Find out whether there is a tracer, once. This library's constructor calls it. If
 * the constructor of another library, such as OpenBLAS's, creates a thread before that,
 * pthread_create() calls it.
 */
void trace_start(void);

/**
 * trace_announced() - Return: whether the environment reports a tracer. It does so until
 * trace_start().
 */
bool trace_announced(void);

/**
 * trace_ask_id() - Get an id: SYS_getpid or SYS_gettid.
 *
 * The argument, which the kernel ignores, tells the tracer that the call is not the program's.
 */
static inline uint32_t trace_ask_id(long call)
{
	return (uint32_t)syscall(call, STREAM_CALL);
}

/**
 * trace_tid() - Return the calling thread's id, as in a mutex's owner field.
 */
uint32_t trace_tid(void);

/**
 * trace_id() - Return the identity of a lock or barrier.
 * @object: its address
 * @shared: whether several processes share it
 *
 * The identity of a shared object is its address, since shared memory has the same address in all
 * processes. A private object has the same address in child processes, too. In a child its identity
 * is therefore a different number, with bit 47 set, which no address of a program has.
 */
uint64_t trace_id(const void *object, bool shared);

/**
 * trace_frames_emit() - Report the functions on the thread's stack. It is called when threads
 * begin, meet or wait, since other threads can access only data on this stack that exists at such a
 * moment.
 * @enters: the function that the caller calls next, or NULL
 */
void trace_frames_emit(const void *enters);

static inline void trace_frames_here(void)
{
	if (trace_frames)
		trace_frames_emit(NULL);
}

/**
 * trace_await() - Wait for the thread's turn.
 * @turn: enum stream_turn as set by the call that requested the turn
 *
 * Signals are handled during the wait. Return: whether the turn was granted; if it was not, threads
 * take no more turns.
 */
static inline bool trace_await(volatile uint32_t *turn)
{
	while (!*turn)
		trace_emit(STREAM_CALL_AWAIT, (uint64_t)(uintptr_t)turn, 0);
	if (*turn == STREAM_TURN_NONE)
		trace_turns = false;
	return *turn == STREAM_TURN_GIVEN;
}

/* The same, as a cancellation point. The call returns at intervals to check for a cancellation. */
static inline bool trace_await_cancel(volatile uint32_t *turn)
{
	while (!*turn) {
		trace_emit(STREAM_CALL_AWAIT, (uint64_t)(uintptr_t)turn, 0);
		pthread_testcancel();
	}
	return trace_await(turn);
}

/* Report the return address of the program's call, before trace_want(). */
static inline void trace_site(const void *site)
{
	if (trace_self.sites >= TRACE_SITES)
		return;
	trace_self.sites++;
	trace_emit(STREAM_CALL_SITE, (uint64_t)(uintptr_t)site, 0);
}

/*
 * Request a lock and wait until the thread may take it. The caller then reports ACQUIRED.
 * @how: any of STREAM_SHARED and STREAM_OWN
 */
static inline void trace_want(uint64_t id, uint64_t how)
{
	volatile uint32_t turn = 0;

	trace_frames_here();
	if (!trace_turns) {
		trace_emit(STREAM_CALL_ACQUIRE, id, how);
		return;
	}
	trace_call(STREAM_CALL_ACQUIRE, id, how, (uint64_t)(uintptr_t)&turn, 0, 0);
	trace_await(&turn);
}

enum trace_tried {
	/*
	 * The lock is free in simulated time. Its holder may not have released it on the host yet:
	 * see trace_try_again(). The caller must then call trace_try_ended().
	 */
	TRACE_FREE,
	TRACE_BUSY, /* the lock is taken in simulated time; report nothing more */
	/* the host decides: the caller tries the lock and reports it as if there were no turns */
	TRACE_HOST,
};

/**
 * trace_try() - For trylock, ask whether a lock is free in simulated time, if threads take turns.
 * @how: any of STREAM_SHARED, STREAM_AGAIN, STREAM_OWN and STREAM_UNHELD
 */
enum trace_tried trace_try(uint64_t id, uint64_t how);

/**
 * trace_try_again() - Pause after a lock that is free in simulated time was taken on the host.
 * @tries: counter, initially 0
 *
 * Return: whether to try again.
 */
bool trace_try_again(unsigned *tries);

/**
 * trace_try_ended() - Report the result of a trylock.
 */
void trace_try_ended(uint64_t id, bool taken);

/* Report a lock that the thread has just taken, or is about to release without another report. */
static inline void trace_took(uint64_t id, bool shared)
{
	trace_emit(STREAM_CALL_ACQUIRE, id, trace_turns ? shared | STREAM_TAKEN : shared);
	trace_emit(STREAM_CALL_ACQUIRED, id, 0);
}

/* Report that the host decides the thread's next step. */
static inline void trace_chance(enum stream_chance chance)
{
	if (trace_turns)
		trace_emit(STREAM_CALL_CHANCE, chance, 0);
}

/**
 * trace_processors() - Return the number of the machine's processors, one for each node; 0 without
 * a tracer.
 */
unsigned int trace_processors(void);

/**
 * process_start() - Initialise at the beginning of the program: see process.c.
 */
void process_start(void);

static inline uint64_t trace_address(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

#endif /* RUN_PRELOAD_BASE_PRELOAD_H */
