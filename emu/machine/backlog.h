/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Backlog: requests that have not been counted yet.
 *
 * What lives here: batches of requests whose order does not matter, on their way to the tallies. A
 * separate thread counts them while the machine continues; the machine settles the backlog before
 * it uses the counts. If there is no such thread, or it is too slow, the machine counts a batch
 * when it is full. The counts are the same. May use tally.h and threads.
 */
#ifndef EMU_MACHINE_BACKLOG_H
#define EMU_MACHINE_BACKLOG_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tally.h"

/* Number of requests in a batch: some 20 microseconds' work. */
#define BACKLOG_WORDS 4096U
/*
 * The number of batches by which the machine may be ahead; the host's second level of caches has
 * room for them.
 */
#define BACKLOG_BATCHES 8U
/* The thread is woken for this many batches. */
#define BACKLOG_WAKE (BACKLOG_BATCHES / 2)

/* The number of batches before the thread is started: some milliseconds' work. */
#define BACKLOG_START 64U

/* A request is one of BLINK_REQUEST_*, and above it the number of its tally. */
#define BACKLOG_TALLY_SHIFT 63
#define BACKLOG_TALLIES 2U

/**
 * struct backlog_batch - Requests that are counted together.
 * @count: number of requests
 * @first: index of the first request that was not counted
 * @ahead: prefetch memory for its requests
 * @words: the requests; shape [@count]
 */
struct backlog_batch {
	size_t count;
	size_t first;
	bool ahead;
	uint64_t words[BACKLOG_WORDS];
};

/**
 * typedef backlog_full - Deliver the counts of a tally that has no memory for a request.
 * @still: a delivery did not help, and the request is left out
 */
typedef void backlog_full(void *opaque, struct tally *tally, bool still);

/**
 * struct backlog - The batches, which form a ring.
 * @tallies: the tallies that count requests; NULL: there is no such tally
 * @full: see above; only the machine's thread calls it
 * @opaque: first argument of @full
 * @batches: the batches; shape [BACKLOG_BATCHES]
 * @threaded: a separate thread may count
 * @running: that thread is running
 * @thread: the thread
 * @lock: protects the following members, and the tallies while the thread does not count
 * @work: signalled when the thread has work, or must end
 * @idle: signalled when the thread has counted a batch, or is stuck
 * @filled: number of batches that were filled; only the machine's thread changes it
 * @done: number of these batches that were counted
 * @busy: the thread is counting
 * @stuck: the thread left a batch because a tally has no memory; the machine's thread finishes it
 * @ends: the thread must end
 */
struct backlog {
	struct tally *tallies[BACKLOG_TALLIES];
	backlog_full *full;
	void *opaque;
	struct backlog_batch *batches;
	bool threaded;
	bool running;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t work;
	pthread_cond_t idle;
	uint64_t filled;
	uint64_t done;
	bool busy;
	bool stuck;
	bool ends;
};

/**
 * backlog_init() - Create an empty backlog. @threaded: a thread may count, once there is enough
 * work.
 *
 * Return: 0; -ENOMEM; backlog_free() must be called also after an error.
 */
int backlog_init(struct backlog *backlog, bool threaded, backlog_full *full, void *opaque);

/*
 * Free a backlog. This does not count the remaining requests, and does not free the tallies. A
 * backlog that is all zero may be freed, too.
 */
void backlog_free(struct backlog *backlog);

/* Get the batch that is being filled. */
static inline struct backlog_batch *backlog_batch(const struct backlog *backlog)
{
	return &backlog->batches[backlog->filled % BACKLOG_BATCHES];
}

/* Pass on the batch that is being filled, when it is full. */
void backlog_send(struct backlog *backlog);

/* Record that this many requests were added behind those of the batch that is being filled. */
static inline void backlog_added(struct backlog *backlog, size_t count)
{
	struct backlog_batch *batch = backlog_batch(backlog);

	batch->count += count;
	if (batch->count == BACKLOG_WORDS)
		backlog_send(backlog);
}

/* Add a request. */
static inline void backlog_add(struct backlog *backlog, uint64_t what)
{
	struct backlog_batch *batch = backlog_batch(backlog);

	batch->words[batch->count] = what;
	backlog_added(backlog, 1);
}

/**
 * backlog_settle() - Count all requests that were added. Afterwards nothing is counted until more
 * requests are added.
 */
void backlog_settle(struct backlog *backlog);

#endif /* EMU_MACHINE_BACKLOG_H */
