/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Barrier: threads that wait at a barrier of the program.
 *
 * What lives here: the barriers at which threads wait, by their ids, from the arrival of the first
 * thread to the arrival of the last one. May use schedule_inside.h.
 */
#ifndef RUN_SCHEDULE_BARRIER_H
#define RUN_SCHEDULE_BARRIER_H

#include "thread.h"

/**
 * struct barrier - A barrier at which threads wait.
 * @name: its id, see region_name()
 * @waiters: the threads
 * @count: number of threads
 * @cycle: the latest of their clocks
 */
struct barrier {
	uint64_t name;
	struct thread *waiters;
	uint64_t count;
	uint64_t cycle;
};

/**
 * barrier_arrive() - Handle a thread's arrival at a barrier of @threads threads.
 *
 * Return: 1 if it was the last thread, so that all continue; 0 if it waits; -ENOMEM.
 */
int barrier_arrive(struct schedule *schedule, struct thread *thread, uint64_t name,
		   uint64_t threads);

/**
 * barrier_force() - Let a waiting thread continue without the other threads.
 */
void barrier_force(struct schedule *schedule, struct thread *thread);

#endif /* RUN_SCHEDULE_BARRIER_H */
