/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests that the card wakes a reader that sleeps until a record arrives, by the watermark or the
 * latency timer.
 *
 * What lives here: tests with threads that sleep. The driver itself would check the card much
 * later, so the card must wake them. The number of interrupts, not the elapsed time, shows that it
 * did. The tests run with either ring. In the guest, see driver_fixture.h.
 */
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"

#define DRAIN_MS "/sys/module/smile_monitor/parameters/drain_ms"
#define DRAIN_MS_LONG "10000" /* the longest allowed period */
#define NEVER_US 3600000000U

/* The work of the drain is not due: it reads the tail only once in DRAIN_MS_LONG. */
static int tracing(uint32_t watermark_records, uint32_t latency_us)
{
	int fd = driver_open(CARD_DRAIN, 0);
	struct smile_config config = driver_config(fd), got;

	config.entries = 1;
	config.watermark_records = watermark_records;
	config.latency_us = latency_us;
	driver_write_file(DRAIN_MS, DRAIN_MS_LONG);
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	/*
	 * INFO returns the requested configuration, even if the driver replaces a zero by its own
	 * value.
	 */
	got = driver_info(fd).config;
	assert_memory_equal(&got, &config, sizeof(config));
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	return fd;
}

static int restore(void **state)
{
	driver_write_file(DRAIN_MS, "20");
	return driver_teardown(state);
}

static void sleep_until_record(struct driver_sleeper *sleeper, unsigned int first,
			       unsigned int count)
{
	driver_send(CARD_DRAIN, first, count);
	driver_sleeper_join(sleeper);
	assert_int_equal(sleeper->result, sleeper->polls ? 1 : SMILE_RECORD_BYTES);
}

static void watermark_wakes_a_sleeper(void **state)
{
	struct driver_sleeper sleeper = {.fd = tracing(100, NEVER_US), .polls = true};
	struct driver_ring ring = driver_map_ring(sleeper.fd);

	for (unsigned int turn = 0; turn < 3; turn++) {
		unsigned int begin = turn * 100;

		driver_sleeper_start(&sleeper);
		driver_send(CARD_DRAIN, begin, 99);
		assert_soon(driver_statistics(sleeper.fd).packets_seen == begin + 99);
		assert_true(driver_sleeper_asleep(&sleeper));
		assert_int_equal(driver_statistics(sleeper.fd).interrupts, turn);
		sleep_until_record(&sleeper, begin + 99, 1);
		assert_int_equal(driver_statistics(sleeper.fd).interrupts, turn + 1);
		assert_int_equal(driver_ring_head(&ring), begin + 100);
		assert_record_is_packet(&ring.data[(begin + 99) % ring.records], begin + 99);
		driver_ring_set_tail(&ring, begin + 100);
	}
}

static void latency_wakes_a_sleeper(void **state)
{
	struct driver_sleeper sleeper = {.fd = tracing(1000000, 30000), .polls = true};
	struct driver_ring ring = driver_map_ring(sleeper.fd);

	for (unsigned int turn = 0; turn < 3; turn++) {
		driver_sleeper_start(&sleeper);
		sleep_until_record(&sleeper, turn, 1);
		assert_int_equal(driver_statistics(sleeper.fd).interrupts, turn + 1);
		assert_record_is_packet(&ring.data[turn], turn);
		driver_ring_set_tail(&ring, turn + 1);
	}
}

/* A thread in a blocked read() is woken in the same way. */
static void latency_wakes_a_reader(void **state)
{
	struct driver_sleeper sleeper = {.fd = tracing(0, 2000)};

	for (unsigned int turn = 0; turn < 3; turn++) {
		driver_sleeper_start(&sleeper);
		sleep_until_record(&sleeper, turn, 1);
		assert_int_equal(driver_statistics(sleeper.fd).interrupts, turn + 1);
		assert_record_is_packet(&sleeper.record, turn);
	}
}

/*
 * If there are fewer records than the watermark, a thread that sleeps is not woken; it later
 * receives them together. A reader that does not sleep, or has slept long enough, can read them.
 */
static void few_records_are_left_to_the_interrupt(void **state)
{
	struct driver_sleeper sleeper = {.fd = tracing(100, NEVER_US)};
	struct driver_ring ring = driver_map_ring(sleeper.fd);
	unsigned int begin = 0;

	for (unsigned int turn = 0; turn < 2; turn++, begin += 150) {
		sleeper.polls = turn;
		driver_send(CARD_DRAIN, begin, 99);
		assert_soon(driver_statistics(sleeper.fd).packets_seen == begin + 99);
		driver_sleeper_start(&sleeper);
		assert_int_equal(driver_ring_head(&ring), begin);
		sleep_until_record(&sleeper, begin + 99, 1);
		assert_int_equal(driver_statistics(sleeper.fd).interrupts, turn + 1);
		assert_int_equal(driver_ring_head(&ring), begin + 100);
		driver_ring_set_tail(&ring, begin + 100);
		driver_send(CARD_DRAIN, begin + 100, 50);
		assert_soon(driver_statistics(sleeper.fd).packets_seen == begin + 150);
		assert_int_equal(driver_poll(sleeper.fd, POLLIN, turn ? 50 : 0), POLLIN);
		assert_int_equal(driver_ring_head(&ring), begin + 150);
		driver_ring_set_tail(&ring, begin + 150);
		/* The card receives the tail. The watermark counts from this position. */
		assert_int_equal(driver_poll(sleeper.fd, POLLIN, 0), 0);
	}
}

/* The timer also wakes a thread for records that arrived before it slept. */
static void few_records_that_wait_come_with_the_latency(void **state)
{
	int fd = tracing(1000000, 300000);
	struct smile_record record;

	for (unsigned int page = 0; page < 10; page++) {
		if (page % 5 == 0) {
			driver_send(CARD_DRAIN, page, 5);
			assert_soon(driver_statistics(fd).packets_seen == page + 5);
		}
		if (page / 5)
			assert_int_equal(driver_poll(fd, POLLIN, PATIENCE_MS), POLLIN);
		assert_int_equal(read(fd, &record, sizeof(record)), sizeof(record));
		assert_int_equal(driver_statistics(fd).interrupts, page / 5 + 1);
		assert_record_is_packet(&record, page);
	}
}

/*
 * If the values are zero, the driver chooses a latency, so that no record waits long in either
 * ring.
 */
static void driver_chooses_a_latency(void **state)
{
	struct driver_sleeper sleeper = {.fd = tracing(0, 0), .polls = true};

	driver_sleeper_start(&sleeper);
	sleep_until_record(&sleeper, 0, 1);
	assert_int_equal(driver_statistics(sleeper.fd).interrupts, 1);
}

int driver_wake_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(watermark_wakes_a_sleeper, restore),
		cmocka_unit_test_teardown(latency_wakes_a_sleeper, restore),
		cmocka_unit_test_teardown(latency_wakes_a_reader, restore),
		cmocka_unit_test_teardown(few_records_are_left_to_the_interrupt, restore),
		cmocka_unit_test_teardown(few_records_that_wait_come_with_the_latency, restore),
		cmocka_unit_test_teardown(driver_chooses_a_latency, restore),
	};

	return cmocka_run_group_tests_name("wake", tests, NULL, NULL);
}
