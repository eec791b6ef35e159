/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the driver's stream: start, stop, swap, configure, events, counters, sysfs.
 *
 * What lives here: tests of the effects of ioctls on a card that receives frames; in the guest, see
 * driver_fixture.h.
 */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"

/* Start a card that counts @count packets. The counts are all in the card's array. */
static int running_with(unsigned int count)
{
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	struct smile_config config = driver_config(fd);

	/* Let no interrupt occur while counters are compared. */
	config.latency_us = UINT32_MAX;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, count);
	assert_soon(driver_statistics(fd).packets_seen == count);
	assert_int_equal(driver_statistics(fd).records_written, 0);
	return fd;
}

static void assert_swapped_out(int fd, unsigned int count)
{
	struct smile_record records[64];

	assert_int_equal(read(fd, records, sizeof(records)), count * sizeof(records[0]));
	for (unsigned int i = 0; i < count; i++) {
		assert_record_is_packet(&records[i], i);
		assert_int_equal(record_cause(&records[i]), SMILE_CAUSE_SWAP);
	}
	assert_errno(read(fd, records, sizeof(records)), EAGAIN);
}

static void swap_while_running_writes_every_counter(void **state)
{
	int fd = running_with(7);

	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	assert_swapped_out(fd, 7);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	assert_int_equal(driver_statistics(fd).events_delivered, 7);
	assert_int_equal(driver_info(fd).status & SMILE_INFO_RUNNING, SMILE_INFO_RUNNING);
}

static void stop_keeps_counters_until_swap(void **state)
{
	struct smile_record record;
	int fd = running_with(7);

	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	assert_false(driver_info(fd).status & SMILE_INFO_RUNNING);
	assert_errno(read(fd, &record, sizeof(record)), EAGAIN);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	assert_swapped_out(fd, 7);
}

static void start_and_stop_twice_ok(void **state)
{
	int fd = running_with(3);

	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	assert_int_equal(driver_statistics(fd).events_accepted, 3);
	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	assert_int_equal(driver_statistics(fd).events_accepted, 3);
}

static void configure_while_running_ebusy(void **state)
{
	int fd = running_with(3);
	struct smile_config config = driver_info(fd).config;

	config.node = 99;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), EBUSY);
	assert_int_equal(driver_info(fd).config.node, NODE_DRAIN);
	assert_int_equal(driver_statistics(fd).records_written, 0);
	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	assert_int_equal(driver_info(fd).config.node, 99);
}

static void configure_with_counters_swaps_them_out_first(void **state)
{
	int fd = running_with(7);
	struct smile_config config = driver_info(fd).config;

	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	config.entries = 2;
	config.max_range_bytes = 4096;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	/*
	 * These packets were counted with the old configuration: seven counters, of one word each.
	 */
	assert_swapped_out(fd, 7);
	assert_int_equal(driver_info(fd).config.entries, 2);
}

static void configure_impossible_with_counters_leaves_them(void **state)
{
	int fd = running_with(7);
	struct smile_config config = driver_info(fd).config;

	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	config.entries = 0;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), EINVAL);
	assert_int_equal(driver_statistics(fd).records_written, 0);
}

static void filter_is_obeyed(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);
	struct smile_config config = driver_config(fd);
	struct smile_statistics statistics;

	config.filter &= ~SMILE_FILTER_READ;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, 10);
	assert_soon(driver_statistics(fd).packets_seen == 10);
	statistics = driver_statistics(fd);
	assert_int_equal(statistics.packets_filtered, 10);
	assert_int_equal(statistics.events_accepted, 0);
}

static void event_as_phase_mark_swaps_first(void **state)
{
	struct smile_record records[8];
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	struct smile_config config = driver_config(fd);
	uint32_t event = 4;

	config.phase_events = 1U << event;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, 2);
	assert_soon(driver_statistics(fd).packets_seen == 2);
	assert_errno(ioctl(fd, SMILE_IOC_EVENT, &event), 0);
	event = 1234;
	assert_errno(ioctl(fd, SMILE_IOC_EVENT, &event), 0);
	assert_int_equal(read(fd, records, sizeof(records)), 4 * sizeof(records[0]));
	assert_record_is_packet(&records[0], 0);
	assert_record_is_packet(&records[1], 1);
	assert_int_equal(record_kind(&records[2]), SMILE_KIND_EVENT);
	assert_int_equal(record_count(&records[2]), 4);
	assert_int_equal(record_cause(&records[2]), SMILE_RAISED_SOFTWARE);
	assert_true(records[2].word[0] & SMILE_RECORD_PHASE);
	assert_int_equal(record_kind(&records[3]), SMILE_KIND_EVENT);
	assert_int_equal(record_count(&records[3]), 1234);
	assert_false(records[3].word[0] & SMILE_RECORD_PHASE);
}

static void statistics_add_up(void **state)
{
	struct smile_statistics statistics;
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);

	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, 3000);
	assert_soon(driver_statistics(fd).packets_seen == 3000);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	statistics = driver_statistics(fd);
	assert_int_equal(statistics.events_accepted, 3000);
	assert_int_equal(statistics.events_delivered, 3000);
	assert_int_equal(statistics.events_lost, 0);
	assert_int_equal(statistics.records_written, 3000);
	assert_int_equal(statistics.records_drained, 3000);
	assert_int_equal(statistics.packets_malformed + statistics.packets_unmatched +
				 statistics.packets_filtered + statistics.packets_event,
			 0);
	assert_int_equal(statistics.status,
			 SMILE_INFO_RUNNING | SMILE_INFO_LINK | SMILE_INFO_OWNED);
}

static void assert_agrees(const char *name, uint64_t value, uint64_t expected)
{
	if (value != expected)
		fail_msg("%s is %llu, not %llu", name, (unsigned long long)value,
			 (unsigned long long)expected);
}

static void sysfs_agrees_with_statistics_and_info(void **state)
{
	int fd = running_with(9);
	struct smile_statistics statistics;
	struct smile_info info;

	assert_int_equal(driver_attribute(CARD_DRAIN, "running"), 1);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	statistics = driver_statistics(fd);
	info = driver_info(fd);
	const struct agreed {
		const char *name;
		uint64_t value;
	} attributes[] =
		{
			{"node", info.config.node},
			{"running", 0},
			{"owned", 1},
			{"link_up", 1},
			{"ring_records", info.ring_records},
			{"host_ring", !!(info.features & SMILE_FEATURE_HOST_RING)},
			{"events_lost", statistics.events_lost},
		},
	  counters[] = {
		  {"records_drained", statistics.records_drained},
		  {"ring_full", statistics.ring_full},
		  {"interrupts", statistics.interrupts},
		  {"packets_seen", statistics.packets_seen},
		  {"packets_malformed", statistics.packets_malformed},
		  {"packets_unmatched", statistics.packets_unmatched},
		  {"packets_filtered", statistics.packets_filtered},
		  {"packets_event", statistics.packets_event},
		  {"events_accepted", statistics.events_accepted},
		  {"events_lost", statistics.events_lost},
		  {"events_delivered", statistics.events_delivered},
		  {"marks_lost", statistics.marks_lost},
		  {"extensions", statistics.extensions},
		  {"records_written", statistics.records_written},
		  {"static_counted", statistics.static_counted},
		  {"static_delivered", statistics.static_delivered},
		  {"resets", statistics.resets},
	  };
	char mode[64];

	assert_int_equal(statistics.events_accepted, 9);
	driver_attribute_text(CARD_DRAIN, "ring_mode", mode);
	assert_string_equal(mode, driver_host() ? "host" : "card");
	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
		assert_agrees(attributes[i].name, driver_attribute(CARD_DRAIN, attributes[i].name),
			      attributes[i].value);
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		assert_agrees(counters[i].name, driver_counter(CARD_DRAIN, counters[i].name),
			      counters[i].value);
	driver_close(fd);
	assert_int_equal(driver_attribute(CARD_DRAIN, "owned"), 0);
	/* The counts of the last owner can be queried. */
	assert_int_equal(driver_counter(CARD_DRAIN, "events_accepted"), 9);
	assert_int_equal(driver_statistics(driver_watch(CARD_DRAIN)).events_accepted, 9);
}

static void cards_are_independent(void **state)
{
	int drain = running_with(5);
	int realtime = driver_open(CARD_REALTIME, O_NONBLOCK);

	assert_int_equal(driver_info(realtime).config.node, NODE_REALTIME);
	assert_errno(ioctl(realtime, SMILE_IOC_START), 0);
	driver_send(CARD_REALTIME, 0, 8);
	assert_soon(driver_statistics(realtime).packets_seen == 8);
	assert_int_equal(driver_statistics(drain).packets_seen, 5);
	assert_errno(ioctl(drain, SMILE_IOC_SWAP), 0);
	assert_int_equal(driver_statistics(realtime).records_written, 0);
	assert_errno(ioctl(realtime, SMILE_IOC_SWAP), 0);
	assert_swapped_out(realtime, 8);
	assert_swapped_out(drain, 5);
}

int driver_stream_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(swap_while_running_writes_every_counter),
		driver_test(stop_keeps_counters_until_swap),
		driver_test(start_and_stop_twice_ok),
		driver_test(configure_while_running_ebusy),
		driver_test(configure_with_counters_swaps_them_out_first),
		driver_test(configure_impossible_with_counters_leaves_them),
		driver_test(filter_is_obeyed),
		driver_test(event_as_phase_mark_swaps_first),
		driver_test(statistics_add_up),
		driver_test(sysfs_agrees_with_statistics_and_info),
		driver_test(cards_are_independent),
	};

	return cmocka_run_group_tests_name("stream", tests, NULL, NULL);
}
