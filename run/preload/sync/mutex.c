/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Mutexes and waits for conditions, of POSIX and of C11, which are the same in glibc. May use
 * preload.h and the members of pthread_mutex_t that the ABI fixes: lock, owner, count, kind.
 *
 * ACQUIRE is reported before the call of the original and ACQUIRED after it, so that only the
 * replay decides which thread gets the lock. A call that will not take the lock (a recursive mutex
 * again, EDEADLK) is not reported. For trylock see try_lock.c. A lock with a timeout is reported
 * when the thread has it, and so is a robust mutex, which may fail for reasons in other threads.
 *
 * A wait for a condition, without turns or with a timeout, releases the mutex (RELEASE) and takes
 * it again (ACQUIRE, ACQUIRED) at its end. The wait is between the two records and visible to the
 * tracer, which thereby connects a thread with the thread that woke it. Libc may wait for the mutex
 * in the same call; the tracer distinguishes the two waits by the futex, which is the mutex.
 */
#include <errno.h>

#include "run/preload/base/preload.h"

#define MUTEX_TYPE 3
#define MUTEX_ROBUST 16
#define MUTEX_SHARED 128

static uint64_t mutex_id(const pthread_mutex_t *mutex)
{
	return trace_id(mutex, mutex->__data.__kind & MUTEX_SHARED);
}

static uint64_t mutex_how(const pthread_mutex_t *mutex)
{
	return mutex->__data.__kind & MUTEX_SHARED ? 0 : STREAM_OWN;
}

static bool mutex_mine(const pthread_mutex_t *mutex)
{
	return (uint32_t)__atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED) == trace_tid();
}

/* Does this thread hold a mutex of a type that returns an error instead of deadlocking? */
static bool mutex_again(const pthread_mutex_t *mutex)
{
	int type = mutex->__data.__kind & MUTEX_TYPE;

	return (type == PTHREAD_MUTEX_RECURSIVE_NP || type == PTHREAD_MUTEX_ERRORCHECK_NP) &&
	       mutex_mine(mutex);
}

/* Will an unlock release the mutex? */
static bool mutex_last(const pthread_mutex_t *mutex)
{
	int type = mutex->__data.__kind & MUTEX_TYPE;

	if (type == PTHREAD_MUTEX_RECURSIVE_NP)
		return mutex_mine(mutex) && mutex->__data.__count == 1;
	if (type == PTHREAD_MUTEX_ERRORCHECK_NP || (mutex->__data.__kind & MUTEX_ROBUST))
		return mutex_mine(mutex);
	return true;
}

static bool mutex_taken(int error)
{
	return error == 0 || error == EOWNERDEAD;
}

/* Report a call that may have taken the mutex; @again: mutex_again() before the call. */
static int mutex_tried(const pthread_mutex_t *mutex, bool again, int error)
{
	if (error == EBUSY || error == ETIMEDOUT)
		trace_chance(STREAM_CHANCE_TRY);
	if (trace_on && !again && mutex_taken(error))
		trace_took(mutex_id(mutex), false);
	return error;
}

static int mutex_take(pthread_mutex_t *mutex, int (*lock)(pthread_mutex_t *), const void *site)
{
	uint64_t id;
	int error;

	if (!trace_on || mutex_again(mutex))
		return lock(mutex);
	if (mutex->__data.__kind & MUTEX_ROBUST)
		return mutex_tried(mutex, false, lock(mutex));
	id = mutex_id(mutex);
	trace_site(site);
	trace_want(id, mutex_how(mutex));
	error = lock(mutex);
	trace_emit(STREAM_CALL_ACQUIRED, id, 0);
	if (!mutex_taken(error))
		trace_emit(STREAM_CALL_RELEASE, id, 0);
	return error;
}

static int mutex_give(pthread_mutex_t *mutex, int (*unlock)(pthread_mutex_t *))
{
	if (trace_on && mutex_last(mutex))
		trace_emit(STREAM_CALL_RELEASE, mutex_id(mutex), 0);
	return unlock(mutex);
}

EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	return mutex_take(mutex, NEXT(pthread_mutex_lock), __builtin_return_address(0));
}

static int mutex_try(pthread_mutex_t *mutex)
{
	bool again = trace_on && mutex_again(mutex);
	unsigned tries = 0;
	uint64_t id, how;
	int error;

	if (!trace_turns || again || (mutex->__data.__kind & MUTEX_ROBUST))
		return mutex_tried(mutex, again, NEXT(pthread_mutex_trylock)(mutex));
	id = mutex_id(mutex);
	how = mutex_how(mutex);
	if (__atomic_load_n(&mutex->__data.__lock, __ATOMIC_RELAXED) == 0)
		how |= STREAM_UNHELD;
	switch (trace_try(id, how)) {
	case TRACE_BUSY:
		return EBUSY;
	case TRACE_HOST:
		return mutex_tried(mutex, false, NEXT(pthread_mutex_trylock)(mutex));
	case TRACE_FREE:
		break;
	}
	do {
		error = NEXT(pthread_mutex_trylock)(mutex);
	} while (error == EBUSY && trace_try_again(&tries));
	trace_try_ended(id, !error);
	return error;
}

EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	return mutex_try(mutex);
}

EXPORT int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex,
				   const struct timespec *restrict until)
{
	bool again = trace_on && mutex_again(mutex);

	return mutex_tried(mutex, again, NEXT(pthread_mutex_timedlock)(mutex, until));
}

EXPORT int pthread_mutex_clocklock(pthread_mutex_t *restrict mutex, clockid_t clock,
				   const struct timespec *restrict until)
{
	bool again = trace_on && mutex_again(mutex);

	return mutex_tried(mutex, again, NEXT(pthread_mutex_clocklock)(mutex, clock, until));
}

EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	return mutex_give(mutex, NEXT(pthread_mutex_unlock));
}

/*
 * glibc's mtx_t is a pthread_mutex_t under another name, and its results are 0 or values of an
 * enum.
 */
static pthread_mutex_t *mutex_c11(mtx_t *mutex)
{
	return (pthread_mutex_t *)mutex;
}

EXPORT int mtx_lock(mtx_t *mutex)
{
	return mutex_take(mutex_c11(mutex), (int (*)(pthread_mutex_t *))NEXT(mtx_lock),
			  __builtin_return_address(0));
}

EXPORT int mtx_trylock(mtx_t *mutex)
{
	int error = mutex_try(mutex_c11(mutex));

	if (!error)
		return thrd_success;
	return error == EBUSY ? thrd_busy : thrd_error;
}

EXPORT int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until)
{
	int error = pthread_mutex_timedlock(mutex_c11(mutex), until);

	if (!error)
		return thrd_success;
	return error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

EXPORT int mtx_unlock(mtx_t *mutex)
{
	return mutex_give(mutex_c11(mutex), (int (*)(pthread_mutex_t *))NEXT(mtx_unlock));
}

/* This also runs on cancellation: libc takes the mutex again before cleanup handlers run. */
static void mutex_retake(void *mutex)
{
	trace_took(mutex_id(mutex), false);
}

/*
 * If threads take turns, a thread that waits for a condition waits for its turn instead. Signalled
 * threads continue in order of arrival, which is the same in every run. The condition itself is
 * signalled as well, for threads that wait with a timeout. If the thread is cancelled, it takes the
 * mutex again before cleanup handlers run.
 */
struct mutex_sleep {
	pthread_mutex_t *mutex;
	volatile uint32_t turn;
	int error;
};

static void mutex_slept(void *argument)
{
	struct mutex_sleep *sleep = argument;

	trace_emit(STREAM_CALL_RESUME, 0, 0);
	sleep->error = pthread_mutex_lock(sleep->mutex);
}

static int mutex_sleep(uint64_t condition, pthread_mutex_t *mutex)
{
	struct mutex_sleep sleep = {mutex, 0, 0};

	/* Handle an earlier cancellation before the thread sleeps. */
	pthread_testcancel();
	trace_emit(STREAM_CALL_SLEEP, condition, mutex_id(mutex));
	sleep.error = NEXT(pthread_mutex_unlock)(mutex);
	pthread_cleanup_push(mutex_slept, &sleep);
	trace_await_cancel(&sleep.turn);
	pthread_cleanup_pop(1);
	return sleep.error;
}

static bool mutex_sleeps(const pthread_mutex_t *mutex)
{
	return trace_turns && mutex_last(mutex) && !(mutex->__data.__kind & MUTEX_ROBUST);
}

/* In glibc, the lowest bit of this word marks a process-shared condition. */
static uint64_t condition_id(const pthread_cond_t *condition)
{
	return trace_id(condition, condition->__data.__wrefs & 1);
}

/*
 * A wait with a mutex that is locked twice does not release it, so nothing is reported. This is a
 * macro, since the calls differ.
 */
#define MUTEX_WAIT(mutex, call)                                                                    \
	do {                                                                                       \
		int result;                                                                        \
                                                                                                   \
		if (!trace_on || !mutex_last(mutex))                                               \
			return call;                                                               \
		trace_emit(STREAM_CALL_RELEASE, mutex_id(mutex), 0);                               \
		pthread_cleanup_push(mutex_retake, mutex);                                         \
		result = call;                                                                     \
		pthread_cleanup_pop(1);                                                            \
		return result;                                                                     \
	} while (0)

EXPORT int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex)
{
	if (mutex_sleeps(mutex))
		return mutex_sleep(condition_id(condition), mutex);
	MUTEX_WAIT(mutex, NEXT(pthread_cond_wait)(condition, mutex));
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *restrict condition,
				  pthread_mutex_t *restrict mutex,
				  const struct timespec *restrict until)
{
	trace_chance(STREAM_CHANCE_TIME);
	MUTEX_WAIT(mutex, NEXT(pthread_cond_timedwait)(condition, mutex, until));
}

EXPORT int pthread_cond_clockwait(pthread_cond_t *restrict condition,
				  pthread_mutex_t *restrict mutex, clockid_t clock,
				  const struct timespec *restrict until)
{
	trace_chance(STREAM_CHANCE_TIME);
	MUTEX_WAIT(mutex, NEXT(pthread_cond_clockwait)(condition, mutex, clock, until));
}

EXPORT int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
	if (mutex_sleeps(mutex_c11(mutex)))
		return mutex_sleep(condition_id((pthread_cond_t *)condition), mutex_c11(mutex))
			       ? thrd_error
			       : thrd_success;
	MUTEX_WAIT(mutex_c11(mutex), NEXT(cnd_wait)(condition, mutex));
}

EXPORT int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex,
			 const struct timespec *restrict until)
{
	trace_chance(STREAM_CHANCE_TIME);
	MUTEX_WAIT(mutex_c11(mutex), NEXT(cnd_timedwait)(condition, mutex, until));
}

static void condition_signal(const pthread_cond_t *condition, bool all)
{
	if (trace_turns)
		trace_emit(STREAM_CALL_SIGNAL, condition_id(condition), all);
}

EXPORT int pthread_cond_signal(pthread_cond_t *condition)
{
	condition_signal(condition, false);
	return NEXT(pthread_cond_signal)(condition);
}

EXPORT int pthread_cond_broadcast(pthread_cond_t *condition)
{
	condition_signal(condition, true);
	return NEXT(pthread_cond_broadcast)(condition);
}

EXPORT int cnd_signal(cnd_t *condition)
{
	condition_signal((pthread_cond_t *)condition, false);
	return NEXT(cnd_signal)(condition);
}

EXPORT int cnd_broadcast(cnd_t *condition)
{
	condition_signal((pthread_cond_t *)condition, true);
	return NEXT(cnd_broadcast)(condition);
}
