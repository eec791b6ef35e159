/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/views/payload.c: the bytes that nodes send to each other. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/lib_fixture.h"

static struct Monitor *sample_opened(int nodes_only)
{
	struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, 40 * 4096 + 8, 1, 100),
		record_dynamic(SMILE_TYPE_WRITE, 1, 0, 40 * 4096 + 16, 4, 20),
		record_dynamic(SMILE_TYPE_LOCK, 2, 0, 40 * 4096, 1, 5),
		record_dynamic(SMILE_TYPE_READ, 0, 3, 7 * 4096, 1, 9),
	};
	const char *path = scratch_path("payload.rec");
	struct Monitor *mon;

	write_recording(path, 0, records, sizeof(records) / sizeof(records[0]), -1);
	assert_int_equal(Monitor_open(&mon, path), 0);
	if (nodes_only)
		assert_int_equal(Monitor_nodes_only(mon), 0);
	while (Monitor_poll(mon, 0) > 0)
		continue;
	return mon;
}

static void payload_is_that_of_the_smallest_command(void **state)
{
	assert_int_equal(Monitor_payload_bytes(SMILE_TYPE_READ), 16);
	assert_int_equal(Monitor_payload_bytes(SMILE_TYPE_WRITE), 16);
	assert_int_equal(Monitor_payload_bytes(SMILE_TYPE_ANY), 16);
	assert_int_equal(Monitor_payload_bytes(SMILE_TYPE_LOCK), 32);
	assert_int_equal(Monitor_payload_bytes(SMILE_TYPE_EVENT), 0);
}

static void summed_by_source_and_home(int nodes_only)
{
	struct Monitor *mon = sample_opened(nodes_only);
	uint64_t bytes[4][4];

	memset(bytes, 0xff, sizeof(bytes));
	assert_int_equal(Monitor_get_bytes(mon, &bytes[0][0], 4), 4);
	assert_true(bytes[1][0] == 120 * 16);
	assert_true(bytes[2][0] == 5 * 32);
	assert_true(bytes[0][3] == 9 * 16);
	assert_true(bytes[0][1] == 0 && bytes[3][3] == 0);
	Monitor_close(mon);
}

static void bytes_are_summed_by_source_and_home(void **state)
{
	summed_by_source_and_home(0);
}

/* The number of bytes does not depend on the page. */
static void bytes_need_no_pages(void **state)
{
	summed_by_source_and_home(1);
}

static void bytes_of_fewer_nodes_leave_the_others_out(void **state)
{
	struct Monitor *mon = sample_opened(0);
	uint64_t bytes[5] = {1, 1, 1, 1, 99};

	assert_int_equal(Monitor_get_bytes(mon, bytes, 2), 4);
	assert_true(bytes[2] == 1920 && bytes[0] == 0 && bytes[1] == 0 && bytes[3] == 0);
	assert_true(bytes[4] == 99);
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(payload_is_that_of_the_smallest_command),
		cmocka_unit_test(bytes_are_summed_by_source_and_home),
		cmocka_unit_test(bytes_need_no_pages),
		cmocka_unit_test(bytes_of_fewer_nodes_leave_the_others_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
