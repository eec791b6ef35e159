/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Handles mutexes and condition variables of POSIX and of C11, which are the same in glibc. This
 * file may use preload.h and those members of pthread_mutex_t that the ABI fixes: lock, owner,
 * count and kind.
 *
 * The library reports ACQUIRE before it calls the original function, and ACQUIRED after that call.
 * With these reports, only the replay decides which thread gets the mutex. Nothing is reported if
 * this thread already holds the mutex, and the mutex is recursive or the call returns EDEADLK. A
 * call that has a timeout, or whose mutex is robust, may fail for a reason outside this thread.
 * Such a call is reported only after the thread has the mutex. For trylock, see try_lock.c.
 *
 * There are two ways to report that a thread waits for a condition. If threads take turns and the
 * wait has no timeout, see struct mutex_sleep. Otherwise, the library reports RELEASE before the
 * wait, and ACQUIRE and ACQUIRED at its end. The tracer sees the system call that waits between
 * these records, and connects the thread with the thread that woke it. In the same call, libc may
 * wait for the mutex too. The tracer distinguishes the two waits by the futex, which is the mutex
 * itself in the second wait.
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

/*
 * Check whether this thread already holds the mutex, and the mutex is of a type that can be locked
 * again, or that returns an error in this case.
 */
static bool mutex_again(const pthread_mutex_t *mutex)
{
	int type = mutex->__data.__kind & MUTEX_TYPE;

	return (type == PTHREAD_MUTEX_RECURSIVE_NP || type == PTHREAD_MUTEX_ERRORCHECK_NP) &&
	       mutex_mine(mutex);
}

/* Check whether the next unlock will release the mutex. */
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

/*
 * Report a call that may have taken the mutex. @again: the value of mutex_again() before the call.
 */
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
	if (mutex->__data.__kind & MUTEX_ROBUST) {
		trace_emit(STREAM_CALL_NOTE, STREAM_NOTE_ROBUST, 0);
		return mutex_tried(mutex, false, lock(mutex));
	}
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
 * In glibc, mtx_t is pthread_mutex_t under another name. But the results of the functions differ:
 * those of C11 return thrd_success or another value of its enum.
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

/*
 * Report that the thread has taken the mutex again after a wait. This is a cleanup handler, because
 * the thread can be cancelled during the wait. libc takes the mutex again before it runs cleanup
 * handlers.
 */
static void mutex_retake(void *mutex)
{
	trace_took(mutex_id(mutex), false);
}

/*
 * If threads take turns, a thread that waits for a condition waits for its turn instead of waiting
 * in libc. Signalled threads continue in the order in which they began to wait, which is the same
 * in every run. The condition of libc is signalled too, because other threads may wait for it with
 * a timeout. If the waiting thread is cancelled, it takes the mutex again before the program's
 * cleanup handlers run.
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

	/* If the thread was already cancelled, end it here, before it reports that it sleeps. */
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

/* In glibc, the lowest bit of this member is set if several processes share the condition. */
static uint64_t condition_id(const pthread_cond_t *condition)
{
	return trace_id(condition, condition->__data.__wrefs & 1);
}

/*
 * Call a function that waits for a condition, and report the wait. If the thread has locked a
 * recursive mutex twice, the wait does not release the mutex, so nothing is reported. This is a
 * macro, because the functions to call have different parameters.
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
