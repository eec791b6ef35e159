/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Conformance cases: impossible values, and calls that a source cannot answer.
 * May use fixture.h, traffic.h and the public API.
 */
#include <errno.h>
#include <string.h>

#include "tests/conformance/cases.h"
#include "tests/conformance/traffic.h"

static void expect_invalid(struct conformance *c, const struct smile_config *config,
			   const struct smile_config *good)
{
	struct smile_info info = {.size = sizeof(info)};

	assert_int_equal(Monitor_config_set(c->mon, config), -EINVAL);
	assert_true(strlen(Monitor_error_message()) > 10);
	assert_int_equal(Monitor_info(c->mon, &info), 0);
	assert_int_equal(info.config.node, good->node);
	assert_int_equal(info.config.filter, good->filter);
	assert_int_equal(info.config.mode, good->mode);
	assert_int_equal(info.config.max_range_bytes, good->max_range_bytes);
	assert_int_equal(info.config.entries, good->entries);
	assert_int_equal(info.config.phase_events, good->phase_events);
	assert_int_equal(info.config.timer_us, good->timer_us);
	assert_int_equal(info.config.timer_event, good->timer_event);
	assert_int_equal(info.config.watermark_records, good->watermark_records);
}

#define EXPECT_INVALID(member, value)                                                              \
	do {                                                                                       \
		struct smile_config bad = good;                                                    \
                                                                                                   \
		bad.member = (value);                                                              \
		expect_invalid(c, &bad, &good);                                                    \
	} while (0)

void Monitor_config_set_impossibleValue_isRefused(void **state)
{
	struct conformance *c = *state;
	struct smile_config good = config_default();
	struct smile_info info = {.size = sizeof(info)};

	good.node = 2;
	good.max_range_bytes = 32;
	good.mode |= c->ring_mode;
	good.timer_us = 1000000;
	good.timer_event = 2;
	good.watermark_records = 9;
	conformance_open(c, &good);
	assert_int_equal(Monitor_stop(c->mon), 0);
	assert_int_equal(Monitor_info(c->mon, &info), 0);
	EXPECT_INVALID(node, 0x10000);
	EXPECT_INVALID(filter, SMILE_FILTER_ALL + 1);
	EXPECT_INVALID(filter, SMILE_FILTER_DEFAULT | 0x8);
	EXPECT_INVALID(mode, SMILE_MODE_ALL + 1);
	EXPECT_INVALID(mode, SMILE_MODE_DEFAULT | SMILE_MODE_NO_DYNAMIC);
	EXPECT_INVALID(timer_event, SMILE_EVENTS);
	EXPECT_INVALID(watermark_records, 0x1000001);
	EXPECT_INVALID(reserved2[0], 1);
	EXPECT_INVALID(reserved2[2], 1);
	EXPECT_INVALID(max_range_bytes, 0);
	EXPECT_INVALID(max_range_bytes, 6);
	EXPECT_INVALID(max_range_bytes, 4100);
	EXPECT_INVALID(entries, 0);
	EXPECT_INVALID(entries, info.entries_max + 1);
	EXPECT_INVALID(phase_events, 0x10000);
	EXPECT_INVALID(reserved, 1);
	EXPECT_INVALID(size, sizeof(good) - 4);
	EXPECT_INVALID(size, 0);
	assert_int_equal(Monitor_config_set(c->mon, &good), 0);
}

void Monitor_config_set_running_isBusy(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();

	conformance_open(c, &config);
	assert_int_equal(Monitor_config_set(c->mon, &config), -EBUSY);
	assert_int_equal(Monitor_start(c->mon), 0); /* no error: the card is already running */
	assert_int_equal(Monitor_stop(c->mon), 0);
	assert_int_equal(Monitor_stop(c->mon), 0);
	assert_int_equal(Monitor_config_set(c->mon, &config), 0);
}

void Monitor_calls_onWrongSource_areRefused(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();
	struct Monitor_origin origin;
	struct smile_static tables;
	uint64_t frame[3] = {0};

	conformance_open(c, &config);
	assert_int_equal(Monitor_origin(c->mon, &origin), -EOPNOTSUPP);
	assert_int_equal(Monitor_attach(c->mon, "file:nothing"), -EINVAL);
	if (!c->source->packets)
		assert_int_equal(Monitor_packet(c->mon, frame, sizeof(frame), c->now_ns),
				 -EOPNOTSUPP);
	conformance_finish(c);
	if (!c->source->recording)
		return;
	assert_int_equal(Monitor_config_set(c->mon, &config), -EOPNOTSUPP);
	Monitor_static_default(&tables);
	assert_int_equal(Monitor_static_set(c->mon, &tables), -EOPNOTSUPP);
	assert_int_equal(Monitor_start(c->mon), -EOPNOTSUPP);
	assert_int_equal(Monitor_event(c->mon, 1), -EOPNOTSUPP);
	assert_int_equal(Monitor_packet(c->mon, frame, sizeof(frame), c->now_ns), -EOPNOTSUPP);
	assert_int_equal(Monitor_origin(c->mon, &origin), 0);
	assert_int_equal(origin.complete, 1);
	assert_string_equal(origin.command_line, "conformance file:");
}

void Monitor_event_outOfRange_isRefused(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();

	conformance_open(c, &config);
	assert_int_equal(Monitor_event(c->mon, 65536), -EINVAL);
}
