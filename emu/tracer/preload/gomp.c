/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * OpenMP as GCC compiles it: parallel regions and the barriers in them. It may use what preload.h and
 * gomp.h name.
 *
 * A team is a barrier for its threads: one at the region's begin and one at its end, for libgomp's
 * threads are made once and wait for work between the regions, which CREATE and JOIN cannot tell.
 * Those waits can be seen by the tracer or, where there are turns, are told (REST); what such a
 * thread does next is come to the barrier at the begin of a region, so that nothing depends on how
 * it waited.
 *
 * Explicit tasks and the order of `ordered` are told by their waiting alone. A barrier inside of a
 * region that may be cancelled is, too: not all threads come to it.
 */
#include "emu/tracer/preload/gomp.h"
#include "emu/tracer/preload/preload.h"

/**
 * struct team - A parallel region, on the stack of the thread that began it.
 * @reductions: first word of @data, where GOMP_parallel_reductions() looks for it, or NULL
 * @function: what each thread runs
 * @data: its argument
 * @paused: the thread that began it has told PAUSE
 */
struct team {
	void *reductions;
	void (*function)(void *);
	void *data;
	bool paused;
};

/* All threads of the calling thread's team meet. Return: whether there is anything to wait for. */
static bool team_meet(const struct team *team)
{
	int threads = team ? GOMP(omp_get_num_threads)() : 1;

	if (threads > 1)
		trace_tell(STREAM_CALL_BARRIER, trace_id(team, false), (uint64_t)threads);
	return threads > 1;
}

/* Around a barrier of libgomp. */
static bool team_pause(void)
{
	bool told;

	trace_frames_here();
	told = trace_on && team_meet(trace_self.team);
	if (told)
		trace_tell(STREAM_CALL_PAUSE, 0, 0);
	return told;
}

static void team_resume(bool paused)
{
	if (paused)
		trace_tell(STREAM_CALL_RESUME, 0, 0);
}

/*
 * libgomp gives the same function to all threads of a region. Who began it stands here until it has
 * come to that function.
 */
static _Thread_local struct team *team_leading;

/* What each thread of a region runs in place of the program's function. */
static void team_run(void *argument)
{
	struct team *team = argument, *outer = trace_self.team;
	bool leads = team_leading == team;

	team_leading = NULL;
	if (trace_self.rests || (leads && trace_turns))
		trace_tell(STREAM_CALL_RESUME, 0, 0);
	trace_self.rests = false;
	trace_self.team = team;
	team_meet(team);
	if (trace_frames)
		trace_frames_tell((const void *)(uintptr_t)team->function);
	team->function(team->data);
	/* Who leads has met the others here; libgomp has it wait once more. */
	if (team_meet(team) && leads) {
		team->paused = true;
		trace_tell(STREAM_CALL_PAUSE, 0, 0);
	} else if (!leads && trace_turns) {
		/* The team may be gone by now. */
		trace_self.rests = true;
		trace_tell(STREAM_CALL_REST, 0, 0);
	}
	trace_self.team = outer;
}

/* Around a region: libgomp gets team_run and &team for the program's function and data. */
#define TEAM_NEW(function, data)                                                                   \
	struct team team = {NULL, function, data, false};                                          \
                                                                                                   \
	trace_frames_here();                                                                       \
	team_leading = &team;                                                                      \
	/* Until the others are there. */                                                          \
	if (trace_turns)                                                                           \
	trace_tell(STREAM_CALL_PAUSE, 0, 0)
#define TEAM_END() team_resume(team.paused)

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

/* The loops that come with their region: with the size of a piece, and without. */
#define TEAM_LOOP(name)                                                                            \
	EXPORT void name(TEAM_ARGUMENTS, TEAM_RANGE, long piece, unsigned flags);                  \
	EXPORT void name(TEAM_ARGUMENTS, TEAM_RANGE, long piece, unsigned flags)                   \
	{                                                                                          \
		if (!trace_on) {                                                                   \
			GOMP(name)(function, data, threads, start, end, increment, piece, flags);  \
			return;                                                                    \
		}                                                                                  \
		TEAM_NEW(function, data);                                                          \
		GOMP(name)(team_run, &team, threads, start, end, increment, piece, flags);         \
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

/* What ends in a barrier. */
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

/* And may be left early where OMP_CANCELLATION says so. */
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
 * One thread gets NULL at once, runs the block, and meets the others in GOMP_single_copy_end(). The
 * others wait for it in here, so that this is known only when it is over.
 */
EXPORT void *GOMP_single_copy_start(void);
EXPORT void *GOMP_single_copy_start(void)
{
	void *data = GOMP(GOMP_single_copy_start)();

	if (data && trace_on)
		team_meet(trace_self.team);
	return data;
}

EXPORT void GOMP_single_copy_end(void *data);
EXPORT void GOMP_single_copy_end(void *data)
{
	bool paused = team_pause();

	GOMP(GOMP_single_copy_end)(data);
	team_resume(paused);
}
