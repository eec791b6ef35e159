/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * OpenMP as GCC compiles it: handles loops with ordered blocks. This file may use preload.h and
 * gomp.h.
 *
 * A chunk of the loop may begin its `ordered` blocks when the previous chunk is done. The library
 * reports this order as waits for semaphores. There is one semaphore between two consecutive
 * chunks. Its identity is the iteration at which one chunk ends and the next chunk begins. When a
 * thread has finished a chunk and libgomp has returned, the library reports a post of the semaphore
 * at the end of the chunk. libgomp waits for the previous chunk even if the thread has executed no
 * ordered block, and so does this file.
 *
 * In a doacross loop, an iteration names the iterations that it waits for. The library reports such
 * a loop as nondeterministic.
 */
#include "run/preload/openmp/gomp.h"
#include "run/preload/base/preload.h"

static uint64_t border_id(uint64_t iteration)
{
	uint64_t id = trace_id(trace_self.team, false);

	/* The factor is odd, so two different iterations never get the same number. */
	return ((id + (iteration << 1) * 0x9e3779b97f4a7c15ULL) & STREAM_ADDRESS) | 1ULL << 47;
}

/* Wait until this thread may begin the ordered blocks of its chunk. */
static void chunk_sync(void)
{
	struct trace_chunk *chunk = &trace_self.chunk;
	volatile uint32_t turn = 0;

	if (!chunk->open || chunk->synced)
		return;
	chunk->synced = true;
	if (chunk->first == chunk->start)
		return;
	trace_frames_here();
	trace_call(STREAM_CALL_WAIT, border_id(chunk->first), STREAM_ONCE, 0,
		   (uint64_t)(uintptr_t)&turn, 0);
	trace_await(&turn);
	trace_emit(STREAM_CALL_RESUME, 0, 0);
}

/* Report that the chunk is done. The caller must call libgomp before. */
static void chunk_done(void)
{
	struct trace_chunk *chunk = &trace_self.chunk;

	if (chunk->open && chunk->last != chunk->end && chunk->last != chunk->beyond)
		trace_emit(STREAM_CALL_POST, border_id(chunk->last), 0);
	chunk->open = false;
}

static void chunk_begin(uint64_t first, uint64_t last)
{
	trace_self.chunk.open = true;
	trace_self.chunk.synced = false;
	trace_self.chunk.first = first;
	trace_self.chunk.last = last;
}

/* Begin a loop. Return: true if this thread reports its chunks. */
static bool chunk_loop(uint64_t start, uint64_t end, uint64_t step, bool up)
{
	const struct team *team = trace_self.team;
	uint64_t length = up ? end - start : start - end, by = up ? step : -step;

	trace_self.chunk = (struct trace_chunk){
		.start = start,
		.end = end,
		.beyond = start + ((length - 1) / by + 1) * step,
	};
	return team && team->turns && team_threads(team) > 1;
}

#define ORDERED_START(name, rises, parameters, arguments)                                          \
	EXPORT bool name parameters;                                                               \
	EXPORT bool name parameters                                                                \
	{                                                                                          \
		bool reported = chunk_loop((uint64_t)start, (uint64_t)end, (uint64_t)step, rises); \
		uint64_t id = choice_begin(STREAM_LOOP, __builtin_return_address(0));              \
		bool got = GOMP(name) arguments;                                                   \
                                                                                                   \
		choice_end(id);                                                                    \
		if (got && reported && first)                                                      \
			chunk_begin((uint64_t)*first, (uint64_t)*last);                            \
		return got;                                                                        \
	}

#define ORDERED_NEXT(name, number)                                                                 \
	EXPORT bool name(number *first, number *last);                                             \
	EXPORT bool name(number *first, number *last)                                              \
	{                                                                                          \
		bool reported = trace_self.chunk.open, got;                                        \
		uint64_t id;                                                                       \
                                                                                                   \
		chunk_sync();                                                                      \
		id = choice_begin(STREAM_LOOP, __builtin_return_address(0));                       \
		got = GOMP(name)(first, last);                                                     \
		chunk_done();                                                                      \
		choice_end(id);                                                                    \
		if (got && reported)                                                               \
			chunk_begin((uint64_t)*first, (uint64_t)*last);                            \
		return got;                                                                        \
	}

#define ORDERED_PIECES(kind)                                                                       \
	ORDERED_START(GOMP_loop_ordered_##kind##_start, step > 0,                                  \
		      (long start, long end, long step, long chunk, long *first, long *last),      \
		      (start, end, step, chunk, first, last))                                      \
	ORDERED_START(GOMP_loop_ull_ordered_##kind##_start, up,                                    \
		      (bool up, ull start, ull end, ull step, ull chunk, ull *first, ull *last),   \
		      (up, start, end, step, chunk, first, last))                                  \
	ORDERED_NEXT(GOMP_loop_ordered_##kind##_next, long)                                        \
	ORDERED_NEXT(GOMP_loop_ull_ordered_##kind##_next, ull)

ORDERED_PIECES(static)
ORDERED_PIECES(dynamic)
ORDERED_PIECES(guided)
ORDERED_START(GOMP_loop_ordered_runtime_start, step > 0,
	      (long start, long end, long step, long *first, long *last),
	      (start, end, step, first, last))
ORDERED_START(GOMP_loop_ull_ordered_runtime_start, up,
	      (bool up, ull start, ull end, ull step, ull *first, ull *last),
	      (up, start, end, step, first, last))
ORDERED_NEXT(GOMP_loop_ordered_runtime_next, long)
ORDERED_NEXT(GOMP_loop_ull_ordered_runtime_next, ull)
ORDERED_START(GOMP_loop_ordered_start, step > 0,
	      (long start, long end, long step, long schedule, long chunk, long *first, long *last,
	       uintptr_t *reductions, void **memory),
	      (start, end, step, schedule, chunk, first, last, reductions, memory))
ORDERED_START(GOMP_loop_ull_ordered_start, up,
	      (bool up, ull start, ull end, ull step, long schedule, ull chunk, ull *first,
	       ull *last, uintptr_t *reductions, void **memory),
	      (up, start, end, step, schedule, chunk, first, last, reductions, memory))

EXPORT void GOMP_ordered_start(void);
EXPORT void GOMP_ordered_start(void)
{
	chunk_sync();
	GOMP(GOMP_ordered_start)();
}

/*
 * The function that waits cannot be replaced, because it has a variable number of arguments, which
 * name the iterations to wait for. For this reason, the nondeterminism is reported at the post.
 */
#define DOACROSS_POST(name, number)                                                                \
	EXPORT void name(number *counts);                                                          \
	EXPORT void name(number *counts)                                                           \
	{                                                                                          \
		if (team_threads(trace_self.team) > 1)                                             \
			trace_chance(STREAM_CHANCE_ITERATION);                                     \
		GOMP(name)(counts);                                                                \
	}

DOACROSS_POST(GOMP_doacross_post, long)
DOACROSS_POST(GOMP_doacross_ull_post, ull)
