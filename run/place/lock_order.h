/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Lock order: the order in which threads first take a lock.
 *
 * What lives here: the wait until the threads before this one have had their turn. May use libc,
 * but none of its locks, since these are interposed.
 */
#ifndef RUN_PLACE_LOCK_ORDER_H
#define RUN_PLACE_LOCK_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* The usual patience. */
#define LOCK_ORDER_PATIENCE_S 2
/* Threads of higher numbers have no turns. */
#define LOCK_ORDER_THREADS 65536U

/**
 * struct lock_order - An order at work.
 * @lock: the lock's address
 * @threads: their numbers; shape [@count]
 * @count: threads
 * @patience_s: seconds of waiting for a thread, after which the order is given up
 * @next: index of the thread whose turn it is; @count: there are no more
 * @given_up: set when no thread waits any more
 * @had: threads that have had the lock or ended, by number: bits
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
 * lock_order_wait() - Before thread @number takes the lock: wait for its turn, if it has one.
 */
void lock_order_wait(struct lock_order *order, unsigned number);

/**
 * lock_order_took() - The thread has the lock; or it has ended, and no thread waits for it.
 */
void lock_order_took(struct lock_order *order, unsigned number);

#endif /* RUN_PLACE_LOCK_ORDER_H */
