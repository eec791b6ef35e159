/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Handles threads: their creation, their beginning, and joins. This file may use preload.h,
 * thread_table.h and addresses.h.
 *
 * The library reports CREATE only after the thread was created, because the creation can fail. For
 * this reason, CREATE can follow the thread's BEGIN in real time. If the reader of the records
 * finds an unknown key, it waits for the CREATE of this key. The library reports JOIN before the
 * thread waits, so that other threads can continue in the replay.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "run/preload/memory/addresses.h"
#include "run/preload/base/thread_table.h"
#include "run/preload/base/preload.h"

#define THREAD_PAGE 4096UL
#define THREAD_STARTS 1024U

/*
 * The data for the start of a new thread. It is in a pool, because if malloc() allocated it, the
 * addresses of the program's own blocks would depend on which thread is faster.
 */
struct thread_start {
	atomic_bool used;
	/*
	 * The structure belongs to the creating thread and to the new thread. The last of the two
	 * that uses the structure frees it.
	 */
	atomic_uint users;
	atomic_uint named; /* enum thread_named */
	bool joinable;
	void *(*routine)(void *);
	thrd_start_t c11;
	void *argument;
	uint64_t key;
	uint64_t stack; /* 0: the stack is directly below the thread's descriptor */
	uint64_t stack_bytes;
	/* whether libgomp creates the thread; such a thread waits until its region begins */
	bool rests;
	bool masks; /* whether the thread's signals are blocked until it has begun */
	sigset_t mask; /* the thread's signal mask after it has begun */
};
static struct thread_start thread_starts[THREAD_STARTS];

enum thread_named {
	THREAD_NAMELESS,
	THREAD_NAMING,
	THREAD_NAMED,
};

static struct thread_start *thread_start_new(void)
{
	struct thread_start *start;

	for (size_t i = 0; i < THREAD_STARTS; i++)
		if (!atomic_exchange(&thread_starts[i].used, true))
			return &thread_starts[i];
	start = NEXT(malloc)(sizeof(*start));
	return start;
}

static void thread_start_begin(struct thread_start *start, bool joinable)
{
	start->key = keys_new();
	start->joinable = joinable;
	atomic_store(&start->users, 2);
	atomic_store(&start->named, THREAD_NAMELESS);
}

static void thread_start_free(struct thread_start *start)
{
	if (start >= thread_starts && start < thread_starts + THREAD_STARTS)
		atomic_store(&start->used, false);
	else
		NEXT(free)(start);
}

static void thread_start_leave(struct thread_start *start)
{
	if (atomic_fetch_sub(&start->users, 1) == 1)
		thread_start_free(start);
}

/*
 * Enter the key of a thread under the thread's handle, exactly once. Either the creator or the
 * thread itself can be the first to need the entry, because the thread may detach itself. The
 * thread waits here until the key was entered, and executes no code of the program before. For this
 * reason, it cannot free the memory that contains the handle while the creator reads the handle.
 */
static void thread_name(struct thread_start *start, const pthread_t *name)
{
	unsigned named = THREAD_NAMELESS;

	if (!start->joinable)
		return;
	if (atomic_compare_exchange_strong(&start->named, &named, THREAD_NAMING)) {
		keys_enter((uint64_t)*name, start->key);
		atomic_store(&start->named, THREAD_NAMED);
	}
	while (atomic_load(&start->named) != THREAD_NAMED)
		trace_yield();
}

/*
 * Block all signals until thread_unmask() is called, and in the new thread until it has begun.
 * Otherwise, a signal handler could wait for another thread before CREATE or BEGIN was reported,
 * and the records of the handler would precede CREATE or BEGIN.
 */
static void thread_mask(struct thread_start *start, const pthread_attr_t *attributes)
{
	sigset_t all;

	start->masks = !attributes ||
		       pthread_attr_getsigmask_np(attributes, &all) == PTHREAD_ATTR_NO_SIGMASK_NP;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &start->mask);
}

static void thread_unmask(const sigset_t *mask)
{
	pthread_sigmask(SIG_SETMASK, mask, NULL);
}

static void thread_stack(struct thread_start *start, const pthread_attr_t *attributes)
{
	pthread_attr_t usual;
	void *stack;

	start->stack = 0;
	start->stack_bytes = 0;
	if (attributes) {
		/*
		 * If the attributes contain no stack, the address of the stack is 0 minus its size.
		 */
		if (!pthread_attr_getstack(attributes, &stack, &start->stack_bytes) &&
		    trace_address(stack) + start->stack_bytes != 0)
			start->stack = trace_address(stack);
		else
			pthread_attr_getstacksize(attributes, &start->stack_bytes);
	} else if (!pthread_attr_init(&usual)) {
		pthread_attr_getstacksize(&usual, &start->stack_bytes);
		pthread_attr_destroy(&usual);
	}
}

/* Report that the thread begins, and free the start data. Return: a copy of the start data. */
static struct thread_start thread_enter(struct thread_start *start)
{
	pthread_t self = pthread_self();
	struct thread_start copy;

	thread_name(start, &self);
	copy = *start;
	thread_start_leave(start);
	trace_self.number = keys_number(copy.key);
	trace_self.stack = copy.stack;
	trace_self.stack_end = copy.stack + copy.stack_bytes;
	if (!copy.stack) {
		/*
		 * glibc puts the thread's descriptor, which is smaller than a page, at the top of
		 * the stack.
		 */
		trace_self.stack_end = (uint64_t)self + THREAD_PAGE - 1;
		trace_self.stack_end &= ~(THREAD_PAGE - 1);
		trace_self.stack = trace_self.stack_end - copy.stack_bytes;
	}
	trace_call(STREAM_CALL_BEGIN, copy.key, trace_self.stack, trace_self.stack_end, 0, 0);
	if (copy.masks)
		thread_unmask(&copy.mask);
	/*
	 * A thread of libgomp does nothing else before it enters its region. The replay and the
	 * thread's creator wait for it there.
	 */
	trace_self.rests = copy.rests;
	if (copy.rests)
		trace_emit(STREAM_CALL_PAUSE, 0, 0);
	else
		addresses_thread();
	return copy;
}

/*
 * Check whether libgomp creates the thread for a team. Such a thread meets the other threads of the
 * team when a region begins (see gomp.c).
 */
static bool thread_rests(const void *caller)
{
	Dl_info info;
	bool found;

	if (!trace_turns)
		return false;
	/* Report a pause, so that waits of dladdr() are not reported, as in next_lookup(). */
	trace_emit(STREAM_CALL_PAUSE, 0, 0);
	found = dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "/libgomp.so");
	trace_emit(STREAM_CALL_RESUME, 0, 0);
	return found;
}

static void *thread_begin(void *argument)
{
	struct thread_start start = thread_enter(argument);
	void *result;

	if (trace_frames)
		trace_frames_emit((const void *)(uintptr_t)start.routine);
	result = start.routine(start.argument);
	/* Prevent a tail call, because it would remove this function's frame. */
	__asm__ volatile("" : : : "memory");
	return result;
}

static int thread_begin_c11(void *argument)
{
	struct thread_start start = thread_enter(argument);
	int result;

	if (trace_frames)
		trace_frames_emit((const void *)(uintptr_t)start.c11);
	result = start.c11(start.argument);
	__asm__ volatile("" : : : "memory");
	return result;
}

/* Report that a thread was created. The creator calls this function after the creation. */
static void thread_made(struct thread_start *start, const pthread_t *name)
{
	uint64_t key = start->key;

	thread_name(start, name);
	thread_start_leave(start);
	trace_emit(STREAM_CALL_CREATE, key, 0);
}

EXPORT int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
			  void *(*routine)(void *), void *restrict argument)
{
	int detached = PTHREAD_CREATE_JOINABLE, error;
	struct thread_start *start;
	sigset_t mask;
	bool turn;

	trace_start();
	start = trace_on ? thread_start_new() : NULL;
	if (!start)
		return NEXT(pthread_create)(thread, attributes, routine, argument);
	trace_frames_here();
	if (attributes)
		pthread_attr_getdetachstate(attributes, &detached);
	thread_start_begin(start, detached == PTHREAD_CREATE_JOINABLE);
	start->routine = routine;
	start->argument = argument;
	start->rests = thread_rests(__builtin_return_address(0));
	thread_stack(start, attributes);
	addresses_several();
	turn = addresses_turn();
	thread_mask(start, attributes);
	mask = start->mask;
	error = NEXT(pthread_create)(thread, attributes, thread_begin, start);
	if (error)
		thread_start_free(start);
	else
		thread_made(start, thread);
	thread_unmask(&mask);
	addresses_turn_end(turn);
	return error;
}

EXPORT int thrd_create(thrd_t *thread, thrd_start_t routine, void *argument)
{
	struct thread_start *start;
	sigset_t mask;
	int result;
	bool turn;

	trace_start();
	start = trace_on ? thread_start_new() : NULL;
	if (!start)
		return NEXT(thrd_create)(thread, routine, argument);
	trace_frames_here();
	thread_start_begin(start, true);
	start->c11 = routine;
	start->argument = argument;
	start->rests = false;
	thread_stack(start, NULL);
	addresses_several();
	turn = addresses_turn();
	thread_mask(start, NULL);
	mask = start->mask;
	result = NEXT(thrd_create)(thread, thread_begin_c11, start);
	if (result != thrd_success)
		thread_start_free(start);
	else
		thread_made(start, thread);
	thread_unmask(&mask);
	addresses_turn_end(turn);
	return result;
}

/* A join that is in progress. */
struct thread_join {
	pthread_t thread;
	uint64_t key; /* 0: the thread has no key, or the call does not wait for the thread */
	int error; /* nonzero until the join has succeeded */
};

/* Begin a join. If the call waits for a thread that has a key, report the join. */
static struct thread_join thread_joins(pthread_t thread)
{
	struct thread_join join = {thread, 0, -1};

	if (!trace_on || pthread_equal(thread, pthread_self()))
		return join;
	/*
	 * Remove the key before the wait, because a new thread can get the same handle as soon as
	 * this thread has ended.
	 */
	join.key = keys_remove((uint64_t)thread);
	if (join.key) {
		trace_frames_here();
		trace_emit(STREAM_CALL_JOIN, join.key, 0);
		trace_emit(STREAM_CALL_PAUSE, 0, 0);
	}
	return join;
}

/* End a join. This is a cleanup handler, which also runs if the waiting thread is cancelled. */
static void thread_joined(void *argument)
{
	struct thread_join *join = argument;

	trace_emit(STREAM_CALL_RESUME, 0, 0);
	if (join->error)
		keys_enter((uint64_t)join->thread, join->key);
}

EXPORT int pthread_join(pthread_t thread, void **result)
{
	struct thread_join join = thread_joins(thread);

	if (!join.key)
		return NEXT(pthread_join)(thread, result);
	pthread_cleanup_push(thread_joined, &join);
	join.error = NEXT(pthread_join)(thread, result);
	pthread_cleanup_pop(1);
	return join.error;
}

EXPORT int thrd_join(thrd_t thread, int *result)
{
	struct thread_join join = thread_joins(thread);

	if (!join.key)
		return NEXT(thrd_join)(thread, result);
	pthread_cleanup_push(thread_joined, &join);
	join.error = NEXT(thrd_join)(thread, result);
	pthread_cleanup_pop(1);
	return join.error;
}

/*
 * Report a join that could time out, after it has succeeded. During the wait, the tracer sees the
 * system call that waits.
 */
static int thread_ended(pthread_t thread, int error)
{
	uint64_t key = trace_on && !error ? keys_remove((uint64_t)thread) : 0;

	if (key)
		trace_emit(STREAM_CALL_JOIN, key, 0);
	return error;
}

EXPORT int pthread_tryjoin_np(pthread_t thread, void **result)
{
	return thread_ended(thread, NEXT(pthread_tryjoin_np)(thread, result));
}

EXPORT int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until)
{
	return thread_ended(thread, NEXT(pthread_timedjoin_np)(thread, result, until));
}

EXPORT int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock,
				const struct timespec *until)
{
	return thread_ended(thread, NEXT(pthread_clockjoin_np)(thread, result, clock, until));
}

EXPORT int pthread_detach(pthread_t thread)
{
	if (trace_on)
		keys_remove((uint64_t)thread);
	return NEXT(pthread_detach)(thread);
}

EXPORT int thrd_detach(thrd_t thread)
{
	if (trace_on)
		keys_remove((uint64_t)thread);
	return NEXT(thrd_detach)(thread);
}
