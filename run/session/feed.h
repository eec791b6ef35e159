/* SPDX-License-Identifier: MIT */
/*
 * run/session: the path from the machine to the cards, which may run in threads of their own.
 *
 * What lives here: for each of these threads, a bounded queue of batches of frames, or of decoded
 * requests. Batches stay where the machine made them. All batches of a node go to the same thread
 * in order, so the result does not depend on the number of threads: thread n modulo their number
 * serves node n. May use POSIX threads and the machine's structs for both kinds; it does not use
 * cards.
 */
#ifndef RUN_SESSION_FEED_H
#define RUN_SESSION_FEED_H

#include <stddef.h>

#include "emu/machine/machine.h"

/* For struct machine_config: how long a batch that was pushed must stay valid. */
#define FEED_BATCHES 32U

#define FEED_THREADS_MAX 4U

struct feed;

/**
 * struct feed_batch - The data of one call of machine_ops.
 * @node: node of the batch
 * @count: number of frames or requests
 * @frames: shape [@count]; NULL: the batch has requests
 * @requests: BLINK_REQUEST_*, shape [@count]
 * @times_ns: their times, shape [@count]
 */
struct feed_batch {
	unsigned node;
	size_t count;
	const struct machine_frame *frames;
	const uint64_t *requests;
	const uint64_t *times_ns;
};

/*
 * Take in a batch, in the thread of its node. @opaque: as passed with it. Return: 0, or -errno,
 * after which no more batches are taken in.
 */
typedef int feed_take(void *opaque, const struct feed_batch *batch);

/*
 * No batch has come to a thread for a while, and its results should become visible: called once, in
 * the thread; not after a drain. @thread: its number, from 0. @threads: number of threads.
 */
typedef void feed_rest(void *opaque, unsigned thread, unsigned threads);

/**
 * feed_threads() - FEED_THREADS_MAX; 0 if this host has only one processor.
 */
unsigned feed_threads(void);

/**
 * feed_create() - Start threads, which block all signals.
 * @threads: number of threads, at least 1; limited to FEED_THREADS_MAX
 * @rest: may be NULL
 *
 * Return: 0; -EINVAL; -ENOMEM; -EAGAIN if the system has no thread to spare.
 */
int feed_create(struct feed **out, unsigned threads, feed_take *take, feed_rest *rest,
		void *opaque);

/**
 * feed_push() - Pass on a batch, once there is room for it.
 *
 * Return: 0; the error of an earlier batch.
 */
int feed_push(struct feed *feed, const struct feed_batch *batch);

/**
 * feed_drain() - Wait until all batches were taken in; the threads are then idle until the next
 * feed_push().
 *
 * Return: as feed_push().
 */
int feed_drain(struct feed *feed);

/**
 * feed_destroy() - Drain, and end the threads.
 * @feed: feed, or NULL
 */
void feed_destroy(struct feed *feed);

#endif /* RUN_SESSION_FEED_H */
