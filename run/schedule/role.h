/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Role: records or enforces the order in which threads take their part of the work at run time.
 *
 * What lives here: the order in which threads take a lock for the first time. Programs often number
 * their threads under a lock, or by an atomic instruction. In such a program, the number of a
 * thread decides which part of the work the thread does. If the costs of accesses change, threads
 * can reach this lock in another order, and the same work runs on other nodes. The functions of
 * this file record the order of a run. They can also enforce a given order: a thread may take the
 * lock for the first time only after all threads that precede it in the order have taken the lock.
 * This file may use schedule_inside.h.
 */
#ifndef RUN_SCHEDULE_ROLE_H
#define RUN_SCHEDULE_ROLE_H

#include "thread.h"

/*
 * The largest number of locks whose order is recorded. A lock that is first taken after this number
 * of other locks is assumed not to decide roles.
 */
#define ROLES_MAX 4096U
#define ROLE_MEETINGS 4096U

/**
 * struct role - A lock, and the threads that have taken it. A turn is one acquisition of the lock.
 * An item is an entry of a queue that the lock may protect.
 * @lock: name of the lock, from region_name()
 * @site: return address of the first call that took the lock; 0: unknown
 * @threads: numbers of the threads that have taken the lock, in the order of their first turns;
 *           shape [@count], with space for @capacity
 * @taken: for each element of @threads, the number of the thread's turns; shape [@count], with
 *         space for @taken_room
 * @count: number of threads in @threads
 * @capacity: number of entries for which @threads has room
 * @taken_room: number of entries for which @taken has room
 * @turns: number of turns of all threads
 * @atomic: this is an atomic instruction, not a lock
 * @loop: this is the source of the chunks of loops, not a lock
 * @firsts: number of threads that took this lock before any other lock and before any barrier
 * @last: for each element of @threads, the number of the thread's last turn, from 1; shape
 *        [@count], with space for @last_room
 * @last_room: number of entries for which @last has room
 * @meetings: the value of schedule->meetings at the last turn
 * @before: number of turns before the last meeting
 * @drained: number of intervals between meetings at whose end the threads stopped taking the lock
 *           as if a queue had become empty (see role_settle())
 * @kept: number of intervals between meetings at whose end the threads did not stop taking the lock
 *        in this way
 * @taker: number of the thread that last removed an item, if @taken_at is not 0
 * @taken_at: the value of schedule->meetings when @taker removed the item
 * @competed: more than one thread has removed an item between the same two meetings
 * @waited: cycles for which threads have waited for the lock
 * @turned: for each turn, the number of meetings that had taken place before the turn; ascending,
 *          without duplicates; shape [@turned_count], with space for @turned_room. At most
 *          ROLE_MEETINGS numbers are stored, so numbers of later meetings can be missing
 * @turned_count: number of entries of @turned
 * @turned_room: number of entries for which @turned has room
 * @wanted: numbers of the threads in the order to enforce; shape [@wanted_count]; NULL: no order is
 *          enforced
 * @wanted_count: number of entries of @wanted
 * @next: index in @wanted of the next thread that must take the lock
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
 * roles_create() - Create a role for each order of the configuration that must be enforced.
 *
 * Return: 0 or -ENOMEM.
 */
int roles_create(struct schedule *schedule);
void roles_destroy(struct schedule *schedule);

/**
 * role_may_take() - Check whether the thread may take the lock now. If no order is enforced at the
 * lock, it may.
 */
bool role_may_take(const struct schedule *schedule, uint64_t lock, const struct thread *thread);

/**
 * role_took() - Record that the thread takes the lock.
 *
 * Return: 0 or -ENOMEM.
 */
int role_took(struct schedule *schedule, uint64_t lock, struct thread *thread);

/**
 * role_waited() - Record that a thread of @node has waited for the lock for @cycles cycles.
 */
void role_waited(struct schedule *schedule, uint64_t lock, unsigned node, uint64_t cycles);

/**
 * role_gave() - Record that the thread wakes another thread. The function assumes that the thread
 * has added an item to a queue in its last turn at a lock.
 */
static inline void role_gave(struct thread *thread)
{
	thread->taken = NULL;
}

/**
 * roles_left() - Record that a thread has ended, so that no other thread waits for it.
 */
void roles_left(struct schedule *schedule, struct thread *thread);

/**
 * roles_drop() - Stop enforcing the orders that are not complete yet. Call this function if no
 * thread can continue.
 *
 * Return: true if there were such orders.
 */
bool roles_drop(struct schedule *schedule);

#endif /* RUN_SCHEDULE_ROLE_H */
