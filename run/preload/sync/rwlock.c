/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Handles read-write locks and spin locks. The library reports them in the same way as mutexes (see
 * mutex.c and try_lock.c). This file may use preload.h and those members of pthread_rwlock_t that
 * the ABI fixes: the writer, and whether processes share the lock.
 */
#include <errno.h>

#include "run/preload/base/preload.h"

#define SPIN_SHARED 256U

static uint64_t rwlock_id(const pthread_rwlock_t *lock)
{
	return trace_id(lock, lock->__data.__shared);
}

static int rwlock_take(pthread_rwlock_t *lock, bool shared, int (*take)(pthread_rwlock_t *))
{
	uint64_t id;
	int error;

	/*
	 * If this thread holds the lock for writing, the call returns EDEADLK and does not take the
	 * lock.
	 */
	if (!trace_on || (uint32_t)lock->__data.__cur_writer == trace_tid())
		return take(lock);
	id = rwlock_id(lock);
	trace_want(id, (shared ? STREAM_SHARED : 0) | (lock->__data.__shared ? 0 : STREAM_OWN));
	error = take(lock);
	trace_emit(STREAM_CALL_ACQUIRED, id, 0);
	if (error)
		trace_emit(STREAM_CALL_RELEASE, id, 0);
	return error;
}

static int rwlock_tried(pthread_rwlock_t *lock, bool shared, int error)
{
	if (error)
		trace_chance(STREAM_CHANCE_TRY);
	if (trace_on && !error)
		trace_took(rwlock_id(lock), shared);
	return error;
}

static int rwlock_try(pthread_rwlock_t *lock, bool shared, int (*take)(pthread_rwlock_t *))
{
	unsigned tries = 0;
	uint64_t id;
	int error;

	if (!trace_turns)
		return rwlock_tried(lock, shared, take(lock));
	id = rwlock_id(lock);
	switch (trace_try(id, shared ? STREAM_SHARED : 0)) {
	case TRACE_BUSY:
		return EBUSY;
	case TRACE_HOST:
		return rwlock_tried(lock, shared, take(lock));
	case TRACE_FREE:
		break;
	}
	do {
		error = take(lock);
	} while (error == EBUSY && trace_try_again(&tries));
	trace_try_ended(id, !error);
	return error;
}

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
	return rwlock_take(lock, true, NEXT(pthread_rwlock_rdlock));
}

EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
	return rwlock_take(lock, false, NEXT(pthread_rwlock_wrlock));
}

EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
	return rwlock_try(lock, true, NEXT(pthread_rwlock_tryrdlock));
}

EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
	return rwlock_try(lock, false, NEXT(pthread_rwlock_trywrlock));
}

EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock,
				      const struct timespec *restrict until)
{
	return rwlock_tried(lock, true, NEXT(pthread_rwlock_timedrdlock)(lock, until));
}

EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock,
				      const struct timespec *restrict until)
{
	return rwlock_tried(lock, false, NEXT(pthread_rwlock_timedwrlock)(lock, until));
}

EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict lock, clockid_t clock,
				      const struct timespec *restrict until)
{
	return rwlock_tried(lock, true, NEXT(pthread_rwlock_clockrdlock)(lock, clock, until));
}

EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict lock, clockid_t clock,
				      const struct timespec *restrict until)
{
	return rwlock_tried(lock, false, NEXT(pthread_rwlock_clockwrlock)(lock, clock, until));
}

EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	if (trace_on)
		trace_emit(STREAM_CALL_RELEASE, rwlock_id(lock), 0);
	return NEXT(pthread_rwlock_unlock)(lock);
}

/* The spin locks that processes share. A spin lock itself does not store this. */
static const volatile void *spin_shared[SPIN_SHARED];

static void spin_enter(const volatile void *lock, const volatile void *before)
{
	for (size_t i = 0; i < SPIN_SHARED; i++) {
		const volatile void *there = before;

		if (__atomic_compare_exchange_n(&spin_shared[i], &there, lock, false,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return;
	}
}

static uint64_t spin_id(pthread_spinlock_t *lock)
{
	bool shared = false;

	/*
	 * In the first process, no search is needed, because shared locks and private locks both
	 * have their address as their identity.
	 */
	for (size_t i = 0; trace_process && i < SPIN_SHARED && !shared; i++)
		shared = __atomic_load_n(&spin_shared[i], __ATOMIC_RELAXED) == lock;
	return trace_id((const void *)(uintptr_t)lock, shared);
}

EXPORT int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
	if (trace_on) {
		spin_enter(NULL, lock);
		if (shared)
			spin_enter(lock, NULL);
	}
	return NEXT(pthread_spin_init)(lock, shared);
}

EXPORT int pthread_spin_destroy(pthread_spinlock_t *lock)
{
	if (trace_on)
		spin_enter(NULL, lock);
	return NEXT(pthread_spin_destroy)(lock);
}

EXPORT int pthread_spin_lock(pthread_spinlock_t *lock)
{
	uint64_t id;
	int error;

	if (!trace_on)
		return NEXT(pthread_spin_lock)(lock);
	id = spin_id(lock);
	trace_site(__builtin_return_address(0));
	trace_want(id, false);
	error = NEXT(pthread_spin_lock)(lock);
	trace_emit(STREAM_CALL_ACQUIRED, id, 0);
	return error;
}

static int spin_tried(pthread_spinlock_t *lock)
{
	int error = NEXT(pthread_spin_trylock)(lock);

	if (error)
		trace_chance(STREAM_CHANCE_TRY);
	if (trace_on && !error)
		trace_took(spin_id(lock), false);
	return error;
}

EXPORT int pthread_spin_trylock(pthread_spinlock_t *lock)
{
	unsigned tries = 0;
	uint64_t id;
	int error;

	if (!trace_turns)
		return spin_tried(lock);
	id = spin_id(lock);
	switch (trace_try(id, 0)) {
	case TRACE_BUSY:
		return EBUSY;
	case TRACE_HOST:
		return spin_tried(lock);
	case TRACE_FREE:
		break;
	}
	do {
		error = NEXT(pthread_spin_trylock)(lock);
	} while (error && trace_try_again(&tries));
	trace_try_ended(id, !error);
	return error;
}

EXPORT int pthread_spin_unlock(pthread_spinlock_t *lock)
{
	if (trace_on)
		trace_emit(STREAM_CALL_RELEASE, spin_id(lock), 0);
	return NEXT(pthread_spin_unlock)(lock);
}
