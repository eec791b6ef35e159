/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * OpenMP as GCC compiles it: handles parallel regions and the barriers in them. This file may use
 * preload.h, gomp.h and addresses.h.
 *
 * The library reports a team as a barrier: the threads of the team meet at the beginning of the
 * region and at its end. libgomp creates its threads only once, and they wait for work between two
 * regions. The records CREATE and JOIN cannot describe such a wait. If threads take turns, the
 * library reports the wait by a record REST; otherwise, the tracer sees the system call that waits.
 * After the wait, the thread reaches the barrier at the beginning of the next region, so the replay
 * does not depend on how the thread has waited.
 *
 * Before the threads of a team reach a barrier, they execute all explicit tasks (see task_pool.h).
 * If a region may be cancelled, not all threads reach its barrier. For such a region, the library
 * does not report the barrier, and the tracer sees only the system call that waits.
 */
#include "run/preload/memory/addresses.h"
#include "run/preload/openmp/gomp.h"
#include "run/preload/base/preload.h"

/*
 * Report that all threads of the calling thread's team meet at a barrier. Return: true if this
 * thread must wait for other threads.
 */
static bool team_meet(const struct team *team)
{
	size_t threads = team_threads(team);

	if (threads > 1)
		trace_emit(STREAM_CALL_BARRIER, trace_id(team, false), threads);
	return threads > 1;
}

/*
 * Execute the team's tasks before a barrier, because no thread may leave the barrier before all
 * tasks are done.
 */
static void team_finish_tasks(struct team *team)
{
	if (team_pools(team))
		pool_meet(&team->pool, team_threads(team));
}

/*
 * Report the barrier, and report nothing more until the thread has left libgomp's barrier. Return:
 * true if the caller must report the end of this pause.
 */
static bool team_pause(void)
{
	bool reported;

	trace_frames_here();
	team_finish_tasks(trace_self.team);
	reported = trace_on && team_meet(trace_self.team);
	if (reported)
		trace_emit(STREAM_CALL_PAUSE, 0, 0);
	return reported;
}

static void team_resume(bool paused)
{
	if (paused)
		trace_emit(STREAM_CALL_RESUME, 0, 0);
}

/*
 * The team whose region this thread is creating, until the thread enters team_run(). By this
 * pointer, team_run() recognises the thread that creates the region, because libgomp passes the
 * same function and the same argument to all threads of a region.
 */
static _Thread_local struct team *team_leading;

/* The function that each thread of a region executes instead of the program's function. */
static void team_run(void *argument)
{
	struct team *team = argument, *outer = trace_self.team;
	struct task implicit = {0}, *task = trace_self.task;
	struct trace_chunk chunk = trace_self.chunk;
	bool leads = team_leading == team;

	team_leading = NULL;
	if (trace_self.rests || (leads && trace_turns))
		trace_emit(STREAM_CALL_RESUME, 0, 0);
	trace_self.rests = false;
	trace_self.team = team;
	trace_self.task = &implicit;
	trace_self.chunk.open = false;
	team_meet(team);
	addresses_thread();
	if (trace_frames)
		trace_frames_emit((const void *)(uintptr_t)team->function);
	team->function(team->data);
	team_finish_tasks(team);
	/*
	 * The thread that created the region has already met the other threads. libgomp lets it
	 * wait once more, and this second wait is not reported.
	 */
	if (team_meet(team) && leads) {
		team->paused = true;
		trace_emit(STREAM_CALL_PAUSE, 0, 0);
	} else if (!leads && trace_turns) {
		/*
		 * The structure of the team may no longer exist here, so do not access it. The
		 * threads of a nested region end with the region. Only the threads of an outermost
		 * region wait for the next region.
		 */
		trace_self.rests = GOMP(omp_get_level)() == 1;
		trace_emit(trace_self.rests ? STREAM_CALL_REST : STREAM_CALL_PAUSE, 0, 0);
	}
	trace_self.team = outer;
	trace_self.task = task;
	trace_self.chunk = chunk;
}

static void team_begin(struct team *team)
{
	trace_frames_here();
	team_leading = team;
	team->turns = trace_turns;
	/* Report nothing until libgomp has started the other threads. */
	if (team->turns)
		trace_emit(STREAM_CALL_PAUSE, 0, 0);
	pool_begin(&team->pool, team->turns && team_has_tasks());
}

/*
 * The code before and after a region. Between the two macros, team_run() and &team are passed to
 * libgomp instead of the program's function and its argument.
 */
#define TEAM_NEW(function_, data_)                                                                 \
	struct team team = {.function = (function_), .data = (data_)};                             \
                                                                                                   \
	team_begin(&team)
#define TEAM_END()                                                                                 \
	do {                                                                                       \
		team_resume(team.paused);                                                          \
		pool_end(&team.pool);                                                              \
	} while (0)

#define TEAM_ARGUMENTS void (*function)(void *), void *data, unsigned threads
#define TEAM_RANGE long start, long end, long increment

EXPORT void GOMP_parallel(TEAM_ARGUMENTS, unsigned flags);
EXPORT void GOMP_parallel(TEAM_ARGUMENTS, unsigned flags)
{
	if (!trace_on) {
		GOMP(GOMP_parallel)(function, data, threads, flags);
		return;
	}
	TEAM_NEW(function, data);
	GOMP(GOMP_parallel)(team_run, &team, threads, flags);
	TEAM_END();
}

EXPORT unsigned GOMP_parallel_reductions(TEAM_ARGUMENTS, unsigned flags);
EXPORT unsigned GOMP_parallel_reductions(TEAM_ARGUMENTS, unsigned flags)
{
	if (!trace_on)
		return GOMP(GOMP_parallel_reductions)(function, data, threads, flags);
	TEAM_NEW(function, data);
	team.reductions = *(void **)data;
	threads = GOMP(GOMP_parallel_reductions)(team_run, &team, threads, flags);
	TEAM_END();
	return threads;
}

EXPORT void GOMP_parallel_sections(TEAM_ARGUMENTS, unsigned count, unsigned flags);
EXPORT void GOMP_parallel_sections(TEAM_ARGUMENTS, unsigned count, unsigned flags)
{
	if (!trace_on) {
		GOMP(GOMP_parallel_sections)(function, data, threads, count, flags);
		return;
	}
	TEAM_NEW(function, data);
	GOMP(GOMP_parallel_sections)(team_run, &team, threads, count, flags);
	TEAM_END();
}

/*
 * Functions for loops that are combined with their region. TEAM_LOOP is for functions with a chunk
 * size, and TEAM_LOOP_RUNTIME for functions without one.
 */
#define TEAM_LOOP(name)                                                                            \
	EXPORT void name(TEAM_ARGUMENTS, TEAM_RANGE, long chunk, unsigned flags);                  \
	EXPORT void name(TEAM_ARGUMENTS, TEAM_RANGE, long chunk, unsigned flags)                   \
	{                                                                                          \
		if (!trace_on) {                                                                   \
			GOMP(name)(function, data, threads, start, end, increment, chunk, flags);  \
			return;                                                                    \
		}                                                                                  \
		TEAM_NEW(function, data);                                                          \
		GOMP(name)(team_run, &team, threads, start, end, increment, chunk, flags);         \
		TEAM_END();                                                                        \
	}

#define TEAM_LOOP_RUNTIME(name)                                                                    \
	EXPORT void name(TEAM_ARGUMENTS, TEAM_RANGE, unsigned flags);                              \
	EXPORT void name(TEAM_ARGUMENTS, TEAM_RANGE, unsigned flags)                               \
	{                                                                                          \
		if (!trace_on) {                                                                   \
			GOMP(name)(function, data, threads, start, end, increment, flags);         \
			return;                                                                    \
		}                                                                                  \
		TEAM_NEW(function, data);                                                          \
		GOMP(name)(team_run, &team, threads, start, end, increment, flags);                \
		TEAM_END();                                                                        \
	}

TEAM_LOOP(GOMP_parallel_loop_static)
TEAM_LOOP(GOMP_parallel_loop_dynamic)
TEAM_LOOP(GOMP_parallel_loop_guided)
TEAM_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
TEAM_LOOP(GOMP_parallel_loop_nonmonotonic_guided)
TEAM_LOOP_RUNTIME(GOMP_parallel_loop_runtime)
TEAM_LOOP_RUNTIME(GOMP_parallel_loop_nonmonotonic_runtime)
TEAM_LOOP_RUNTIME(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

/* Functions for constructs that end in a barrier. */
#define TEAM_BARRIER(name)                                                                         \
	EXPORT void name(void);                                                                    \
	EXPORT void name(void)                                                                     \
	{                                                                                          \
		bool paused = team_pause();                                                        \
                                                                                                   \
		GOMP(name)();                                                                      \
		team_resume(paused);                                                               \
	}

TEAM_BARRIER(GOMP_barrier)
TEAM_BARRIER(GOMP_loop_end)
TEAM_BARRIER(GOMP_sections_end)

/*
 * Functions for constructs that end in a barrier, in regions that a thread can cancel. If
 * OMP_CANCELLATION permits it, threads may leave the barrier early.
 */
#define TEAM_BARRIER_CANCEL(name)                                                                  \
	EXPORT bool name(void);                                                                    \
	EXPORT bool name(void)                                                                     \
	{                                                                                          \
		bool paused = trace_on && !GOMP(omp_get_cancellation)() && team_pause();           \
		bool cancelled = GOMP(name)();                                                     \
                                                                                                   \
		team_resume(paused);                                                               \
		return cancelled;                                                                  \
	}

TEAM_BARRIER_CANCEL(GOMP_barrier_cancel)
TEAM_BARRIER_CANCEL(GOMP_loop_end_cancel)
TEAM_BARRIER_CANCEL(GOMP_sections_end_cancel)

EXPORT void GOMP_workshare_task_reduction_unregister(bool cancelled);
EXPORT void GOMP_workshare_task_reduction_unregister(bool cancelled)
{
	bool paused = !cancelled && team_pause();

	GOMP(GOMP_workshare_task_reduction_unregister)(cancelled);
	team_resume(paused);
}

/*
 * libgomp's function returns NULL immediately to the one thread that must execute the block. The
 * thread that executes the block meets the other threads in GOMP_single_copy_end(), while they wait
 * for it in this function. If threads take turns, this function uses a single block and a barrier
 * instead, so that the turns decide which thread executes the block.
 */
EXPORT void *GOMP_single_copy_start(void);
EXPORT void *GOMP_single_copy_start(void)
{
	struct team *team = trace_self.team;
	void *data;

	if (team && team->turns && team_threads(team) > 1) {
		if (GOMP_single_start())
			return NULL;
		GOMP_barrier();
		return team->copied;
	}
	data = GOMP(GOMP_single_copy_start)();
	/* A result that is not NULL shows that this thread was one of the threads that waited. */
	if (data && trace_on)
		team_meet(team);
	return data;
}

EXPORT void GOMP_single_copy_end(void *data);
EXPORT void GOMP_single_copy_end(void *data)
{
	struct team *team = trace_self.team;
	bool paused;

	if (team && team->turns && team_threads(team) > 1) {
		team->copied = data;
		GOMP_barrier();
		return;
	}
	paused = team_pause();
	GOMP(GOMP_single_copy_end)(data);
	team_resume(paused);
}
