/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Lock order: the order in which threads first take a lock.
 *
 * What lives here: a thread's wait until the threads before it have had their turn. May use libc,
 * but none of its locks, since these are interposed.
 */
#ifndef RUN_PLACE_LOCK_ORDER_H
#define RUN_PLACE_LOCK_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* The patience that is used in general. */
#define LOCK_ORDER_PATIENCE_S 2
/* Threads of higher numbers have no turns. */
#define LOCK_ORDER_THREADS 65536U

/**
 * struct lock_order - An order that is being enforced.
 * @lock: the lock's address
 * @threads: numbers of the threads in the order; shape [@count]
 * @count: number of threads
 * @patience_s: seconds to wait for a thread; after that the order is given up
 * @next: index of the thread whose turn it is; @count: all threads have had their turn
 * @given_up: set when threads no longer wait
 * @had: by number, a bit for each thread that has had the lock or has ended
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
 * lock_order_wait() - Wait, before thread @number takes the lock, for its turn, if it has one.
 */
void lock_order_wait(struct lock_order *order, unsigned number);

/**
 * lock_order_took() - Record that the thread has the lock, or that it has ended, so that no thread
 * waits for it.
 */
void lock_order_took(struct lock_order *order, unsigned number);

#endif /* RUN_PLACE_LOCK_ORDER_H */
