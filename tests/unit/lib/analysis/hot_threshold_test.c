// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Tests of lib/analysis/hot_threshold.c: how many accesses a hot page has at least. */
#include <errno.h>

#include "lib/analysis/hot_threshold.h"
#include "tests/unit/lib_fixture.h"

static void hot_parse_number_is_accesses(void **state)
{
	struct hot_threshold hot;

	assert_int_equal(hot_threshold_parse("500", &hot), 0);
	assert_string_equal(hot.text, "500");
	assert_int_equal(hot_threshold_least(&hot, 1000000), 500);
}

static void hot_parse_percent_is_share_of_all(void **state)
{
	struct hot_threshold hot;

	assert_int_equal(hot_threshold_parse("5%", &hot), 0);
	assert_int_equal(hot_threshold_least(&hot, 1000), 50);
	/*
	 * The threshold is rounded up, so that a page with slightly less than the percentage is not
	 * hot.
	 */
	assert_int_equal(hot_threshold_least(&hot, 1001), 51);
	assert_int_equal(hot_threshold_parse("12.5%", &hot), 0);
	assert_int_equal(hot_threshold_least(&hot, 800), 100);
	assert_int_equal(hot_threshold_parse("100%", &hot), 0);
	assert_int_equal(hot_threshold_least(&hot, 800), 800);
}

static void hot_least_without_accesses_is_one(void **state)
{
	struct hot_threshold hot;

	assert_int_equal(hot_threshold_parse("1%", &hot), 0);
	assert_int_equal(hot_threshold_least(&hot, 0), 1);
	assert_int_equal(hot_threshold_parse("100%", &hot), 0);
	assert_true(hot_threshold_least(&hot, UINT64_MAX) == UINT64_MAX);
}

static void hot_least_without_threshold_is_zero(void **state)
{
	const struct hot_threshold none = {0};

	assert_int_equal(hot_threshold_least(&none, 1000), 0);
}

static void hot_parse_other_text_refused(void **state)
{
	static const char *const texts[] = {
		"",  "0",   "-1", "1.5",  "x",	  "5x",	 "0%",	"101%",
		"%", "5%%", " 5", "nan%", "inf%", "5% ", "1e3", "99999999999999999999"};
	struct hot_threshold hot = {.text = "kept", .accesses = 7};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(hot_threshold_parse(texts[i], &hot), -EINVAL);
	assert_string_equal(hot.text, "kept");
	assert_int_equal(hot.accesses, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hot_parse_number_is_accesses),
		cmocka_unit_test(hot_parse_percent_is_share_of_all),
		cmocka_unit_test(hot_least_without_accesses_is_one),
		cmocka_unit_test(hot_least_without_threshold_is_zero),
		cmocka_unit_test(hot_parse_other_text_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
