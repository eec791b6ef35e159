/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Locks: replays the locks of the program.
 *
 * What lives here: the state of each lock from its first request to its last release, with the
 * threads that hold it and the threads that wait for it. Threads get a lock in the order in which
 * they request it in simulated time. A thread that requests a lock shared must wait if another
 * thread already waits for the lock exclusively. This file may use schedule_inside.h.
 */
#ifndef RUN_SCHEDULE_LOCK_H
#define RUN_SCHEDULE_LOCK_H

#include "thread.h"

/**
 * struct lock - A lock that is held or requested.
 * @name: id of the lock, from region_name()
 * @owner: the thread that holds the lock exclusively; NULL: no thread
 * @depth: number of times that the owner has acquired the lock, minus the number of times that it
 *         has released the lock
 * @readers: number of threads that hold the lock shared
 * @waiters: the threads that wait for the lock, in the order of their clocks
 * @stolen: number of future releases that must have no effect, because lock_force() has taken the
 *          lock from its holders
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
 * lock_acquire() - Request a lock for a thread.
 * @taken: the thread has already taken the lock on the host, without waiting for its turn
 *
 * If thread->orders is set, the request is not for a lock of the program, but only for a turn. In
 * this case, the acquisition is not counted, and no cache is emptied.
 *
 * Return: 1 if the thread now holds the lock; 0 if it waits for the lock; -ENOMEM.
 */
int lock_acquire(struct schedule *schedule, struct thread *thread, uint64_t name, bool shared,
		 bool taken);

/**
 * lock_try() - Take a lock for a thread if the lock is free. The thread continues even if it does
 * not get the lock.
 * @again: the thread may take the lock even if it already holds the lock
 *
 * If the lock is not free, the thread continues after the time of an atomic access to the memory of
 * another node. The papers define no such delay.
 *
 * In two cases, the host decides whether the lock is free. First, the thread has waited for an
 * unknown event since it last tried to take a lock. Second, the owner of the lock is not running,
 * so its words do not advance its clock.
 *
 * Return: 1 or -ENOMEM.
 */
int lock_try(struct schedule *schedule, struct thread *thread, uint64_t name, bool shared,
	     bool again);

/**
 * lock_release() - Release a lock. If threads wait for the lock, the next of them takes the lock
 * and continues.
 */
void lock_release(struct schedule *schedule, struct thread *thread, uint64_t name);

/**
 * lock_open() - Give the lock to the waiting threads that may take it now, but not before @cycle.
 * Call this function when an order of threads at the lock no longer applies, or when another thread
 * has become the next thread in the order.
 */
void lock_open(struct schedule *schedule, uint64_t name, uint64_t cycle);

/**
 * lock_force() - Give a lock to a thread that waits for it, although other threads hold it or
 * precede this thread.
 */
void lock_force(struct schedule *schedule, struct thread *thread);

/**
 * lock_yield() - Give a lock to another thread, which took it earlier on the host. @thread has
 * received the lock thread->fresh, because its clock was the lowest, but it has written no words
 * since then. If a thread that waits for this lock has written words, it must have taken the lock
 * first on the host. In this case, the waiting thread receives the lock, and @thread waits. @thread
 * must be ready or late.
 *
 * Return: true if there was such a waiting thread.
 */
bool lock_yield(struct schedule *schedule, struct thread *thread);

#endif /* RUN_SCHEDULE_LOCK_H */
