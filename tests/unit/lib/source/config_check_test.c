/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/source/config_check.c: valid and invalid configurations. */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/lib_fixture.h"
#include "lib/source/config_check.h"
#include "lib/monitor/monitor.h"

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
	config.mode = SMILE_MODE_ALL & ~SMILE_MODE_NARROW;
	config.filter = SMILE_FILTER_ALL;
	config.timer_us = UINT32_MAX;
	config.timer_event = 15;
	config.time_us = UINT32_MAX;
	config.watermark_records = 1 << 24;
	config.latency_us = UINT32_MAX;
	assert_int_equal(smile_config_check(&config, 64), 0);
	config.max_range_bytes = 4;
	config.entries = 1;
	assert_int_equal(smile_config_check(&config, 64), 0);
	config.mode = SMILE_MODE_ALL;
	config.node = 31;
	assert_int_equal(smile_config_check(&config, 64), 0);
}

/* The configuration must be refused, with a message that contains @word. */
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
	config = good(), config.mode = 0x100 | SMILE_MODE_DEFAULT, refused(config, "mode 0x101");
	config = good(), config.mode |= SMILE_MODE_NO_DYNAMIC, refused(config, "counts nothing");
	config = good(), config.mode |= SMILE_MODE_NARROW, config.node = 32,
	refused(config, "node 32");
	config = good(), config.phase_events = 0x10000, refused(config, "phase events");
	config = good(), config.size = 4, refused(config, "Monitor_config_default");
	config = good(), config.reserved = 1, refused(config, "reserved");
	for (size_t i = 0; i < 3; i++)
		config = good(), config.reserved2[i] = 1, refused(config, "reserved");
	config = good(), config.timer_event = 16, refused(config, "timer event 16");
	config = good(), config.watermark_records = (1 << 24) + 1, refused(config, "watermark");
}

static void unsupported(struct smile_config config, struct smile_info info, const char *word)
{
	assert_int_equal(smile_config_support(&config, &info), -EOPNOTSUPP);
	if (!strstr(Monitor_error_message(), word))
		fail_msg("\"%s\" does not name \"%s\"", Monitor_error_message(), word);
}

static void config_support_names_what_the_card_cannot_do(void **state)
{
	const struct smile_info all = {
		.static_counters = 16,
		.features = SMILE_FEATURE_HOST_RING | SMILE_FEATURE_TIMER,
	};
	struct smile_config config = good();
	struct smile_info less = {0};

	/* Functions that every card has. */
	config.mode = SMILE_MODE_ALL & ~(SMILE_MODE_STATIC | SMILE_MODE_HOST_RING);
	config.timer_event = 15;
	config.watermark_records = config.latency_us = 1;
	assert_int_equal(smile_config_support(&config, &less), 0);
	config.mode = SMILE_MODE_ALL;
	config.timer_us = config.time_us = 1;
	assert_int_equal(smile_config_support(&config, &all), 0);

	less = all, less.static_counters = 0, unsupported(config, less, "static array");
	less = all, less.features = SMILE_FEATURE_TIMER, unsupported(config, less, "host memory");
	less = all, less.features = SMILE_FEATURE_HOST_RING;
	config.timer_us = 0, unsupported(config, less, "timer");
	config.timer_us = 1, config.time_us = 0, unsupported(config, less, "timer");
}

static void hasty(struct smile_config config, const char *word)
{
	assert_int_equal(smile_config_periods(&config), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), word));
}

static void config_periods_names_a_time_that_is_too_short(void **state)
{
	struct smile_config config = good();

	assert_int_equal(smile_config_periods(&config), 0);
	config.timer_us = config.time_us = config.latency_us = SMILE_PERIOD_US_MIN;
	assert_int_equal(smile_config_periods(&config), 0);
	config.timer_us = 9, hasty(config, "timer_us 9"), config.timer_us = 0;
	config.time_us = 1, hasty(config, "time_us 1"), config.time_us = 0;
	config.latency_us = 5, hasty(config, "latency_us 5");
	hasty(config, "at least 10");
}

/* A card in this process that does not report all its functions. */
static struct smile_source_ops lesser_ops;

static int lesser_info(struct smile_source *source, struct smile_info *info)
{
	int error = smile_source_emu.info(source, info);

	info->features = 0;
	info->static_counters = 4;
	return error;
}

static int no_static_info(struct smile_source *source, struct smile_info *info)
{
	int error = lesser_info(source, info);

	info->static_counters = 0;
	return error;
}

static void config_set_on_a_lesser_card_is_refused(void **state)
{
	struct smile_config config = good();
	struct smile_static tables;
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	lesser_ops = *mon->streams[0].source->ops;
	lesser_ops.info = lesser_info;
	mon->streams[0].source->ops = &lesser_ops;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	config.mode |= SMILE_MODE_HOST_RING;
	assert_int_equal(Monitor_config_set(mon, &config), -EOPNOTSUPP);

	Monitor_static_default(&tables);
	for (int i = 0; i < 4; i++)
		assert_int_equal(Monitor_static_counter(&tables, 16, -1, -1), i);
	assert_int_equal(Monitor_static_set(mon, &tables), 0);
	assert_int_equal(Monitor_static_counter(&tables, 16, -1, -1), 4);
	assert_int_equal(Monitor_static_set(mon, &tables), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "counter 4: this card has 0 to 3"));

	lesser_ops.info = no_static_info;
	assert_int_equal(Monitor_static_set(mon, &tables), -EOPNOTSUPP);
	assert_int_equal(Monitor_static_info(mon, &tables), -EOPNOTSUPP);
	config = good();
	config.mode |= SMILE_MODE_STATIC;
	assert_int_equal(Monitor_config_set(mon, &config), -EOPNOTSUPP);
	/* A recording of this card contains no static tables, and is valid. */
	assert_int_equal(Monitor_save(mon, scratch_path("lesser.rec"), NULL), 0);
	assert_int_equal(Monitor_close(mon), 0);
	assert_int_equal(Monitor_open(&mon, scratch_path("lesser.rec")), 0);
	assert_int_equal(Monitor_static_info(mon, &tables), -EOPNOTSUPP);
	assert_int_equal(Monitor_close(mon), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(config_check_default_is_possible),
		cmocka_unit_test(config_check_limits_are_possible),
		cmocka_unit_test(config_check_impossible_names_the_value),
		cmocka_unit_test(config_support_names_what_the_card_cannot_do),
		cmocka_unit_test(config_periods_names_a_time_that_is_too_short),
		cmocka_unit_test(config_set_on_a_lesser_card_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
