/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Declarations that the source files of the preload library share.
 *
 * What lives here: variables that show whether there is a tracer, the state of the calling thread,
 * and the functions that send reports to the tracer. The library is loaded into the traced program
 * by LD_PRELOAD. It interposes functions of libc, libgomp and libstdc++. Each of these functions
 * calls the real function, and reports the call's effect on the order of threads to the tracer. If
 * there is no tracer, the function only calls the real function.
 *
 * The program must get the same addresses in each run. The library therefore allocates no memory
 * from the program's heap, with two exceptions: memory for tasks, and a block that each thread
 * allocates when it begins and frees immediately.
 */
#ifndef RUN_PRELOAD_BASE_PRELOAD_H
#define RUN_PRELOAD_BASE_PRELOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "run/preload/base/tracer_call.h"
#include "run/preload/base/real_functions.h"

struct task;
struct team;

/**
 * struct trace_chunk - A chunk of a loop with ordered blocks.
 * @open: the thread executes a chunk with ordered blocks
 * @synced: all earlier chunks have ended
 * @start: first iteration of the loop
 * @end: one past the last iteration of the loop
 * @beyond: @end, rounded up to a whole number of steps. libgomp uses both values
 * @first: first iteration of the chunk
 * @last: one past the last iteration of the chunk
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
 * struct trace_thread - The state of a thread.
 * @tid: the kernel's id of the thread; 0 until it is first needed
 * @number: number of the thread among all threads and processes that the process of its creator had
 *          created; 0: the first thread of the run
 * @stack: lowest address of the stack; 0 if unknown
 * @stack_end: one past the highest address of the stack
 * @team: the OpenMP team of the thread, or NULL
 * @task: the OpenMP task that the thread executes; used only in a team
 * @rests: the thread has reported REST
 * @orders: the thread has a turn to allocate memory: see addresses.h
 * @in_allocator: the thread executes code of the allocator, so a signal handler must not wait
 * @placed: the thread is registered and has an arena
 * @chunk: the chunk of the current loop
 * @nests: the nested OpenMP locks that the thread holds, each with its task. A lock has one entry
 *         for each time that the thread has taken it; shape [@nests_count]
 * @nests_count: number of entries of @nests
 * @nests_lost: the thread held more nested locks than @nests has room for
 * @refused_first: time of the first of several consecutive calls of trylock that have failed
 * @refused_last: time of the last of these calls
 * @sites: number of return addresses that the thread has reported
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

/*
 * For this number of locks from its first lock on, a thread reports the return address of the call.
 * These locks can decide the role of the thread.
 */
#define TRACE_SITES 32U

extern _Thread_local struct trace_thread trace_self;
extern bool trace_on; /* there is a tracer */
extern bool trace_turns; /* threads take turns: the schedule decides the order of locks */
extern bool trace_heap; /* blocks of the heap are reported */
extern bool trace_frames; /* stack frames are reported, because accesses to stacks are counted */
/* key of the process's first thread; 0: this is the first process of the run */
extern uint64_t trace_process;

static inline void trace_emit(enum stream_call op, uint64_t a, uint64_t b)
{
	trace_call(op, a, b, 0, 0, 0);
}

/**
 * trace_start() - Find out whether there is a tracer. Only the first call has an effect. The
 * constructor of this library calls this function. pthread_create() also calls it, because the
 * constructor of another library, such as OpenBLAS, may run first and create a thread.
 */
void trace_start(void);

/**
 * trace_announced() - Check whether the environment shows that there is a tracer. The result is
 * valid only before the first call of trace_start().
 */
bool trace_announced(void);

/**
 * trace_ask_id() - Get an id from the kernel.
 * @call: SYS_getpid or SYS_gettid
 *
 * The system call has an additional argument, which the kernel ignores. By this argument, the
 * tracer distinguishes calls of the library from calls of the program.
 */
static inline uint32_t trace_ask_id(long call)
{
	return (uint32_t)syscall(call, STREAM_CALL);
}

/**
 * trace_yield() - Let other threads run, while the library waits for one of them. As in
 * trace_ask_id(), the tracer recognises the call by its additional argument.
 */
static inline void trace_yield(void)
{
	syscall(SYS_sched_yield, STREAM_CALL);
}

/**
 * trace_tid() - Get the kernel's id of the calling thread. The owner field of a mutex contains this
 * id.
 */
uint32_t trace_tid(void);

/**
 * trace_id() - Get the identity of a lock or barrier.
 * @object: its address
 * @shared: several processes share it
 *
 * The identity of a shared object is its address, because shared memory has the same address in all
 * processes. A private object in a child process has the same address as in the parent, although it
 * is another object. In a child, the identity of a private object is therefore a number in which
 * bit 47 is set. Bit 47 is never set in an address of a program.
 */
uint64_t trace_id(const void *object, bool shared);

/**
 * trace_frames_emit() - Report the functions on the thread's stack. The library calls this function
 * when a thread begins, meets other threads, or waits. Other threads can access data on the stack
 * only if it exists at such a moment.
 * @enters: the function that the thread is about to enter, or NULL
 */
void trace_frames_emit(const void *enters);

static inline void trace_frames_here(void)
{
	if (trace_frames)
		trace_frames_emit(NULL);
}

/**
 * trace_await() - Wait for the turn that the thread has requested. Signals are handled during the
 * wait.
 * @turn: enum stream_turn, set by the tracer
 *
 * Return: true if the thread has received its turn; false if threads no longer take turns.
 */
static inline bool trace_await(volatile uint32_t *turn)
{
	while (!*turn)
		trace_emit(STREAM_CALL_AWAIT, (uint64_t)(uintptr_t)turn, 0);
	if (*turn == STREAM_TURN_NONE)
		trace_turns = false;
	return *turn == STREAM_TURN_GIVEN;
}

/*
 * Wait for a turn as trace_await() does, but as a cancellation point. The function interrupts the
 * wait at intervals, in order to check for a cancellation.
 */
static inline bool trace_await_cancel(volatile uint32_t *turn)
{
	while (!*turn) {
		trace_emit(STREAM_CALL_AWAIT, (uint64_t)(uintptr_t)turn, 0);
		pthread_testcancel();
	}
	return trace_await(turn);
}

/* Report the return address of the program's call. Call this function before trace_want(). */
static inline void trace_site(const void *site)
{
	if (trace_self.sites >= TRACE_SITES)
		return;
	trace_self.sites++;
	trace_emit(STREAM_CALL_SITE, (uint64_t)(uintptr_t)site, 0);
}

/*
 * Request a lock, and wait until the thread may take it. The caller must then take the lock and
 * report STREAM_CALL_ACQUIRED.
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
	 * In simulated time, the lock is free. On the host, its holder may not have released it
	 * yet: see trace_try_again(). The caller must later call trace_try_ended().
	 */
	TRACE_FREE,
	/* In simulated time, the lock is taken. The caller must not report anything more. */
	TRACE_BUSY,
	/*
	 * The host decides. The caller tries to take the lock, and reports the lock as if threads
	 * took no turns.
	 */
	TRACE_HOST,
};

/**
 * trace_try() - If threads take turns, find out whether a lock is free in simulated time. Call this
 * function before a trylock.
 */
enum trace_tried trace_try(uint64_t id, uint64_t how);

/**
 * trace_try_again() - Pause before the next attempt to take a lock. Call this function if the lock
 * is free in simulated time, but could not be taken on the host.
 * @tries: number of tries, 0 at first
 *
 * Return: true if the caller should try again.
 */
bool trace_try_again(unsigned *tries);

/**
 * trace_try_ended() - Report the result of a trylock after TRACE_FREE.
 */
void trace_try_ended(uint64_t id, bool taken);

/*
 * Report a lock that the thread has just taken without a turn, or that it is about to release and
 * has not reported.
 */
static inline void trace_took(uint64_t id, bool shared)
{
	trace_emit(STREAM_CALL_ACQUIRE, id, trace_turns ? shared | STREAM_TAKEN : shared);
	trace_emit(STREAM_CALL_ACQUIRED, id, 0);
}

/* Report that the host decides the next step of the thread. */
static inline void trace_chance(enum stream_chance chance)
{
	if (trace_turns)
		trace_emit(STREAM_CALL_CHANCE, chance, 0);
}

/**
 * trace_processors() - Get the number of processors of the emulated machine. The machine has one
 * processor for each node. The result is 0 if there is no tracer.
 */
unsigned int trace_processors(void);

/**
 * trace_node() - Get the node on which this thread runs, which is also the number of its processor.
 * @nodes: the result of trace_processors()
 */
unsigned int trace_node(unsigned int nodes);

/**
 * handlers_start() - Report the function that calls the program's signal handlers: see handlers.c.
 * Call this function at the beginning of the program.
 */
void handlers_start(void);

/**
 * process_start() - Initialise process.c. Call this function at the beginning of the program.
 */
void process_start(void);

static inline uint64_t trace_address(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

#endif /* RUN_PRELOAD_BASE_PRELOAD_H */
