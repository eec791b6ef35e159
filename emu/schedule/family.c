/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * How processes end, and who waits for them. It may use what family.h names.
 */
#include "family.h"
#include "parts.h"

void family_begin(struct thread *thread)
{
	struct process *process = thread->process;

	if (!thread->forked)
		return;
	/* One with the same number may have been there before. */
	process->native = false;
	process->leader = thread;
	process->children = 0;
	process->natives = 0;
	process->ended = NULL;
}

void family_reap(struct thread *leader)
{
	struct process *parent = leader->creator;

	if (!leader->forked || !parent || leader->reaped)
		return;
	leader->reaped = true;
	parent->children--;
	if (leader->process && leader->process->native)
		parent->natives--;
	list_remove(&parent->ended, leader);
}

/* Of the threads that wait for any child of @parent, the first. */
static struct thread *family_waiter(const struct schedule *schedule, const struct process *parent)
{
	struct thread *first = NULL;

	for (struct thread *thread = schedule->joins; thread; thread = thread->next)
		if (thread->awaited == 0 && thread->process == parent &&
		    (!first || thread_before(thread, first)))
			first = thread;
	return first;
}

static void family_answer(struct schedule *schedule, struct thread *waiter, uint64_t cycle,
			  uint64_t answer)
{
	list_remove(&schedule->joins, waiter);
	thread_resume(schedule, waiter, cycle);
	thread_answer(waiter, answer);
}

/* It is for the host to say which is first, or that there is none. */
static void family_answer_all(struct schedule *schedule, const struct process *parent,
			      uint64_t cycle)
{
	struct thread *waiter;

	while ((waiter = family_waiter(schedule, parent)))
		family_answer(schedule, waiter, cycle, 0);
}

void family_execute(struct schedule *schedule, struct process *process)
{
	struct process *parent = process->leader ? process->leader->creator : NULL;

	if (!parent || process->native || process->leader->reaped)
		return;
	process->native = true;
	parent->natives++;
	family_answer_all(schedule, parent, schedule->now);
}

void family_end(struct schedule *schedule, struct thread *thread)
{
	struct process *process = thread->process;
	struct thread *leader = process ? process->leader : thread, *waiter;
	struct process *parent = leader ? leader->creator : NULL;
	struct thread **list;

	if ((process && process->alive > 0) || !parent || !leader->forked || leader->reaped)
		return;
	/* It was made, and never began. */
	if (!process) {
		family_reap(leader);
		family_answer_all(schedule, parent, thread->clock);
		return;
	}
	process->end_cycle = thread->clock;
	if (process->native)
		return;
	waiter = family_waiter(schedule, parent);
	if (waiter) {
		family_reap(leader);
		family_answer(schedule, waiter, thread->clock, leader->key);
		if (parent->children == 0)
			family_answer_all(schedule, parent, thread->clock);
		return;
	}
	for (list = &parent->ended; *list; list = &(*list)->next)
		;
	leader->next = NULL;
	*list = leader;
}

int family_wait(struct schedule *schedule, struct thread *thread)
{
	struct process *process = thread->process;
	struct thread *leader = process->ended;

	schedule->statistics.joins++;
	machine_synchronise(schedule->machine, thread->processor);
	if (process->natives > 0 || process->children == 0) {
		thread_turn(thread);
		return 1;
	}
	if (leader) {
		family_reap(leader);
		thread_wait_cycle(schedule, thread, leader->process->end_cycle);
		thread_answer(thread, leader->key);
		return 1;
	}
	ready_remove(&schedule->ready, thread);
	thread->state = THREAD_AT_JOIN;
	thread->awaited = 0;
	list_push(&schedule->joins, thread);
	return 0;
}
