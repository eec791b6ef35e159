/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * OpenMP as GCC compiles it: handles critical sections and locks. Fortran calls the same functions
 * under names that end in an underscore. The library reports critical sections and locks in the
 * same way as mutexes. Each of them belongs to only one process. This file may use preload.h and
 * gomp.h.
 */
#include "run/preload/openmp/gomp.h"
#include "run/preload/base/preload.h"

static void critical_want(const void *lock, const void *site)
{
	trace_site(site);
	trace_want(trace_id(lock, false), STREAM_OWN);
}

static void critical_have(const void *lock)
{
	trace_emit(STREAM_CALL_ACQUIRED, trace_id(lock, false), 0);
}

static void critical_give(const void *lock)
{
	trace_emit(STREAM_CALL_RELEASE, trace_id(lock, false), 0);
}

/*
 * The addresses of these variables are the identities of two locks: the unnamed critical section,
 * and the lock that libgomp takes for atomic operations that the processor does not support.
 */
static const char critical_unnamed, critical_atomic;

#define CRITICAL(start_name, end_name, lock)                                                       \
	EXPORT void start_name(void);                                                              \
	EXPORT void start_name(void)                                                               \
	{                                                                                          \
		if (trace_on)                                                                      \
			critical_want(lock, __builtin_return_address(0));                          \
		GOMP(start_name)();                                                                \
		if (trace_on)                                                                      \
			critical_have(lock);                                                       \
	}                                                                                          \
                                                                                                   \
	EXPORT void end_name(void);                                                                \
	EXPORT void end_name(void)                                                                 \
	{                                                                                          \
		if (trace_on)                                                                      \
			critical_give(lock);                                                       \
		GOMP(end_name)();                                                                  \
	}

CRITICAL(GOMP_critical_start, GOMP_critical_end, &critical_unnamed)
CRITICAL(GOMP_atomic_start, GOMP_atomic_end, &critical_atomic)

#define LOCK_SET(name)                                                                             \
	EXPORT void name(void *lock);                                                              \
	EXPORT void name(void *lock)                                                               \
	{                                                                                          \
		if (trace_on)                                                                      \
			critical_want(lock, __builtin_return_address(0));                          \
		GOMP(name)(lock);                                                                  \
		if (trace_on)                                                                      \
			critical_have(lock);                                                       \
	}

#define LOCK_UNSET(name)                                                                           \
	EXPORT void name(void *lock);                                                              \
	EXPORT void name(void *lock)                                                               \
	{                                                                                          \
		if (trace_on)                                                                      \
			critical_give(lock);                                                       \
		GOMP(name)(lock);                                                                  \
	}

static int test_done(const void *lock, int got)
{
	if (!got)
		trace_chance(STREAM_CHANCE_TRY);
	if (trace_on && got)
		trace_took(trace_id(lock, false), false);
	return got;
}

/*
 * Test a lock by libgomp's function @test_next. @lock: the identity of the lock. Return: the result
 * of @test_next; 0 if the lock is not free.
 */
static int test(const void *lock, uint64_t how, int (*test_next)(void *), void *argument)
{
	uint64_t id = trace_id(lock, false);
	unsigned tries = 0;
	int got;

	if (!trace_turns)
		return test_done(lock, test_next(argument));
	switch (trace_try(id, how)) {
	case TRACE_BUSY:
		return 0;
	case TRACE_HOST:
		return test_done(lock, test_next(argument));
	case TRACE_FREE:
		break;
	}
	do {
		got = test_next(argument);
	} while (!got && trace_try_again(&tries));
	trace_try_ended(id, got);
	return got;
}

#define LOCK_TEST(name)                                                                            \
	EXPORT int name(void *lock);                                                               \
	EXPORT int name(void *lock)                                                                \
	{                                                                                          \
		return test(lock, 0, GOMP(name), lock);                                            \
	}

LOCK_SET(GOMP_critical_name_start)
LOCK_UNSET(GOMP_critical_name_end)
LOCK_SET(omp_set_lock)
LOCK_UNSET(omp_unset_lock)
LOCK_TEST(omp_test_lock)
LOCK_SET(omp_set_lock_)
LOCK_UNSET(omp_unset_lock_)
LOCK_TEST(omp_test_lock_)

/*
 * Record that the calling thread's task holds a nested lock. A task may take such a lock several
 * times, but two tasks of the same thread may not hold it at the same time. C passes a pointer to
 * the lock, and Fortran passes a pointer to that pointer.
 */
static void nest_have(const void *lock)
{
	unsigned at = trace_self.nests_count;

	if (at == sizeof(trace_self.nests) / sizeof(*trace_self.nests)) {
		trace_self.nests_lost = true;
		return;
	}
	trace_self.nests[at].lock = lock;
	trace_self.nests[at].task = trace_self.task;
	trace_self.nests_count++;
}

static void nest_give(const void *lock)
{
	for (unsigned i = trace_self.nests_count; i-- > 0;) {
		if (trace_self.nests[i].lock != lock)
			continue;
		trace_self.nests[i] = trace_self.nests[--trace_self.nests_count];
		return;
	}
}

static uint64_t nest_again(const void *lock)
{
	for (unsigned i = 0; i < trace_self.nests_count; i++)
		if (trace_self.nests[i].lock == lock && trace_self.nests[i].task == trace_self.task)
			return STREAM_AGAIN;
	return trace_self.nests_lost ? STREAM_AGAIN : 0;
}

static int nest_test(const void *lock, int (*test_next)(void *), void *argument)
{
	int got = test(lock, nest_again(lock), test_next, argument);

	if (got)
		nest_have(lock);
	return got;
}

#define NEST(suffix, inside)                                                                       \
	EXPORT int omp_test_nest_lock##suffix(void *lock);                                         \
	EXPORT int omp_test_nest_lock##suffix(void *lock)                                          \
	{                                                                                          \
		return nest_test(inside(lock), GOMP(omp_test_nest_lock##suffix), lock);            \
	}                                                                                          \
                                                                                                   \
	EXPORT void omp_set_nest_lock##suffix(void *lock);                                         \
	EXPORT void omp_set_nest_lock##suffix(void *lock)                                          \
	{                                                                                          \
		if (trace_on)                                                                      \
			critical_want(inside(lock), __builtin_return_address(0));                  \
		GOMP(omp_set_nest_lock##suffix)(lock);                                             \
		if (trace_on)                                                                      \
			critical_have(inside(lock));                                               \
		nest_have(inside(lock));                                                           \
	}                                                                                          \
                                                                                                   \
	EXPORT void omp_unset_nest_lock##suffix(void *lock);                                       \
	EXPORT void omp_unset_nest_lock##suffix(void *lock)                                        \
	{                                                                                          \
		nest_give(inside(lock));                                                           \
		if (trace_on)                                                                      \
			critical_give(inside(lock));                                               \
		GOMP(omp_unset_nest_lock##suffix)(lock);                                           \
	}

#define NEST_C(lock) (lock)
#define NEST_FORTRAN(lock) (*(void *const *)(lock))

NEST(, NEST_C)
NEST(_, NEST_FORTRAN)
