/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Lock order: enforces the order in which threads take a lock for the first time.
 *
 * What lives here: a function that makes a thread wait until all threads that precede it in the
 * order have taken the lock. This file may use libc, except its locks, because this library
 * replaces libc's lock functions.
 */
#ifndef RUN_PLACE_LOCK_ORDER_H
#define RUN_PLACE_LOCK_ORDER_H

#include <stddef.h>
#include <stdint.h>

/*
 * The number of seconds for which a thread waits for another thread. After this time, the order is
 * no longer enforced.
 */
#define LOCK_ORDER_PATIENCE_S 2
/* Threads with this number or a higher number are not part of any order. */
#define LOCK_ORDER_THREADS 65536U

/**
 * struct lock_order - An order that is enforced at a lock.
 * @lock: address of the lock
 * @threads: numbers of the threads, in the required order; shape [@count]
 * @count: number of entries of @threads
 * @patience_s: seconds for which a thread waits for its turn. After this time, the order is no
 *              longer enforced
 * @next: index of the thread that must take the lock next; @count: all threads have taken the lock
 * @given_up: receives 1 when the order is no longer enforced, so that threads no longer wait
 * @had: bit N is set if thread N has taken the lock or has ended
 */
struct lock_order {
	const void *lock;
	const uint32_t *threads;
	size_t count;
	unsigned int patience_s;
	size_t next;
	uint32_t *given_up;
	uint64_t had[LOCK_ORDER_THREADS / 64];
};

/**
 * lock_order_wait() - Wait for the turn of thread @number. The thread must call this function
 * before it takes the lock. If the thread is not in the order, or has already taken the lock once,
 * return immediately.
 */
void lock_order_wait(struct lock_order *order, unsigned number);

/**
 * lock_order_took() - Record that thread @number has taken the lock, or that it has ended. The
 * threads after it in the order no longer wait for it.
 */
void lock_order_took(struct lock_order *order, unsigned number);

#endif /* RUN_PLACE_LOCK_ORDER_H */
