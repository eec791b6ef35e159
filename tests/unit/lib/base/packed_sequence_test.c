/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/base/packed_sequence.c: sequences are encoded, and decoded with the same result. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/packed_sequence.h"
#include "tests/unit/lib_fixture.h"

#define ENTRIES 5000U

static uint64_t state = 5;

static uint32_t random_below(uint32_t limit)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(state >> 33) % limit;
}

/* A random number with a random number of bits. */
static uint64_t random_number(void)
{
	uint64_t number = (uint64_t)random_below(1U << 31) << 33 | random_below(1U << 31);

	return number >> random_below(64);
}

/* Each entry is random or a copy of an earlier entry. */
static void make_entries(struct packed_entry *entries, size_t count, unsigned repeat)
{
	for (size_t i = 0; i < count; i++) {
		if (i > 20 && random_below(100) < repeat) {
			size_t back = 1 + random_below(12), some = 1 + random_below(3000);

			for (; some && i < count; some--, i++)
				entries[i] = entries[i - back];
			i--;
			continue;
		}
		entries[i].gap = random_below(2) ? 1 : 1 + random_number() / 2;
		for (unsigned t = 0; t < PACKED_COUNTS; t++)
			entries[i].counts[t] = random_below(2) ? random_below(3) : random_number();
	}
}

/* Decode the sequence in parts of random size. */
static void read_back(const unsigned char *bytes, size_t size, const struct packed_entry *wanted,
		      size_t count)
{
	struct packed_reader reader = {0};
	size_t at = 0, there = 0, done = 0;

	while (done < count) {
		struct packed_entry entry;
		size_t taken;
		int got = smile_packed_read(&reader, bytes + at, there - at, &taken, &entry);

		assert_true(got == 0 || got == 1);
		if (!got) {
			/* Each code has at most PACKED_CODE_MAX bytes. */
			assert_true(there - at < PACKED_CODE_MAX);
			assert_true(there < size);
			there += 1 + random_below(5);
			if (there > size)
				there = size;
			continue;
		}
		at += taken;
		assert_memory_equal(&entry, &wanted[done], sizeof(entry));
		done++;
	}
	assert_int_equal(at, size);
	assert_int_equal(reader.copies, 0);
}

/* A reader that skips copied entries must get the same sums, and end at the same position. */
static void skip_back(const unsigned char *bytes, size_t size, const struct packed_entry *wanted,
		      size_t count)
{
	struct packed_entry entry, entries[PACKED_BACK], sum = {0}, all = {0};
	struct packed_reader reader = {0};
	size_t at = 0, taken, some, skipped = 0, read = 0;

	while (at < size || reader.copies) {
		size_t times = smile_packed_skip(&reader, entries, &some);

		for (size_t i = 0; i < some; i++) {
			sum.gap += times * entries[i].gap;
			for (unsigned t = 0; t < PACKED_COUNTS; t++)
				sum.counts[t] += times * entries[i].counts[t];
		}
		skipped += times * some;
		assert_int_equal(smile_packed_read(&reader, bytes + at, size - at, &taken, &entry),
				 1);
		assert_memory_equal(&entry, &wanted[skipped + read], sizeof(entry));
		at += taken;
		read++;
		sum.gap += entry.gap;
		for (unsigned t = 0; t < PACKED_COUNTS; t++)
			sum.counts[t] += entry.counts[t];
	}
	assert_int_equal(skipped + read, count);
	for (size_t i = 0; i < count; i++) {
		all.gap += wanted[i].gap;
		for (unsigned t = 0; t < PACKED_COUNTS; t++)
			all.counts[t] += wanted[i].counts[t];
	}
	assert_memory_equal(&sum, &all, sizeof(all));
}

static void packed_sequences_come_back(void **state_)
{
	struct packed_entry *entries = calloc(ENTRIES, sizeof(*entries));
	unsigned char *bytes = malloc(ENTRIES * PACKED_CODE_MAX);

	for (unsigned repeat = 0; repeat <= 90; repeat += 10) {
		size_t count = repeat ? ENTRIES : 1, size;

		make_entries(entries, count, repeat);
		size = smile_packed_write(entries, count, bytes);
		assert_in_range(size, 1, count * PACKED_CODE_MAX);
		read_back(bytes, size, entries, count);
		skip_back(bytes, size, entries, count);
	}
	/* Repeat a sequence of each possible length many times. */
	for (size_t back = 1; back <= PACKED_BACK; back++) {
		size_t size;

		make_entries(entries, ENTRIES, 0);
		for (size_t i = back; i < ENTRIES; i++)
			entries[i] = entries[i - back];
		size = smile_packed_write(entries, ENTRIES, bytes);
		read_back(bytes, size, entries, ENTRIES);
		skip_back(bytes, size, entries, ENTRIES);
	}
	free(entries);
	free(bytes);
}

static void packed_numbers_come_back(void **state_)
{
	unsigned char bytes[10];
	uint64_t number;

	for (unsigned bit = 0; bit < 64; bit++) {
		uint64_t wanted = UINT64_MAX >> bit;
		size_t size = smile_varint_put(bytes, wanted);

		for (size_t some = 0; some < size; some++)
			assert_int_equal(smile_varint_get(bytes, some, &number), 0);
		assert_int_equal(smile_varint_get(bytes, size, &number), size);
		assert_true(number == wanted);
	}
	memset(bytes, 0xff, sizeof(bytes));
	assert_int_equal(smile_varint_get(bytes, sizeof(bytes), &number), -1);
	/* This number has 65 bits, one too many. */
	bytes[9] = 2;
	assert_int_equal(smile_varint_get(bytes, sizeof(bytes), &number), -1);
}

static void packed_nonsense_is_refused(void **state_)
{
	static const unsigned char codes[][12] = {
		{0x80}, /* a copy, without an entry to copy */
		{0x01, 0x00}, /* no gap */
		{0x10}, /* with a bit that has no meaning */
		{0x02, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02},
	};
	static const unsigned char far[] = {0x00, 0x90}, many[] = {0x00, 0x8f, 0xf1, 0x07};
	struct packed_reader reader;
	struct packed_entry entry;
	size_t taken;

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		memset(&reader, 0, sizeof(reader));
		assert_int_equal(smile_packed_read(&reader, codes[i], 12, &taken, &entry), -EINVAL);
		assert_int_equal(taken, 0);
	}
	/* A copy of an entry before the first entry, and too many copies. */
	memset(&reader, 0, sizeof(reader));
	assert_int_equal(smile_packed_read(&reader, far, 2, &taken, &entry), 1);
	assert_int_equal(smile_packed_read(&reader, far + 1, 1, &taken, &entry), -EINVAL);
	memset(&reader, 0, sizeof(reader));
	assert_int_equal(smile_packed_read(&reader, many, 4, &taken, &entry), 1);
	assert_int_equal(smile_packed_read(&reader, many + 1, 3, &taken, &entry), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packed_sequences_come_back),
		cmocka_unit_test(packed_numbers_come_back),
		cmocka_unit_test(packed_nonsense_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
