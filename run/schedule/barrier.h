/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Barriers: replays the barriers of the program.
 *
 * What lives here: the barriers at which threads wait, by id. A barrier exists from the arrival of
 * the first thread to the arrival of the last one. This file may use schedule_inside.h.
 */
#ifndef RUN_SCHEDULE_BARRIER_H
#define RUN_SCHEDULE_BARRIER_H

#include "thread.h"

/**
 * struct barrier - A barrier at which threads wait.
 * @name: id of the barrier, from region_name()
 * @waiters: the waiting threads
 * @count: number of waiting threads
 * @cycle: the latest clock of the waiting threads
 */
struct barrier {
	uint64_t name;
	struct thread *waiters;
	uint64_t count;
	uint64_t cycle;
};

/**
 * barrier_arrive() - Handle the arrival of a thread at a barrier for @threads threads.
 *
 * Return: 1 if the thread is the last one, so that all threads continue; 0 if it waits for other
 * threads; -ENOMEM.
 */
int barrier_arrive(struct schedule *schedule, struct thread *thread, uint64_t name,
		   uint64_t threads);

/**
 * barrier_force() - Let a thread that waits at a barrier continue without the other threads.
 */
void barrier_force(struct schedule *schedule, struct thread *thread);

#endif /* RUN_SCHEDULE_BARRIER_H */
