/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Thread: creates and ends threads. This file may use thread.h and schedule_inside.h. */
#include <errno.h>
#include <stdlib.h>

#include <base/array.h>

#include "schedule_inside.h"
#include "role.h"

/* ---- processes ---- */

int processes_full(struct schedule *schedule)
{
	notice_once(schedule, SCHEDULE_NOTICE_PROCESSES,
		    "the program has created more than 65535 processes, and further ones cannot be "
		    "distinguished: run less of it at a time");
	return -EUSERS;
}

struct process *process_find(struct schedule *schedule, uint32_t pid)
{
	struct process *process = table_find(&schedule->processes, pid);

	if (process)
		return process;
	if (schedule->processes.used > SCHEDULE_PROCESSES_MAX)
		return NULL;
	process = table_make(&schedule->processes, pid, sizeof(*process));
	if (!process)
		return NULL;
	process->pid = pid;
	process->ordinal = UINT32_MAX;
	return process;
}

/* If this is the first thread of its process, give the process its number. Return: 0 or -EUSERS. */
static int process_begin(struct schedule *schedule, struct process *process)
{
	if (process->ordinal != UINT32_MAX)
		return 0;
	if (schedule->statistics.processes >= SCHEDULE_PROCESSES_MAX)
		return processes_full(schedule);
	process->ordinal = (unsigned)schedule->statistics.processes++;
	return 0;
}

/* ---- threads ---- */

unsigned thread_block(const struct schedule *schedule)
{
	unsigned nodes = machine_nodes(schedule->machine);
	unsigned block = (schedule->config.threads + nodes - 1) / nodes;

	return schedule->config.mapping == SCHEDULE_IN_BLOCKS && block ? block : 1;
}

unsigned thread_node(const struct schedule *schedule, unsigned number)
{
	const struct schedule_config *config = &schedule->config;
	unsigned nodes = machine_nodes(schedule->machine);
	unsigned node;

	switch (config->mapping) {
	case SCHEDULE_BY_LIST:
		return schedule->list[number % config->list_count];
	case SCHEDULE_IN_BLOCKS:
		node = number / thread_block(schedule);
		return node < nodes ? node : nodes - 1;
	default:
		return number % nodes;
	}
}

int thread_create(struct schedule *schedule, uint64_t key, struct process *creator, bool forked,
		  uint64_t clock, struct thread **out)
{
	struct thread *thread;

	if (schedule->threads_count == SCHEDULE_THREADS_MAX)
		return notice_protocol(schedule, NULL,
				       "there are more threads than can be numbered");
	if (key != 0 && table_find(&schedule->keys, key))
		return notice_protocol(schedule, NULL, "two threads have the same key");
	if (ready_reserve(&schedule->ready, schedule->alive + 1) < 0 ||
	    array_reserve(&schedule->threads, &schedule->threads_capacity, schedule->threads_count,
			  sizeof(struct thread *)) < 0)
		return -ENOMEM;
	thread = calloc(1, sizeof(*thread));
	if (!thread)
		return -ENOMEM;
	thread->number = (unsigned)schedule->threads_count;
	thread->key = key;
	thread->node = thread_node(schedule, thread->number);
	thread->processor = MACHINE_PROCESSORS_MAX;
	thread->creator = creator;
	thread->forked = forked;
	thread->program = creator ? creator->program : 0;
	thread->clock = clock;
	thread->begin_cycle = clock;
	if (key != 0 && table_set(&schedule->keys, key, thread) < 0) {
		free(thread);
		return -ENOMEM;
	}
	schedule->threads[schedule->threads_count++] = thread;
	schedule->alive++;
	schedule->statistics.threads++;
	if (schedule->alive > schedule->statistics.threads_most)
		schedule->statistics.threads_most = schedule->alive;
	ready_add(&schedule->ready, thread);
	if (creator && !forked)
		creator->coming++;
	*out = thread;
	return 0;
}

void thread_came(const struct thread *thread)
{
	if (thread->creator && !thread->forked)
		thread->creator->coming--;
}

/*
 * Find a processor on the thread's node: the processor of a thread that has ended before this
 * thread begins, or a new one. Return: the number of the processor; -errno.
 */
static int thread_processor(struct schedule *schedule, const struct thread *thread)
{
	for (size_t i = 0; i < schedule->idle_count; i++) {
		unsigned processor = schedule->idle[i];

		if (machine_processor_node(schedule->machine, processor) != (int)thread->node ||
		    machine_clock(schedule->machine, processor) > thread->clock)
			continue;
		schedule->idle[i] = schedule->idle[--schedule->idle_count];
		return (int)processor;
	}
	return machine_processor_add(schedule->machine, thread->node);
}

int thread_begin(struct schedule *schedule, struct thread *thread)
{
	int err = process_begin(schedule, thread->process);
	int processor;

	if (err < 0)
		return err;
	processor = thread_processor(schedule, thread);
	if (processor < 0)
		return processor;
	thread->processor = (unsigned)processor;
	thread->began = true;
	program_begin(schedule, thread);
	machine_idle(schedule->machine, thread->processor, thread->clock);
	return 0;
}

void thread_wait_cycle(struct schedule *schedule, struct thread *thread, uint64_t cycle)
{
	if (cycle <= thread->clock)
		return;
	thread->clock = cycle;
	if (thread->began)
		machine_wait(schedule->machine, thread->processor, cycle);
	else
		thread->begin_cycle = cycle;
	if (thread->state == THREAD_READY)
		ready_moved(&schedule->ready, thread);
}

void thread_resume(struct schedule *schedule, struct thread *thread, uint64_t cycle)
{
	thread->next = NULL;
	thread_wait_cycle(schedule, thread, cycle);
	thread->state = THREAD_READY;
	ready_add(&schedule->ready, thread);
}

void thread_turn(struct thread *thread)
{
	thread_answer(thread, STREAM_ANSWER_NONE);
}

void thread_answer(struct thread *thread, enum stream_answer answer)
{
	if (thread->input)
		input_turn(thread->input, thread->turns, answer);
}

bool thread_has_words(struct schedule *schedule, struct thread *thread)
{
	if (!thread->input)
		return false;
	if (input_refresh(thread->input) < 0) {
		schedule->error =
			notice_protocol(schedule, thread, "has a channel that runs backwards");
		return false;
	}
	return input_available(thread->input) > 0;
}

void thread_end(struct schedule *schedule, struct thread *thread)
{
	struct thread **list = &schedule->joins;

	thread->state = THREAD_ENDED;
	schedule->alive--;
	if (thread->input)
		schedule->statistics.traced += input_accesses(thread->input);
	if (thread->input)
		channels_close(schedule, thread->input);
	thread->input = NULL;
	if (thread->began)
		program_settle(schedule, thread);
	if (thread->process)
		thread->process->alive--;
	else
		thread_came(thread);
	if (thread->began)
		schedule->idle[schedule->idle_count++] = thread->processor;
	if (schedule->current == thread)
		schedule->current = NULL;
	roles_left(schedule, thread);
	while (*list) {
		struct thread *waiter = *list;

		if (thread->key == 0 || waiter->awaited != thread->key) {
			list = &waiter->next;
			continue;
		}
		*list = waiter->next;
		thread_resume(schedule, waiter, thread->clock);
	}
	alone_settle(schedule);
}

int schedule_thread(const struct schedule *schedule, size_t number, struct schedule_thread *out)
{
	const struct thread *thread;

	if (number >= schedule->threads_count)
		return -EINVAL;
	thread = schedule->threads[number];
	*out = (struct schedule_thread){
		.node = thread->node,
		.processor = thread->processor,
		.pid = thread->process ? thread->process->pid : 0,
		.began = thread->began,
		.ended = thread->state == THREAD_ENDED,
		.begin_cycle = thread->begin_cycle,
		.cycle = thread->clock,
		.instructions = thread->instructions,
	};
	for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
		out->accesses[type] = thread->accesses[type];
	return 0;
}
