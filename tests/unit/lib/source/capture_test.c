/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/source/capture.c: captures are written, read and damaged. */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/lib_fixture.h"
#include <hw/blink.h>

static const char *sample(int frames)
{
	const char *path = scratch_path("sample.pcap");
	struct Monitor_capture *capture;
	uint64_t words[3] = {0};

	assert_int_equal(Monitor_capture_create(&capture, path), 0);
	for (int i = 0; i < frames; i++) {
		words[1] = htole64((uint64_t)i);
		assert_int_equal(Monitor_capture_write(capture, words, sizeof(words),
						       5000000000ULL + (uint64_t)i),
				 0);
	}
	assert_int_equal(Monitor_capture_close(capture), 0);
	return path;
}

static void capture_round_trip_keeps_bytes_and_nanoseconds(void **state)
{
	struct Monitor_capture *capture;
	const void *frame;
	uint64_t time_ns, word;
	size_t bytes;

	assert_int_equal(Monitor_capture_open(&capture, sample(3)), 0);
	for (uint64_t i = 0; i < 3; i++) {
		assert_int_equal(Monitor_capture_read(capture, &frame, &bytes, &time_ns), 1);
		assert_int_equal(bytes, 24);
		assert_true(time_ns == 5000000000ULL + i);
		memcpy(&word, (const char *)frame + 8, 8);
		assert_true(le64toh(word) == i);
	}
	assert_int_equal(Monitor_capture_read(capture, &frame, &bytes, &time_ns), 0);
	Monitor_capture_close(capture);
}

static void capture_cut_off_gives_what_is_there_then_an_error(void **state)
{
	const char *path = sample(2);
	struct Monitor_capture *capture;
	const void *frame;
	uint64_t time_ns;
	size_t bytes;

	assert_int_equal(truncate(path, 24 + 2 * 40 - 5), 0);
	assert_int_equal(Monitor_capture_open(&capture, path), 0);
	assert_int_equal(Monitor_capture_read(capture, &frame, &bytes, &time_ns), 1);
	assert_int_equal(Monitor_capture_read(capture, &frame, &bytes, &time_ns), -EPROTO);
	assert_non_null(strstr(Monitor_error_message(), "cut off"));
	Monitor_capture_close(capture);
}

static void refused(const char *head, size_t bytes, const char *word)
{
	const char *path = scratch_path("foreign");
	struct Monitor_capture *capture = NULL;
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fwrite(head, 1, bytes, file);
	fclose(file);
	assert_int_equal(Monitor_capture_open(&capture, path), -EPROTO);
	assert_null(capture);
	if (!strstr(Monitor_error_message(), word))
		fail_msg("\"%s\" does not say \"%s\"", Monitor_error_message(), word);
}

static void capture_foreign_or_compressed_names_the_remedy(void **state)
{
	char ethernet[24] = "\x4d\x3c\xb2\xa1\x02\x00\x04\x00";

	refused("", 0, "empty");
	refused("hello, world, this is no capture", 32, "no capture");
	refused("\xfd"
		"7zXZ\0\0\0",
		8, "xz -dc");
	refused("\x1f\x8b\x08\0\0\0\0\0", 8, "gzip -dc");
	refused("\x28\xb5\x2f\xfd\0\0\0\0", 8, "zstd -dc");
	refused("SMILEREC\1\0\0\0", 12, "a recording");
	ethernet[16] = (char)0xff;
	ethernet[20] = 1;
	refused(ethernet, sizeof(ethernet), "link type 1");
	ethernet[20] = (char)148;
	refused(ethernet, sizeof(ethernet), "packets of the SCI cable");
}

static void capture_of_a_cable_is_opened_as_any(void **state)
{
	static const uint8_t head[24] = {0x4d, 0x3c, 0xb2, 0xa1, 2, 0, 4, 0, [17] = 1, [20] = 148};
	const char *path = scratch_path("cable");
	struct Monitor_capture *capture;
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fwrite(head, 1, sizeof(head), file);
	fclose(file);
	assert_int_equal(Monitor_capture_open_any(&capture, path), 0);
	assert_int_equal(Monitor_capture_link(capture), 148);
	Monitor_capture_close(capture);
	assert_int_equal(Monitor_capture_open_any(&capture, sample(1)), 0);
	assert_int_equal(Monitor_capture_link(capture), 147);
	Monitor_capture_close(capture);
}

static void capture_missing_file_is_named(void **state)
{
	struct Monitor_capture *capture = NULL;

	assert_int_equal(Monitor_capture_open(&capture, "/nonexistent.pcap"), -ENOENT);
	assert_non_null(strstr(Monitor_error_message(), "/nonexistent.pcap"));
	assert_null(capture);
}

/* The seconds of a time stamp in a pcap file have 32 bits. */
static void capture_time_beyond_the_format_is_refused(void **state)
{
	const char *path = scratch_path("late.pcap");
	const uint64_t last_ns = (UINT32_MAX + 1ULL) * 1000000000 - 1;
	struct Monitor_capture *capture;
	const uint64_t words[3] = {0};
	const void *frame;
	uint64_t time_ns;
	size_t bytes;

	assert_int_equal(Monitor_capture_create(&capture, path), 0);
	assert_int_equal(Monitor_capture_write(capture, words, sizeof(words), last_ns), 0);
	assert_int_equal(Monitor_capture_write(capture, words, sizeof(words), last_ns + 1),
			 -EINVAL);
	assert_int_equal(Monitor_capture_write(capture, words, sizeof(words), UINT64_MAX), -EINVAL);
	assert_int_equal(Monitor_capture_close(capture), 0);
	assert_int_equal(Monitor_capture_open(&capture, path), 0);
	assert_int_equal(Monitor_capture_read(capture, &frame, &bytes, &time_ns), 1);
	assert_true(time_ns == last_ns);
	assert_int_equal(Monitor_capture_read(capture, &frame, &bytes, &time_ns), 0);
	Monitor_capture_close(capture);
}

static void capture_pcap_has_one_interface(void **state)
{
	struct Monitor_capture *capture;
	const char *name = NULL;

	assert_int_equal(Monitor_capture_open(&capture, sample(1)), 0);
	assert_int_equal(Monitor_capture_interface(capture, 0, &name), 1);
	assert_string_equal(name, "");
	assert_int_equal(Monitor_capture_interface(capture, 1, &name), 1);
	assert_null(name);
	Monitor_capture_close(capture);
}

static void capture_wrong_direction_is_refused(void **state)
{
	struct Monitor_capture *capture;
	const void *frame;
	uint64_t time_ns;
	size_t bytes;

	assert_int_equal(Monitor_capture_open(&capture, sample(1)), 0);
	assert_int_equal(Monitor_capture_write(capture, "", 0, 0), -EBADF);
	Monitor_capture_close(capture);
	assert_int_equal(Monitor_capture_create(&capture, scratch_path("new.pcap")), 0);
	assert_int_equal(Monitor_capture_read(capture, &frame, &bytes, &time_ns), -EBADF);
	Monitor_capture_close(capture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(capture_round_trip_keeps_bytes_and_nanoseconds),
		cmocka_unit_test(capture_cut_off_gives_what_is_there_then_an_error),
		cmocka_unit_test(capture_foreign_or_compressed_names_the_remedy),
		cmocka_unit_test(capture_of_a_cable_is_opened_as_any),
		cmocka_unit_test(capture_missing_file_is_named),
		cmocka_unit_test(capture_wrong_direction_is_refused),
		cmocka_unit_test(capture_time_beyond_the_format_is_refused),
		cmocka_unit_test(capture_pcap_has_one_interface),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
