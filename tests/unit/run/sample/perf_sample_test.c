// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Tests of run/sample/perf_sample.c: samples of perf that contain each possible field, and samples
 * that no kernel writes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <base/random.h>

#include "run/sample/perf_sample.h"

#define BYTES_MAX 1024U
#define BITS 25U
#define HW_INDEX (1U << 17)
#define COUNTERS (1U << 19)
#define FORMAT_LOST (1U << 4)

/**
 * struct body - The bytes of a sample.
 */
struct body {
	unsigned char bytes[BYTES_MAX];
	size_t count;
};

static void put(struct body *body, uint64_t value)
{
	memcpy(body->bytes + body->count, &value, sizeof(value));
	body->count += sizeof(value);
}

static void put_many(struct body *body, unsigned count, uint64_t value)
{
	while (count--)
		put(body, value);
}

/* Write the fields in the order of perf_event_open(2), with values that the test expects. */
static void make(struct body *body, const struct perf_layout *layout)
{
	const uint64_t type = layout->sample_type;
	const uint64_t odd = 0xbadbadbadULL;

	*body = (struct body){.count = 0};
	if (type & PERF_SAMPLE_IDENTIFIER)
		put(body, 77);
	if (type & PERF_SAMPLE_IP)
		put(body, 0x401000);
	if (type & PERF_SAMPLE_TID)
		put(body, 100ULL | 101ULL << 32);
	if (type & PERF_SAMPLE_TIME)
		put(body, 123456);
	if (type & PERF_SAMPLE_ADDR)
		put(body, 0x7f0000001234);
	if (type & PERF_SAMPLE_ID)
		put(body, 77);
	if (type & PERF_SAMPLE_STREAM_ID)
		put(body, odd);
	if (type & PERF_SAMPLE_CPU)
		put(body, 5ULL | odd << 32);
	if (type & PERF_SAMPLE_PERIOD)
		put(body, 4000);
	if (type & PERF_SAMPLE_READ && layout->read_format & PERF_FORMAT_GROUP) {
		put(body, 2);
		put_many(body, 2, odd); /* times */
		put_many(body, 6, odd); /* value, id and lost, for two events */
	} else if (type & PERF_SAMPLE_READ) {
		put_many(body, 5, odd);
	}
	if (type & PERF_SAMPLE_CALLCHAIN) {
		put(body, 3);
		put_many(body, 3, odd);
	}
	if (type & PERF_SAMPLE_RAW)
		put(body, 4 | odd << 32);
	if (type & PERF_SAMPLE_BRANCH_STACK) {
		put(body, 2);
		put_many(body, !!(layout->branch_sample_type & HW_INDEX), odd);
		put_many(body, 6, odd);
		put_many(body, layout->branch_sample_type & COUNTERS ? 2 : 0, odd);
	}
	if (type & PERF_SAMPLE_REGS_USER) {
		put(body, PERF_SAMPLE_REGS_ABI_64);
		put_many(body, 3, odd);
	}
	if (type & PERF_SAMPLE_STACK_USER) {
		put(body, 16);
		put_many(body, 3, odd);
	}
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		put(body, type & PERF_SAMPLE_WEIGHT ? 55 : 55 | 66ULL << 32);
	if (type & PERF_SAMPLE_DATA_SRC)
		put(body, 0x1a01001042);
	if (type & PERF_SAMPLE_TRANSACTION)
		put(body, odd);
	if (type & PERF_SAMPLE_REGS_INTR)
		put(body, PERF_SAMPLE_REGS_ABI_NONE);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		put(body, 0x123456000);
	if (type & PERF_SAMPLE_CGROUP)
		put(body, odd);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		put(body, odd);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		put(body, odd);
	if (type & PERF_SAMPLE_AUX) {
		put(body, 8);
		put(body, odd);
	}
}

static struct perf_layout layout_of(uint64_t type, uint64_t format, uint64_t branches)
{
	return (struct perf_layout){
		.sample_type = type,
		.read_format = format | PERF_FORMAT_ID | FORMAT_LOST |
			       PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.branch_sample_type = branches,
		.regs_user = 0x103,
		.regs_intr = 0xff,
	};
}

/* Read the first @bytes bytes of the body, from memory that ends after them. */
static int read_exactly(const struct perf_layout *layout, const struct body *body, size_t bytes,
			struct sample *sample)
{
	unsigned char *copy = malloc(bytes ? bytes : 1);
	int result;

	assert_non_null(copy);
	memcpy(copy, body->bytes, bytes);
	result = perf_sample_read(layout, copy, bytes, sample);
	free(copy);
	return result;
}

#define HAS(bit, value) (layout->sample_type & (bit) ? (value) : 0)

static void is_whole(const struct perf_layout *layout)
{
	struct sample sample;
	struct body body;

	make(&body, layout);
	assert_int_equal(read_exactly(layout, &body, body.count, &sample), 0);
	assert_int_equal(sample.id, HAS(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID, 77));
	assert_int_equal(sample.ip, HAS(PERF_SAMPLE_IP, 0x401000));
	assert_int_equal(sample.pid, HAS(PERF_SAMPLE_TID, 100));
	assert_int_equal(sample.tid, HAS(PERF_SAMPLE_TID, 101));
	assert_int_equal(sample.time_ns, HAS(PERF_SAMPLE_TIME, 123456));
	assert_int_equal(sample.address, HAS(PERF_SAMPLE_ADDR, 0x7f0000001234));
	assert_int_equal(sample.cpu, HAS(PERF_SAMPLE_CPU, 5));
	assert_int_equal(sample.period, HAS(PERF_SAMPLE_PERIOD, 4000));
	assert_int_equal(sample.weight, HAS(PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, 55));
	assert_int_equal(sample.data_source, HAS(PERF_SAMPLE_DATA_SRC, 0x1a01001042));
	assert_int_equal(sample.physical, HAS(PERF_SAMPLE_PHYS_ADDR, 0x123456000));
	/* The sample must have exactly the size of its fields. */
	for (size_t bytes = 0; bytes < body.count; bytes++)
		assert_int_equal(read_exactly(layout, &body, bytes, &sample), -EPROTO);
	put(&body, 0);
	assert_int_equal(read_exactly(layout, &body, body.count, &sample), -EPROTO);
}

/* Read each field together with the data source, and then all fields. */
static void sample_read_all_fields(void **state)
{
	static const uint64_t formats[] = {0, PERF_FORMAT_GROUP};
	static const uint64_t branches[] = {0, HW_INDEX, COUNTERS, HW_INDEX | COUNTERS};
	struct perf_layout layout;

	for (unsigned bit = 0; bit < BITS; bit++) {
		layout = layout_of(1ULL << bit | PERF_SAMPLE_DATA_SRC, 0, 0);
		is_whole(&layout);
	}
	for (size_t f = 0; f < 2; f++)
		for (size_t b = 0; b < 4; b++) {
			layout = layout_of(((1ULL << BITS) - 1) & ~(uint64_t)PERF_SAMPLE_WEIGHT,
					   formats[f], branches[b]);
			is_whole(&layout);
		}
}

static void sample_read_unknown_field_refused(void **state)
{
	const struct perf_layout layout = layout_of(PERF_SAMPLE_ADDR | 1ULL << BITS, 0, 0);
	const unsigned char bytes[64] = {0};
	struct sample sample;

	assert_false(perf_layout_known(&layout));
	assert_int_equal(perf_sample_read(&layout, bytes, sizeof(bytes), &sample), -EOPNOTSUPP);
}

/* The lengths in the sample exceed its size. Some are so large that a product overflows. */
static void sample_read_impossible_lengths(void **state)
{
	static const uint64_t types[] = {PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_BRANCH_STACK,
					 PERF_SAMPLE_STACK_USER, PERF_SAMPLE_AUX, PERF_SAMPLE_RAW};
	static const uint64_t lengths[] = {2, 1ULL << 32, UINT64_MAX, UINT64_MAX / 8 + 1,
					   UINT64_MAX / 24 + 1};
	struct sample sample;

	for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++)
		for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
			const struct perf_layout layout = layout_of(types[t], 0, 0);
			struct body body = {.count = 0};

			put(&body, lengths[i]);
			put(&body, 0);
			assert_int_equal(read_exactly(&layout, &body, body.count, &sample),
					 -EPROTO);
		}
}

static void sample_read_random_bytes_stay_inside(void **state)
{
	uint64_t random = 1;
	unsigned good = 0;

	for (unsigned turn = 0; turn < 100000; turn++) {
		const struct perf_layout layout = layout_of(
			random_below(&random, 1ULL << BITS) & random_below(&random, 1ULL << BITS),
			random_below(&random, 2) * PERF_FORMAT_GROUP,
			random_below(&random, 1ULL << 20));
		size_t bytes = random_below(&random, 20) * 8 + random_below(&random, 4) / 3;
		struct body body;
		struct sample sample;

		for (size_t i = 0; i < sizeof(body.bytes); i++)
			body.bytes[i] = (unsigned char)(random_below(&random, 40) / 38);
		good += read_exactly(&layout, &body, bytes, &sample) == 0;
	}
	assert_true(good > 100);
}

/* Records that are no samples end with some of these fields, in another order. */
static void record_id_of_other_records(void **state)
{
	struct perf_layout layout =
		layout_of(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
				  PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER,
			  0, 0);
	struct body body = {.count = 0};
	struct sample said;

	put(&body, UINT64_MAX); /* of the record itself */
	put(&body, 7ULL | 8ULL << 32);
	put(&body, 999);
	put(&body, 0);
	put(&body, 3);
	put(&body, 55);
	assert_int_equal(perf_record_id(&layout, body.bytes, body.count, &said), 0);
	assert_int_equal(said.time_ns, 0);
	layout.id_all = true;
	assert_int_equal(perf_record_id(&layout, body.bytes, body.count, &said), 40);
	assert_int_equal(said.pid, 7);
	assert_int_equal(said.tid, 8);
	assert_int_equal(said.time_ns, 999);
	assert_int_equal(said.cpu, 3);
	assert_int_equal(said.id, 55);
	assert_int_equal(perf_record_id(&layout, body.bytes, 39, &said), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sample_read_all_fields),
		cmocka_unit_test(sample_read_unknown_field_refused),
		cmocka_unit_test(sample_read_impossible_lengths),
		cmocka_unit_test(sample_read_random_bytes_stay_inside),
		cmocka_unit_test(record_id_of_other_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
