/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/recording/recording.c and lib/source/source_file.c: recordings are written, read and
 * damaged.
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/lib_fixture.h"
#include "lib/recording/recording.h"

static const char *sample(size_t count, int64_t accepted)
{
	const char *path = scratch_path("sample.rec");
	struct smile_record records[64];

	for (size_t i = 0; i < count; i++)
		records[i] = record_dynamic(SMILE_TYPE_READ, 1, 0, 4 * i, 1, (unsigned int)i + 1);
	write_recording(path, 5, records, count, accepted);
	return path;
}

static void patch(const char *path, long offset, const void *data, size_t bytes)
{
	FILE *file = fopen(path, "r+");

	assert_non_null(file);
	fseek(file, offset, SEEK_SET);
	assert_int_equal(fwrite(data, 1, bytes, file), bytes);
	fclose(file);
}

static long size_of(const char *path)
{
	FILE *file = fopen(path, "r");
	long size;

	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	fclose(file);
	return size;
}

static void refused(const char *path, const char *word)
{
	struct Monitor *mon = NULL;

	assert_int_equal(Monitor_open(&mon, path), -EPROTO);
	assert_null(mon);
	if (!strstr(Monitor_error_message(), word))
		fail_msg("\"%s\" does not say \"%s\"", Monitor_error_message(), word);
}

static void recording_complete_gives_back_everything(void **state)
{
	const char *path = sample(10, 55);
	struct smile_record records[16];
	struct Monitor_origin origin;
	struct Monitor_loss loss;
	struct smile_info info;
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, path), 0);
	assert_int_equal(Monitor_info(mon, &info), 0);
	assert_int_equal(info.config.node, 5);
	assert_int_equal(Monitor_records_read(mon, records, 16, 0), 10);
	assert_int_equal(le32toh(records[9].word[0]) >> 16, 10);
	assert_int_equal(Monitor_records_read(mon, records, 16, 0), 0);
	assert_int_equal(Monitor_ended(mon), 1);
	assert_int_equal(Monitor_origin(mon, &origin), 0);
	assert_string_equal(origin.command_line, "test");
	assert_true(origin.complete && origin.start_ns > 0 && *origin.host);
	assert_int_equal(Monitor_loss(mon, &loss), 0);
	assert_true(loss.known && loss.balanced && loss.accepted == 55 && loss.delivered == 55);
	Monitor_close(mon);
}

static void recording_incomplete_is_readable_and_says_so(void **state)
{
	const char *path = sample(3, -1);
	struct smile_statistics statistics;
	struct Monitor_origin origin;
	struct Monitor_loss loss;
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, path), 0);
	assert_int_equal(Monitor_poll(mon, 0), 3);
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_int_equal(Monitor_origin(mon, &origin), 0);
	assert_int_equal(origin.complete, 0);
	assert_int_equal(Monitor_statistics(mon, &statistics), -ENODATA);
	assert_int_equal(Monitor_loss(mon, &loss), 0);
	assert_true(!loss.known && !loss.balanced && loss.delivered == 6 && loss.accepted == 0);
	Monitor_close(mon);
}

static void recording_cut_off_gives_what_is_there_then_an_error(void **state)
{
	const char *path = sample(10, 55);
	struct Monitor *mon;

	assert_int_equal(truncate(path, size_of(path) - 40), 0);
	assert_int_equal(Monitor_open(&mon, path), 0);
	assert_int_equal(Monitor_poll(mon, 0), 7);
	assert_int_equal(Monitor_poll(mon, 0), -EPROTO);
	assert_non_null(strstr(Monitor_error_message(), "7 of its 10"));
	assert_int_equal(Monitor_poll(mon, 0), 0);
	Monitor_close(mon);
}

/* Append @bytes bytes of records: for example a whole record, or one without its last byte. */
static void append(const char *path, size_t bytes)
{
	struct smile_record record = record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 9);

	patch(path, size_of(path), &record, bytes);
}

static void recording_that_goes_on_behind_its_records_is_reported(void **state)
{
	struct smile_record records[16];
	struct Monitor_loss loss;
	struct Monitor *mon;

	for (size_t bytes = 1; bytes <= 2 * sizeof(records[0]); bytes += 15) {
		const char *path = sample(10, 55);

		append(path, bytes < 16 ? bytes : 16);
		if (bytes > 16)
			append(path, 15);
		assert_int_equal(Monitor_open(&mon, path), 0);
		assert_int_equal(Monitor_records_read(mon, records, 16, 0), 10);
		assert_int_equal(Monitor_records_read(mon, records, 16, 0), -EPROTO);
		assert_non_null(strstr(Monitor_error_message(), "behind its 10 records"));
		assert_int_equal(Monitor_records_read(mon, records, 16, 0), 0);
		assert_int_equal(Monitor_ended(mon), 1);
		assert_int_equal(Monitor_loss(mon, &loss), 0);
		assert_true(loss.balanced && loss.delivered == 55 && loss.records == 10);
		Monitor_close(mon);
	}
}

/* The writer was killed while it wrote a record. */
static void recording_incomplete_ends_within_a_record(void **state)
{
	const char *path = sample(3, -1);
	struct Monitor *mon;

	append(path, 15);
	assert_int_equal(Monitor_open(&mon, path), 0);
	assert_int_equal(Monitor_poll(mon, 0), 3);
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_int_equal(Monitor_ended(mon), 1);
	Monitor_close(mon);
}

static void recording_narrow_and_wide_cannot_be_merged(void **state)
{
	uint32_t narrow = SMILE_MODE_DEFAULT | SMILE_MODE_NARROW;
	long mode =
		RECORDING_OFFSET_FIELDS + 8 +
		(long)(offsetof(struct smile_info, config) + offsetof(struct smile_config, mode));
	char wide[128];
	struct Monitor *mon;

	write_recording(scratch_path("wide.rec"), 1, NULL, 0, 0);
	snprintf(wide, sizeof(wide), "%s", scratch_path("wide.rec"));
	write_recording(scratch_path("narrow.rec"), 2, NULL, 0, 0);
	patch(scratch_path("narrow.rec"), mode, &narrow, 4);
	assert_int_equal(Monitor_open(&mon, wide), 0);
	assert_int_equal(Monitor_attach(mon, scratch_path("narrow.rec")), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "narrow"));
	Monitor_close(mon);
	assert_int_equal(Monitor_open(&mon, scratch_path("narrow.rec")), 0);
	assert_int_equal(Monitor_attach(mon, wide), -EINVAL);
	Monitor_close(mon);
	patch(wide, mode, &narrow, 4);
	assert_int_equal(Monitor_open(&mon, wide), 0);
	assert_int_equal(Monitor_attach(mon, scratch_path("narrow.rec")), 0);
	Monitor_close(mon);
}

static void recording_header_cut_anywhere_is_refused(void **state)
{
	const char *path = sample(0, 0);
	long size = size_of(path);

	while (--size >= 0) {
		struct Monitor *mon = NULL;

		assert_int_equal(truncate(path, size), 0);
		assert_int_equal(Monitor_open(&mon, path), -EPROTO);
		assert_null(mon);
	}
}

static void recording_foreign_or_newer_or_damaged_names_the_remedy(void **state)
{
	uint32_t version = 99, length = 0x10;

	patch(sample(1, 1), 0, "NOTSMILE", 8);
	refused(scratch_path("sample.rec"), "not a recording");
	patch(sample(1, 1), RECORDING_OFFSET_VERSION, &version, 4);
	refused(scratch_path("sample.rec"), "version 99");
	patch(sample(1, 1), RECORDING_OFFSET_HEADER, &length, 4);
	refused(scratch_path("sample.rec"), "damaged");
	length = 0x7ffffff0;
	patch(sample(1, 1), RECORDING_OFFSET_HEADER, &length, 4);
	refused(scratch_path("sample.rec"), "damaged");
	patch(sample(1, 1), RECORDING_OFFSET_FIELDS + 4, &length, 4);
	refused(scratch_path("sample.rec"), "longer than all of them");
}

static void recording_unknown_field_is_passed_over(void **state)
{
	uint32_t tag = 77;
	struct Monitor *mon;
	struct Monitor_origin origin;

	/*
	 * Change the tag of the statistics, which follow the info, to one that only a later version
	 * knows.
	 */
	patch(sample(2, 3), RECORDING_OFFSET_FIELDS + 8 + (sizeof(struct smile_info) + 7) / 8 * 8,
	      &tag, 4);
	assert_int_equal(Monitor_open(&mon, scratch_path("sample.rec")), 0);
	assert_int_equal(Monitor_origin(mon, &origin), 0);
	assert_string_equal(origin.command_line, "test");
	assert_int_equal(Monitor_poll(mon, 0), 2);
	Monitor_close(mon);
}

static void recording_senseless_record_hides_no_other(void **state)
{
	const char *path = scratch_path("sample.rec");
	struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 5),
		{{htole32(15)}},
		record_dynamic(SMILE_TYPE_READ, 1, 0, 4, 1, 7),
	};
	struct smile_record out[4];
	struct Monitor_loss loss;
	struct Monitor *mon;

	write_recording(path, 0, records, 3, 12);
	assert_int_equal(Monitor_open(&mon, path), 0);
	assert_int_equal(Monitor_records_read(mon, out, 4, 0), 3);
	assert_memory_equal(out, records, sizeof(records));
	assert_int_equal(Monitor_records_read(mon, out, 4, 0), -EPROTO);
	assert_non_null(strstr(Monitor_error_message(), "kind 15"));
	assert_int_equal(Monitor_records_read(mon, out, 4, 0), 0);
	assert_int_equal(Monitor_loss(mon, &loss), 0);
	assert_true(loss.delivered == 12 && loss.balanced);
	Monitor_close(mon);
}

static void recording_create_in_missing_directory_names_it(void **state)
{
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	assert_int_equal(Monitor_save(mon, "/nonexistent/a.rec", NULL), -ENOENT);
	assert_non_null(strstr(Monitor_error_message(), "/nonexistent/a.rec"));
	assert_int_equal(Monitor_save(mon, scratch_path("a.rec"), NULL), 0);
	assert_int_equal(Monitor_save(mon, scratch_path("b.rec"), NULL), -EBUSY);
	assert_int_equal(Monitor_close(mon), 0);
}

static void recording_to_a_pipe_or_over_its_source_is_refused(void **state)
{
	const char *path = sample(2, 3);
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, path), 0);
	assert_int_equal(Monitor_save(mon, path, NULL), -EINVAL);
	assert_int_equal(mkfifo(scratch_path("fifo"), 0600), 0);
	assert_int_equal(Monitor_save(mon, scratch_path("fifo"), NULL), -ESPIPE);
	assert_int_equal(Monitor_poll(mon, 0), 2);
	Monitor_close(mon);
}

static void recording_of_an_impossible_card_is_damaged(void **state)
{
	uint32_t node = 0x7fffffff;

	patch(sample(1, 1),
	      RECORDING_OFFSET_FIELDS + 8 +
		      (long)(offsetof(struct smile_info, config) +
			     offsetof(struct smile_config, node)),
	      &node, 4);
	refused(scratch_path("sample.rec"), "is impossible");
}

static void put(FILE *file, uint64_t value, size_t bytes)
{
	uint64_t ordered = htole64(value);

	assert_int_equal(fwrite(&ordered, 1, bytes, file), bytes);
}

/*
 * Write a recording number by number. @beyond: if positive, how many more numbers (each 7) the end
 * of each structure has, as in a later release; if negative, how many numbers are missing.
 */
static void write_sized(const char *path, int beyond)
{
	const struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 5),
		record_lost(2, 0),
	};
	const int info[] = {104 + 4 * beyond, 1, 0x10000, 64, 0, 4096, 65536, 4096, 2, 0};
	const int config[] = {64 + 4 * beyond, 3, SMILE_FILTER_DEFAULT, 1, 64, 16, 1, 0};
	int statistics = 152 + 8 * beyond, end = 32 + 8 + info[0] + 8 + statistics + 8;
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fwrite("SMILEREC", 1, 8, file);
	put(file, 1, 4);
	put(file, (uint64_t)(end + 15) / 16 * 16, 4);
	put(file, 2, 8);
	put(file, 1, 8);
	put(file, 1, 4);
	put(file, (uint64_t)info[0], 4);
	for (size_t i = 0; i < 10; i++)
		put(file, (uint64_t)info[i], 4);
	for (size_t i = 0; i < 8; i++)
		put(file, (uint64_t)config[i], 4);
	for (int i = 0; i < 8 + beyond; i++)
		put(file, i < 8 ? 0 : 7, 4);
	put(file, 0, (size_t)(-info[0] & 7));
	put(file, 2, 4);
	put(file, (uint64_t)statistics, 4);
	put(file, (uint64_t)statistics, 4);
	put(file, 0, 4);
	for (int i = 1; i < 19 + beyond; i++)
		put(file, i == 6 ? 7 : i == 7 || i == 11 ? 2 : i < 19 ? 0 : 7, 8);
	put(file, 0, 8);
	put(file, 0, (size_t)(-end & 15));
	fwrite(records, sizeof(records), 1, file);
	fclose(file);
}

static void expect_sized(const char *path)
{
	struct smile_statistics statistics;
	struct smile_static tables;
	struct Monitor_loss loss;
	struct smile_info info;
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, path), 0);
	assert_int_equal(Monitor_poll(mon, 0), 2);
	assert_int_equal(Monitor_info(mon, &info), 0);
	assert_true(info.size == sizeof(info) && info.config.size == sizeof(info.config));
	assert_true(info.config.node == 3 && info.config.max_range_bytes == 64);
	assert_true(info.features == 0 && info.config.timer_us == 0 && info.config.latency_us == 0);
	assert_int_equal(Monitor_statistics(mon, &statistics), 0);
	assert_true(statistics.size == sizeof(statistics) && statistics.events_accepted == 7);
	assert_true(statistics.static_counted == 0 && statistics.static_delivered == 0);
	assert_int_equal(Monitor_loss(mon, &loss), 0);
	assert_true(loss.known && loss.balanced && loss.delivered == 5 && loss.lost == 2);
	assert_int_equal(Monitor_static_info(mon, &tables), -EOPNOTSUPP);
	assert_int_equal(Monitor_close(mon), 0);
}

static void recording_with_a_shorter_struct_is_damaged(void **state)
{
	write_sized(scratch_path("short.rec"), -2);
	refused(scratch_path("short.rec"), "does not name the card");
	write_sized(scratch_path("exact.rec"), 0);
	expect_sized(scratch_path("exact.rec"));
}

static void recording_of_a_later_release_is_readable(void **state)
{
	write_sized(scratch_path("new.rec"), 2);
	expect_sized(scratch_path("new.rec"));
}

static void recording_gives_back_static_tables_and_counts(void **state)
{
	const struct smile_record records[] = {
		record_overflow(0, SMILE_TYPE_READ, 40 * 4096, 16),
		record_static(0, SMILE_TYPE_READ, 40 * 4096, 16, 10),
		record_static_event(1, 3, 4),
		record_mark(0, 1, 50),
		record_static(0, SMILE_TYPE_READ, 40 * 4096, 16, 1),
	};
	const struct smile_statistics statistics = {
		.size = sizeof(statistics),
		.static_counted = 65550,
		.static_delivered = 65550,
		.records_written = 5,
	};
	uint64_t counts[3][SMILE_STATIC_COUNTERS];
	struct smile_static tables, read;
	struct Monitor_loss loss;
	struct Monitor *mon;
	int event;

	Monitor_static_default(&tables);
	event = Monitor_static_event(&tables, 8, 40 * 4096, 64,
				     SMILE_FILTER_READ | SMILE_FILTER_REQUEST);
	assert_int_equal(Monitor_static_counter(&tables, event, -1, -1), 0);
	assert_int_equal(Monitor_static_counter(&tables, SMILE_STATIC_GLOBAL + 3, event, 31), 1);
	write_recording_static(scratch_path("static.rec"), &tables, records, 5, &statistics);

	assert_int_equal(Monitor_open(&mon, scratch_path("static.rec")), 0);
	assert_int_equal(Monitor_poll(mon, 0), 5);
	assert_int_equal(Monitor_static_info(mon, &read), 0);
	assert_memory_equal(&read, &tables, sizeof(read));
	memset(counts, 0x5a, sizeof(counts));
	assert_int_equal(Monitor_static_counts(mon, &counts[0][0], 3), 2);
	assert_true(counts[0][0] == 65545 && counts[0][1] == 4 && counts[0][2] == 0);
	assert_true(counts[1][0] == 1 && counts[1][1] == 0);
	for (unsigned int i = 0; i < SMILE_STATIC_COUNTERS; i++)
		assert_true(counts[2][i] == 0);
	assert_int_equal(Monitor_loss(mon, &loss), 0);
	assert_true(loss.balanced && loss.static_counted == 65550);
	assert_int_equal(Monitor_static_set(mon, &tables), -EOPNOTSUPP);

	/* A copy of the recording also has the static tables. */
	assert_int_equal(Monitor_close(mon), 0);
	assert_int_equal(Monitor_open(&mon, scratch_path("static.rec")), 0);
	assert_int_equal(Monitor_save(mon, scratch_path("copy.rec"), NULL), 0);
	assert_int_equal(Monitor_poll(mon, 0), 5);
	assert_int_equal(Monitor_close(mon), 0);
	assert_int_equal(Monitor_open(&mon, scratch_path("copy.rec")), 0);
	memset(&read, 0, sizeof(read));
	assert_int_equal(Monitor_static_info(mon, &read), 0);
	assert_memory_equal(&read, &tables, sizeof(read));
	Monitor_close(mon);
}

/* Get the offset of the contents of the field "static tables" in a recording. */
static long static_offset(const char *path)
{
	FILE *file = fopen(path, "r");
	uint32_t word[2] = {0};

	assert_non_null(file);
	do {
		word[0] = le32toh(word[1]);
		assert_int_equal(fread(&word[1], 4, 1, file), 1);
	} while (word[0] != 5 || le32toh(word[1]) != sizeof(struct smile_static));
	word[0] = (uint32_t)ftell(file);
	fclose(file);
	return (long)word[0];
}

/* First make the tables longer, as in a later release; then make a configuration too short. */
static void recording_sizes_are_reported_apart(void **state)
{
	uint32_t size = sizeof(struct smile_static) + 64;
	struct smile_static tables;
	struct Monitor *mon;

	Monitor_static_default(&tables);
	write_recording_static(scratch_path("static.rec"), &tables, NULL, 0, NULL);
	patch(scratch_path("static.rec"), static_offset(scratch_path("static.rec")), &size, 4);
	assert_int_equal(Monitor_open(&mon, scratch_path("static.rec")), 0);
	assert_int_equal(Monitor_static_info(mon, &tables), 0);
	assert_int_equal(tables.size, sizeof(tables));
	assert_int_equal(Monitor_close(mon), 0);

	size = 28;
	patch(sample(1, 1), RECORDING_OFFSET_FIELDS + 8 + offsetof(struct smile_info, config),
	      &size, 4);
	refused(scratch_path("sample.rec"), "is impossible");
}

static void recording_of_impossible_static_counters_is_damaged(void **state)
{
	struct smile_static tables;

	Monitor_static_default(&tables);
	tables.counter[2] = SMILE_STATIC_COUNTER_COUNT_VALID | 5;
	write_recording_static(scratch_path("static.rec"), &tables, NULL, 0, NULL);
	refused(scratch_path("static.rec"), "static tables");
}

/*
 * Set the tables several times before anything is counted. The header must contain the last ones.
 */
static void recording_static_tables_set_late_are_in_the_header(void **state)
{
	struct smile_static tables, read;
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	assert_int_equal(Monitor_save(mon, scratch_path("late.rec"), "late"), 0);
	Monitor_static_default(&tables);
	assert_int_equal(Monitor_static_counter(&tables, SMILE_STATIC_GLOBAL + 15, -1, -1), 0);
	assert_int_equal(Monitor_static_set(mon, &tables), 0);
	assert_int_equal(Monitor_close(mon), 0);
	assert_int_equal(Monitor_open(&mon, scratch_path("late.rec")), 0);
	assert_int_equal(Monitor_static_info(mon, &read), 0);
	assert_memory_equal(&read, &tables, sizeof(read));
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_int_equal(Monitor_ended(mon), 1);
	Monitor_close(mon);
}

static void recording_that_does_not_begin_keeps_the_older_one(void **state)
{
	const char *path = sample(3, 3);
	const long bytes = size_of(path);
	struct Monitor *mon, *second;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	assert_int_equal(Monitor_save(mon, path, NULL), 0);
	assert_int_equal(size_of(path), bytes);
	assert_int_equal(Monitor_open(&second, "emu:"), 0);
	assert_int_equal(Monitor_save(second, path, NULL), -EBUSY);
	Monitor_close(second);
	assert_int_equal(Monitor_close(mon), 0);
	assert_int_equal(size_of(path), bytes);
	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	assert_int_equal(Monitor_save(mon, path, NULL), 0);
	assert_int_equal(Monitor_start(mon), 0);
	assert_int_equal(Monitor_close(mon), 0);
	assert_int_not_equal(size_of(path), bytes);
}

static void recording_on_full_disk_fails_loudly(void **state)
{
	struct Monitor *mon;

	if (access("/dev/full", W_OK))
		skip();
	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	assert_int_equal(Monitor_save(mon, "/dev/full", NULL), -ENOSPC);
	assert_non_null(strstr(Monitor_error_message(), "/dev/full"));
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recording_complete_gives_back_everything),
		cmocka_unit_test(recording_incomplete_is_readable_and_says_so),
		cmocka_unit_test(recording_cut_off_gives_what_is_there_then_an_error),
		cmocka_unit_test(recording_that_goes_on_behind_its_records_is_reported),
		cmocka_unit_test(recording_incomplete_ends_within_a_record),
		cmocka_unit_test(recording_narrow_and_wide_cannot_be_merged),
		cmocka_unit_test(recording_header_cut_anywhere_is_refused),
		cmocka_unit_test(recording_foreign_or_newer_or_damaged_names_the_remedy),
		cmocka_unit_test(recording_unknown_field_is_passed_over),
		cmocka_unit_test(recording_senseless_record_hides_no_other),
		cmocka_unit_test(recording_create_in_missing_directory_names_it),
		cmocka_unit_test(recording_to_a_pipe_or_over_its_source_is_refused),
		cmocka_unit_test(recording_of_an_impossible_card_is_damaged),
		cmocka_unit_test(recording_with_a_shorter_struct_is_damaged),
		cmocka_unit_test(recording_of_a_later_release_is_readable),
		cmocka_unit_test(recording_gives_back_static_tables_and_counts),
		cmocka_unit_test(recording_sizes_are_reported_apart),
		cmocka_unit_test(recording_of_impossible_static_counters_is_damaged),
		cmocka_unit_test(recording_static_tables_set_late_are_in_the_header),
		cmocka_unit_test(recording_that_does_not_begin_keeps_the_older_one),
		cmocka_unit_test(recording_on_full_disk_fails_loudly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
