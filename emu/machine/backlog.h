/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Backlog: requests that are still to be counted.
 *
 * What lives here: batches of requests whose order does not matter, on their way into the tallies.
 * A thread of its own counts them, while the machine goes on; the machine settles the backlog
 * before it uses the counts. Without that thread, and where it does not keep up, the machine counts
 * a batch when it is full. The counts are the same. May use tally.h and threads.
 */
#ifndef EMU_MACHINE_BACKLOG_H
#define EMU_MACHINE_BACKLOG_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tally.h"

/* Requests of a batch: some 20 microseconds' work. */
#define BACKLOG_WORDS 4096U
/* Batches that the machine may be ahead; the host's second level of caches has room for them. */
#define BACKLOG_BATCHES 8U
/* The thread is woken for so many. */
#define BACKLOG_WAKE (BACKLOG_BATCHES / 2)

/* Batches until the thread begins: some milliseconds' work. */
#define BACKLOG_START 64U

/* A request is one of BLINK_REQUEST_*, and above it the number of its tally. */
#define BACKLOG_TALLY_SHIFT 63
#define BACKLOG_TALLIES 2U

/**
 * struct backlog_batch - Requests.
 * @count: how many
 * @first: the first one that is not counted
 * @ahead: prefetch memory for its requests
 * @words: [@count]
 */
struct backlog_batch {
	size_t count;
	size_t first;
	bool ahead;
	uint64_t words[BACKLOG_WORDS];
};

/**
 * typedef backlog_full - A tally has no memory for a request: deliver what it has counted.
 * @still: that did not help, and the request is left out
 */
typedef void backlog_full(void *opaque, struct tally *tally, bool still);

/**
 * struct backlog - The batches, a ring.
 * @tallies: where requests are counted; NULL: there are none for it
 * @full: see above, called by the machine's thread alone
 * @opaque: passed to it
 * @batches: [BACKLOG_BATCHES]
 * @threaded: a thread may count
 * @running: there is one
 * @thread: it
 * @lock: of what follows, and of the tallies while the thread does not count
 * @work: the thread has work, or is to end
 * @idle: the thread has counted a batch, or is stuck
 * @filled: batches that were filled; the machine's thread alone changes it
 * @done: of these, those that were counted
 * @busy: the thread counts
 * @stuck: a tally has no memory: the machine goes on with the batch
 * @ends: the thread ends
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
 * backlog_init() - An empty one. @threaded: a thread may count, once there is enough to do.
 *
 * Return: 0; -ENOMEM, and backlog_free() is still to be called.
 */
int backlog_init(struct backlog *backlog, bool threaded, backlog_full *full, void *opaque);

/* Does not count what is left, and does not free the tallies. All zero, it may be freed, too. */
void backlog_free(struct backlog *backlog);

/* The batch that is being filled. */
static inline struct backlog_batch *backlog_batch(const struct backlog *backlog)
{
	return &backlog->batches[backlog->filled % BACKLOG_BATCHES];
}

/* The batch that is being filled is full. */
void backlog_send(struct backlog *backlog);

/* So many requests were added behind those of the batch that is being filled. */
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
 * backlog_settle() - Count all that was added. Nothing is counted until more is added.
 */
void backlog_settle(struct backlog *backlog);

#endif /* EMU_MACHINE_BACKLOG_H */
