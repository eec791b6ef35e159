/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/exchange/exchange.c, in ordinary memory. Records are written and read. Other tests
 * use a record that is half written, overwritten, of another version or random, or let a writer and
 * a reader run at the same time.
 */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lib/exchange/exchange.h"

#define COUNTERS 70
#define ROUNDS 20000

static const struct exchange_head written = {
	.node = 3, .counters = COUNTERS, .agreement = 0xabcdef, .incarnation = 77};
static struct exchange_record record;
static uint64_t *words;

static int setup(void **state)
{
	words = malloc(exchange_bytes(COUNTERS));
	memset(words, 0x5a, exchange_bytes(COUNTERS));
	exchange_create(words, &written);
	return 0;
}

static int teardown(void **state)
{
	free(words);
	return 0;
}

/* Make a record whose contents are computed from the number of its interval. */
static struct exchange_record record_of(uint64_t interval)
{
	struct exchange_record made = {
		.interval = interval, .begin_ns = 1000 * interval, .end_ns = 1000 * interval + 900};

	for (uint16_t i = 0; i < COUNTERS; i++)
		if ((i + interval) % 3 == 0) {
			made.counters[made.count] = i;
			made.values[made.count++] = (double)interval + i / 100.0;
		}
	return made;
}

static void record_write(uint64_t interval)
{
	const struct exchange_record made = record_of(interval);

	assert_int_equal(exchange_write(words, &made), 0);
}

static void record_equals(uint64_t interval)
{
	const struct exchange_record made = record_of(interval);

	assert_int_equal(record.interval, interval);
	assert_int_equal(record.begin_ns, made.begin_ns);
	assert_int_equal(record.end_ns, made.end_ns);
	assert_int_equal(record.count, made.count);
	assert_memory_equal(record.counters, made.counters, made.count * sizeof(*made.counters));
	assert_memory_equal(record.values, made.values, made.count * sizeof(*made.values));
}

static struct exchange_head head_now(void)
{
	struct exchange_head head;

	assert_int_equal(exchange_head(words, exchange_bytes(COUNTERS), &head), 0);
	return head;
}

static void there_and_back(void **state)
{
	struct exchange_head head = head_now();
	struct exchange_progress progress;

	assert_memory_equal(&head, &written, sizeof(head));
	assert_int_equal(exchange_progress(words, &progress), 0);
	assert_int_equal(progress.newest, 0);
	assert_int_equal(exchange_read(words, &head, 1, &record), -EAGAIN);
	exchange_begin(words, 6);
	record_write(5);
	assert_int_equal(exchange_read(words, &head, 5, &record), 0);
	record_equals(5);
	assert_int_equal(exchange_progress(words, &progress), 0);
	assert_int_equal(progress.begun, 6);
	assert_int_equal(progress.newest, 5);
	assert_int_equal(progress.ended, 0);
	exchange_end(words, EXCHANGE_ENDED);
	assert_int_equal(exchange_progress(words, &progress), 0);
	assert_int_equal(progress.ended, EXCHANGE_ENDED);
}

/*
 * The ring contains the newest records. If an interval has no record, its slot contains an older
 * one.
 */
static void ring(void **state)
{
	struct exchange_head head = head_now();
	uint64_t last = EXCHANGE_RECORDS + 10;

	for (uint64_t i = 1; i <= last; i++)
		if (i != last - 2)
			record_write(i);
	assert_int_equal(exchange_read(words, &head, 10, &record), -ESTALE);
	assert_int_equal(exchange_read(words, &head, 11, &record), 0);
	record_equals(11);
	assert_int_equal(exchange_read(words, &head, last, &record), 0);
	assert_int_equal(exchange_read(words, &head, last + 1, &record), -EAGAIN);
	assert_int_equal(exchange_read(words, &head, last - 2, &record), -EAGAIN);
	assert_int_equal(exchange_read(words, &head, 0, &record), -EBADMSG);
}

static void impossible_records(void **state)
{
	struct exchange_record good = record_of(9), bad;

	bad = good, bad.interval = 0;
	assert_int_equal(exchange_write(words, &bad), -EINVAL);
	bad = good, bad.end_ns = bad.begin_ns;
	assert_int_equal(exchange_write(words, &bad), -EINVAL);
	bad = good, bad.values[2] = NAN;
	assert_int_equal(exchange_write(words, &bad), -EINVAL);
	bad = good, bad.counters[2] = COUNTERS;
	assert_int_equal(exchange_write(words, &bad), -EINVAL);
	bad = good, bad.counters[2] = bad.counters[1];
	assert_int_equal(exchange_write(words, &bad), -EINVAL);
}

/* If any word was changed, the record is invalid, even if the word is from another valid record. */
static void torn(void **state)
{
	struct exchange_head head = head_now();
	size_t bytes = exchange_bytes(COUNTERS), changed = 0;
	uint64_t *copy = malloc(bytes);

	record_write(5);
	memcpy(copy, words, bytes);
	record_write(5 + EXCHANGE_RECORDS);
	for (size_t i = 0; i < bytes / sizeof(*words); i++) {
		uint64_t kept = words[i];

		/* This is the state in which the writer has stored only the words before word i. */
		if (copy[i] == kept || i < 16)
			continue;
		changed++;
		words[i] = copy[i];
		assert_int_not_equal(exchange_read(words, &head, 5 + EXCHANGE_RECORDS, &record), 0);
		words[i] = kept ^ 1;
		assert_int_not_equal(exchange_read(words, &head, 5 + EXCHANGE_RECORDS, &record), 0);
		words[i] = kept;
	}
	assert_in_range(changed, 20, 60);
	assert_int_equal(exchange_read(words, &head, 5 + EXCHANGE_RECORDS, &record), 0);
	free(copy);
}

static void gone(void **state)
{
	struct exchange_head head = head_now();
	struct exchange_progress progress;
	size_t bytes = exchange_bytes(COUNTERS);

	record_write(5);
	memset(words, 0xff, bytes);
	assert_int_equal(exchange_read(words, &head, 5, &record), -EBADMSG);
	assert_int_equal(exchange_progress(words, &progress), -ENXIO);
	assert_int_equal(exchange_head(words, bytes, &head), -ENXIO);
	memset(words, 0, bytes);
	assert_int_equal(exchange_head(words, bytes, &head), -ENXIO);
}

static void another_version(void **state)
{
	struct exchange_head head;
	size_t bytes = exchange_bytes(COUNTERS);

	words[1]++;
	assert_int_equal(exchange_head(words, bytes, &head), -EPROTONOSUPPORT);
	words[1]--;
	assert_int_equal(exchange_head(words, bytes - 8, &head), -EBADMSG);
	for (size_t i = 2; i <= 6; i++) {
		words[i] ^= 1;
		assert_int_equal(exchange_head(words, bytes, &head), -EBADMSG);
		words[i] ^= 1;
	}
	assert_int_equal(exchange_head(words, bytes, &head), 0);
}

/* The memory has random contents, but the reader has read a valid head before. */
static void garbage(void **state)
{
	struct exchange_head head = head_now();
	struct exchange_progress progress;
	uint64_t seed = 11;
	int believed = 0;

	for (int round = 0; round < 200; round++) {
		for (size_t i = 0; i < exchange_bytes(COUNTERS) / sizeof(*words); i++) {
			seed = seed * 6364136223846793005U + 1442695040888963407U;
			words[i] = seed ^ seed >> 31;
		}
		believed += !exchange_progress(words, &progress);
		for (uint64_t i = 1; i < 20; i++) {
			words[16 + i * (4 + 2 + COUNTERS)] = i;
			believed += !exchange_read(words, &head, i, &record);
		}
	}
	assert_int_equal(believed, 0);
}

static void *writer(void *stop)
{
	for (uint64_t i = 1; i <= ROUNDS; i++)
		record_write(1 + i * EXCHANGE_RECORDS);
	atomic_store((atomic_int *)stop, 1);
	return NULL;
}

/* All records use one slot, so that the writer overwrites the record that is being read. */
static void at_the_same_time(void **state)
{
	struct exchange_head head = head_now();
	struct exchange_progress progress;
	atomic_int stop = 0;
	uint64_t taken = 0;
	pthread_t thread;

	pthread_create(&thread, NULL, writer, &stop);
	while (!atomic_load(&stop)) {
		assert_int_equal(exchange_progress(words, &progress), 0);
		if (!progress.newest || exchange_read(words, &head, progress.newest, &record) < 0)
			continue;
		record_equals(progress.newest);
		taken++;
	}
	pthread_join(thread, NULL);
	assert_int_equal(exchange_progress(words, &progress), 0);
	assert_int_equal(exchange_read(words, &head, progress.newest, &record), 0);
	record_equals(1 + ROUNDS * (uint64_t)EXCHANGE_RECORDS);
	print_message("%d records taken while they were overwritten\n", (int)taken);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(there_and_back),
		TEST(ring),
		TEST(impossible_records),
		TEST(torn),
		TEST(gone),
		TEST(another_version),
		TEST(garbage),
		TEST(at_the_same_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
