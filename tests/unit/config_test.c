/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/config.c: what configuration is possible.
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/lib_fixture.h"
#include "lib/config.h"

static struct smile_config good(void)
{
	struct smile_config config;

	Monitor_config_default(&config);
	return config;
}

static void config_check_default_is_possible(void **state)
{
	struct smile_config config = good();

	assert_int_equal(smile_config_check(&config, 64), 0);
	assert_int_equal(config.phase_events, 1);
	assert_int_equal(config.filter, SMILE_FILTER_DEFAULT);
}

static void config_check_limits_are_possible(void **state)
{
	struct smile_config config = good();

	config.node = 65535;
	config.max_range_bytes = 4096;
	config.entries = 64;
	config.phase_events = 0xffff;
	config.mode = SMILE_MODE_ALL;
	config.filter = SMILE_FILTER_ALL;
	assert_int_equal(smile_config_check(&config, 64), 0);
	config.max_range_bytes = 4;
	config.entries = 1;
	assert_int_equal(smile_config_check(&config, 64), 0);
}

/* Each impossible value is refused with a message that holds @word. */
static void refused(struct smile_config config, const char *word)
{
	assert_int_equal(smile_config_check(&config, 16), -EINVAL);
	if (!strstr(Monitor_error_message(), word))
		fail_msg("\"%s\" does not name \"%s\"", Monitor_error_message(), word);
}

static void config_check_impossible_names_the_value(void **state)
{
	struct smile_config config;

	config = good(), config.node = 65536, refused(config, "node 65536");
	config = good(), config.max_range_bytes = 0, refused(config, "range of 0");
	config = good(), config.max_range_bytes = 5, refused(config, "range of 5");
	config = good(), config.max_range_bytes = 4100, refused(config, "range of 4100");
	config = good(), config.entries = 0, refused(config, "0 counters");
	config = good(), config.entries = 17, refused(config, "1 to 16");
	config = good(), config.filter = 0x8000 | SMILE_FILTER_ALL, refused(config, "filter");
	config = good(), config.filter = SMILE_FILTER_ALL & ~SMILE_FILTER_TYPES,
	refused(config, "nothing pass");
	config = good(), config.filter = SMILE_FILTER_ALL & ~SMILE_FILTER_PACKETS,
	refused(config, "nothing pass");
	config = good(), config.filter = SMILE_FILTER_ALL & ~SMILE_FILTER_DIRECTIONS,
	refused(config, "nothing pass");
	config = good(), config.mode = 0, config.filter = SMILE_FILTER_ALL,
	refused(config, "untyped");
	config = good(), config.mode = 8 | SMILE_MODE_DEFAULT, refused(config, "mode");
	config = good(), config.phase_events = 0x10000, refused(config, "phase events");
	config = good(), config.size = 4, refused(config, "Monitor_config_default");
	config = good(), config.reserved = 1, refused(config, "reserved");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(config_check_default_is_possible),
		cmocka_unit_test(config_check_limits_are_possible),
		cmocka_unit_test(config_check_impossible_names_the_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
