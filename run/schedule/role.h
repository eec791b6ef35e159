/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Role: the part of the work that a thread gets at run time.
 *
 * What lives here: the order in which threads first take a lock. Programs often number their
 * threads under a lock, or by an atomic instruction, and the number decides which part of the work
 * a thread does. If the costs of accesses change, threads reach that lock in another order, and the
 * same work runs on other nodes. This file records the order of a run, and can enforce a given
 * order: a thread may take the lock for the first time only after all threads before it. May use
 * schedule_inside.h.
 */
#ifndef RUN_SCHEDULE_ROLE_H
#define RUN_SCHEDULE_ROLE_H

#include "thread.h"

/* The number of locks whose order is recorded; later locks decide no roles. */
#define ROLES_MAX 4096U
#define ROLE_MEETINGS 4096U

/**
 * struct role - A lock, and the threads that have taken it.
 * @lock: its name
 * @site: return address of the first call that took it; 0: unknown
 * @threads: numbers of these threads, in the order of their first turns; shape [@count], room for
 *           @capacity
 * @taken: how often each of them took it; shape [@count], room for @taken_room
 * @count: number of threads
 * @capacity: number of entries for which @threads has room
 * @taken_room: number of entries for which @taken has room
 * @turns: how often all threads together took it
 * @atomic: it is an atomic instruction, not a lock
 * @loop: it is not a lock, but gives threads the chunks of loops
 * @firsts: number of threads that took it as their first lock, before any barrier
 * @last: number of each thread's last turn, from 1; shape [@count], room for @last_room
 * @last_room: number of entries for which @last has room
 * @meetings: number of the schedule's meetings at the last turn
 * @before: number of turns before the last meeting
 * @drained: how often threads stopped taking it as if a queue was empty: see role_settle()
 * @kept: how often they did not
 * @taker: number of the thread that has taken an item out, while the schedule had @taken_at
 *         meetings; no thread if @taken_at is 0
 * @taken_at: number of meetings: see @taker
 * @competed: between two meetings, several threads have taken an item out
 * @waited: cycles for which threads have waited for it
 * @turned: for its turns, the number of meetings before them, ascending; shape [@turned_count],
 *          room for @turned_room. At most ROLE_MEETINGS are stored: there may be turns after any
 *          later meeting, too
 * @turned_count: number of entries of @turned
 * @turned_room: number of entries for which @turned has room
 * @wanted: the order to enforce: thread numbers, shape [@wanted_count]; NULL: no order
 * @wanted_count: number of threads in @wanted
 * @next: index into @wanted of the next thread
 */
struct role {
	uint64_t lock;
	uint64_t site;
	unsigned *threads;
	uint64_t *taken;
	size_t count;
	size_t capacity;
	size_t taken_room;
	uint64_t turns;
	bool atomic;
	bool loop;
	size_t firsts;
	uint64_t *last;
	size_t last_room;
	uint64_t meetings;
	uint64_t before;
	unsigned drained;
	unsigned kept;
	unsigned taker;
	uint64_t taken_at;
	bool competed;
	uint64_t waited;
	uint64_t *turned;
	size_t turned_count;
	size_t turned_room;
	const unsigned *wanted;
	size_t wanted_count;
	size_t next;
};

/**
 * roles_create() - Copy the orders of the configuration.
 *
 * Return: 0; -ENOMEM.
 */
int roles_create(struct schedule *schedule);
void roles_destroy(struct schedule *schedule);

/**
 * role_may_take() - Does the order allow the thread to take the lock now?
 */
bool role_may_take(const struct schedule *schedule, uint64_t lock, const struct thread *thread);

/**
 * role_took() - Record that the thread takes the lock.
 *
 * Return: 0; -ENOMEM.
 */
int role_took(struct schedule *schedule, uint64_t lock, struct thread *thread);

/**
 * role_waited() - Record that a thread of @node has waited for the lock.
 */
void role_waited(struct schedule *schedule, uint64_t lock, unsigned node, uint64_t cycles);

/**
 * role_gave() - Record that the thread wakes another one: its last turn at a lock has put an item
 * in.
 */
static inline void role_gave(struct thread *thread)
{
	thread->taken = NULL;
}

/**
 * roles_left() - Record that a thread has ended: no order waits for it any longer.
 */
void roles_left(struct schedule *schedule, struct thread *thread);

/**
 * roles_drop() - Give up the orders that were not completed, since no thread can continue.
 *
 * Return: whether there were any such orders.
 */
bool roles_drop(struct schedule *schedule);

#endif /* RUN_SCHEDULE_ROLE_H */
