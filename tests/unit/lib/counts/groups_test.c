/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/counts/groups.c: COUNT records are packed into groups, and unpacked. */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/field.h>

#include "lib/counts/exact_counts.h"
#include "lib/counts/groups.h"
#include "tests/unit/lib_fixture.h"

#define RECORDS 20000U
#define UNITS (RECORDS * 3U)

static uint64_t state = 7;

static uint32_t random_below(uint32_t limit)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(state >> 33) % limit;
}

/* All members by which a group distinguishes counts, combined to one number. */
static uint64_t key_of(const struct Monitor_record *record)
{
	return (uint64_t)record->type | (uint64_t)record->response << 2 |
	       (uint64_t)(record->source % 8) << 3 | (uint64_t)(record->destination % 8) << 6 |
	       record->address << 9;
}

/* An array of keys and their sums. */
struct sums {
	uint64_t key[RECORDS];
	uint64_t sum[RECORDS];
	size_t used;
};

static void sums_add(struct sums *sums, const struct smile_record *records, size_t count)
{
	struct Monitor_record record;

	for (size_t i = 0; i < count; i++) {
		size_t at;

		assert_int_equal(Monitor_record_decode(&records[i], &record), 0);
		assert_int_equal(record.kind, MONITOR_KIND_COUNT);
		for (at = 0; at < sums->used && sums->key[at] != key_of(&record); at++)
			;
		assert_true(at < RECORDS);
		if (at == sums->used)
			sums->key[sums->used++] = key_of(&record);
		sums->sum[at] += record.count;
	}
}

static int sums_equal(const struct sums *a, const struct sums *b)
{
	if (a->used != b->used)
		return 0;
	for (size_t i = 0; i < a->used; i++) {
		size_t at;

		for (at = 0; at < b->used && b->key[at] != a->key[i]; at++)
			;
		if (at == b->used || a->sum[i] != b->sum[at])
			return 0;
	}
	return 1;
}

static size_t write_all(struct group_packer *packer, struct smile_record *units)
{
	size_t filled = 0, count;

	while ((count = smile_group_write(packer, units + filled)))
		filled += count;
	return filled;
}

static size_t pack(struct group_packer *packer, const struct smile_record *records, size_t count,
		   struct smile_record *units)
{
	size_t filled = 0;

	for (size_t i = 0; i < count; i++) {
		if (smile_group_add(packer, &records[i]) == 1)
			continue;
		filled += write_all(packer, units + filled);
		assert_int_equal(smile_group_add(packer, &records[i]), 1);
	}
	return filled + write_all(packer, units + filled);
}

/* Unpack the records in parts of random size. */
static size_t unpack(const struct smile_record *units, size_t count, struct smile_record *records,
		     size_t capacity)
{
	struct group_reader reader = {0};
	size_t filled = 0, used = 0;

	while (used < count || smile_group_open(&reader)) {
		size_t some = 1 + random_below(5), room = 1 + random_below(5), taken, got;

		if (some > count - used)
			some = count - used;
		assert_true(filled + room <= capacity);
		got = smile_group_read(&reader, units + used, some, &taken, records + filled, room);
		assert_true(got == room || taken == some);
		used += taken;
		filled += got;
	}
	return filled;
}

/* Make random records. Successive records are often of the same page; there are few pages. */
static void make_records(struct smile_record *records, uint32_t block_words, int untyped)
{
	uint32_t blocks = (GROUP_BLOCKS + block_words - 1) / block_words;
	uint64_t page = 0;
	uint32_t source = 0;

	for (size_t i = 0; i < RECORDS; i++) {
		uint32_t block = random_below(blocks < 12 ? blocks : 12), first, words, count;

		if (!random_below(30)) {
			page = random_below(3) ? random_below(4) : (1ULL << 36) - 1;
			source = random_below(4);
		}
		if (!random_below(4))
			block = blocks - 1;
		first = block * block_words;
		words = GROUP_BLOCKS - first < block_words ? GROUP_BLOCKS - first : block_words;
		count = random_below(3) ? 1 + random_below(9) : 1 + random_below(MONITOR_COUNT_MAX);
		records[i] = smile_count_record(
			untyped ? SMILE_TYPE_ANY : SMILE_TYPE_READ + random_below(3), source == 3,
			source, 5, page * SMILE_PAGE_BYTES + (uint64_t)first * SMILE_WORD_BYTES,
			words, count);
	}
}

static void groups_random_records_come_back(void **state_)
{
	static const uint32_t lengths[] = {1, 3, 16, 1000, 1024};
	struct smile_record *records = calloc(RECORDS, sizeof(*records));
	struct smile_record *units = calloc(UNITS, sizeof(*units));
	struct smile_record *back = calloc(UNITS, sizeof(*back));
	struct sums *before = calloc(1, sizeof(*before)), *after = calloc(1, sizeof(*after));

	for (unsigned i = 0; i < 10; i++) {
		struct group_packer *packer = calloc(1, sizeof(*packer));
		size_t count, filled;

		packer->block_words = lengths[i / 2];
		make_records(records, packer->block_words, i % 2);
		count = pack(packer, records, RECORDS, units);
		assert_true(count > 100 && count < RECORDS);
		filled = unpack(units, count, back, UNITS);
		memset(before, 0, sizeof(*before));
		memset(after, 0, sizeof(*after));
		sums_add(before, records, RECORDS);
		sums_add(after, back, filled);
		assert_true(sums_equal(before, after));
		free(packer);
	}
	free(records);
	free(units);
	free(back);
	free(before);
	free(after);
}

/*
 * Read the records of @units, and add up the counts of each type. Return: whether all records are
 * valid.
 */
static int read_sums(const struct smile_record *units, size_t count, uint64_t *all, size_t *number)
{
	struct smile_record *records = calloc(UNITS, sizeof(*records));
	struct Monitor_record record;
	size_t filled = unpack(units, count, records, UNITS);
	int valid = 1;

	memset(all, 0, SMILE_TYPE_COUNT * sizeof(*all));
	for (size_t i = 0; i < filled && valid; i++) {
		valid = !Monitor_record_decode(&records[i], &record) &&
			record.kind == MONITOR_KIND_COUNT;
		if (valid)
			all[record.type] += record.count;
	}
	*number = filled;
	free(records);
	return valid;
}

/* Either smile_group_sum() returns no sums, or the sums that smile_group_read() gives. */
static size_t sum_checked(const struct smile_record *units, size_t count, uint64_t *all)
{
	struct group_sums sums;
	struct smile_record records[GROUP_TYPES * 4];
	struct Monitor_record record;
	uint64_t read[SMILE_TYPE_COUNT], summed[SMILE_TYPE_COUNT] = {0};
	uint64_t whole[SMILE_TYPE_COUNT] = {0};
	size_t used = smile_group_sum(units, count, &sums), number;

	if (!used)
		return 0;
	assert_true(used <= count);
	assert_true(read_sums(units, used, read, &number));
	assert_int_equal(sums.records, number);
	number = smile_group_records(&sums, records, GROUP_TYPES * 4);
	for (size_t i = 0; i < number; i++) {
		assert_int_equal(Monitor_record_decode(&records[i], &record), 0);
		assert_true(record.source == sums.source && record.length_bytes == 4096);
		whole[record.type] += record.count;
	}
	if (number)
		assert_memory_equal(read, whole, sizeof(read));
	for (unsigned t = 0; t < GROUP_TYPES; t++)
		summed[sums.untyped ? SMILE_TYPE_ANY : SMILE_TYPE_READ + t] += sums.counts[t];
	assert_memory_equal(read, summed, sizeof(read));
	for (unsigned t = 0; all && t < SMILE_TYPE_COUNT; t++)
		all[t] += summed[t];
	return used;
}

static void groups_are_added_up(void **state_)
{
	static const uint32_t lengths[] = {1, 3, 16, 1000, 1024};
	struct smile_record *records = calloc(RECORDS, sizeof(*records));
	struct smile_record *units = calloc(UNITS, sizeof(*units));
	unsigned good = 0, bad = 0;

	for (unsigned i = 0; i < 10; i++) {
		struct group_packer *packer = calloc(1, sizeof(*packer));
		uint64_t wanted[SMILE_TYPE_COUNT], all[SMILE_TYPE_COUNT] = {0};
		size_t count, used = 0, some, number;

		packer->block_words = lengths[i / 2];
		make_records(records, packer->block_words, i % 2);
		count = pack(packer, records, RECORDS, units);
		for (; used < count; used += some) {
			some = sum_checked(units + used, count - used, all);
			assert_true(some >= 2);
			/* A group that is cut off is invalid. */
			assert_int_equal(sum_checked(units + used, some - 1, NULL), 0);
		}
		assert_true(read_sums(units, count, wanted, &number));
		assert_memory_equal(wanted, all, sizeof(all));
		for (unsigned turn = 0; turn < 2000; turn++) {
			struct smile_record flipped[4];
			uint32_t bit = random_below(128 * 4);

			memcpy(flipped, units, sizeof(flipped));
			flipped[bit / 128].word[bit / 32 % 4] ^= htole32(1U << bit % 32);
			if (sum_checked(flipped, 4, NULL))
				good++;
			else
				bad++;
		}
		free(packer);
	}
	assert_true(good > 100 && bad > 100);
	free(records);
	free(units);
}

/*
 * A group of one block has 32 bytes. A group of n blocks has at most 16 + 8 n bytes, for n up to
 * 16.
 */
static void groups_size_is_bounded(void **state_)
{
	struct group_packer *packer = calloc(1, sizeof(*packer));
	struct smile_record *units = calloc(GROUP_UNITS_MAX, sizeof(*units)), record;

	packer->block_words = 1;
	for (uint32_t blocks = 1; blocks <= GROUP_BLOCKS; blocks += 1 + blocks / 8) {
		for (uint32_t b = 0; b < blocks; b++) {
			for (uint32_t type = SMILE_TYPE_READ; type < SMILE_TYPE_COUNT; type++) {
				record = smile_count_record(type, 0, 1, 2,
							    (uint64_t)b * SMILE_WORD_BYTES, 1,
							    1 + random_below(1U << 14));
				assert_int_equal(smile_group_add(packer, &record), 1);
			}
		}
		assert_in_range(smile_group_write(packer, units), 2, 1 + (blocks + 1) / 2);
	}
	/* The largest group: all counts are large and different. */
	for (uint32_t b = 0; b < GROUP_BLOCKS; b++) {
		for (uint32_t type = SMILE_TYPE_READ; type < SMILE_TYPE_COUNT; type++) {
			for (uint32_t turn = 0; turn < 64; turn++) {
				record = smile_count_record(type, 0, 1, 2,
							    (uint64_t)b * SMILE_WORD_BYTES, 1,
							    MONITOR_COUNT_MAX - b);
				assert_int_equal(smile_group_add(packer, &record), 1);
			}
		}
	}
	assert_in_range(smile_group_write(packer, units), GROUP_BLOCKS, GROUP_UNITS_MAX);
	free(units);
	free(packer);
}

/* Groups whose blocks are all equal, or alternate, are very small. */
static void groups_of_like_blocks_are_small(void **state_)
{
	struct group_packer *packer = calloc(1, sizeof(*packer));
	struct smile_record *units = calloc(GROUP_UNITS_MAX, sizeof(*units)), record;

	packer->block_words = 1;
	for (uint32_t step = 1; step <= 8; step++) {
		for (uint32_t b = 0; b < GROUP_BLOCKS; b += step) {
			record = smile_count_record(SMILE_TYPE_READ, 0, 1, 2,
						    (uint64_t)b * SMILE_WORD_BYTES, 1,
						    b / step % 4 + 1000);
			assert_int_equal(smile_group_add(packer, &record), 1);
		}
		assert_in_range(smile_group_write(packer, units), 2, 3);
	}
	free(units);
	free(packer);
}

static void groups_large_counts_come_in_several_records(void **state_)
{
	const uint64_t wanted = 200ULL * MONITOR_COUNT_MAX;
	struct group_packer *packer = calloc(1, sizeof(*packer));
	struct smile_record *units = calloc(2 * GROUP_UNITS_MAX, sizeof(*units)), records[300];
	struct group_reader reader = {0};
	struct Monitor_record decoded;
	struct smile_record record;
	size_t taken, count, filled;
	uint64_t sum = 0;

	packer->block_words = 1;
	for (int i = 0; i < 200; i++) {
		record = smile_count_record(SMILE_TYPE_WRITE, 0, 1, 2, 0, 1, MONITOR_COUNT_MAX);
		assert_int_equal(smile_group_add(packer, &record), 1);
	}
	filled = write_all(packer, units);
	/* The count is too large for one group, so several groups share it. */
	assert_true(wanted > GROUP_COUNT_MAX);
	assert_int_equal(filled, 2 * (wanted / GROUP_COUNT_MAX + 1));
	count = smile_group_read(&reader, units, filled, &taken, records, 300);
	assert_int_equal(taken, filled);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(Monitor_record_decode(&records[i], &decoded), 0);
		sum += decoded.count;
	}
	assert_true(sum == wanted);
	free(units);
	free(packer);
}

static void groups_other_records_pass(void **state_)
{
	struct group_packer *packer = calloc(1, sizeof(*packer));
	struct smile_record records[3] = {
		record_mark(3, 1, 99),
		record_dynamic(SMILE_TYPE_READ, 1, 2, 0, 1, 7),
		/* These words are in different blocks. */
		smile_count_record(SMILE_TYPE_READ, 0, 1, 2, 4, 2, 7),
	};
	struct smile_record back[4];
	struct group_reader reader = {0};
	size_t taken;

	packer->block_words = 2;
	for (int i = 0; i < 3; i++)
		assert_int_equal(smile_group_add(packer, &records[i]), -EINVAL);
	assert_int_equal(smile_group_read(&reader, records, 3, &taken, back, 4), 3);
	assert_memory_equal(records, back, sizeof(records));
	free(packer);
}

/* The decoder must refuse invalid units, and do no harm. */
static void groups_nonsense_is_refused(void **state_)
{
	struct smile_record units[8], records[64];
	struct Monitor_record decoded;
	unsigned good = 0, bad = 0;

	for (unsigned i = 0; i < 100000; i++) {
		struct group_reader reader = {0};
		size_t taken = 0, first = 0, count;

		for (unsigned u = 0; u < 8; u++)
			for (unsigned w = 0; w < SMILE_RECORD_WORDS; w++)
				units[u].word[w] =
					htole32(random_below(1U << 31) << 1 | random_below(2));
		units[0].word[0] =
			htole32((le32toh(units[0].word[0]) & ~SMILE_RECORD_KIND) | GROUP_KIND);
		if (i % 2) {
			units[0].word[0] &= htole32(~(uint32_t)GROUP_ZERO);
			units[0].word[2] &= htole32(~(SMILE_PAGE_BYTES - 1));
			units[0].word[3] &= htole32(~SMILE_RECORD_INDEX);
		}
		for (unsigned turn = 0; turn < 100; turn++, first += taken) {
			count = smile_group_read(&reader, units + first, 8 - first, &taken, records,
						 64);
			assert_true(count <= 64 && first + taken <= 8);
			if (!count)
				break;
			for (size_t r = 0; r < count; r++) {
				if (Monitor_record_decode(&records[r], &decoded)) {
					bad++;
				} else if (decoded.kind == MONITOR_KIND_COUNT) {
					good++;
					assert_true(decoded.address % SMILE_PAGE_BYTES +
							    decoded.length_bytes <=
						    SMILE_PAGE_BYTES);
				}
			}
		}
	}
	assert_true(good > 1000 && bad > 1000);
}

/* The bytes of the sequence end within a code, or the sequence is larger than the page. */
static void groups_bad_sequence_is_one_bad_record(void **state_)
{
	static const unsigned char codes[][4] = {
		/*
		 * A gap of 1024 blocks, and a block; a gap of 0; a copy without an entry; a number
		 * that is cut off.
		 */
		{0x01, 0x81, 0x08, 0x00},
		{0x01, 0x00, 0x00, 0x00},
		{0x80, 0x00, 0x00, 0x00},
		{0x02, 0x80, 0x80, 0x80},
	};
	struct smile_record units[4] = {0}, records[8];
	struct Monitor_record decoded;

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		struct group_reader reader = {0};
		size_t taken;

		units[0].word[0] = htole32(GROUP_KIND | SMILE_PUT(GROUP_BYTES, 4U));
		memcpy(&units[1], codes[i], 4);
		/* The record after the invalid one is valid. */
		units[2] = record_mark(3, 1, 99);
		assert_int_equal(smile_group_read(&reader, units, 3, &taken, records, 8), 2);
		assert_int_equal(taken, 3);
		assert_true(Monitor_record_decode(&records[0], &decoded) < 0);
		assert_int_equal(Monitor_record_decode(&records[1], &decoded), 0);
		assert_false(smile_group_open(&reader));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_random_records_come_back),
		cmocka_unit_test(groups_are_added_up),
		cmocka_unit_test(groups_size_is_bounded),
		cmocka_unit_test(groups_of_like_blocks_are_small),
		cmocka_unit_test(groups_large_counts_come_in_several_records),
		cmocka_unit_test(groups_other_records_pass),
		cmocka_unit_test(groups_nonsense_is_refused),
		cmocka_unit_test(groups_bad_sequence_is_one_bad_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
