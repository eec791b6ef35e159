/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Only thread: informs a thread that it is the only thread.
 *
 * What lives here: the code that informs a thread whether it is the only living thread of its
 * process, or of the run. No other thread can get a lock before such a thread, so it takes its
 * locks without waiting for the replay of its requests. When a thread begins or ends, all threads
 * are informed again. This file may use schedule_inside.h.
 */
#include "schedule_inside.h"

static void alone_say(const struct schedule *schedule, const struct thread *thread)
{
	const struct process *process = thread->process;
	unsigned level = 0;

	/*
	 * If the replay enforces lock orders, do not report that the thread is the only one. A
	 * thread that does not exist yet may have to take a lock first.
	 */
	if (process->alive == 1 && process->coming == 0 && schedule->config.orders_count == 0)
		level = STREAM_ALONE_PROCESS;
	if (level && schedule->alive == 1 && schedule->pending == 0)
		level = STREAM_ALONE_RUN;
	input_alone(thread->input, level ? STREAM_ALONE(level, process->made,
							schedule->programs[thread->program].number)
					 : 0);
}

void alone_settle(const struct schedule *schedule)
{
	for (size_t i = 0; i < schedule->inputs_end; i++) {
		const struct input *input = &schedule->inputs[i];

		if (input->use == INPUT_ATTACHED && input->thread->began)
			alone_say(schedule, input->thread);
	}
}
