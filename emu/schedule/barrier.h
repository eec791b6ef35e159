/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Barrier: threads that wait at a barrier of the program.
 *
 * What lives here: barriers by their ids, from the arrival of the first thread to that of the last.
 * May use parts.h.
 */
#ifndef EMU_SCHEDULE_BARRIER_H
#define EMU_SCHEDULE_BARRIER_H

#include "thread.h"

/**
 * struct barrier - A barrier at which threads wait.
 * @name: as of region_name()
 * @waiters: the threads
 * @count: how many
 * @cycle: latest clock of them
 */
struct barrier {
	uint64_t name;
	struct thread *waiters;
	uint64_t count;
	uint64_t cycle;
};

/**
 * barrier_arrive() - A thread comes to a barrier for @threads.
 *
 * Return: 1 if it was the last, and all go on; 0 if it waits; -ENOMEM.
 */
int barrier_arrive(struct schedule *schedule, struct thread *thread, uint64_t name,
		   uint64_t threads);

/**
 * barrier_force() - A thread that waits goes on without the others.
 */
void barrier_force(struct schedule *schedule, struct thread *thread);

#endif /* EMU_SCHEDULE_BARRIER_H */
