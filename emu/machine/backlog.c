/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Counting the requests of the backlog, in the machine's thread and in a separate thread. See
 * backlog.h.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include <base/field.h>

#include "backlog.h"

/*
 * The memory for the count of a request is prefetched when the request is this number of requests
 * ahead.
 */
#define PREFETCH_WORDS 24

/* ---- a batch --------------------------------------------------------------------------------- */

static inline struct tally *word_tally(const struct backlog *backlog, uint64_t what)
{
	return backlog->tallies[what >> 63];
}

/*
 * Count the requests of a batch, from the first request that was not counted. @usual: both tallies
 * have the usual shape. @usual and @ahead are arguments, so that the compiler generates separate
 * code for each case. Return: true if all requests were counted. Otherwise the tally of the first
 * remaining request has no memory for it.
 */
static inline __attribute__((always_inline)) bool
words_count(struct tally *const tallies[BACKLOG_TALLIES], struct backlog_batch *batch, bool usual,
	    bool ahead)
{
	const struct tally_shape words = {2, TALLY_CHUNK_BITS};
	const uint64_t *word = batch->words + batch->first, *end = batch->words + batch->count;

	for (; word < end; word++) {
		uint64_t what = *word;
		struct tally *tally = tallies[what >> BACKLOG_TALLY_SHIFT];

		if (ahead && end - word > PREFETCH_WORDS) {
			uint64_t next = word[PREFETCH_WORDS];
			const struct tally *other = tallies[next >> BACKLOG_TALLY_SHIFT];

			tally_prefetch(other, usual ? words : tally_shape(other),
				       SMILE_GET(BLINK_REQUEST_SOURCE, next), next);
		}
		if (__builtin_expect(tally_crowded(tally), 0) ||
		    !tally_count(tally, usual ? words : tally_shape(tally),
				 SMILE_GET(BLINK_REQUEST_SOURCE, what), what))
			break;
	}
	batch->first = (size_t)(word - batch->words);
	return word == end;
}

static bool usual_shape(const struct tally *tally)
{
	return !tally || (tally->shift == 2 && tally->chunk_bits == TALLY_CHUNK_BITS);
}

static bool batch_count(const struct backlog *backlog, struct backlog_batch *batch)
{
	struct tally *const *tallies = backlog->tallies;

	if (!usual_shape(tallies[0]) || !usual_shape(tallies[1]))
		return words_count(tallies, batch, false, batch->ahead);
	return batch->ahead ? words_count(tallies, batch, true, true)
			    : words_count(tallies, batch, true, false);
}

/*
 * Count a batch in the machine's thread. If a tally has no memory, only this thread may deliver its
 * counts to make room.
 */
static void batch_finish(const struct backlog *backlog, struct backlog_batch *batch)
{
	size_t last = SIZE_MAX;

	while (!batch_count(backlog, batch)) {
		struct tally *tally =
			backlog->tallies[batch->words[batch->first] >> BACKLOG_TALLY_SHIFT];
		bool still = batch->first == last;

		last = batch->first;
		batch->first += still;
		backlog->full(backlog->opaque, tally, still);
	}
}

static void batch_begin(struct backlog_batch *batch)
{
	batch->count = 0;
	batch->first = 0;
	batch->ahead = false;
}

/* ---- the thread ------------------------------------------------------------------------------ */

/*
 * Get the oldest batch that was filled and not counted. If there is none, get the batch that is
 * being filled.
 */
static struct backlog_batch *batch_first(const struct backlog *backlog)
{
	return &backlog->batches[backlog->done % BACKLOG_BATCHES];
}

static void *thread_main(void *opaque)
{
	struct backlog *backlog = opaque;

	pthread_mutex_lock(&backlog->lock);
	while (!backlog->ends) {
		bool all;

		if (backlog->stuck || backlog->done == backlog->filled) {
			pthread_cond_wait(&backlog->work, &backlog->lock);
			continue;
		}
		backlog->busy = true;
		pthread_mutex_unlock(&backlog->lock);
		all = batch_count(backlog, batch_first(backlog));
		pthread_mutex_lock(&backlog->lock);
		backlog->busy = false;
		backlog->stuck = !all;
		backlog->done += all;
		pthread_cond_signal(&backlog->idle);
	}
	pthread_mutex_unlock(&backlog->lock);
	return NULL;
}

/*
 * Start the thread. All signals are blocked in it, so that the machine's thread receives them. If
 * the thread cannot be started, the machine's thread counts all batches.
 */
static void thread_start(struct backlog *backlog)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	backlog->running = pthread_create(&backlog->thread, NULL, thread_main, backlog) == 0;
	backlog->threaded = backlog->running;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/*
 * Wait until at most @most filled batches are left. While the other thread is idle, the machine's
 * thread counts batches itself. The lock must be held.
 */
static void batches_finish(struct backlog *backlog, uint64_t most)
{
	while (backlog->filled - backlog->done > most) {
		if (backlog->busy) {
			pthread_cond_wait(&backlog->idle, &backlog->lock);
			continue;
		}
		batch_finish(backlog, batch_first(backlog));
		backlog->done++;
		backlog->stuck = false;
	}
}

/* ---- the machine's side ---------------------------------------------------------------------- */

int backlog_init(struct backlog *backlog, bool threaded, backlog_full *full, void *opaque)
{
	*backlog = (struct backlog){.threaded = threaded, .full = full, .opaque = opaque};
	backlog->batches = calloc(BACKLOG_BATCHES, sizeof(*backlog->batches));
	pthread_mutex_init(&backlog->lock, NULL);
	pthread_cond_init(&backlog->work, NULL);
	pthread_cond_init(&backlog->idle, NULL);
	return backlog->batches ? 0 : -ENOMEM;
}

void backlog_free(struct backlog *backlog)
{
	if (backlog->running) {
		pthread_mutex_lock(&backlog->lock);
		backlog->ends = true;
		pthread_cond_signal(&backlog->work);
		pthread_mutex_unlock(&backlog->lock);
		pthread_join(backlog->thread, NULL);
	}
	free(backlog->batches);
	*backlog = (struct backlog){0};
}

void backlog_send(struct backlog *backlog)
{
	pthread_mutex_lock(&backlog->lock);
	backlog->filled++;
	if (backlog->threaded && !backlog->running && backlog->filled == BACKLOG_START)
		thread_start(backlog);
	batches_finish(backlog, backlog->running ? BACKLOG_BATCHES - 1 : 0);
	if (backlog->filled - backlog->done >= BACKLOG_WAKE)
		pthread_cond_signal(&backlog->work);
	pthread_mutex_unlock(&backlog->lock);
	batch_begin(backlog_batch(backlog));
}

void backlog_settle(struct backlog *backlog)
{
	struct backlog_batch *batch = backlog_batch(backlog);

	pthread_mutex_lock(&backlog->lock);
	batches_finish(backlog, 0);
	batch_finish(backlog, batch);
	pthread_mutex_unlock(&backlog->lock);
	batch_begin(batch);
}
