/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Replays waits at conditions and semaphores, and the wake-ups of waiting threads. This file may
 * use condition.h and lock.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "condition.h"
#include "lock.h"
#include "role.h"
#include "schedule_inside.h"

static void thread_awake(struct schedule *schedule, struct thread *thread, uint64_t cycle)
{
	machine_synchronise(schedule->machine, thread->processor);
	thread_resume(schedule, thread, cycle);
	thread_turn(thread);
}

/* ---- conditions ---- */

int condition_sleep(struct schedule *schedule, struct thread *thread, uint64_t name, uint64_t lock)
{
	struct condition *condition = table_make(&schedule->conditions, name, sizeof(*condition));
	struct thread **last;

	if (!condition)
		return -ENOMEM;
	condition->name = name;
	ready_remove(&schedule->ready, thread);
	thread->state = THREAD_ASLEEP;
	thread->condition = condition;
	thread->next = NULL;
	for (last = &condition->sleepers; *last; last = &(*last)->next)
		;
	*last = thread;
	thread->slept = lock;
	lock_release(schedule, thread, lock);
	return 0;
}

static void condition_drop(struct schedule *schedule, struct condition *condition)
{
	if (!condition->sleepers)
		table_drop(&schedule->conditions, condition->name);
}

void condition_signal(struct schedule *schedule, struct thread *thread, uint64_t name, bool all)
{
	struct condition *condition = table_find(&schedule->conditions, name);
	uint64_t cycle = thread->clock;

	schedule->statistics.wakes++;
	role_gave(thread);
	if (!condition)
		return;
	if (all)
		threads_meet(schedule, cycle, 1);
	do {
		struct thread *sleeper = condition->sleepers;

		condition->sleepers = sleeper->next;
		thread_awake(schedule, sleeper, cycle);
	} while (all && condition->sleepers);
	condition_drop(schedule, condition);
}

void condition_force(struct schedule *schedule, struct thread *thread)
{
	list_remove(&thread->condition->sleepers, thread);
	condition_drop(schedule, thread->condition);
	thread_awake(schedule, thread, schedule->now);
}

/* ---- semaphores ---- */

static int64_t semaphore_counted(uint64_t count)
{
	count &= ~STREAM_CREATED;
	return count > INT32_MAX ? 0 : (int64_t)count;
}

static void semaphore_move(struct semaphore *semaphore, int64_t by)
{
	semaphore->count += by;
	semaphore->moved += by;
}

static struct semaphore *semaphore_find(struct schedule *schedule, uint64_t name, uint64_t count)
{
	struct semaphore *semaphore = table_find(&schedule->semaphores, name);

	if (semaphore)
		return semaphore;
	semaphore = table_make(&schedule->semaphores, name, sizeof(*semaphore));
	if (!semaphore)
		return NULL;
	semaphore->name = name;
	semaphore->count = semaphore_counted(count);
	semaphore->assumed = true;
	return semaphore;
}

/* Let waiting threads continue at @cycle, one for each unit of the semaphore's count. */
static void semaphore_pass(struct schedule *schedule, struct semaphore *semaphore, uint64_t cycle)
{
	while (semaphore->count > 0 && semaphore->waiters) {
		struct thread *next = semaphore->waiters;

		semaphore->waiters = next->next;
		semaphore_move(semaphore, -1);
		thread_awake(schedule, next, cycle);
	}
}

int semaphore_set(struct schedule *schedule, uint64_t name, uint64_t count, uint64_t cycle)
{
	struct semaphore *semaphore = semaphore_find(schedule, name, count);

	if (!semaphore)
		return -ENOMEM;
	if (!(count & STREAM_CREATED) || !semaphore->assumed)
		semaphore->moved = 0;
	semaphore->count = semaphore_counted(count) + semaphore->moved;
	semaphore->assumed = false;
	if (count & STREAM_CREATED)
		semaphore_pass(schedule, semaphore, cycle);
	return 1;
}

static void semaphore_drop(struct schedule *schedule, struct semaphore *semaphore)
{
	if (semaphore->once && !semaphore->waiters && semaphore->count == 0)
		table_drop(&schedule->semaphores, semaphore->name);
}

int semaphore_wait(struct schedule *schedule, struct thread *thread, uint64_t name, uint64_t how,
		   uint64_t count)
{
	struct semaphore *semaphore = semaphore_find(schedule, name, count);

	if (!semaphore)
		return -ENOMEM;
	semaphore->once = how & STREAM_ONCE;
	machine_synchronise(schedule->machine, thread->processor);
	if ((how & STREAM_TAKEN) || (semaphore->count > 0 && !semaphore->waiters)) {
		semaphore_move(semaphore, -1);
		semaphore_drop(schedule, semaphore);
		thread_turn(thread);
		return 1;
	}
	ready_remove(&schedule->ready, thread);
	thread->state = THREAD_AT_SEMAPHORE;
	thread->semaphore = semaphore;
	list_insert(&semaphore->waiters, thread);
	return 0;
}

int semaphore_post(struct schedule *schedule, struct thread *thread, uint64_t name, uint64_t count)
{
	struct semaphore *semaphore = semaphore_find(schedule, name, count);
	uint64_t cycle = thread->clock;

	if (!semaphore)
		return -ENOMEM;
	machine_synchronise(schedule->machine, thread->processor);
	schedule->statistics.wakes++;
	role_gave(thread);
	semaphore_move(semaphore, 1);
	semaphore_pass(schedule, semaphore, cycle);
	semaphore_drop(schedule, semaphore);
	return 1;
}

void semaphore_force(struct schedule *schedule, struct thread *thread)
{
	list_remove(&thread->semaphore->waiters, thread);
	semaphore_move(thread->semaphore, -1);
	thread_awake(schedule, thread, schedule->now);
}
