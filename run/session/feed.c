// SPDX-License-Identifier: MIT
/*
 * Passing batches on. See run/session/feed.h.
 *
 * Wake-ups are rare on both sides of a queue. A thread that waits for room is woken when most of
 * the queue is free. A thread that waits for work is woken when a quarter of the queue is used,
 * when a thread drains the queue, or after a while, so that the accesses of a mostly idle program
 * become visible.
 */
#include "run/session/feed.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* Batches that a thread takes in before it checks the queue again. */
#define FEED_TURN 4U

/* If all batches waited, the machine would overwrite the first. */
#define FEED_ROOM (FEED_BATCHES - 1)

/*
 * A thread that waits for work is woken when FEED_WORK batches wait; a thread that waits for room,
 * when only FEED_LEFT are left.
 */
#define FEED_WORK (FEED_BATCHES / 4)
#define FEED_LEFT (FEED_BATCHES / 4)

/* A thread that waits for work also polls, at this interval. */
#define FEED_LOOK_NS 100000000L
#define FEED_SECOND_NS 1000000000L

/**
 * struct feed_queue - A thread, and the batches that it is to take in.
 * @feed: the feed that has this queue
 * @thread: the thread
 * @lock: protects all members below
 * @work: there is something to do for the thread
 * @room: signalled when there is room, or nothing left
 * @batches: a ring, by number
 * @pushed: number of batches that were added
 * @taken: number of batches that were taken in
 * @idle: the thread waits
 * @settled: it has rested since the last batch, or was drained
 * @resting: the thread rests: it calls feed_rest
 * @full: a thread waits for @room
 * @stop: the thread is to end
 * @error: -errno of the batch that failed; 0: none
 */
struct feed_queue {
	struct feed *feed;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t work;
	pthread_cond_t room;
	struct feed_batch batches[FEED_BATCHES];
	uint64_t pushed;
	uint64_t taken;
	bool idle;
	bool settled;
	bool resting;
	bool full;
	bool stop;
	int error;
};

/**
 * struct feed - The queues, and what their threads call.
 * @take: takes in a batch
 * @rest: called when no batch has come for a while; may be NULL
 * @opaque: passed to both
 * @queues: [@threads]
 * @threads: number of threads
 */
struct feed {
	feed_take *take;
	feed_rest *rest;
	void *opaque;
	struct feed_queue queues[FEED_THREADS_MAX];
	unsigned threads;
};

/*
 * As many where there are only two processors: if one thread waits for a busy processor, another
 * can use an idle one.
 */
unsigned feed_threads(void)
{
	cpu_set_t cpus;

	/* The call fails on a host with more processors than the set holds: these are enough. */
	if (sched_getaffinity(0, sizeof(cpus), &cpus) == 0 && CPU_COUNT(&cpus) < 2)
		return 0;
	return FEED_THREADS_MAX;
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* Take in up to FEED_TURN batches. The lock is held, and released during that. */
static void queue_turn(struct feed_queue *queue)
{
	struct feed_batch batches[FEED_TURN];
	size_t count = queue->pushed - queue->taken;
	int err = queue->error;

	if (count > FEED_TURN)
		count = FEED_TURN;
	for (size_t i = 0; i < count; i++)
		batches[i] = queue->batches[(queue->taken + i) % FEED_BATCHES];
	pthread_mutex_unlock(&queue->lock);
	for (size_t i = 0; i < count && err == 0; i++)
		err = queue->feed->take(queue->feed->opaque, &batches[i]);
	pthread_mutex_lock(&queue->lock);
	queue->error = err;
	queue->taken += count;
	queue->settled = false;
	if (queue->full && queue->pushed - queue->taken <= FEED_LEFT)
		pthread_cond_signal(&queue->room);
}

/* Wait for work. The lock is held. Return: whether the time ran out without work. */
static bool queue_nap(struct feed_queue *queue)
{
	struct timespec until;
	bool late;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += FEED_LOOK_NS;
	if (until.tv_nsec >= FEED_SECOND_NS) {
		until.tv_sec++;
		until.tv_nsec -= FEED_SECOND_NS;
	}
	queue->idle = true;
	late = pthread_cond_timedwait(&queue->work, &queue->lock, &until) == ETIMEDOUT;
	queue->idle = false;
	return late && queue->pushed == queue->taken;
}

/* No batch has come for a while. The lock is held, and released during the call. */
static void queue_rest(struct feed_queue *queue)
{
	struct feed *feed = queue->feed;

	queue->resting = true;
	pthread_mutex_unlock(&queue->lock);
	feed->rest(feed->opaque, (unsigned)(queue - feed->queues), feed->threads);
	pthread_mutex_lock(&queue->lock);
	queue->resting = false;
	queue->settled = true;
	if (queue->full)
		pthread_cond_signal(&queue->room);
}

static void *queue_run(void *opaque)
{
	struct feed_queue *queue = opaque;

	pthread_mutex_lock(&queue->lock);
	while (queue->pushed != queue->taken || !queue->stop) {
		if (queue->pushed != queue->taken)
			queue_turn(queue);
		else if (queue_nap(queue) && queue->feed->rest && !queue->settled)
			queue_rest(queue);
	}
	pthread_mutex_unlock(&queue->lock);
	return NULL;
}

static int queue_start(struct feed_queue *queue)
{
	pthread_condattr_t clock;
	sigset_t all, before;
	int err;

	pthread_mutex_init(&queue->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&queue->work, &clock);
	pthread_condattr_destroy(&clock);
	pthread_cond_init(&queue->room, NULL);
	/* Signals must reach the thread that replays: they end its sleep. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&queue->thread, NULL, queue_run, queue);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err) {
		pthread_mutex_destroy(&queue->lock);
		pthread_cond_destroy(&queue->work);
		pthread_cond_destroy(&queue->room);
	}
	return -err;
}

/* ---- the other side -------------------------------------------------------------------------- */

/* Wait until at most @left batches wait; with 0, until the thread is done. The lock is held. */
static void queue_wait(struct feed_queue *queue, size_t left)
{
	while (queue->pushed - queue->taken > left || (!left && queue->resting)) {
		if (queue->idle)
			pthread_cond_signal(&queue->work);
		queue->full = true;
		pthread_cond_wait(&queue->room, &queue->lock);
		queue->full = false;
	}
}

int feed_create(struct feed **out, unsigned threads, feed_take *take, feed_rest *rest, void *opaque)
{
	struct feed *feed = threads ? calloc(1, sizeof(*feed)) : NULL;
	int err = 0;

	if (!threads)
		return -EINVAL;
	if (!feed)
		return -ENOMEM;
	feed->take = take;
	feed->rest = rest;
	feed->opaque = opaque;
	if (threads > FEED_THREADS_MAX)
		threads = FEED_THREADS_MAX;
	while (feed->threads < threads && err == 0) {
		struct feed_queue *queue = &feed->queues[feed->threads];

		queue->feed = feed;
		queue->settled = true;
		err = queue_start(queue);
		feed->threads += err == 0;
	}
	if (err < 0) {
		feed_destroy(feed);
		return err;
	}
	*out = feed;
	return 0;
}

int feed_push(struct feed *feed, const struct feed_batch *batch)
{
	struct feed_queue *queue = &feed->queues[batch->node % feed->threads];
	int err;

	pthread_mutex_lock(&queue->lock);
	queue->batches[queue->pushed++ % FEED_BATCHES] = *batch;
	if (queue->idle && queue->pushed - queue->taken >= FEED_WORK)
		pthread_cond_signal(&queue->work);
	queue_wait(queue, FEED_ROOM);
	err = queue->error;
	pthread_mutex_unlock(&queue->lock);
	return err;
}

int feed_drain(struct feed *feed)
{
	int err = 0;

	for (unsigned i = 0; i < feed->threads; i++) {
		struct feed_queue *queue = &feed->queues[i];

		pthread_mutex_lock(&queue->lock);
		queue_wait(queue, 0);
		queue->settled = true;
		if (err == 0)
			err = queue->error;
		pthread_mutex_unlock(&queue->lock);
	}
	return err;
}

void feed_destroy(struct feed *feed)
{
	for (unsigned i = 0; feed && i < feed->threads; i++) {
		struct feed_queue *queue = &feed->queues[i];

		pthread_mutex_lock(&queue->lock);
		queue->stop = true;
		pthread_cond_signal(&queue->work);
		pthread_mutex_unlock(&queue->lock);
		pthread_join(queue->thread, NULL);
		pthread_mutex_destroy(&queue->lock);
		pthread_cond_destroy(&queue->work);
		pthread_cond_destroy(&queue->room);
	}
	free(feed);
}
