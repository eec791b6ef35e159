/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Conditions: replays the conditions and semaphores of the program.
 *
 * What lives here: the threads that sleep at a condition, in the order in which they arrived; the
 * counts of semaphores; and the threads that wait for a semaphore, in the order of their clocks.
 * This file may use schedule_inside.h.
 */
#ifndef RUN_SCHEDULE_CONDITION_H
#define RUN_SCHEDULE_CONDITION_H

#include "thread.h"

/**
 * struct condition - A condition at which threads sleep.
 * @name: id of the condition, from region_name()
 * @sleepers: the sleeping threads, in the order in which they arrived
 */
struct condition {
	uint64_t name;
	struct thread *sleepers;
};

/**
 * struct semaphore - A semaphore of the program.
 * @name: id of the semaphore, from region_name()
 * @once: the semaphore is removed after one post and one wait
 * @count: the count of the semaphore. It is negative if threads have decremented the semaphore
 *         without waiting for their turns
 * @assumed: the initial count is not known. The count comes from the first replayed record, which
 *           had the count on the host
 * @moved: the sum of all changes of the count that were replayed
 * @waiters: the threads that wait for the semaphore, in the order of their clocks
 */
struct semaphore {
	uint64_t name;
	bool once;
	bool assumed;
	int64_t moved;
	int64_t count;
	struct thread *waiters;
};

/**
 * condition_sleep() - Make a thread release @lock, and sleep until the condition is signalled.
 *
 * Return: 0 or -ENOMEM.
 */
int condition_sleep(struct schedule *schedule, struct thread *thread, uint64_t name, uint64_t lock);

/**
 * condition_signal() - Wake the thread that has slept longest at the condition. If @all is set,
 * wake all threads that sleep at the condition.
 */
void condition_signal(struct schedule *schedule, struct thread *thread, uint64_t name, bool all);

/**
 * condition_force() - Wake a thread that sleeps at a condition, although no thread has signalled
 * the condition.
 */
void condition_force(struct schedule *schedule, struct thread *thread);

/**
 * semaphore_set() - Set the count of a semaphore that was initialised. If @count contains
 * STREAM_CREATED, records that were already replayed can have changed the count, because other
 * processes can use the semaphore. In this case, their changes are kept. Return: 1 or -ENOMEM.
 */
int semaphore_set(struct schedule *schedule, uint64_t name, uint64_t count, uint64_t cycle);

/**
 * semaphore_wait() - Decrement a semaphore for a thread. If the count is 0, the thread must wait,
 * unless it has already decremented the semaphore on the host.
 * @how: flags of the thread's record, such as STREAM_TAKEN
 * @count: the semaphore's previous count; used only if the schedule does not have the semaphore yet
 *
 * Return: 1 if the thread continues; 0 if it waits for the semaphore; -ENOMEM.
 */
int semaphore_wait(struct schedule *schedule, struct thread *thread, uint64_t name, uint64_t how,
		   uint64_t count);

/**
 * semaphore_post() - Increment a semaphore. @count: as for semaphore_wait(). Return: 1 or -ENOMEM.
 */
int semaphore_post(struct schedule *schedule, struct thread *thread, uint64_t name, uint64_t count);

/**
 * semaphore_force() - Let a thread that waits for a semaphore decrement it, although the count is
 * 0.
 */
void semaphore_force(struct schedule *schedule, struct thread *thread);

#endif /* RUN_SCHEDULE_CONDITION_H */
