/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of emu/machine/backlog.c, which counts requests, if there are many in a thread of its own.
 * No count may be lost, and only the thread of the machine may deliver counts.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <base/field.h>
#include <base/random.h>

#include "emu/machine/backlog.h"

#define NODES 3U
#define PAGES 64U
#define WORDS (PAGES * SMILE_PAGE_BYTES / 4)
/* Enough requests to start the thread of the backlog, and to let it run for some time. */
#define REQUESTS (3 * BACKLOG_START * BACKLOG_WORDS)

/* Whether the creation of threads fails, as at a limit of processes, and how often it failed. */
static bool refuses;
static unsigned refused;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*begin)(void *), void *opaque);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*begin)(void *), void *opaque);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*begin)(void *), void *opaque)
{
	if (!refuses)
		return __real_pthread_create(thread, attributes, begin, opaque);
	refused++;
	return EAGAIN;
}

/* struct counted - The requests that were counted, for each tally. */
struct counted {
	struct tally *tallies[BACKLOG_TALLIES];
	unsigned now; /* the tally to deliver */
	uint32_t words[BACKLOG_TALLIES][NODES][SMILE_TYPE_COUNT][WORDS];
	uint64_t far[BACKLOG_TALLIES]; /* requests beyond the pages */
	unsigned filled;
	unsigned left_out;
	pthread_t thread;
};

static void counted_take(void *opaque, unsigned source, unsigned home, uint64_t request,
			 const uint32_t *counts, size_t count)
{
	struct counted *counted = opaque;
	uint64_t word = (request & BLINK_REQUEST_ADDRESS) / 4;
	unsigned type = SMILE_GET(BLINK_REQUEST_TYPE, request);

	for (size_t i = 0; i < count; i++)
		if (word + i < WORDS)
			counted->words[counted->now][source][type][word + i] += counts[i];
		else
			counted->far[counted->now] += counts[i];
}

static void counted_deliver(struct counted *counted, unsigned tally)
{
	counted->now = tally;
	tally_deliver(counted->tallies[tally], counted_take, counted);
}

static void counted_full(void *opaque, struct tally *tally, bool still)
{
	struct counted *counted = opaque;

	assert_true(pthread_equal(pthread_self(), counted->thread));
	counted->left_out += still;
	counted->filled++;
	counted_deliver(counted, tally == counted->tallies[1]);
}

static struct counted *counted_new(struct backlog *backlog, bool threaded, unsigned block_bytes)
{
	struct counted *counted = calloc(1, sizeof(*counted));

	assert_non_null(counted);
	counted->thread = pthread_self();
	assert_int_equal(backlog_init(backlog, threaded, counted_full, counted), 0);
	for (unsigned i = 0; i < BACKLOG_TALLIES; i++) {
		counted->tallies[i] = tally_create(NODES, block_bytes);
		assert_non_null(counted->tallies[i]);
		backlog->tallies[i] = counted->tallies[i];
	}
	return counted;
}

/* Deliver all remaining counts, and free the backlog. */
static void counted_end(struct counted *counted, struct backlog *backlog)
{
	backlog_settle(backlog);
	for (unsigned i = 0; i < BACKLOG_TALLIES; i++)
		counted_deliver(counted, i);
	backlog_free(backlog);
	for (unsigned i = 0; i < BACKLOG_TALLIES; i++)
		tally_destroy(counted->tallies[i]);
}

static uint64_t state;

/* Count requests in both tallies, and read the counts at times. */
static struct counted *requests_count(bool threaded,
				      uint32_t (*expected)[NODES][SMILE_TYPE_COUNT][WORDS])
{
	struct backlog backlog;
	struct counted *counted = counted_new(&backlog, threaded, 4);

	state = 7;
	for (unsigned i = 0; i < REQUESTS; i++) {
		unsigned tally = random_below(&state, BACKLOG_TALLIES),
			 source = random_below(&state, NODES);
		unsigned type = 1 + random_below(&state, SMILE_TYPE_COUNT - 1),
			 word = random_below(&state, WORDS);

		backlog_batch(&backlog)->ahead = random_below(&state, 2);
		backlog_add(&backlog, (uint64_t)tally << BACKLOG_TALLY_SHIFT |
					      SMILE_PUT(BLINK_REQUEST_SOURCE, (uint64_t)source) |
					      SMILE_PUT(BLINK_REQUEST_TYPE, (uint64_t)type) |
					      (uint64_t)word * 4);
		if (expected)
			expected[tally][source][type][word]++;
		if (random_below(&state, REQUESTS / 20))
			continue;
		backlog_settle(&backlog);
		counted_deliver(counted, random_below(&state, BACKLOG_TALLIES));
	}
	assert_int_equal(backlog.running, threaded && !refuses);
	counted_end(counted, &backlog);
	return counted;
}

static void backlog_counts_all_with_a_thread_and_without(void **unused)
{
	uint32_t(*expected)[NODES][SMILE_TYPE_COUNT][WORDS] =
		calloc(BACKLOG_TALLIES, sizeof(*expected));
	struct counted *alone = requests_count(false, expected);
	struct counted *aside = requests_count(true, NULL);

	assert_non_null(expected);
	assert_memory_equal(alone->words, expected, sizeof(alone->words));
	assert_memory_equal(aside->words, expected, sizeof(aside->words));
	assert_int_equal(alone->filled + aside->filled, 0);
	free(expected);
	free(alone);
	free(aside);
}

static void backlog_goes_on_without_a_thread_that_is_refused(void **unused)
{
	struct counted *alone = requests_count(false, NULL), *aside;

	refused = 0;
	refuses = true;
	aside = requests_count(true, NULL);
	refuses = false;
	assert_int_equal(refused, 1);
	assert_memory_equal(aside->words, alone->words, sizeof(alone->words));
	free(alone);
	free(aside);
}

/* Each request is for a new page, so that the memory is used up soon, several times. */
static void backlog_without_memory_delivers_and_goes_on(void **unused)
{
	for (unsigned threaded = 0; threaded < 2; threaded++) {
		struct backlog backlog;
		struct counted *counted = counted_new(&backlog, threaded, SMILE_PAGE_BYTES);
		uint64_t added[BACKLOG_TALLIES] = {0};

		for (unsigned i = 0; i < BACKLOG_TALLIES; i++)
			tally_limit(counted->tallies[i], 1);
		for (uint64_t i = 0; i < REQUESTS; i++) {
			uint64_t tally = i & 1;

			backlog_add(&backlog,
				    tally << BACKLOG_TALLY_SHIFT |
					    SMILE_PUT(BLINK_REQUEST_TYPE, SMILE_TYPE_READ) |
					    (PAGES + i) * SMILE_PAGE_BYTES);
			added[tally]++;
		}
		assert_int_equal(backlog.running, threaded);
		counted_end(counted, &backlog);
		assert_true(counted->filled > 2);
		assert_int_equal(counted->left_out, 0);
		for (unsigned i = 0; i < BACKLOG_TALLIES; i++)
			assert_int_equal(counted->far[i], added[i]);
		free(counted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(backlog_counts_all_with_a_thread_and_without),
		cmocka_unit_test(backlog_goes_on_without_a_thread_that_is_refused),
		cmocka_unit_test(backlog_without_memory_delivers_and_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
