/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/views/section_view.c: accesses within one page.
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/lib_fixture.h"

static struct Monitor *mon;
static uint64_t counts[1024 * 4], straddling[4];

static void with(const struct smile_record *records, size_t count)
{
	mon = recording_opened(records, count);
}

static uint64_t sum_of(int section_count, int node)
{
	uint64_t sum = straddling[node];

	for (int section = 0; section < section_count; section++)
		sum += counts[section * 4 + node];
	return sum;
}

static void sections_info_places_ranges_by_section_and_node(void **state)
{
	struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 10),
		record_dynamic(SMILE_TYPE_READ, 1, 0, 60, 1, 3),
		record_dynamic(SMILE_TYPE_WRITE, 2, 0, 64, 16, 7),
		record_dynamic(SMILE_TYPE_READ, 3, 0, 4092, 1, 1),
		record_dynamic(SMILE_TYPE_READ, 3, 0, 4096, 1, 1000),
	};

	with(records, 5);
	assert_int_equal(Monitor_sections_info(mon, 0, 0, 64, counts, straddling, 4), 64);
	assert_true(counts[0 * 4 + 1] == 13);
	assert_true(counts[1 * 4 + 2] == 7);
	assert_true(counts[63 * 4 + 3] == 1);
	assert_true(sum_of(64, 0) == 0 && sum_of(64, 1) == 13 && sum_of(64, 2) == 7);
	assert_true(sum_of(64, 3) == 1);
	Monitor_close(mon);
}

static void sections_info_straddling_is_never_guessed(void **state)
{
	struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, 60, 2, 5),
		record_dynamic(SMILE_TYPE_READ, 1, 0, 2044, 2, 9),
	};

	with(records, 2);
	assert_int_equal(Monitor_sections_info(mon, 0, 0, 64, counts, straddling, 4), 64);
	assert_true(straddling[1] == 14);
	assert_true(sum_of(64, 1) == 14);
	assert_int_equal(Monitor_sections_info(mon, 0, 0, 128, counts, straddling, 4), 32);
	assert_true(counts[0 * 4 + 1] == 5 && straddling[1] == 9);
	assert_int_equal(Monitor_sections_info(mon, 0, 0, 4096, counts, straddling, 4), 1);
	assert_true(counts[1] == 14 && straddling[1] == 0);
	Monitor_close(mon);
}

static void sections_of_every_size_keep_the_total(void **state)
{
	struct smile_record records[512];
	uint64_t total = 0;

	srand(1);
	for (int i = 0; i < 512; i++) {
		unsigned int first = (unsigned int)rand() % 1024;
		unsigned int words = 1 + (unsigned int)rand() % (1024 - first);

		records[i] = record_dynamic(1 + (unsigned int)rand() % 2, 2, 0, first * 4, words,
					    1 + (unsigned int)i);
		total += 1 + (unsigned int)i;
	}
	with(records, 512);
	for (unsigned int bytes = 4; bytes <= 4096; bytes *= 2) {
		uint64_t expected = 0;
		int section_count = Monitor_sections_info(mon, 0, 0, bytes, counts, straddling, 4);

		assert_int_equal(section_count, 4096 / bytes);
		assert_true(sum_of(section_count, 2) == total);
		for (int i = 0; i < 512; i++) {
			struct Monitor_record record;

			Monitor_record_decode(&records[i], &record);
			if (record.address / bytes !=
			    (record.address + record.length_bytes - 1) / bytes)
				expected += record.count;
		}
		assert_true(straddling[2] == expected);
	}
	Monitor_close(mon);
}

static void sections_read_and_write_report_types_apart(void **state)
{
	struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 10),
		record_dynamic(SMILE_TYPE_WRITE, 1, 0, 0, 1, 4),
		record_dynamic(SMILE_TYPE_LOCK, 1, 0, 0, 1, 2),
		record_dynamic(SMILE_TYPE_ANY, 1, 0, 0, 1, 1),
	};

	with(records, 4);
	assert_int_equal(Monitor_sections_read(mon, 0, 0, 4, counts, straddling, 4), 1024);
	assert_true(counts[1] == 10);
	assert_int_equal(Monitor_sections_write(mon, 0, 0, 4, counts, NULL, 4), 1024);
	assert_true(counts[1] == 4);
	assert_int_equal(Monitor_sections_info(mon, 0, 0, 4, counts, NULL, 4), 1024);
	assert_true(counts[1] == 17);
	Monitor_close(mon);
}

static void sections_impossible_is_refused_and_output_kept(void **state)
{
	struct smile_record records[] = {record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 10)};

	with(records, 1);
	counts[0] = 42;
	assert_int_equal(Monitor_sections_info(mon, 0, 0, 48, counts, NULL, 4), -EINVAL);
	assert_int_equal(Monitor_sections_info(mon, 0, 0, 2, counts, NULL, 4), -EINVAL);
	assert_int_equal(Monitor_sections_info(mon, 0, 0, 8192, counts, NULL, 4), -EINVAL);
	assert_int_equal(Monitor_sections_info(mon, 0, 1, 64, counts, NULL, 4), -ENOENT);
	assert_int_equal(Monitor_sections_info(mon, 1, 0, 64, counts, NULL, 4), -ENOENT);
	assert_true(counts[0] == 42);
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_info_places_ranges_by_section_and_node),
		cmocka_unit_test(sections_info_straddling_is_never_guessed),
		cmocka_unit_test(sections_of_every_size_keep_the_total),
		cmocka_unit_test(sections_read_and_write_report_types_apart),
		cmocka_unit_test(sections_impossible_is_refused_and_output_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
