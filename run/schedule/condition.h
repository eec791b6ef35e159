/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Conditions and semaphores of the program.
 *
 * What lives here: threads that wait for a condition, in the order of arrival; also the counts of
 * semaphores, and the threads that wait for them, in the order of their clocks. May use
 * schedule_inside.h.
 */
#ifndef RUN_SCHEDULE_CONDITION_H
#define RUN_SCHEDULE_CONDITION_H

#include "thread.h"

/**
 * struct condition - A condition for which threads wait.
 * @name: its id, see region_name()
 * @sleepers: the threads, in the order of arrival
 */
struct condition {
	uint64_t name;
	struct thread *sleepers;
};

/**
 * struct semaphore - A semaphore of the program.
 * @name: its id, see region_name()
 * @once: the semaphore is removed after one post and one wait
 * @count: its count; below 0 if threads have taken it out of turn
 * @waiters: the threads that wait, in the order of their clocks
 */
struct semaphore {
	uint64_t name;
	bool once;
	int64_t count;
	struct thread *waiters;
};

/**
 * condition_sleep() - Release @lock for a thread, and let the thread sleep at the condition.
 * Return: 0; -ENOMEM.
 */
int condition_sleep(struct schedule *schedule, struct thread *thread, uint64_t name, uint64_t lock);

/**
 * condition_signal() - Wake the thread that has slept longest, or all threads.
 */
void condition_signal(struct schedule *schedule, struct thread *thread, uint64_t name, bool all);

/**
 * condition_force() - Wake a sleeping thread without a signal.
 */
void condition_force(struct schedule *schedule, struct thread *thread);

/**
 * semaphore_set() - Set the count of a semaphore; with STREAM_OPENED in @count, only if the
 * schedule does not have the semaphore. Return: 1; -ENOMEM.
 */
int semaphore_set(struct schedule *schedule, uint64_t name, uint64_t count);

/**
 * semaphore_wait() - Decrement a semaphore for a thread, which may have done so on the host
 * already.
 * @how: value of the thread's record
 * @count: the semaphore's count before, if this is its first record
 *
 * Return: 1 if the thread continues; 0 if it waits; -ENOMEM.
 */
int semaphore_wait(struct schedule *schedule, struct thread *thread, uint64_t name, uint64_t how,
		   uint64_t count);

/**
 * semaphore_post() - Increment a semaphore. @count: see semaphore_wait(). Return: 1; -ENOMEM.
 */
int semaphore_post(struct schedule *schedule, struct thread *thread, uint64_t name, uint64_t count);

/**
 * semaphore_force() - Let a waiting thread decrement the semaphore, out of order.
 */
void semaphore_force(struct schedule *schedule, struct thread *thread);

#endif /* RUN_SCHEDULE_CONDITION_H */
