/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/monitor/follow.c and lib/recording/tail.c: recordings that are read while they are
 * written. A file lock belongs to the open file, so writer and reader can be in one process.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/recording/recording.h"
#include "tests/unit/lib_fixture.h"

static struct recording_writer *begin(const char *name, unsigned int node)
{
	struct smile_info info = {.size = sizeof(info)};
	struct recording_writer *writer;

	Monitor_config_default(&info.config);
	info.config.node = node;
	assert_int_equal(
		smile_recording_create(&writer, scratch_path(name), "test", &info, NULL, 0, NULL),
		0);
	assert_int_equal(smile_recording_begin(writer), 0);
	return writer;
}

/* Write @records records, each with a count of @count. */
static void grow(struct recording_writer *writer, unsigned int records, unsigned int count)
{
	for (unsigned int i = 0; i < records; i++) {
		struct smile_record record = record_dynamic(SMILE_TYPE_READ, 1, 0, 4 * i, 1, count);

		assert_int_equal(smile_recording_append(writer, &record, 1), 0);
	}
	assert_int_equal(smile_recording_flush(writer), 0);
}

static void end(struct recording_writer *writer, uint64_t accepted, const char *region)
{
	struct smile_statistics statistics = {.size = sizeof(statistics),
					      .events_accepted = accepted};
	struct Monitor_region one = {.start = 4096, .end = 8192, .name = region};
	struct map map = {0};

	if (region)
		assert_int_equal(smile_map_region_add(&map, &one), 0);
	assert_int_equal(smile_recording_map(writer, &map), 0);
	assert_int_equal(smile_recording_finish(writer, &statistics), 0);
	smile_map_free(&map);
}

static struct Monitor *follow(const char *name)
{
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, scratch_path(name)), 0);
	assert_int_equal(Monitor_follow(mon), 0);
	return mon;
}

static uint64_t delivered(struct Monitor *mon)
{
	struct Monitor_loss loss;

	assert_int_equal(Monitor_loss(mon, &loss), 0);
	return loss.delivered;
}

static void growing_is_read_as_it_grows_and_ends_when_it_is_closed(void **state)
{
	struct recording_writer *writer = begin("grow.rec", 0);
	struct Monitor *mon = follow("grow.rec");
	struct smile_statistics statistics;
	struct Monitor_region region;
	struct Monitor_origin origin;
	struct Monitor_loss loss;

	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_int_equal(Monitor_ended(mon), 0);
	grow(writer, 3, 5);
	assert_int_equal(Monitor_poll(mon, 0), 3);
	assert_int_equal(Monitor_poll(mon, 1), 0);
	assert_int_equal(Monitor_ended(mon), 0);
	assert_int_equal(Monitor_statistics(mon, &statistics), -ENODATA);
	grow(writer, 600, 1);
	assert_int_equal(Monitor_poll(mon, 0), 600);
	end(writer, 615, "grid");
	assert_int_equal(Monitor_region_find(mon, 5000, &region), -ENOENT);
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_int_equal(Monitor_ended(mon), 1);
	assert_int_equal(Monitor_region_find(mon, 5000, &region), 0);
	assert_string_equal(region.name, "grid");
	assert_int_equal(Monitor_origin(mon, &origin), 0);
	assert_int_equal(origin.complete, 1);
	assert_int_equal(Monitor_loss(mon, &loss), 0);
	assert_true(loss.known && loss.accepted == 615 && loss.delivered == 615);
	assert_int_equal(Monitor_poll(mon, 0), 0);
	Monitor_close(mon);
}

/*
 * All data of a small file fits into the reader's buffer. If the reader opens such a file after its
 * trailer was written, it must read the header from the file again at the end.
 */
static void small_file_that_is_closed_later_has_its_account(void **state)
{
	struct smile_statistics statistics = {
		.size = sizeof(statistics), .events_accepted = 15, .records_written = 3};
	struct recording_writer *writer = begin("small.rec", 0);
	struct Monitor_region one = {.start = 4096, .end = 8192, .name = "grid"};
	struct map map = {0};
	struct Monitor *mon;
	struct Monitor_loss loss;

	grow(writer, 3, 5);
	assert_int_equal(smile_map_region_add(&map, &one), 0);
	assert_int_equal(smile_recording_map(writer, &map), 0);
	assert_int_equal(smile_recording_flush(writer), 0);
	mon = follow("small.rec");
	assert_int_equal(Monitor_poll(mon, 0), 3);
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_int_equal(Monitor_ended(mon), 0);
	assert_int_equal(smile_recording_finish(writer, &statistics), 0);
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_int_equal(Monitor_ended(mon), 1);
	assert_int_equal(Monitor_loss(mon, &loss), 0);
	assert_true(loss.known && loss.balanced && loss.accepted == 15);
	smile_map_free(&map);
	Monitor_close(mon);
}

static void know(struct recording_writer *writer, struct map *map, uint64_t page, const char *name)
{
	struct Monitor_region one = {.kind = MONITOR_REGION_NAMED,
				     .start = page * SMILE_PAGE_BYTES,
				     .end = (page + 1) * SMILE_PAGE_BYTES,
				     .name = name};

	assert_int_equal(smile_map_region_add(map, &one), 0);
	assert_int_equal(smile_recording_known(writer, map), 0);
}

static int has_name(struct Monitor *mon, uint64_t page, const char *name)
{
	struct Monitor_region region;
	int found = Monitor_region_find(mon, page * SMILE_PAGE_BYTES, &region) >= 0;

	return found && !strcmp(region.name, name);
}

/*
 * A merged view of this and another recording knows the names. So does a recording whose end is
 * missing.
 */
static void names_are_known_while_it_grows(void **state)
{
	const unsigned char *boot = (const unsigned char *)"0123456789abcdef";
	struct smile_info info = {.size = sizeof(info)};
	struct recording_writer *writers[2];
	struct Monitor *parts[2], *mon;
	struct map map = {0};
	uint64_t spread_ns;

	Monitor_config_default(&info.config);
	for (unsigned int i = 0; i < 2; i++) {
		const char *name = scratch_path(i ? "known1.rec" : "known0.rec");
		const struct smile_record mark = record_mark(1, 1, 5000 + 40000 * i);
		struct map clock = {0};

		info.config.node = i;
		assert_int_equal(smile_recording_create(&writers[i], name, "test", &info, NULL,
							RECORDING_KNOWN_BYTES, NULL),
				 0);
		assert_int_equal(smile_clocks_host(&clock.clocks, i, boot), 0);
		assert_int_equal(smile_recording_known(writers[i], &clock), 0);
		if (!i)
			assert_int_equal(smile_clocks_host(&map.clocks, i, boot), 0);
		assert_int_equal(smile_recording_append(writers[i], &mark, 1), 0);
		assert_int_equal(smile_recording_flush(writers[i]), 0);
		smile_map_free(&clock);
		parts[i] = follow(i ? "known1.rec" : "known0.rec");
	}
	assert_int_equal(Monitor_merge(&mon, parts, 2), 0);
	while (Monitor_poll(mon, 0) > 0)
		;
	assert_int_equal(Monitor_phase_spread(mon, 1, &spread_ns), 0);
	assert_int_equal(spread_ns, 40000);
	know(writers[0], &map, 1, "grid");
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_true(has_name(mon, 1, "grid") && has_name(parts[0], 1, "grid"));
	know(writers[0], &map, 2, "other");
	/* Not all names fit: some are known now, the others at the end of the recording. */
	for (uint64_t page = 3; page < 400; page++)
		know(writers[0], &map, page, "one of very many small arrays");
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_true(has_name(mon, 1, "grid") && has_name(mon, 2, "other"));
	assert_true(has_name(mon, 3, "one of very many small arrays"));
	assert_false(has_name(mon, 399, "one of very many small arrays"));
	Monitor_close(mon);
	Monitor_close(parts[0]);
	Monitor_close(parts[1]);
	/* Both writers are killed. */
	assert_int_equal(smile_recording_finish(writers[1], NULL), 0);
	assert_int_equal(Monitor_open(&mon, scratch_path("known0.rec")), 0);
	assert_true(has_name(mon, 1, "grid") && has_name(mon, 2, "other"));
	Monitor_close(mon);
	/* One writer ends its recording. */
	assert_int_equal(smile_recording_map(writers[0], &map), 0);
	assert_int_equal(smile_recording_finish(writers[0], NULL), 0);
	assert_int_equal(Monitor_open(&mon, scratch_path("known0.rec")), 0);
	assert_int_equal(Monitor_regions(mon, NULL, 0), 399);
	Monitor_close(mon);
	smile_map_free(&map);
}

/* Half a record is not read yet. No byte of it may be lost. */
static void part_of_a_record_waits_for_the_rest(void **state)
{
	struct recording_writer *writer = begin("part.rec", 0);
	struct Monitor *mon = follow("part.rec");
	struct smile_record record = record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 9);
	FILE *file = fopen(scratch_path("part.rec"), "a");

	assert_non_null(file);
	assert_int_equal(fwrite(&record, 1, 7, file), 7);
	fflush(file);
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_int_equal(fwrite((char *)&record + 7, 1, 9, file), 9);
	fclose(file);
	assert_int_equal(Monitor_poll(mon, 0), 1);
	assert_int_equal(delivered(mon), 9);
	smile_recording_finish(writer, NULL);
	Monitor_close(mon);
}

static void killed_writer_ends_it(void **state)
{
	struct recording_writer *writer = begin("killed.rec", 0);
	struct Monitor *mon = follow("killed.rec");
	struct Monitor_origin origin;

	grow(writer, 2, 1);
	assert_int_equal(smile_recording_finish(writer, NULL), 0);
	assert_int_equal(Monitor_poll(mon, -1), 2);
	/* The recording has no trailer, but the reader knows that the writer has stopped. */
	assert_int_equal(Monitor_poll(mon, -1), 0);
	assert_int_equal(Monitor_ended(mon), 1);
	assert_int_equal(Monitor_origin(mon, &origin), 0);
	assert_int_equal(origin.complete, 0);
	Monitor_close(mon);
}

/*
 * The writer is killed while it writes the trailer. No part of the trailer may be read as a record.
 */
static void trailer_that_is_cut_off_is_no_record(void **state)
{
	struct recording_writer *writer = begin("trailer.rec", 0);
	struct Monitor *mon = follow("trailer.rec");
	struct Monitor_region one = {.start = 4096, .end = 8192, .name = "a name of some length"};
	struct map map = {0};

	assert_int_equal(smile_map_region_add(&map, &one), 0);
	grow(writer, 4, 1);
	assert_int_equal(smile_recording_map(writer, &map), 0);
	assert_int_equal(smile_recording_finish(writer, NULL), 0);
	smile_map_free(&map);
	assert_int_equal(Monitor_poll(mon, 0), 4);
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_int_equal(Monitor_ended(mon), 1);
	assert_int_equal(delivered(mon), 4);
	Monitor_close(mon);
}

static void several_take_turns(void **state)
{
	struct recording_writer *left = begin("left.rec", 0), *right = begin("right.rec", 1);
	struct Monitor *mon = follow("left.rec");

	assert_int_equal(Monitor_attach(mon, scratch_path("right.rec")), 0);
	grow(left, 2, 1);
	grow(right, 3, 1);
	assert_int_equal(Monitor_poll(mon, 0), 2);
	assert_int_equal(Monitor_poll(mon, 0), 3);
	grow(left, 5, 1);
	assert_int_equal(Monitor_poll(mon, 0), 5);
	end(right, 3, "grid");
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_int_equal(Monitor_ended(mon), 0);
	grow(left, 1, 1);
	assert_int_equal(Monitor_poll(mon, 0), 1);
	end(left, 8, "grid");
	assert_int_equal(Monitor_poll(mon, -1), 0);
	assert_int_equal(Monitor_ended(mon), 1);
	assert_int_equal(Monitor_regions(mon, NULL, 0), 1);
	Monitor_close(mon);
}

static void contradictions_at_the_end_are_reported(void **state)
{
	struct recording_writer *left = begin("left.rec", 0), *right = begin("right.rec", 1);
	struct Monitor *mon = follow("left.rec");

	assert_int_equal(Monitor_attach(mon, scratch_path("right.rec")), 0);
	grow(left, 1, 1);
	grow(right, 1, 1);
	end(left, 1, "grid");
	end(right, 1, "other");
	assert_int_equal(Monitor_poll(mon, 0), 1);
	assert_int_equal(Monitor_poll(mon, 0), 1);
	assert_int_equal(Monitor_poll(mon, 0), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "regions"));
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_int_equal(Monitor_ended(mon), 1);
	Monitor_close(mon);
}

static void file_that_is_another_is_reported(void **state)
{
	struct recording_writer *writer = begin("again.rec", 0);
	struct Monitor *mon = follow("again.rec");

	grow(writer, 40, 1);
	assert_int_equal(Monitor_poll(mon, 0), 40);
	assert_int_equal(smile_recording_finish(writer, NULL), 0);
	writer = begin("again.rec", 0);
	assert_int_equal(Monitor_poll(mon, 0), -EPROTO);
	assert_non_null(strstr(Monitor_error_message(), "overwritten"));
	assert_int_equal(Monitor_ended(mon), 1);
	assert_int_equal(delivered(mon), 40);
	smile_recording_finish(writer, NULL);
	Monitor_close(mon);
}

static void file_cut_off_is_reported(void **state)
{
	struct recording_writer *writer = begin("cut.rec", 0);
	struct Monitor *mon = follow("cut.rec");

	grow(writer, 4, 1);
	assert_int_equal(Monitor_poll(mon, 0), 4);
	assert_int_equal(truncate(scratch_path("cut.rec"), 20), 0);
	assert_int_equal(Monitor_poll(mon, 0), -EPROTO);
	assert_non_null(strstr(Monitor_error_message(), "cut off"));
	smile_recording_finish(writer, NULL);
	Monitor_close(mon);
}

static off_t bytes_of(const char *name)
{
	struct stat status;

	assert_int_equal(stat(scratch_path(name), &status), 0);
	return status.st_size;
}

/*
 * A part of the file that was read is cut off, once with a running writer and once after the writer
 * has ended.
 */
static void file_cut_off_behind_its_header_is_reported(void **state)
{
	for (int gone = 0; gone < 2; gone++) {
		struct recording_writer *writer = begin("cut.rec", 0);
		struct Monitor *mon = follow("cut.rec");

		grow(writer, 4, 1);
		assert_int_equal(Monitor_poll(mon, 0), 4);
		assert_int_equal(Monitor_poll(mon, 0), 0);
		assert_int_equal(Monitor_ended(mon), 0);
		assert_int_equal(truncate(scratch_path("cut.rec"), bytes_of("cut.rec") - 1), 0);
		if (gone)
			smile_recording_finish(writer, NULL);
		assert_int_equal(Monitor_poll(mon, 0), -EPROTO);
		assert_non_null(strstr(Monitor_error_message(), "cut off"));
		assert_int_equal(Monitor_ended(mon), 1);
		assert_int_equal(delivered(mon), 4);
		if (!gone)
			smile_recording_finish(writer, NULL);
		Monitor_close(mon);
	}
}

static void rename_scratch(const char *from, const char *to)
{
	char *name = strdup(scratch_path(from));

	assert_non_null(name);
	assert_int_equal(rename(name, scratch_path(to)), 0);
	free(name);
}

/* The reader first reads all records of the first file. */
static void file_that_another_took_the_place_of_is_reported(void **state)
{
	struct recording_writer *writer = begin("first.rec", 0), *other = begin("other.rec", 0);
	struct Monitor *mon = follow("first.rec");

	grow(writer, 4, 1);
	rename_scratch("other.rec", "first.rec");
	assert_int_equal(Monitor_poll(mon, 0), 4);
	assert_int_equal(Monitor_poll(mon, 0), -EPROTO);
	assert_non_null(strstr(Monitor_error_message(), "replaced"));
	assert_int_equal(Monitor_ended(mon), 1);
	smile_recording_finish(writer, NULL);
	smile_recording_finish(other, NULL);
	Monitor_close(mon);
}

/*
 * The file is closed and renamed, and another file takes its name. The reader must read all records
 * of the first file.
 */
static void file_that_lost_its_name_is_read_to_its_end(void **state)
{
	struct recording_writer *writer = begin("first.rec", 0), *other = begin("other.rec", 0);
	struct Monitor *mon = follow("first.rec");

	grow(writer, 4, 1);
	rename_scratch("first.rec", "moved.rec");
	assert_int_equal(Monitor_poll(mon, 0), 4);
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_int_equal(Monitor_ended(mon), 0);
	grow(writer, 2, 1);
	end(writer, 6, "grid");
	rename_scratch("other.rec", "first.rec");
	assert_int_equal(Monitor_poll(mon, 0), 2);
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_int_equal(Monitor_ended(mon), 1);
	assert_int_equal(delivered(mon), 6);
	smile_recording_finish(other, NULL);
	Monitor_close(mon);
}

static void complete_recording_is_read_as_ever(void **state)
{
	struct smile_record record = record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 7);
	struct Monitor *mon;

	write_recording(scratch_path("whole.rec"), 0, &record, 1, 7);
	mon = follow("whole.rec");
	assert_int_equal(Monitor_poll(mon, -1), 1);
	assert_int_equal(Monitor_poll(mon, -1), 0);
	assert_int_equal(Monitor_ended(mon), 1);
	assert_int_equal(delivered(mon), 7);
	Monitor_close(mon);
}

static void what_cannot_be_followed_is_refused(void **state)
{
	struct smile_record record = record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 7);
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	assert_int_equal(Monitor_follow(mon), -EINVAL);
	Monitor_close(mon);
	write_recording(scratch_path("whole.rec"), 0, &record, 1, 7);
	assert_int_equal(Monitor_open(&mon, scratch_path("whole.rec")), 0);
	assert_int_equal(Monitor_poll(mon, 0), 1);
	assert_int_equal(Monitor_follow(mon), -EBUSY);
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(growing_is_read_as_it_grows_and_ends_when_it_is_closed),
		cmocka_unit_test(small_file_that_is_closed_later_has_its_account),
		cmocka_unit_test(names_are_known_while_it_grows),
		cmocka_unit_test(part_of_a_record_waits_for_the_rest),
		cmocka_unit_test(killed_writer_ends_it),
		cmocka_unit_test(trailer_that_is_cut_off_is_no_record),
		cmocka_unit_test(several_take_turns),
		cmocka_unit_test(contradictions_at_the_end_are_reported),
		cmocka_unit_test(file_that_is_another_is_reported),
		cmocka_unit_test(file_cut_off_is_reported),
		cmocka_unit_test(file_cut_off_behind_its_header_is_reported),
		cmocka_unit_test(file_that_another_took_the_place_of_is_reported),
		cmocka_unit_test(file_that_lost_its_name_is_read_to_its_end),
		cmocka_unit_test(complete_recording_is_read_as_ever),
		cmocka_unit_test(what_cannot_be_followed_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
