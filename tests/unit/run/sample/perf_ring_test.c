// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Tests of run/sample/perf_ring.c: perf's ring of records. The tests use samples, records that wrap
 * at the end of the ring, lost records, and records that no kernel writes.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <base/random.h>

#include "run/sample/perf_ring.h"

#define BYTES 256U
#define SAMPLE_BYTES 40U

/**
 * struct fixture - A ring, and the samples that were read from it.
 * @head: position after the last record
 * @stop: return value of the function that receives samples
 */
struct fixture {
	unsigned char data[BYTES];
	struct sample_ring ring;
	uint64_t head;
	uint64_t tail;
	struct sample taken[16];
	size_t count;
	int stop;
};

static void begin(struct fixture *fixture, uint64_t at)
{
	*fixture = (struct fixture){.head = at, .tail = at};
	fixture->ring = (struct sample_ring){
		.data = fixture->data, .bytes = BYTES, .sample_type = SAMPLE_TYPE_FAULTS};
}

static void put(struct fixture *fixture, const void *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fixture->data[fixture->head++ % BYTES] = ((const unsigned char *)bytes)[i];
}

static void put_header(struct fixture *fixture, uint32_t type, uint16_t size)
{
	const struct perf_event_header header = {.type = type, .size = size};

	put(fixture, &header, sizeof(header));
}

static void put_u64(struct fixture *fixture, uint64_t value)
{
	put(fixture, &value, sizeof(value));
}

static void put_u32(struct fixture *fixture, uint32_t value)
{
	put(fixture, &value, sizeof(value));
}

static void put_sample(struct fixture *fixture, uint64_t address, uint32_t cpu)
{
	put_header(fixture, PERF_RECORD_SAMPLE, SAMPLE_BYTES);
	put_u32(fixture, 100);
	put_u32(fixture, 101);
	put_u64(fixture, 5000 + address);
	put_u64(fixture, address);
	put_u32(fixture, cpu);
	put_u32(fixture, 0);
}

static int take(void *opaque, const struct sample *sample)
{
	struct fixture *fixture = opaque;

	assert_in_range(fixture->count, 0, 15);
	fixture->taken[fixture->count++] = *sample;
	return fixture->stop;
}

static int read_all(struct fixture *fixture)
{
	return sample_ring_read(&fixture->ring, &fixture->tail, fixture->head, take, fixture);
}

static void ring_read_samples_come_in_order(void **state)
{
	struct fixture fixture;

	begin(&fixture, 0);
	put_sample(&fixture, 0x1000, 3);
	put_sample(&fixture, 0x7fffffffe123, 70000);
	assert_int_equal(read_all(&fixture), 0);
	assert_int_equal(fixture.count, 2);
	assert_int_equal(fixture.taken[0].pid, 100);
	assert_int_equal(fixture.taken[0].tid, 101);
	assert_int_equal(fixture.taken[0].time_ns, 0x1000 + 5000);
	assert_int_equal(fixture.taken[0].address, 0x1000);
	assert_int_equal(fixture.taken[0].cpu, 3);
	assert_int_equal(fixture.taken[1].address, 0x7fffffffe123);
	assert_int_equal(fixture.taken[1].cpu, 70000);
	assert_int_equal(fixture.tail, fixture.head);
	assert_int_equal(fixture.ring.samples, 2);
	/* There is no new record. */
	assert_int_equal(read_all(&fixture), 0);
	assert_int_equal(fixture.count, 2);
}

/*
 * The end of the ring may be anywhere in a record. A position may be far greater than the ring's
 * size.
 */
static void ring_read_record_round_the_end_is_whole(void **state)
{
	struct fixture fixture;

	for (uint64_t at = 0; at < 2UL * BYTES; at += 8) {
		begin(&fixture, (1ULL << 40) + at);
		for (uint64_t i = 0; i < 6; i++)
			put_sample(&fixture, 0x1000 * i + at, (uint32_t)i);
		assert_int_equal(read_all(&fixture), 0);
		assert_int_equal(fixture.count, 6);
		for (uint64_t i = 0; i < 6; i++) {
			assert_int_equal(fixture.taken[i].address, 0x1000 * i + at);
			assert_int_equal(fixture.taken[i].cpu, i);
		}
	}
}

static void ring_read_lost_samples_are_counted(void **state)
{
	struct fixture fixture;

	begin(&fixture, 232);
	put_sample(&fixture, 1, 0);
	put_header(&fixture, PERF_RECORD_LOST, 24);
	put_u64(&fixture, 77);
	put_u64(&fixture, 1000000);
	put_header(&fixture, PERF_RECORD_LOST_SAMPLES, 16);
	put_u64(&fixture, 5);
	put_sample(&fixture, 2, 0);
	assert_int_equal(read_all(&fixture), 0);
	assert_int_equal(fixture.count, 2);
	assert_int_equal(fixture.ring.lost, 1000005);
}

/* Records of other kinds: longer than a sample, or without contents. */
static void ring_read_other_records_are_skipped(void **state)
{
	struct fixture fixture;

	begin(&fixture, 0);
	put_header(&fixture, PERF_RECORD_FORK, 8);
	put_header(&fixture, PERF_RECORD_MMAP2, 128);
	for (int i = 0; i < 15; i++)
		put_u64(&fixture, UINT64_MAX);
	put_header(&fixture, 0xffff, 16);
	put_u64(&fixture, 0);
	put_sample(&fixture, 9, 0);
	assert_int_equal(read_all(&fixture), 0);
	assert_int_equal(fixture.ring.skipped, 3);
	assert_int_equal(fixture.count, 1);
	assert_int_equal(fixture.taken[0].address, 9);
}

static void put_name(struct fixture *fixture, uint32_t pid, uint32_t tid, const char name[16])
{
	put_header(fixture, PERF_RECORD_COMM, 32);
	put_u32(fixture, pid);
	put_u32(fixture, tid);
	put(fixture, name, 16);
}

/*
 * Only the names of processes are read, not those of other threads. A record without a name is
 * ignored.
 */
static void ring_read_names_of_processes(void **state)
{
	struct children children = {{.bits = 0}};
	struct fixture fixture;
	struct children_sum *sums;
	size_t count;

	begin(&fixture, BYTES - 20);
	fixture.ring.children = &children;
	put_name(&fixture, 7, 7, "worker\0\0\0\0\0\0\0\0\0");
	put_name(&fixture, 7, 8, "thread\0\0\0\0\0\0\0\0\0");
	put_name(&fixture, 9, 9, "worker\0\0\0\0\0\0\0\0\0");
	put_name(&fixture, 6, 6, "no NUL is here !");
	put_header(&fixture, PERF_RECORD_COMM, 12);
	put_u32(&fixture, 9);
	assert_int_equal(read_all(&fixture), 0);
	assert_int_equal(fixture.ring.skipped, 5);
	for (uint32_t pid = 5; pid < 10; pid++)
		assert_int_equal(children_sampled(&children, pid, 1), 0);
	sums = children_sums(&children, &count);
	assert_non_null(sums);
	assert_int_equal(count, 3);
	assert_string_equal(sums[0].name, "");
	assert_string_equal(sums[1].name, "worker");
	assert_string_equal(sums[2].name, "no NUL is here ");
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(sums[i].processes, i < 2 ? 2 : 1);
		assert_int_equal(sums[i].samples, i < 2 ? 2 : 1);
	}
	free(sums);
	children_free(&children);
}

static void put_end(struct fixture *fixture, uint32_t pid, uint32_t tid, uint64_t time_ns)
{
	put_header(fixture, PERF_RECORD_EXIT, 32);
	put_u32(fixture, pid);
	put_u32(fixture, 1);
	put_u32(fixture, tid);
	put_u32(fixture, 1);
	put_u64(fixture, time_ns);
}

/* The ends of first threads are read in any order. A record without a time is ignored. */
static void ring_read_ends_of_first_threads(void **state)
{
	struct children children = {{.bits = 0}};
	struct fixture fixture;

	begin(&fixture, BYTES - 20);
	fixture.ring.children = &children;
	put_end(&fixture, 7, 7, 2000);
	put_end(&fixture, 7, 8, 3000);
	put_end(&fixture, 9, 9, 5000);
	put_end(&fixture, 9, 9, 4000);
	put_header(&fixture, PERF_RECORD_EXIT, 24);
	put_u64(&fixture, 0);
	put_u64(&fixture, 0);
	assert_int_equal(read_all(&fixture), 0);
	assert_int_equal(fixture.ring.skipped, 5);
	assert_int_equal(children_left_since(&children, 7, 1999), 1);
	assert_int_equal(children_left_since(&children, 7, 2000), 0);
	assert_int_equal(children_left_since(&children, 8, 0), 0);
	assert_int_equal(children_left_since(&children, 9, 3999), 2);
	assert_int_equal(children_left_since(&children, 9, 4000), 1);
	children_free(&children);
}

/* Samples of memory accesses have a period and a data source. */
static void ring_read_memory_samples(void **state)
{
	struct fixture fixture;

	begin(&fixture, 232);
	fixture.ring.sample_type = SAMPLE_TYPE_MEMORY;
	put_header(&fixture, PERF_RECORD_SAMPLE, 64);
	put_u32(&fixture, 100);
	put_u32(&fixture, 101);
	put_u64(&fixture, 5000);
	put_u64(&fixture, 0x1234);
	put_u64(&fixture, 3);
	put_u64(&fixture, 4000);
	put_u64(&fixture, 77);
	put_u64(&fixture, 0x42);
	put_header(&fixture, PERF_RECORD_THROTTLE, 32);
	put_u64(&fixture, 0);
	put_u64(&fixture, 0);
	put_u64(&fixture, 0);
	put_sample(&fixture, 1, 0);
	assert_int_equal(read_all(&fixture), 0);
	assert_int_equal(fixture.count, 1);
	assert_int_equal(fixture.taken[0].period, 4000);
	assert_int_equal(fixture.taken[0].weight, 77);
	assert_int_equal(fixture.taken[0].data_source, 0x42);
	assert_int_equal(fixture.taken[0].cpu, 3);
	assert_int_equal(fixture.ring.throttled, 1);
	assert_int_equal(fixture.ring.malformed, 1);
}

static void ring_read_short_sample_is_counted(void **state)
{
	struct fixture fixture;

	begin(&fixture, 0);
	put_header(&fixture, PERF_RECORD_SAMPLE, 32);
	put_u64(&fixture, 0);
	put_u64(&fixture, 0);
	put_u64(&fixture, 0);
	put_header(&fixture, PERF_RECORD_LOST, 16);
	put_u64(&fixture, 1);
	put_sample(&fixture, 9, 0);
	assert_int_equal(read_all(&fixture), 0);
	assert_int_equal(fixture.ring.malformed, 1);
	assert_int_equal(fixture.ring.lost, 0);
	assert_int_equal(fixture.count, 1);
}

/* If a record has an impossible size, the records after it cannot be read. Later batches can. */
static void ring_read_impossible_size_ends_the_batch(void **state)
{
	static const uint16_t sizes[] = {0, 7, 48, 0xffff};
	struct fixture fixture;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		begin(&fixture, 0);
		put_sample(&fixture, 1, 0);
		put_header(&fixture, PERF_RECORD_SAMPLE, sizes[i]);
		assert_int_equal(read_all(&fixture), -EPROTO);
		assert_int_equal(fixture.count, 1);
		assert_int_equal(fixture.tail, fixture.head);
		put_sample(&fixture, 2, 0);
		assert_int_equal(read_all(&fixture), 0);
		assert_int_equal(fixture.count, 2);
	}
	/* Half a header was written. */
	begin(&fixture, 0);
	fixture.head = 4;
	assert_int_equal(read_all(&fixture), -EPROTO);
	/* More bytes were written than the ring has. */
	begin(&fixture, 0);
	fixture.head = BYTES + 8;
	assert_int_equal(read_all(&fixture), -EPROTO);
	assert_int_equal(fixture.tail, fixture.head);
	assert_int_equal(fixture.count, 0);
}

/*
 * The function that receives samples fails. Its sample is consumed, and the next one is not read.
 */
static void ring_read_taker_failed_ends(void **state)
{
	struct fixture fixture;

	begin(&fixture, 0);
	put_sample(&fixture, 1, 0);
	put_sample(&fixture, 2, 0);
	fixture.stop = -ENOMEM;
	assert_int_equal(read_all(&fixture), -ENOMEM);
	assert_int_equal(fixture.count, 1);
	assert_int_equal(fixture.tail, SAMPLE_BYTES);
}

static int count_take(void *opaque, const struct sample *sample)
{
	++*(uint64_t *)opaque;
	return 0;
}

/*
 * Any contents of the ring must be read to the end, with at most as many samples as fit in the
 * ring.
 */
static void ring_read_random_bytes_end_at_the_head(void **state)
{
	uint64_t random = 1, all = 0;

	for (unsigned turn = 0; turn < 20000; turn++) {
		unsigned char data[BYTES];
		struct sample_ring ring = {
			.data = data, .bytes = BYTES, .sample_type = SAMPLE_TYPE_FAULTS};
		uint64_t tail = random_below(&random, 4 * BYTES), taken = 0;
		uint64_t head = tail + random_below(&random, BYTES + 1);
		int failed;

		for (size_t i = 0; i < BYTES; i++)
			data[i] = (unsigned char)random_below(&random, 256);
		/* Write headers of all kinds. All sizes except the last are possible. */
		for (uint64_t at = tail; at + 8 <= head;) {
			/* Some of these records have the size of a sample. */
			const uint8_t size = random_below(&random, 2)
						     ? SAMPLE_BYTES
						     : (uint8_t)random_below(&random, 50);
			const uint8_t header[8] = {(uint8_t)random_below(&random, 16), [6] = size};

			for (size_t i = 0; i < 8; i++)
				data[(at + i) % BYTES] = header[i];
			at += size > 8 ? size : 8;
		}
		failed = sample_ring_read(&ring, &tail, head, count_take, &taken);
		assert_true(failed == 0 || failed == -EPROTO);
		assert_int_equal(tail, head);
		assert_int_equal(taken, ring.samples);
		assert_in_range(taken, 0, BYTES / SAMPLE_BYTES);
		all += taken;
	}
	assert_true(all > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ring_read_samples_come_in_order),
		cmocka_unit_test(ring_read_record_round_the_end_is_whole),
		cmocka_unit_test(ring_read_lost_samples_are_counted),
		cmocka_unit_test(ring_read_other_records_are_skipped),
		cmocka_unit_test(ring_read_names_of_processes),
		cmocka_unit_test(ring_read_ends_of_first_threads),
		cmocka_unit_test(ring_read_memory_samples),
		cmocka_unit_test(ring_read_short_sample_is_counted),
		cmocka_unit_test(ring_read_impossible_size_ends_the_batch),
		cmocka_unit_test(ring_read_taker_failed_ends),
		cmocka_unit_test(ring_read_random_bytes_end_at_the_head),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
