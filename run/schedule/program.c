/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Program: lists the programs that processes execute, and counts the accesses in each program. This
 * file may use schedule_inside.h.
 */
#include <errno.h>
#include <string.h>

#include "schedule_inside.h"

void program_begin(struct schedule *schedule, struct thread *thread)
{
	struct process *process = thread->process;

	if (!schedule->programs_count)
		schedule->programs_count = 1;
	/*
	 * A forked process executes the program that its parent executed at the time of the fork.
	 */
	if (thread->forked)
		process->program = thread->program;
	thread->program = process->program;
}

void program_settle(struct schedule *schedule, struct thread *thread)
{
	uint64_t accesses = 0;

	for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
		accesses += thread->accesses[type];
	schedule->programs[thread->program].accesses += accesses - thread->settled;
	thread->settled = accesses;
}

int program_next(struct schedule *schedule, struct thread *thread, uint64_t number,
		 const char *name)
{
	struct schedule_program *program;

	if (number >= STREAM_PROGRAMS || schedule->programs_count == STREAM_PROGRAMS)
		return notice_protocol(schedule, thread,
				       "executes more programs than can be numbered");
	program_settle(schedule, thread);
	program = &schedule->programs[schedule->programs_count];
	program->number = (unsigned)number;
	program->process = thread->process->ordinal;
	program->forked = !name;
	memcpy(program->name, name ? name : schedule->programs[thread->program].name,
	       sizeof(program->name));
	thread->program = (unsigned)schedule->programs_count++;
	thread->process->program = thread->program;
	thread->process->made = 0;
	/*
	 * After execve(2), this is the only thread of the process, so its thread id is the process
	 * id.
	 */
	thread->input->tid = thread->process->pid;
	alone_settle(schedule);
	return 1;
}

int schedule_program(const struct schedule *schedule, size_t index, struct schedule_program *out)
{
	if (index >= schedule->programs_count)
		return -EINVAL;
	*out = schedule->programs[index];
	return 0;
}
