/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/map/trailer.c and lib/map/field.c. The trailers of recordings are written, read,
 * damaged and cut off.
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/map/field.h"
#include "lib/recording/recording.h"
#include "lib/map/trailer.h"
#include "tests/unit/lib_fixture.h"

#define RECORDS 3

static const struct Monitor_region regions[] = {
	{0x400000, 0x402000, 0x1000, 0x400000, MONITOR_REGION_GLOBAL, 0, "/usr/bin/program"},
	{0x800000, 0x900000, 0, 0, MONITOR_REGION_HEAP, 0, ""},
};

static void fill(struct Monitor *mon)
{
	assert_int_equal(Monitor_home_add(mon, 0x400, 2, 1), 0);
	assert_int_equal(Monitor_home_add(mon, 0x800, 0x100, 3), 0);
	assert_int_equal(Monitor_home_add(mon, 0x1000, 1ULL << 34, 2), 0);
	assert_int_equal(Monitor_region_add(mon, &regions[0]), 0);
	assert_int_equal(Monitor_region_add(mon, &regions[1]), 0);
	assert_int_equal(Monitor_phase_name_add(mon, 7, "compute"), 0);
	assert_int_equal(Monitor_parameters_set(mon, "{\"schema\":\"test/1\"}"), 0);
}

/* Write a recording of RECORDS records, with a map. Return: its path. */
static const char *sample(void)
{
	struct smile_record records[RECORDS];
	static char path[128];
	struct Monitor *mon;

	for (unsigned int i = 0; i < RECORDS; i++)
		records[i] = record_dynamic(SMILE_TYPE_READ, 1, 0, 4 * i, 1, i + 1);
	write_recording(scratch_path("plain.rec"), 5, records, RECORDS, 6);
	snprintf(path, sizeof(path), "%s", scratch_path("mapped.rec"));
	assert_int_equal(Monitor_open(&mon, scratch_path("plain.rec")), 0);
	assert_int_equal(Monitor_save(mon, path, "test"), 0);
	assert_int_equal(Monitor_poll(mon, 0), RECORDS);
	fill(mon);
	assert_int_equal(Monitor_close(mon), 0);
	return path;
}

static unsigned char *contents(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "r");
	unsigned char *data;

	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	*bytes = (size_t)ftell(file);
	rewind(file);
	data = malloc(*bytes + 16);
	assert_non_null(data);
	assert_int_equal(fread(data, 1, *bytes, file), *bytes);
	fclose(file);
	return data;
}

static const char *written(const unsigned char *data, size_t bytes)
{
	const char *path = scratch_path("changed.rec");
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, bytes, file), bytes);
	fclose(file);
	return path;
}

/* Find the trailer by the header. Return: the offset of the trailer. */
static size_t trailer_at(const unsigned char *data)
{
	const unsigned char *at = data + RECORDING_OFFSET_FIELDS;
	struct field field;

	do
		assert_null(smile_field_next(&at, data + 4096, &field));
	while (field.tag != RECORDING_TAG_TRAILER && field.tag != FIELD_TAG_END);
	assert_int_equal(field.tag, RECORDING_TAG_TRAILER);
	return (size_t)smile_field_number(field.data, 8);
}

static size_t header_field_at(const unsigned char *data)
{
	const unsigned char *at = data + RECORDING_OFFSET_FIELDS;
	struct field field;

	do
		assert_null(smile_field_next(&at, data + 4096, &field));
	while (field.tag != RECORDING_TAG_TRAILER);
	return (size_t)(field.data - data);
}

static void expect_map(struct Monitor *mon)
{
	struct Monitor_home homes[4];
	struct Monitor_region found[3];

	assert_int_equal(Monitor_homes(mon, homes, 4), 3);
	assert_true(homes[0].page == 0x400 && homes[0].pages == 2 && homes[0].node == 1);
	assert_true(homes[1].page == 0x800 && homes[1].pages == 0x100 && homes[1].node == 3);
	assert_true(homes[2].page == 0x1000 && homes[2].pages == 1ULL << 34 && homes[2].node == 2);
	assert_int_equal(Monitor_regions(mon, found, 3), 2);
	for (size_t i = 0; i < 2; i++) {
		assert_true(found[i].start == regions[i].start && found[i].end == regions[i].end);
		assert_true(found[i].offset == regions[i].offset &&
			    found[i].bias == regions[i].bias);
		assert_int_equal(found[i].kind, regions[i].kind);
		assert_string_equal(found[i].name, regions[i].name);
	}
	assert_string_equal(Monitor_parameters(mon), "{\"schema\":\"test/1\"}");
}

static void trailer_gives_back_the_map(void **state)
{
	struct Monitor_loss loss;
	struct Monitor *mon;
	unsigned char *data;
	size_t bytes;

	data = contents(sample(), &bytes);
	assert_int_equal(smile_field_number(data + RECORDING_OFFSET_VERSION, 4), 2);
	assert_int_equal(trailer_at(data) % SMILE_RECORD_BYTES, 0);
	assert_int_equal(Monitor_open(&mon, written(data, bytes)), 0);
	expect_map(mon);
	assert_int_equal(Monitor_poll(mon, 0), RECORDS);
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_int_equal(Monitor_loss(mon, &loss), 0);
	assert_true(loss.delivered == 6 && loss.balanced);
	assert_int_equal(Monitor_close(mon), 0);
	free(data);
}

static void trailer_is_saved_from_what_is_read(void **state)
{
	char copy[128];
	struct Monitor *mon;

	snprintf(copy, sizeof(copy), "%s", scratch_path("copy.rec"));
	assert_int_equal(Monitor_open(&mon, sample()), 0);
	assert_int_equal(Monitor_save(mon, copy, NULL), 0);
	assert_int_equal(Monitor_poll(mon, 0), RECORDS);
	assert_int_equal(Monitor_close(mon), 0);
	assert_int_equal(Monitor_open(&mon, copy), 0);
	expect_map(mon);
	Monitor_close(mon);
}

static void trailer_without_a_map_is_none(void **state)
{
	struct smile_record record = record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 1);
	unsigned char *data;
	struct Monitor *mon;
	size_t bytes;

	write_recording(scratch_path("plain.rec"), 5, &record, 1, 1);
	data = contents(scratch_path("plain.rec"), &bytes);
	assert_int_equal(smile_field_number(data + RECORDING_OFFSET_VERSION, 4), 1);
	assert_int_equal(trailer_at(data), 0);
	assert_int_equal(Monitor_open(&mon, scratch_path("plain.rec")), 0);
	assert_int_equal(Monitor_homes(mon, NULL, 0), 0);
	assert_int_equal(Monitor_regions(mon, NULL, 0), 0);
	assert_null(Monitor_parameters(mon));
	Monitor_close(mon);
	free(data);
}

/*
 * The reader must read the records of the file, but no part of its map, and then report the damage.
 */
static void expect_damage(const char *path, const char *message)
{
	struct smile_record records[RECORDS + 1];
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, path), 0);
	assert_int_equal(Monitor_homes(mon, NULL, 0), 0);
	assert_int_equal(Monitor_regions(mon, NULL, 0), 0);
	assert_null(Monitor_parameters(mon));
	assert_int_equal(Monitor_records_read(mon, records, RECORDS + 1, 0), RECORDS);
	assert_int_equal(Monitor_records_read(mon, records, RECORDS + 1, 0), -EPROTO);
	if (!strstr(Monitor_error_message(), message))
		fail_msg("\"%s\" does not say \"%s\"", Monitor_error_message(), message);
	assert_int_equal(Monitor_records_read(mon, records, RECORDS + 1, 0), 0);
	assert_int_equal(Monitor_ended(mon), 1);
	Monitor_close(mon);
}

static void trailer_cut_anywhere_is_reported_after_the_records(void **state)
{
	unsigned char *data;
	size_t bytes, at;

	data = contents(sample(), &bytes);
	at = trailer_at(data);
	for (size_t end = at; end < bytes; end++)
		expect_damage(written(data, end), "cut off");
	/* If the file ends within the records, this is reported. */
	for (size_t end = at - RECORDS * SMILE_RECORD_BYTES; end < at; end++) {
		struct Monitor *mon;
		int there =
			(int)(RECORDS - (at - end + SMILE_RECORD_BYTES - 1) / SMILE_RECORD_BYTES);

		assert_int_equal(Monitor_open(&mon, written(data, end)), 0);
		if (there)
			assert_int_equal(Monitor_poll(mon, 0), there);
		assert_int_equal(Monitor_poll(mon, 0), -EPROTO);
		assert_non_null(strstr(Monitor_error_message(), "of its 3 records"));
		Monitor_close(mon);
	}
	free(data);
}

/*
 * The writer was killed: the header contains no number of records, and the file has only a part of
 * the trailer. No part of the trailer may be read as a record.
 */
static void trailer_of_a_killed_writer_is_no_records(void **state)
{
	unsigned char *data;
	size_t bytes, at;

	data = contents(sample(), &bytes);
	at = trailer_at(data);
	memset(data + RECORDING_OFFSET_RECORDS, 0xff, 8);
	for (size_t end = at; end < bytes; end += 5)
		expect_damage(written(data, end), "cut off");
	free(data);
}

static void trailer_with_more_behind_it_is_reported(void **state)
{
	unsigned char *data;
	struct Monitor *mon;
	size_t bytes;

	data = contents(sample(), &bytes);
	data[bytes] = 0;
	assert_int_equal(Monitor_open(&mon, written(data, bytes + 1)), 0);
	expect_map(mon);
	assert_int_equal(Monitor_poll(mon, 0), RECORDS);
	assert_int_equal(Monitor_poll(mon, 0), -EPROTO);
	assert_non_null(strstr(Monitor_error_message(), "continues behind its 3 records and its "
							"trailer"));
	Monitor_close(mon);
	free(data);
}

static void trailer_elsewhere_is_reported(void **state)
{
	unsigned char *data;
	size_t bytes, field;

	data = contents(sample(), &bytes);
	field = header_field_at(data);
	data[field] ^= SMILE_RECORD_BYTES;
	expect_damage(written(data, bytes), "where the records end");
	data[field] ^= SMILE_RECORD_BYTES;
	memset(data + field + 8, 0xff, 8);
	expect_damage(written(data, bytes), "cut off");
	free(data);
}

/* Change one number in one field of a trailer. */
static void expect_change(size_t offset, uint64_t value, size_t bytes, const char *message)
{
	unsigned char *data;
	uint64_t ordered = htole64(value);
	size_t size, at;

	data = contents(sample(), &size);
	at = trailer_at(data);
	memcpy(data + at + offset, &ordered, bytes);
	expect_damage(written(data, size), message);
	free(data);
}

/*
 * The homes come first: 8 bytes, then 16 bytes for each run of pages. The third run is long, and is
 * stored as five runs.
 */
#define REGION_AT (8 + 7 * TRAILER_RUN_BYTES)

static void trailer_of_nonsense_is_reported(void **state)
{
	expect_change(4, 0x7ffffff0, 4, "longer");
	expect_change(4, 7, 4, "within an entry");
	expect_change(8 + 16, 0x401, 8, "order");
	expect_change(8 + 12, 0x10000, 4, "a home");
	expect_change(8 + 8, 0, 4, "a home");
	expect_change(REGION_AT + 8, 4, 4, "a region");
	expect_change(REGION_AT + 8, 0xffffffff, 4, "a region");
	expect_change(REGION_AT + 8 + 16, 0, 8, "a region");
}

/* If the host has not enough memory, the message must not report a damaged file. */
static void trailer_without_memory_is_not_called_nonsense(void **state)
{
	assert_null(smile_field_wrong(0, "nonsense"));
	assert_string_equal(smile_field_wrong(-EINVAL, "nonsense"), "nonsense");
	assert_string_equal(smile_field_wrong(-ENOMEM, "nonsense"), "there is no memory for it");
}

static void trailer_unknown_fields_are_passed_over(void **state)
{
	unsigned char *data;
	struct Monitor *mon;
	uint32_t tag = htole32(0x7777);
	size_t bytes;

	data = contents(sample(), &bytes);
	memcpy(data + trailer_at(data) + REGION_AT, &tag, 4);
	assert_int_equal(Monitor_open(&mon, written(data, bytes)), 0);
	assert_int_equal(Monitor_regions(mon, NULL, 0), 1);
	assert_int_equal(Monitor_homes(mon, NULL, 0), 3);
	Monitor_close(mon);
	free(data);
}

static void trailer_with_long_runs_comes_back(void **state)
{
	struct map map = {0};
	char *text;
	size_t bytes;
	FILE *file;

	assert_int_equal(smile_map_home_add(&map, 1, 3ULL << 32, 2), 0);
	assert_int_equal(smile_map_region_add(&map, &regions[0]), 0);
	assert_int_equal(smile_map_phase_add(&map, 1, "x"), 0);
	assert_int_equal(smile_map_parameters_set(&map, "12345678"), 0);
	file = open_memstream(&text, &bytes);
	assert_non_null(file);
	smile_trailer_write(file, &map);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(bytes % 8, 0);
	smile_map_free(&map);
	assert_null(smile_trailer_parse(&map, (const unsigned char *)text, bytes));
	assert_true(map.homes_count == 1 && map.homes[0].pages == 3ULL << 32);
	smile_map_free(&map);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trailer_gives_back_the_map),
		cmocka_unit_test(trailer_is_saved_from_what_is_read),
		cmocka_unit_test(trailer_without_a_map_is_none),
		cmocka_unit_test(trailer_cut_anywhere_is_reported_after_the_records),
		cmocka_unit_test(trailer_of_a_killed_writer_is_no_records),
		cmocka_unit_test(trailer_with_more_behind_it_is_reported),
		cmocka_unit_test(trailer_elsewhere_is_reported),
		cmocka_unit_test(trailer_of_nonsense_is_reported),
		cmocka_unit_test(trailer_without_memory_is_not_called_nonsense),
		cmocka_unit_test(trailer_unknown_fields_are_passed_over),
		cmocka_unit_test(trailer_with_long_runs_comes_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
