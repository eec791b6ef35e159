/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Wait: replays threads that wait in the kernel, and threads that wake other threads.
 *
 * What lives here: the replay of a thread's wait for an event that is not known. When a thread
 * reports such a wait, the replay pauses briefly, because most waits are short. After the pause,
 * the other threads continue without this thread. This file may use schedule_inside.h.
 */
#include "schedule_inside.h"

void wait_block(struct schedule *schedule, struct thread *thread)
{
	thread->blocked = true;
	thread->reheld = false;
	thread->expected = false;
	thread->blocked_at = thread->clock;
	thread->futex_order = ++schedule->futex_waits;
}

static uint64_t wait_begin(const struct thread *thread)
{
	return thread->blocked ? thread->blocked_at : thread->clock;
}

uint64_t wait_end(const struct schedule *schedule, const struct thread *thread, uint64_t ns)
{
	return wait_begin(thread) + machine_cycles(schedule->machine, ns);
}

/*
 * Advance the clock of a thread whose wait has reached its time limit, or that has yielded.
 * Otherwise, the clock of a thread that polls with short sleeps would advance only by the few
 * instructions between two sleeps, and all other threads would wait for the thread on the host.
 */
void wait_pass(struct schedule *schedule, struct thread *thread, uint64_t ns)
{
	uint64_t end = wait_end(schedule, thread, ns);

	schedule->time_waits[thread->node] += end - wait_begin(thread);
	thread_wait_cycle(schedule, thread, end);
}

int wait_unblock(struct schedule *schedule, struct thread *thread, uint64_t number)
{
	const struct wake *wake = &schedule->woken[number % SCHEDULE_WAKES];

	thread->blocked = false;
	thread->futex = 0;
	/* The replay of the wake-up has already let this thread continue. */
	if (thread->expected && number != 0) {
		thread->expected = false;
		return 1;
	}
	thread->expected = false;
	if (number == 0) {
		thread->outside = true;
		return 1;
	}
	if (wake->number == number)
		thread_wait_cycle(schedule, thread, wake->cycle);
	/*
	 * The wake-up was replayed already. If the table has a later wake-up in its place, this was
	 * long ago.
	 */
	if (wake->number >= number)
		return 1;
	ready_remove(&schedule->ready, thread);
	thread->state = THREAD_AT_WAKE;
	thread->awaited = number;
	list_push(&schedule->wakes, thread);
	return 0;
}

/*
 * Handle a wake-up at a futex. Like in the kernel, threads that wait at a futex are woken in the
 * order in which they began to wait. Expect that the woken threads continue.
 */
static void wait_futex(struct schedule *schedule, struct thread *waker)
{
	for (uint64_t left = waker->futex_count; left > 0; left--) {
		struct thread *first = NULL;

		for (struct thread *other = schedule->late; other; other = other->next) {
			if (other->blocked && other->futex == waker->futex &&
			    (!first || other->futex_order < first->futex_order))
				first = other;
		}
		if (!first)
			return;
		list_remove(&schedule->late, first);
		first->expected = true;
		first->waker = waker;
		thread_resume(schedule, first, waker->clock);
	}
}

/*
 * The wake-up may have woken a thread without which the replay has continued. Wait for words of
 * each such thread again.
 */
static void wait_rehold(struct schedule *schedule, uint64_t cycle)
{
	struct thread **list = &schedule->late;

	while (*list) {
		struct thread *waiter = *list;

		if (!waiter->blocked || waiter->futex) {
			list = &waiter->next;
			continue;
		}
		*list = waiter->next;
		waiter->reheld = true;
		thread_resume(schedule, waiter, cycle);
	}
}

void wait_wake(struct schedule *schedule, struct thread *thread, uint64_t number)
{
	struct wake *wake = &schedule->woken[number % SCHEDULE_WAKES];
	struct thread **list = &schedule->wakes;

	schedule->statistics.wakes++;
	thread->waking = true;
	if (wake->number < number)
		*wake = (struct wake){number, thread->clock};
	while (*list) {
		struct thread *waiter = *list;

		if (waiter->awaited != number) {
			list = &waiter->next;
			continue;
		}
		*list = waiter->next;
		thread_resume(schedule, waiter, thread->clock);
	}
	if (thread->futex)
		wait_futex(schedule, thread);
	wait_rehold(schedule, thread->clock);
	thread->futex = 0;
}

void wait_give_up(struct schedule *schedule, struct thread *thread)
{
	ready_remove(&schedule->ready, thread);
	thread->state = THREAD_LATE;
	list_push(&schedule->late, thread);
	if (schedule->current == thread)
		schedule->current = NULL;
}
