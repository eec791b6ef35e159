/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Handles the arrival of threads at barriers. This file may use barrier.h. */
#include <errno.h>
#include <stdlib.h>

#include "barrier.h"
#include "schedule_inside.h"

static struct barrier *barrier_find(struct schedule *schedule, uint64_t name)
{
	struct barrier *barrier = table_make(&schedule->barriers, name, sizeof(*barrier));

	if (barrier)
		barrier->name = name;
	return barrier;
}

int barrier_arrive(struct schedule *schedule, struct thread *thread, uint64_t name,
		   uint64_t threads)
{
	struct barrier *barrier = barrier_find(schedule, name);

	if (!barrier)
		return -ENOMEM;
	if (thread->clock > barrier->cycle)
		barrier->cycle = thread->clock;
	barrier->count++;
	thread->met = true;
	if (barrier->count < threads) {
		ready_remove(&schedule->ready, thread);
		thread->state = THREAD_AT_BARRIER;
		thread->barrier = barrier;
		list_push(&barrier->waiters, thread);
		return 0;
	}
	schedule->statistics.barriers++;
	/*
	 * The clock of the last thread can be behind the clocks of threads outside the barrier,
	 * because these threads can have continued while it was at rest.
	 */
	if (barrier->cycle < schedule->now)
		barrier->cycle = schedule->now;
	threads_meet(schedule, barrier->cycle, 1);
	while (barrier->waiters) {
		struct thread *waiter = barrier->waiters;

		barrier->waiters = waiter->next;
		machine_synchronise(schedule->machine, waiter->processor);
		thread_resume(schedule, waiter, barrier->cycle);
	}
	machine_synchronise(schedule->machine, thread->processor);
	thread_wait_cycle(schedule, thread, barrier->cycle);
	table_drop(&schedule->barriers, barrier->name);
	return 1;
}

void barrier_force(struct schedule *schedule, struct thread *thread)
{
	struct barrier *barrier = thread->barrier;

	list_remove(&barrier->waiters, thread);
	if (--barrier->count == 0)
		table_drop(&schedule->barriers, barrier->name);
	thread_resume(schedule, thread, schedule->now);
}
