/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Backlog: requests that have not been counted yet.
 *
 * What lives here: batches of requests whose order does not matter. A separate thread counts the
 * requests in tallies, while the machine continues. Before the machine uses the counts, it waits
 * until the backlog is empty. If there is no thread, or if the thread is too slow, the machine
 * itself counts a batch when it is full. The resulting counts are the same. May use tally.h and
 * threads.
 */
#ifndef EMU_MACHINE_BACKLOG_H
#define EMU_MACHINE_BACKLOG_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tally.h"

/* The number of requests in a batch. To count a batch takes about 20 microseconds. */
#define BACKLOG_WORDS 4096U
/*
 * The number of batches by which the machine may be ahead of the thread. The batches fit in the
 * host's second-level cache.
 */
#define BACKLOG_BATCHES 8U
/* The thread is woken when this number of batches is waiting. */
#define BACKLOG_WAKE (BACKLOG_BATCHES / 2)

/* The thread is started after this number of batches, which take some milliseconds to count. */
#define BACKLOG_START 64U

/*
 * A request is a word of BLINK_REQUEST_* fields. The bit above these fields is the number of the
 * request's tally.
 */
#define BACKLOG_TALLY_SHIFT 63
#define BACKLOG_TALLIES 2U

/**
 * struct backlog_batch - Requests that are counted together.
 * @count: number of requests
 * @first: index of the first request that was not counted
 * @ahead: prefetch the memory for the counts of the requests
 * @words: the requests; shape [@count]
 */
struct backlog_batch {
	size_t count;
	size_t first;
	bool ahead;
	uint64_t words[BACKLOG_WORDS];
};

/**
 * typedef backlog_full - A function that delivers the counts of a tally, because the tally has no
 * memory for another request.
 * @still: the previous delivery has made no room, so the request is left out
 */
typedef void backlog_full(void *opaque, struct tally *tally, bool still);

/**
 * struct backlog - A ring of batches.
 * @tallies: the tallies in which requests are counted; NULL: there is no tally with this number
 * @full: called if a tally has no memory; only the machine's thread calls it
 * @opaque: first argument of @full
 * @batches: the batches; shape [BACKLOG_BATCHES]
 * @threaded: a separate thread may be used
 * @running: the thread is running
 * @thread: the thread
 * @lock: protects the following members; protects the tallies while the thread is not counting
 * @work: signalled when the thread has work, or must end
 * @idle: signalled when the thread has counted a batch, or has got stuck
 * @filled: number of batches that were filled; only the machine's thread changes it
 * @done: number of filled batches that were counted
 * @busy: the thread is counting
 * @stuck: the thread could not finish a batch because a tally has no memory; the machine's thread
 *         must finish it
 * @ends: the thread has been requested to end
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
 * backlog_init() - Create an empty backlog. @threaded: use a thread when there is enough work.
 *
 * Return: 0; -ENOMEM. The caller must call backlog_free() even after an error.
 */
int backlog_init(struct backlog *backlog, bool threaded, backlog_full *full, void *opaque);

/*
 * Free a backlog. The remaining requests are not counted, and the tallies are not freed. A backlog
 * whose members are all zero may also be freed.
 */
void backlog_free(struct backlog *backlog);

/* Get the batch that is being filled. */
static inline struct backlog_batch *backlog_batch(const struct backlog *backlog)
{
	return &backlog->batches[backlog->filled % BACKLOG_BATCHES];
}

/* If the batch that is being filled is full, pass it to the thread, which counts it. */
void backlog_send(struct backlog *backlog);

/* Note that @count requests were appended to the batch that is being filled. */
static inline void backlog_added(struct backlog *backlog, size_t count)
{
	struct backlog_batch *batch = backlog_batch(backlog);

	batch->count += count;
	if (batch->count == BACKLOG_WORDS)
		backlog_send(backlog);
}

/* Add a request to the backlog. */
static inline void backlog_add(struct backlog *backlog, uint64_t what)
{
	struct backlog_batch *batch = backlog_batch(backlog);

	batch->words[batch->count] = what;
	backlog_added(backlog, 1);
}

/**
 * backlog_settle() - Count all requests that were added. When this function returns, no thread is
 * counting until more requests are added.
 */
void backlog_settle(struct backlog *backlog);

#endif /* EMU_MACHINE_BACKLOG_H */
