/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Lock: passes locks from one thread to the next. This file may use lock.h. */
#include <errno.h>
#include <stdlib.h>

#include "lock.h"
#include "schedule_inside.h"
#include "role.h"

static struct lock *lock_find(struct schedule *schedule, uint64_t name)
{
	struct lock *lock = table_make(&schedule->locks, name, sizeof(*lock));

	if (lock)
		lock->name = name;
	return lock;
}

static bool lock_free_for(const struct lock *lock, bool shared)
{
	if (shared)
		return !lock->owner;
	return !lock->owner && lock->readers == 0;
}

/* Check whether a lock can decide which part of the work the thread does. */
static bool lock_decides(const struct thread *thread)
{
	return !thread->orders || thread->numbers;
}

/*
 * Get the first waiting thread that may take the lock. If an order of threads is enforced at the
 * lock, only the next thread in this order may take it.
 */
static struct thread *lock_next(const struct schedule *schedule, const struct lock *lock)
{
	struct thread *thread = lock->waiters;

	while (thread && lock_decides(thread) && !role_may_take(schedule, lock->name, thread))
		thread = thread->next;
	return thread;
}

static void lock_give(struct schedule *schedule, struct lock *lock, struct thread *thread,
		      bool shared)
{
	if (lock_decides(thread) && role_took(schedule, lock->name, thread) < 0 &&
	    schedule->error == 0)
		schedule->error = -ENOMEM;
	if (shared) {
		lock->readers++;
	} else {
		lock->owner = thread;
		lock->depth = 1;
	}
	thread->fresh = lock->name;
	if (thread->orders)
		thread->turn = lock->name;
	thread_turn(thread);
	if (!thread->orders && thread->processor < machine_processors(schedule->machine))
		machine_synchronise(schedule->machine, thread->processor);
}

/*
 * Handle a thread that has already taken the lock on the host, without a turn. On the host, this
 * thread had the lock before the present owner. If the present owner got the lock only in simulated
 * time, and none of its records was replayed since then, make the owner wait again. Return: true if
 * the owner waits now.
 */
static bool lock_taken_first(struct schedule *schedule, struct lock *lock)
{
	struct thread *owner = lock->owner;

	if (!owner || owner->fresh != lock->name || lock->depth != 1 ||
	    owner->state != THREAD_READY || thread_has_words(schedule, owner))
		return false;
	ready_remove(&schedule->ready, owner);
	owner->fresh = 0;
	owner->state = THREAD_AT_LOCK;
	owner->lock = lock;
	list_insert(&lock->waiters, owner);
	lock->owner = NULL;
	return true;
}

int lock_acquire(struct schedule *schedule, struct thread *thread, uint64_t name, bool shared,
		 bool taken)
{
	struct lock *lock = lock_find(schedule, name);

	if (!lock)
		return -ENOMEM;
	schedule->statistics.acquisitions += !thread->orders;
	thread->shared = shared;
	if (lock->owner == thread) {
		lock->depth++;
		thread_turn(thread);
		return 1;
	}
	if (taken && lock_taken_first(schedule, lock)) {
		lock_give(schedule, lock, thread, shared);
		return 1;
	}
	if (!lock_next(schedule, lock) && lock_free_for(lock, shared) &&
	    (taken || !lock_decides(thread) || role_may_take(schedule, name, thread))) {
		lock_give(schedule, lock, thread, shared);
		return 1;
	}
	schedule->statistics.contended += !thread->orders;
	ready_remove(&schedule->ready, thread);
	thread->state = THREAD_AT_LOCK;
	thread->lock = lock;
	list_insert(&lock->waiters, thread);
	return 0;
}

/*
 * Check whether the holder of the lock is running, so that its words advance its clock. If the lock
 * is held shared, the result is true, because the lock does not store which threads hold it.
 */
static bool lock_followed(const struct lock *lock)
{
	const struct thread *owner = lock->owner;

	return !owner || (owner->state != THREAD_LATE && owner->state != THREAD_ENDED &&
			  owner->state != THREAD_AT_REST && !owner->blocked);
}

int lock_try(struct schedule *schedule, struct thread *thread, uint64_t name, bool shared,
	     bool again)
{
	const struct lock *lock = table_find(&schedule->locks, name);
	bool outside = thread->outside;

	thread->outside = false;
	if (!lock || (!lock->waiters && lock_free_for(lock, shared)) ||
	    (again && lock->owner == thread))
		/*
		 * Set the argument @taken. An enforced order then does not delay a thread that only
		 * tries to take the lock.
		 */
		return lock_acquire(schedule, thread, name, shared, true);
	/* On the host, another thread may have informed this thread that the lock is free. */
	if (outside || !lock_followed(lock)) {
		thread_answer(thread, STREAM_ANSWER_HOST);
		return 1;
	}
	/*
	 * Delay the thread. Otherwise, a thread that tries repeatedly would need a turn for each
	 * instruction of the owner.
	 */
	thread_wait_cycle(
		schedule, thread,
		thread->clock + machine_latency(schedule->machine)->remote_cycles[SMILE_TYPE_LOCK]);
	thread_answer(thread, STREAM_ANSWER_TAKEN);
	return 1;
}

/*
 * If the lock is free, give it to the next waiting thread, which continues at @cycle. If this
 * thread requests the lock shared, give the lock to all following threads that request it shared,
 * too.
 */
static void lock_pass(struct schedule *schedule, struct lock *lock, uint64_t cycle)
{
	struct thread *next;

	while ((next = lock_next(schedule, lock)) && lock_free_for(lock, next->shared)) {
		list_remove(&lock->waiters, next);
		lock_give(schedule, lock, next, next->shared);
		if (!next->orders && cycle > next->clock)
			role_waited(schedule, lock->name, next->node, cycle - next->clock);
		thread_resume(schedule, next, cycle);
	}
	if (!lock->owner && lock->readers == 0 && !lock->waiters && lock->stolen == 0)
		table_drop(&schedule->locks, lock->name);
}

void lock_open(struct schedule *schedule, uint64_t name, uint64_t cycle)
{
	struct lock *lock = table_find(&schedule->locks, name);

	if (lock)
		lock_pass(schedule, lock, cycle);
}

void lock_release(struct schedule *schedule, struct thread *thread, uint64_t name)
{
	struct lock *lock = table_find(&schedule->locks, name);

	if (thread->turn == name)
		thread->turn = 0;
	/*
	 * The lock was released more often than it was acquired. The program has an error, or the
	 * acquisition was not traced.
	 */
	if (!lock)
		return;
	if (lock->owner != thread && lock->stolen > 0) {
		lock->stolen--;
	} else if (lock->owner) {
		/* A thread other than the owner may release the lock. */
		if (--lock->depth == 0)
			lock->owner = NULL;
	} else if (lock->readers > 0) {
		lock->readers--;
	}
	lock_pass(schedule, lock, thread->clock);
}

void lock_force(struct schedule *schedule, struct thread *thread)
{
	struct lock *lock = thread->lock;

	list_remove(&lock->waiters, thread);
	if (lock->owner)
		lock->stolen += lock->depth;
	lock->stolen += lock->readers;
	lock->owner = NULL;
	lock->readers = 0;
	lock_give(schedule, lock, thread, thread->shared);
	thread_resume(schedule, thread, schedule->now);
}

bool lock_yield(struct schedule *schedule, struct thread *thread)
{
	struct lock *lock = table_find(&schedule->locks, thread->fresh);
	struct thread *other;

	if (!lock || lock->owner != thread || lock->depth != 1)
		return false;
	for (other = lock->waiters; other; other = other->next) {
		if (!other->shared && thread_has_words(schedule, other))
			break;
	}
	if (!other)
		return false;
	list_remove(&lock->waiters, other);
	lock_give(schedule, lock, other, false);
	if (thread->state == THREAD_LATE)
		list_remove(&schedule->late, thread);
	else
		ready_remove(&schedule->ready, thread);
	thread->fresh = 0;
	thread->state = THREAD_AT_LOCK;
	thread->lock = lock;
	list_insert(&lock->waiters, thread);
	thread_resume(schedule, other, schedule->now);
	return true;
}
