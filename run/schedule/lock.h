/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Lock: the threads that hold a lock of the program, and the threads that wait for it.
 *
 * What lives here: locks by their ids, from the first request to the last release. The thread that
 * requests a lock first in simulated time gets it first; readers wait behind a waiting writer. May
 * use schedule_inside.h.
 */
#ifndef RUN_SCHEDULE_LOCK_H
#define RUN_SCHEDULE_LOCK_H

#include "thread.h"

/**
 * struct lock - A lock that is held or requested.
 * @name: its id, see region_name()
 * @owner: the thread that holds it exclusively; NULL: no thread
 * @depth: how many times the owner holds it
 * @readers: number of threads that hold it shared
 * @waiters: threads that wait for it, in the order of their clocks
 * @stolen: number of future releases that must have no effect
 */
struct lock {
	uint64_t name;
	struct thread *owner;
	unsigned depth;
	unsigned readers;
	struct thread *waiters;
	unsigned stolen;
};

/**
 * lock_acquire() - Request a lock for a thread, which may have taken it on the host out of turn. If
 * @thread->orders is set, no cache is emptied, and the acquisition is not counted.
 *
 * Return: 1 if the thread holds it; 0 if it waits; -ENOMEM.
 */
int lock_acquire(struct schedule *schedule, struct thread *thread, uint64_t name, bool shared,
		 bool taken);

/**
 * lock_try() - Take a lock for a thread if it is free. The thread continues in any case; if the
 * lock is not free, it continues after the time of an atomic access to another node's memory; this
 * rule is defined here.
 * @again: the thread may already hold the lock
 *
 * If the thread has waited for an unknown event since it last tried, or the owner's clock does not
 * follow the host, the host decides whether the lock is free.
 *
 * Return: 1; -ENOMEM.
 */
int lock_try(struct schedule *schedule, struct thread *thread, uint64_t name, bool shared,
	     bool again);

/**
 * lock_release() - Release a lock; the next waiter continues.
 */
void lock_release(struct schedule *schedule, struct thread *thread, uint64_t name);

/**
 * lock_open() - Let threads that waited for their turn take the lock from now on, but not before
 * @cycle.
 */
void lock_open(struct schedule *schedule, uint64_t name, uint64_t cycle);

/**
 * lock_force() - Give a lock to a thread that waits for it, out of order.
 */
void lock_force(struct schedule *schedule, struct thread *thread);

/**
 * lock_yield() - Give the lock @thread->fresh, which @thread got by its clock, to a waiter that has
 * words, since @thread has none. Such a waiter must have taken the lock first on the host. @thread
 * is ready or late.
 *
 * Return: whether there is such a waiter.
 */
bool lock_yield(struct schedule *schedule, struct thread *thread);

#endif /* RUN_SCHEDULE_LOCK_H */
