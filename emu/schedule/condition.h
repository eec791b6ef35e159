/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Conditions and semaphores of the program.
 *
 * What lives here: threads that wait for a condition, in the order of arrival; the counts of
 * semaphores, and threads that wait for them, in the order of their clocks. May use parts.h.
 */
#ifndef EMU_SCHEDULE_CONDITION_H
#define EMU_SCHEDULE_CONDITION_H

#include "thread.h"

/**
 * struct condition - A condition at which threads sleep.
 * @name: as of region_name()
 * @sleepers: the threads, in order of arrival
 */
struct condition {
	uint64_t name;
	struct thread *sleepers;
};

/**
 * struct semaphore - A semaphore.
 * @name: as of region_name()
 * @once: it is gone once it was posted and a thread has waited for it
 * @count: below 0 where some were taken out of turn
 * @waiters: in the order of their clocks
 */
struct semaphore {
	uint64_t name;
	bool once;
	int64_t count;
	struct thread *waiters;
};

/**
 * condition_sleep() - A thread gives @lock back and sleeps. Return: 0; -ENOMEM.
 */
int condition_sleep(struct schedule *schedule, struct thread *thread, uint64_t name, uint64_t lock);

/**
 * condition_signal() - The thread that has slept longest goes on, or all do.
 */
void condition_signal(struct schedule *schedule, const struct thread *thread, uint64_t name,
		      bool all);

/**
 * condition_force() - A thread that sleeps goes on unsignalled.
 */
void condition_force(struct schedule *schedule, struct thread *thread);

/**
 * semaphore_set() - It has this count. Return: 1; -ENOMEM.
 */
int semaphore_set(struct schedule *schedule, uint64_t name, uint64_t count);

/**
 * semaphore_wait() - A thread wants one, or has taken it.
 * @how: as of the record
 * @count: which it had, if this is the first that is heard of it
 *
 * Return: 1 if it goes on; 0 if it waits; -ENOMEM.
 */
int semaphore_wait(struct schedule *schedule, struct thread *thread, uint64_t name, uint64_t how,
		   uint64_t count);

/**
 * semaphore_post() - One more. @count: as above. Return: 1; -ENOMEM.
 */
int semaphore_post(struct schedule *schedule, struct thread *thread, uint64_t name, uint64_t count);

/**
 * semaphore_force() - A thread that waits has one nevertheless.
 */
void semaphore_force(struct schedule *schedule, struct thread *thread);

#endif /* EMU_SCHEDULE_CONDITION_H */
