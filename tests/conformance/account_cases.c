/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Conformance cases: the card's properties, the loss account, statistics. May use fixture.h,
 * traffic.h and the public API.
 */
#include <string.h>

#include "tests/conformance/cases.h"
#include "tests/conformance/traffic.h"

void Monitor_info_configured_isIdentity(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();
	struct smile_info info = {.size = sizeof(info)};
	struct naive naive = {0};

	config.node = 3;
	config.filter = SMILE_FILTER_READ | SMILE_FILTER_WRITE | SMILE_FILTER_REQUEST |
			SMILE_FILTER_DIRECTIONS;
	config.mode = SMILE_MODE_TYPED_TAGS | SMILE_MODE_ALIGNED;
	config.max_range_bytes = 64;
	config.entries = 7;
	config.phase_events = 0x8005;
	config.timer_us = 4000000000U;
	config.timer_event = 13;
	config.time_us = 3000000000U;
	config.watermark_records = 100;
	config.latency_us = 70000;
	conformance_open(c, &config);
	access_add(c, &naive, 1, 0, SMILE_TYPE_READ, 0x1000, 0);
	conformance_feed(c);
	conformance_finish(c);

	assert_int_equal(Monitor_info(c->mon, &info), 0);
	assert_int_equal(info.abi, SMILE_ABI_VERSION);
	assert_int_equal(info.card_version >> 16, 1);
	assert_in_range(info.entries_max, 16, 64);
	assert_int_equal(info.card_ring_words, 4096);
	assert_int_equal(info.static_counters, 16);
	assert_int_equal(info.features,
			 (c->source->polled ? 0 : SMILE_FEATURE_HOST_RING) | SMILE_FEATURE_TIMER);
	assert_int_equal(info.config.node, 3);
	assert_int_equal(info.config.filter, config.filter);
	assert_int_equal(info.config.mode, config.mode | c->ring_mode);
	assert_int_equal(info.config.max_range_bytes, 64);
	assert_int_equal(info.config.entries, 7);
	assert_int_equal(info.config.phase_events, 0x8005);
	assert_int_equal(info.config.reserved, 0);
	assert_int_equal(info.config.timer_us, 4000000000U);
	assert_int_equal(info.config.timer_event, 13);
	assert_int_equal(info.config.time_us, 3000000000U);
	assert_int_equal(info.config.watermark_records, 100);
	assert_int_equal(info.config.latency_us, 70000);
	assert_int_equal(Monitor_nodes(c->mon), 4); /* its own node, 3, is the highest */
	naive_free(&naive);
}

void Monitor_config_default_any_isTheCardsAndEvent0AMark(void **state)
{
	struct smile_config config;

	memset(&config, 0xa5, sizeof(config));
	Monitor_config_default(&config);
	assert_int_equal(config.size, sizeof(config));
	assert_int_equal(config.node, 0);
	assert_int_equal(config.filter, SMILE_FILTER_DEFAULT);
	assert_int_equal(config.mode, SMILE_MODE_DEFAULT);
	assert_int_equal(config.max_range_bytes, SMILE_MAX_RANGE_DEFAULT);
	assert_int_equal(config.entries, SMILE_ENTRIES_DEFAULT);
	assert_int_equal(config.phase_events, 1);
	assert_int_equal(config.reserved, 0);
	assert_int_equal(config.timer_us, 0);
	assert_int_equal(config.time_us, 0);
	assert_int_equal(config.watermark_records, 0);
	assert_int_equal(config.latency_us, 0);
}

void Monitor_loss_beforeAndAfterSwap_tellsWhatIsPending(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();
	struct naive naive = {0};
	struct Monitor_loss loss;

	conformance_open(c, &config);
	for (unsigned int i = 0; i < 5; i++)
		access_add(c, &naive, 1, 0, SMILE_TYPE_READ, i * 0x1000, 0);
	conformance_feed(c);
	assert_int_equal(Monitor_loss(c->mon, &loss), 0);
	assert_int_equal(loss.known, 1);
	assert_int_equal(loss.accepted, 5);
	assert_int_equal(loss.delivered, 0);
	assert_int_equal(loss.pending, 5);
	assert_int_equal(loss.balanced, 0);
	conformance_finish(c);
	expect_balanced(c, 5);
	naive_free(&naive);
}

void Monitor_statistics_everyFate_isCountedOnce(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();
	struct naive naive = {0};
	struct smile_statistics statistics;

	config.filter = SMILE_FILTER_ALL & ~SMILE_FILTER_LOCK;
	conformance_open(c, &config);
	for (unsigned int i = 0; i < 7; i++)
		access_add(c, &naive, 1, 0, SMILE_TYPE_WRITE, 0x1000, 0);
	for (unsigned int i = 0; i < 3; i++)
		conformance_frame_add(c, BLINK_LOCKSB, 1, 0, 0, 0x1000);
	conformance_frame_add(c, BLINK_RESPONSE00, 0, 2, 1, 0);
	conformance_frame_add(c, BLINK_RESPONSE00, 0, 3, 1, 0);
	for (unsigned int i = 0; i < 4; i++)
		conformance_frame_add(c, BLINK_EVENT00, 1, 0, 0, 9);
	conformance_frame_add(c, 0x30, 1, 0, 0, 0x1000); /* an unknown command */
	conformance_frame_add(c, BLINK_READSB, 1, 0, 0, 0x1000);
	c->frames[c->frame_count - 1].bytes = 8; /* half a frame */
	conformance_frame_add(c, BLINK_READSB, 1, 0, 0, 0x1000);
	c->frames[c->frame_count - 1].bytes = 20; /* half a word */
	conformance_feed(c);
	conformance_finish(c);

	conformance_statistics(c, &statistics);
	assert_int_equal(statistics.packets_seen, 19);
	assert_int_equal(statistics.packets_malformed, 3);
	assert_int_equal(statistics.packets_unmatched, 2);
	assert_int_equal(statistics.packets_filtered, 3);
	assert_int_equal(statistics.packets_event, 4);
	assert_int_equal(statistics.events_accepted, 7);
	assert_int_equal(statistics.events_delivered, 7);
	assert_int_equal(statistics.events_lost, 0);
	assert_int_equal(statistics.marks_lost, 0);
	assert_int_equal(statistics.extensions, 0);
	assert_int_equal(statistics.records_written, 5); /* four events, one counter */
	assert_int_equal(statistics.clock_ns, c->now_ns);
	naive_free(&naive);
}

void Monitor_statistics_longTraffic_balances(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();
	struct naive naive = {0};
	struct smile_statistics statistics;

	config.max_range_bytes = 128;
	conformance_open(c, &config);
	traffic_add(c, &naive, 5, 20000, 0);
	conformance_feed(c);
	conformance_finish(c);
	conformance_statistics(c, &statistics);
	assert_int_equal(statistics.packets_seen, 20000);
	assert_int_equal(statistics.events_accepted, 20000);
	assert_int_equal(statistics.events_delivered + statistics.events_lost, 20000);
	assert_int_equal(statistics.events_lost, 0);
	assert_true(statistics.extensions > 0);
	expect_balanced(c, 20000);
	naive_free(&naive);
}

void Monitor_config_set_countersInTheCard_areDeliveredFirst(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();
	struct naive naive = {0};

	conformance_open(c, &config);
	traffic_add(c, &naive, 6, 40, 0);
	conformance_feed(c);
	assert_int_equal(Monitor_stop(c->mon), 0);
	config.entries = 1;
	config.max_range_bytes = 64;
	config.mode |= c->ring_mode;
	assert_int_equal(Monitor_config_set(c->mon, &config), 0);
	assert_int_equal(Monitor_start(c->mon), 0);
	traffic_add(c, &naive, 7, 40, 0);
	conformance_feed(c);
	conformance_finish(c);
	expect_histogram(c, &naive, true);
	expect_balanced(c, 80);
	naive_free(&naive);
}

/* Change to the other ring: the counts so far have passed through the first ring. */
void Monitor_config_set_otherRing_losesNothing(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();
	struct naive naive = {0};

	config.entries = 4;
	conformance_open(c, &config);
	config.mode |= c->ring_mode;
	for (unsigned int i = 0; i < 4; i++) {
		traffic_add(c, &naive, 8 + i, 300, 0);
		conformance_feed(c);
		assert_int_equal(Monitor_stop(c->mon), 0);
		config.mode ^= c->source->polled ? 0 : SMILE_MODE_HOST_RING;
		assert_int_equal(Monitor_config_set(c->mon, &config), 0);
		assert_int_equal(Monitor_start(c->mon), 0);
	}
	conformance_finish(c);
	expect_histogram(c, &naive, true);
	expect_balanced(c, 1200);
	naive_free(&naive);
}

/* Monitor_close() itself compares the delivered records with the card's counts. */
void Monitor_close_swappedOut_findsTheAccountRight(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();
	struct naive naive = {0};
	struct Monitor_loss loss;

	config.entries = 3;
	conformance_open(c, &config);
	traffic_add(c, &naive, 9, 3000, 0);
	conformance_feed(c);
	conformance_finish(c);
	assert_int_equal(Monitor_loss(c->mon, &loss), 0);
	assert_int_equal(loss.balanced, 1);
	assert_int_equal(Monitor_close(c->mon), 0);
	c->mon = NULL;
	naive_free(&naive);
}
