/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/analysis/view/view_pack.c: numbers are encoded, and the bytes become text. */
#include <string.h>

#include "lib/analysis/view/view_pack.h"
#include "tests/unit/lib_fixture.h"

static void text_is(struct view_pack *pack, const char *expected)
{
	json_t *text = view_pack_text(pack);

	assert_non_null(text);
	assert_string_equal(json_string_value(text), expected);
	json_decref(text);
	/* view_pack_text() has emptied the pack. */
	assert_null(pack->bytes);
	assert_int_equal(pack->used, 0);
}

/* In this code, 0, 127, 128 and 300 are the bytes 00 7f 80 01 ac 02. */
static void numbers_have_seven_bits_a_byte(void **state)
{
	struct view_pack pack = {0};

	view_pack_number(&pack, 0);
	view_pack_number(&pack, 127);
	view_pack_number(&pack, 128);
	view_pack_number(&pack, 300);
	text_is(&pack, "AH+AAawC");
}

static void the_last_bytes_are_padded(void **state)
{
	struct view_pack pack = {0};

	text_is(&pack, "");
	view_pack_number(&pack, 5);
	text_is(&pack, "BQ==");
	view_pack_number(&pack, 1);
	view_pack_number(&pack, 2);
	text_is(&pack, "AQI=");
}

static void the_largest_number_has_ten_bytes(void **state)
{
	struct view_pack pack = {0};

	view_pack_number(&pack, UINT64_MAX);
	assert_int_equal(pack.used, 10);
	text_is(&pack, "////////////AQ==");
}

static void many_numbers_find_room(void **state)
{
	struct view_pack pack = {0};

	for (unsigned int i = 0; i < 1000; i++)
		view_pack_number(&pack, 7);
	assert_int_equal(pack.used, 1000);
	for (unsigned int i = 0; i < 1000; i++)
		assert_int_equal(pack.bytes[i], 7);
	json_decref(view_pack_text(&pack));
}

static void a_failure_shows_at_the_end(void **state)
{
	struct view_pack pack = {.failed = 1};

	view_pack_number(&pack, 1);
	assert_null(view_pack_text(&pack));
	assert_non_null(strstr(Monitor_error_message(), "no memory for"));
	/* A second call returns no text. */
	text_is(&pack, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_seven_bits_a_byte),
		cmocka_unit_test(the_last_bytes_are_padded),
		cmocka_unit_test(the_largest_number_has_ten_bytes),
		cmocka_unit_test(many_numbers_find_room),
		cmocka_unit_test(a_failure_shows_at_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
