/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of run/session/feed.c: batches on their way to the threads that take them in.
 */
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "run/session/feed.h"

#define NODES 5U
#define BATCHES 3000U
#define KEPT FEED_BATCHES
#define PATIENCE_MS 300000U
/* In which a thread that was idle has looked for work twice, unless it does not get that far. */
#define TWO_LOOKS_NS 250000000L

/**
 * struct line - What the taking side has of each node, and how it is to behave.
 * @taken: batches, by node; counts that say so are the frame's time
 * @wrong: batches that came out of order, or whose frames were not those pushed
 * @fail_at: batch of node 0 at which it fails; 0: never
 * @slow: it takes its time
 */
struct line {
	uint64_t taken[NODES];
	unsigned wrong;
	uint64_t fail_at;
	int slow;
};

static int line_take(void *opaque, const struct feed_batch *batch)
{
	struct line *line = opaque;
	const struct machine_frame *frames = batch->frames;
	unsigned node = batch->node;

	if (line->slow)
		nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
	if (batch->count != 2 || frames[0].time_ns != line->taken[node] || frames[0].length != node)
		__atomic_fetch_add(&line->wrong, 1, __ATOMIC_RELAXED);
	if (node == 0 && line->fail_at && line->taken[0] == line->fail_at)
		return -EIO;
	__atomic_store_n(&line->taken[node], line->taken[node] + 1, __ATOMIC_RELEASE);
	return 0;
}

/**
 * struct source - The machine's side: batches of each node, written over when they may be.
 */
struct source {
	struct machine_frame frames[NODES][KEPT][2];
	uint64_t made[NODES];
};

static int source_push(struct source *source, struct feed *feed, unsigned node)
{
	uint64_t number = source->made[node]++;
	struct machine_frame *frames = source->frames[node][number % KEPT];
	int err;

	frames[0] = (struct machine_frame){NULL, node, number};
	err = feed_push(feed, &(struct feed_batch){.node = node, .count = 2, .frames = frames});
	/* From now on this one may be written over. */
	memset(source->frames[node][(number + 1) % KEPT], 0xff, sizeof(source->frames[0][0]));
	return err;
}

static void feed_all_batches_are_taken_in_their_order(void **state)
{
	for (unsigned threads = 1; threads <= FEED_THREADS_MAX + 1; threads++) {
		static struct source source;
		struct line line = {.slow = 0};
		struct feed *feed;

		memset(&source, 0, sizeof(source));
		assert_int_equal(feed_create(&feed, threads, line_take, NULL, &line), 0);
		for (unsigned i = 0; i < BATCHES * NODES; i++)
			assert_int_equal(source_push(&source, feed, i % 3 ? i % NODES : 0), 0);
		assert_int_equal(feed_drain(feed), 0);
		assert_int_equal(line.wrong, 0);
		for (unsigned n = 0; n < NODES; n++) {
			assert_true(source.made[n] > BATCHES / 2);
			assert_true(line.taken[n] == source.made[n]);
		}
		feed_destroy(feed);
	}
}

static void feed_waits_for_who_is_slow(void **state)
{
	static struct source source;
	struct line line = {.slow = 1};
	struct feed *feed;

	assert_int_equal(feed_create(&feed, 1, line_take, NULL, &line), 0);
	for (unsigned i = 0; i < 4 * FEED_BATCHES; i++)
		assert_int_equal(source_push(&source, feed, 1), 0);
	assert_int_equal(feed_drain(feed), 0);
	assert_int_equal(line.wrong, 0);
	assert_int_equal(line.taken[1], 4 * FEED_BATCHES);
	feed_destroy(feed);
}

static void feed_drain_waits_for_the_first_batch_alone(void **state)
{
	static struct source source;
	struct line line = {.slow = 1};
	struct feed *feed;

	assert_int_equal(feed_create(&feed, 2, line_take, NULL, &line), 0);
	assert_int_equal(feed_drain(feed), 0);
	for (unsigned i = 1; i < 20; i++) {
		assert_int_equal(source_push(&source, feed, 1), 0);
		assert_int_equal(feed_drain(feed), 0);
		assert_int_equal(line.taken[1], i);
	}
	feed_destroy(feed);
}

/* Accesses of a mostly idle program become visible, even without a drain. */
static void feed_takes_in_one_batch_alone(void **state)
{
	static struct source source;
	struct line line = {.slow = 0};
	struct feed *feed;

	memset(&source, 0, sizeof(source));
	assert_int_equal(feed_create(&feed, 1, line_take, NULL, &line), 0);
	assert_int_equal(source_push(&source, feed, 1), 0);
	for (unsigned tries = 0; !__atomic_load_n(&line.taken[1], __ATOMIC_ACQUIRE); tries++) {
		assert_true(tries < PATIENCE_MS);
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	}
	assert_int_equal(line.wrong, 0);
	feed_destroy(feed);
}

/**
 * struct rested - What has rested.
 * @line: for the batches; first, since it is what takes them in
 * @times: how often, by thread
 * @wrong: with a number of threads that is not theirs
 */
struct rested {
	struct line line;
	unsigned times[FEED_THREADS_MAX];
	unsigned wrong;
};

static void line_rest(void *opaque, unsigned thread, unsigned threads)
{
	struct rested *rested = opaque;

	if (threads != 2)
		__atomic_fetch_add(&rested->wrong, 1, __ATOMIC_RELAXED);
	else
		__atomic_fetch_add(&rested->times[thread], 1, __ATOMIC_RELEASE);
}

static void wait_for(const unsigned *times, unsigned wanted)
{
	for (unsigned tries = 0; __atomic_load_n(times, __ATOMIC_ACQUIRE) < wanted; tries++) {
		assert_true(tries < PATIENCE_MS);
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	}
}

/* Each time that something came and then nothing; and of a thread to which nothing came, never. */
static void feed_rests_once_behind_batches(void **state)
{
	static struct source source;
	struct rested rested = {.wrong = 0};
	struct feed *feed;
	unsigned times;

	memset(&source, 0, sizeof(source));
	assert_int_equal(feed_create(&feed, 2, line_take, line_rest, &rested), 0);
	for (unsigned i = 1; i < 3; i++) {
		assert_int_equal(source_push(&source, feed, 1), 0);
		wait_for(&rested.times[1], i);
		assert_int_equal(rested.line.taken[1], i);
		/* It does not do so again; and a thread that drained it can do its work. */
		nanosleep(&(struct timespec){.tv_nsec = TWO_LOOKS_NS}, NULL);
		assert_int_equal(feed_drain(feed), 0);
		assert_int_equal(rested.times[1], i);
	}
	/* Behind a batch that was drained it does not; if we got there late, it has before. */
	assert_int_equal(source_push(&source, feed, 1), 0);
	assert_int_equal(feed_drain(feed), 0);
	times = rested.times[1];
	assert_in_range(times, 2, 3);
	nanosleep(&(struct timespec){.tv_nsec = TWO_LOOKS_NS}, NULL);
	feed_destroy(feed);
	assert_int_equal(rested.times[1], times);
	assert_int_equal(rested.times[0], 0);
	assert_int_equal(rested.wrong, 0);
	assert_int_equal(rested.line.wrong, 0);
}

static void feed_error_is_reported_and_nothing_is_taken_behind_it(void **state)
{
	static struct source source;
	struct line line = {.fail_at = 7};
	struct feed *feed;
	int err = 0;

	assert_int_equal(feed_create(&feed, 2, line_take, NULL, &line), 0);
	for (unsigned i = 0; i < 8 * FEED_BATCHES && err == 0; i++)
		err = source_push(&source, feed, 0);
	assert_int_equal(err, -EIO);
	/* The error is reported again, and no call waits for ever. */
	for (unsigned i = 0; i < 4 * FEED_BATCHES; i++)
		assert_int_equal(source_push(&source, feed, 0), -EIO);
	/* The other thread's nodes are not concerned. */
	assert_int_equal(source_push(&source, feed, 1), 0);
	assert_int_equal(feed_drain(feed), -EIO);
	assert_int_equal(line.taken[0], 7);
	assert_int_equal(line.taken[1], 1);
	feed_destroy(feed);
}

static void feed_destroy_takes_in_what_waits(void **state)
{
	static struct source source;
	struct line line = {.slow = 0};
	struct feed *feed;

	assert_int_equal(feed_create(&feed, 3, line_take, NULL, &line), 0);
	for (unsigned i = 0; i < 10; i++)
		assert_int_equal(source_push(&source, feed, 2), 0);
	feed_destroy(feed);
	assert_int_equal(line.taken[2], 10);
	feed_destroy(NULL);
}

static void feed_threads_follow_the_processors(void **state)
{
	cpu_set_t before, one;
	struct feed *feed;

	assert_int_equal(feed_create(&feed, 0, line_take, NULL, NULL), -EINVAL);
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	assert_int_equal(feed_threads(), CPU_COUNT(&before) > 1 ? FEED_THREADS_MAX : 0);
	CPU_ZERO(&one);
	for (int cpu = 0; CPU_COUNT(&one) == 0; cpu++)
		if (CPU_ISSET(cpu, &before))
			CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(feed_threads(), 0);
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(feed_all_batches_are_taken_in_their_order),
		cmocka_unit_test(feed_waits_for_who_is_slow),
		cmocka_unit_test(feed_drain_waits_for_the_first_batch_alone),
		cmocka_unit_test(feed_takes_in_one_batch_alone),
		cmocka_unit_test(feed_rests_once_behind_batches),
		cmocka_unit_test(feed_error_is_reported_and_nothing_is_taken_behind_it),
		cmocka_unit_test(feed_destroy_takes_in_what_waits),
		cmocka_unit_test(feed_threads_follow_the_processors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
