/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * OpenMP as GCC compiles it: decides which thread gets the next chunk of a loop, the next section,
 * or the single block. This file may use preload.h and gomp.h.
 *
 * If threads take turns, the threads of a team call libgomp one after another, in the order of the
 * replay, as if the team had a lock that a thread must hold during the call. For this reason, each
 * chunk is given to the same thread in every run.
 */
#include "run/preload/openmp/gomp.h"
#include "run/preload/base/preload.h"

uint64_t choice_begin(uint64_t how, const void *site)
{
	uint64_t id = trace_turns && trace_self.team ? trace_id(trace_self.team, false) : 0;

	if (!id)
		return 0;
	if (site)
		trace_site(site);
	trace_want(id, how | STREAM_OWN);
	return id;
}

void choice_end(uint64_t id)
{
	if (!id)
		return;
	trace_emit(STREAM_CALL_ACQUIRED, id, 0);
	trace_emit(STREAM_CALL_RELEASE, id, 0);
}

#define CHOICE_OF(how, site, result, name, parameters, arguments)                                  \
	EXPORT result name parameters;                                                             \
	EXPORT result name parameters                                                              \
	{                                                                                          \
		uint64_t id = choice_begin(how, site);                                             \
		result got = GOMP(name) arguments;                                                 \
                                                                                                   \
		choice_end(id);                                                                    \
		return got;                                                                        \
	}

/*
 * CHOICE reports no call site. The call that gets the first chunk can have the source line of an
 * expression for the loop's bounds, which would be misleading.
 */
#define CHOICE(result, name, parameters, arguments)                                                \
	CHOICE_OF(STREAM_LOOP, NULL, result, name, parameters, arguments)
#define CHOICE_NEXT(result, name, parameters, arguments)                                           \
	CHOICE_OF(STREAM_LOOP, __builtin_return_address(0), result, name, parameters, arguments)

#define LOOP_NEXT(name)                                                                            \
	CHOICE_NEXT(bool, GOMP_loop_##name##_next, (long *first, long *last), (first, last))       \
	CHOICE_NEXT(bool, GOMP_loop_ull_##name##_next, (ull * first, ull * last), (first, last))

#define LOOP_PIECES(name)                                                                          \
	CHOICE(bool, GOMP_loop_##name##_start,                                                     \
	       (long start, long end, long step, long chunk, long *first, long *last),             \
	       (start, end, step, chunk, first, last))                                             \
	CHOICE(bool, GOMP_loop_ull_##name##_start,                                                 \
	       (bool up, ull start, ull end, ull step, ull chunk, ull *first, ull *last),          \
	       (up, start, end, step, chunk, first, last))                                         \
	LOOP_NEXT(name)

#define LOOP_RUNTIME(name)                                                                         \
	CHOICE(bool, GOMP_loop_##name##_start,                                                     \
	       (long start, long end, long step, long *first, long *last),                         \
	       (start, end, step, first, last))                                                    \
	CHOICE(bool, GOMP_loop_ull_##name##_start,                                                 \
	       (bool up, ull start, ull end, ull step, ull *first, ull *last),                     \
	       (up, start, end, step, first, last))                                                \
	LOOP_NEXT(name)

LOOP_PIECES(dynamic)
LOOP_PIECES(guided)
LOOP_PIECES(nonmonotonic_dynamic)
LOOP_PIECES(nonmonotonic_guided)
LOOP_RUNTIME(runtime)
LOOP_RUNTIME(nonmonotonic_runtime)
LOOP_RUNTIME(maybe_nonmonotonic_runtime)

/* Functions that begin loops with task reductions or lastprivate(conditional) variables. */
CHOICE(bool, GOMP_loop_start,
       (long start, long end, long step, long schedule, long chunk, long *first, long *last,
	uintptr_t *reductions, void **memory),
       (start, end, step, schedule, chunk, first, last, reductions, memory))
CHOICE(bool, GOMP_loop_ull_start,
       (bool up, ull start, ull end, ull step, long schedule, ull chunk, ull *first, ull *last,
	uintptr_t *reductions, void **memory),
       (up, start, end, step, schedule, chunk, first, last, reductions, memory))
CHOICE(unsigned, GOMP_sections2_start, (unsigned count, uintptr_t *reductions, void **memory),
       (count, reductions, memory))

CHOICE(unsigned, GOMP_sections_start, (unsigned count), (count))
CHOICE_NEXT(unsigned, GOMP_sections_next, (void), ())
CHOICE_OF(0, NULL, bool, GOMP_single_start, (void), ())
