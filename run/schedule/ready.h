/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Ready threads: keeps the threads that can be replayed, in the order of their replay.
 *
 * What lives here: a binary heap of threads, ordered by thread_before(). This file may use thread.h
 * and <stdlib.h>.
 */
#ifndef RUN_SCHEDULE_READY_H
#define RUN_SCHEDULE_READY_H

#include <stddef.h>
#include <stdint.h>

#include "thread.h"

/**
 * struct ready - The heap of ready threads. If all members are 0, the heap is empty.
 */
struct ready {
	struct thread **items;
	size_t count;
	size_t capacity;
};

/**
 * ready_reserve() - Make sure that the heap has space for @count threads.
 *
 * Return: 0 or -ENOMEM.
 */
int ready_reserve(struct ready *ready, size_t count);

/**
 * ready_add() - Add a thread that has become ready. The heap must have space for the thread.
 */
void ready_add(struct ready *ready, struct thread *thread);

/**
 * ready_remove() - Remove a thread that is no longer ready.
 */
void ready_remove(struct ready *ready, struct thread *thread);

/**
 * ready_moved() - Restore the order of the heap after the clock of @thread has advanced.
 */
void ready_moved(struct ready *ready, struct thread *thread);

/**
 * ready_moved_all() - Restore the order of the heap after the clocks of several threads have
 * advanced.
 */
void ready_moved_all(struct ready *ready);

/**
 * ready_second() - Get the second thread in the order; NULL if there are fewer than two threads.
 */
static inline struct thread *ready_second(const struct ready *ready)
{
	if (ready->count < 2)
		return NULL;
	if (ready->count == 2 || thread_before(ready->items[1], ready->items[2]))
		return ready->items[1];
	return ready->items[2];
}

#endif /* RUN_SCHEDULE_READY_H */
