/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the driver when its ring is full, or the consumer's tail is wrong.
 *
 * What lives here: tests for a ring of RING records, the size with which the module was loaded; in
 * the guest, see driver_fixture.h.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"

#define RING 256U
#define ON_CARD 1024U /* records in the dual-ported RAM */
#define SENT 5000U
#define NEVER_US 3600000000U
#define DRAIN_MS "/sys/module/smile_monitor/parameters/drain_ms"

/* The number of records that the driver and the card can hold, with the ring that the tests use. */
static unsigned int held(void)
{
	return driver_host() ? RING : RING + ON_CARD;
}

static int tracing(int card)
{
	int fd = driver_open(card, O_NONBLOCK);

	assert_int_equal(driver_info(fd).ring_records, RING);
	driver_configure_trace(fd);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	return fd;
}

/* Fill both rings. More packets wait on the link. */
static void fill(int fd)
{
	driver_send(CARD_DRAIN, 0, SENT);
	assert_soon(driver_statistics(fd).records_written == held() &&
		    driver_statistics(fd).records_drained == RING);
}

static int full(void)
{
	int fd = tracing(CARD_DRAIN);

	fill(fd);
	return fd;
}

/* Read packets @page to SENT - 1. @others: receives the number of other records between them. */
static void read_rest(int fd, unsigned int page, unsigned int *others)
{
	struct smile_record records[100];

	*others = 0;
	while (page < SENT) {
		ssize_t got = read(fd, records, sizeof(records));

		if (got < 0) {
			assert_errno(got, EAGAIN);
			assert_int_equal(driver_poll(fd, POLLIN, PATIENCE_MS), POLLIN);
			continue;
		}
		for (ssize_t i = 0; i < got / SMILE_RECORD_BYTES; i++) {
			if (record_kind(&records[i]) == SMILE_KIND_DYNAMIC)
				assert_record_is_packet(&records[i], page++);
			else
				++*others;
		}
	}
}

static void ring_full_holds_back_and_drops_nothing(void **state)
{
	int fd = full();
	struct smile_statistics statistics;
	unsigned int others;

	driver_sleep_ms(100);
	statistics = driver_statistics(fd);
	assert_int_equal(statistics.records_drained, RING);
	assert_int_equal(statistics.records_written, held());
	assert_int_equal(statistics.ring_full, 1);
	assert_int_equal(statistics.events_lost, 0);
	assert_int_equal(driver_poll(fd, POLLIN, 0), POLLIN);
	read_rest(fd, 0, &others);
	assert_int_equal(others, 0);
	statistics = driver_statistics(fd);
	assert_int_equal(statistics.events_accepted, SENT);
	assert_int_equal(statistics.events_delivered, SENT);
	assert_int_equal(statistics.events_lost, 0);
	assert_true(statistics.ring_full >= 1);
}

static void swap_with_full_rings_eagain_until_consumed(void **state)
{
	int fd = full();
	struct smile_config config = driver_info(fd).config, before = config;
	uint32_t event = 1;
	unsigned int others;

	assert_errno(ioctl(fd, SMILE_IOC_SWAP), EAGAIN);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), EAGAIN);
	/* The array is empty. From here on, only this event waits on the card. */
	assert_errno(ioctl(fd, SMILE_IOC_EVENT, &event), 0);
	assert_errno(ioctl(fd, SMILE_IOC_EVENT, &event), EAGAIN);
	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	config.entries = 7;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), EAGAIN);
	config = driver_info(fd).config;
	assert_memory_equal(&config, &before, sizeof(config));
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	read_rest(fd, 0, &others);
	assert_int_equal(others, 1);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	config.entries = 7;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	assert_int_equal(driver_info(fd).config.entries, 7);
}

/* A consumer as documented: call, consume records, call again. */
static void swap_with_more_than_the_ring_holds_succeeds_in_steps(void **state)
{
	int fd = tracing(CARD_DRAIN);
	struct smile_record records[RING];
	unsigned int page = 0, calls = 0;
	ssize_t got;

	/* Only this consumer drains the card, at least while the card is stopped. */
	driver_send(CARD_DRAIN, 0, held());
	assert_soon(driver_statistics(fd).records_written == held());
	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	for (bool done = false; !done; calls++) {
		int ret = ioctl(fd, SMILE_IOC_SWAP);

		assert_true(calls < 100);
		done = !ret;
		if (ret)
			assert_errno(ret, EAGAIN);
		while ((got = read(fd, records, sizeof(records))) > 0) {
			for (ssize_t i = 0; i < got / SMILE_RECORD_BYTES; i++)
				assert_record_is_packet(&records[i], page++);
			if (!done)
				break;
		}
	}
	assert_true(calls > 1);
	assert_int_equal(page, held());
	assert_errno(read(fd, records, sizeof(records)), EAGAIN);
}

static void event_with_full_rings_kept_once_then_eagain(void **state)
{
	int fd = full();
	uint32_t event = 1;
	unsigned int others;

	assert_errno(ioctl(fd, SMILE_IOC_EVENT, &event), 0);
	assert_errno(ioctl(fd, SMILE_IOC_EVENT, &event), EAGAIN);
	assert_int_equal(driver_statistics(fd).marks_lost, 0);
	read_rest(fd, 0, &others);
	assert_int_equal(others, 1);
	assert_errno(ioctl(fd, SMILE_IOC_EVENT, &event), 0);
	assert_int_equal(driver_statistics(fd).marks_lost, 0);
}

static void poll_after_freeing_a_full_ring_serves_at_once(void **state)
{
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	struct smile_config config = driver_config(fd);
	struct driver_ring ring;

	/* Nothing else must drain the card: the next work and the next interrupt are far away. */
	driver_write_file(DRAIN_MS, "10000");
	config.entries = 1;
	config.watermark_records = SENT;
	config.latency_us = NEVER_US;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	fill(fd);
	ring = driver_map_ring(fd);
	assert_int_equal(driver_ring_head(&ring), RING);
	driver_watch_drains(true);
	driver_ring_set_tail(&ring, RING);
	/* When the card learns of free space, it writes to host memory immediately. */
	assert_int_equal(driver_poll(fd, POLLIN, driver_host() ? PATIENCE_MS : 0), POLLIN);
	assert_soon(driver_drained(true, NULL));
	assert_false(driver_drained(true, DRAIN_WORK));
	driver_watch_drains(false);
	/*
	 * The records that waited on the card are in the ring. Packets that waited on the link
	 * arrive now.
	 */
	if (driver_host())
		assert_true(driver_ring_head(&ring) > RING);
	else
		assert_int_equal(driver_ring_head(&ring), 2 * RING);
}

static void mapping_consumer_without_poll_is_served_by_the_drain_period(void **state)
{
	int fd = full();
	struct driver_ring ring = driver_map_ring(fd);
	struct smile_record record;

	for (unsigned int page = 0; page < SENT; page++) {
		assert_soon(driver_ring_take(&ring, &record));
		assert_record_is_packet(&record, page);
	}
}

static void drain_ms_out_of_range_refused(void **state)
{
	static const char *const impossible[] = {"0", "-1", "10001", "4294967296", "often", ""};
	static const char *const possible[] = {"1", "10000", "20"};
	int fd = open(DRAIN_MS, O_WRONLY | O_CLOEXEC);

	assert_errno(fd, 0);
	for (size_t i = 0; i < sizeof(impossible) / sizeof(impossible[0]); i++)
		assert_true(write(fd, impossible[i], strlen(impossible[i]) + 1) < 0);
	for (size_t i = 0; i < sizeof(possible) / sizeof(possible[0]); i++)
		assert_true(write(fd, possible[i], strlen(possible[i])) > 0);
	close(fd);
}

static int drain_ms_restore(void **state)
{
	driver_write_file(DRAIN_MS, "20");
	return driver_teardown(state);
}

static void loss_is_reported_exactly(void **state)
{
	static const unsigned int sent[] = {20000, 3000, 12345}; /* in a burst, without a reader */
	int fd = tracing(CARD_REALTIME), other = driver_watch(CARD_REALTIME);
	struct driver_ring ring = driver_map_ring(fd);
	struct smile_statistics statistics;
	struct driver_sums sums = {0};
	uint64_t accepted = 0, before;

	for (size_t i = 0; i < sizeof(sent) / sizeof(sent[0]); i++) {
		before = sums.lost;
		accepted += sent[i];
		driver_send(CARD_REALTIME, 0, sent[i]);
		assert_soon(driver_statistics(fd).packets_seen == accepted);
		/*
		 * There was no room for the record of the loss, so it has not been reported.
		 * Another drain may run at this moment.
		 */
		assert_int_equal(driver_poll(fd, POLLIN, PATIENCE_MS), POLLIN);
		driver_sum_up(fd, &sums);
		assert_true(sums.lost > before);
		/*
		 * The loss is reported until the owner reads the counters. If another file reads
		 * them, the loss is still reported.
		 */
		driver_statistics(other);
		assert_int_equal(driver_poll(other, POLLIN, 0), 0);
		assert_int_equal(driver_poll(fd, POLLIN, 0), POLLERR);
		statistics = driver_statistics(fd);
		assert_int_equal(driver_poll(fd, POLLIN, 0), 0);
		assert_int_equal(statistics.events_accepted, accepted);
		assert_int_equal(statistics.events_lost, sums.lost);
		assert_int_equal(statistics.events_delivered, sums.counts);
		assert_int_equal(sums.counts + sums.lost, accepted);
		assert_int_equal(ring.producer->card_lost, sums.lost);
		assert_int_equal(sums.marks_lost, 0);
		assert_int_equal(ring.producer->ring_lost, 0);
		assert_true(statistics.ring_full > i);
		/* Only the report of the loss clears it on the card. */
		assert_int_equal(driver_suspend(), 0);
	}
}

/* Only the card knows of a loss that waits for room. */
static void suspend_with_a_loss_unreported_ebusy(void **state)
{
	const unsigned int sent = 5000, during = 100;
	int fd = tracing(CARD_REALTIME);
	struct smile_statistics statistics;
	struct smile_record records[2];
	struct driver_sums sums = {.counts = 2};

	driver_send(CARD_REALTIME, 0, sent);
	assert_soon(driver_statistics(fd).packets_seen == sent &&
		    driver_statistics(fd).records_drained == RING);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), EAGAIN);
	driver_send(CARD_REALTIME, sent, during);
	assert_soon(driver_statistics(fd).packets_seen == sent + during);
	/*
	 * There is room for the record of the earlier loss and for the swap, but not for the record
	 * of the loss during the swap.
	 */
	assert_int_equal(read(fd, records, sizeof(records)), sizeof(records));
	assert_int_equal(driver_suspend(), EBUSY);
	driver_sum_up(fd, &sums);
	statistics = driver_statistics(fd);
	assert_true(statistics.events_lost >= during);
	assert_int_equal(sums.lost, statistics.events_lost);
	assert_int_equal(sums.counts, statistics.events_delivered);
	assert_int_equal(sums.counts + sums.lost, sent + during);
	assert_int_equal(driver_suspend(), 0);
	assert_int_equal(driver_statistics(fd).events_lost, sums.lost);
}

/*
 * The records have no room and cannot be saved, so the card is not suspended, and nothing is lost.
 */
static void suspend_with_full_rings_ebusy(void **state)
{
	int fd = full();
	unsigned int others;

	assert_int_equal(driver_suspend(), EBUSY);
	assert_int_equal(driver_info(fd).status & SMILE_INFO_RUNNING, SMILE_INFO_RUNNING);
	read_rest(fd, 0, &others);
	/* One record marks the gap: the card did not count while the driver tried to suspend it. */
	assert_int_equal(others, 1);
	assert_int_equal(driver_suspend(), 0);
}

static const uint64_t lies[] = {
	1, 2, RING, 1000, 1ULL << 31, 1ULL << 32, 1ULL << 63, UINT64_MAX / 2,
};

/* A tail that is not between head - RING and head is ignored. */
static void tail_that_lies_frees_nothing(void **state)
{
	int fd = full(), error = driver_host() ? 0 : EAGAIN; /* host: the card is empty */
	struct driver_ring ring = driver_map_ring(fd);
	unsigned int others;

	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		driver_ring_set_tail(&ring, RING + lies[i]);
		assert_errno(ioctl(fd, SMILE_IOC_SWAP), error);
		assert_int_equal(driver_poll(fd, POLLIN, 0), POLLIN);
		assert_int_equal(driver_ring_head(&ring), RING);
		driver_ring_set_tail(&ring, 0 - lies[i]);
		assert_errno(ioctl(fd, SMILE_IOC_SWAP), error);
		assert_int_equal(driver_poll(fd, POLLIN, 0), POLLIN);
		assert_int_equal(driver_ring_head(&ring), RING);
	}
	/* With a correct tail, the stream continues. */
	driver_ring_set_tail(&ring, 0);
	read_rest(fd, 0, &others);
	assert_int_equal(others, 0);
}

static void tail_that_lies_while_filling_overruns_nothing(void **state)
{
	int fd = tracing(CARD_DRAIN);
	struct driver_ring ring = driver_map_ring(fd);
	struct smile_record record;
	unsigned int page = 0, turn = 0;

	srandom(1);
	driver_send(CARD_DRAIN, 0, SENT);
	while (page < SENT) {
		uint64_t tail = page, head;

		/* For some time, the tail has only wrong values, far from the correct one. */
		for (int i = 0; i < 20; i++, turn++) {
			uint64_t lie = lies[turn % 4 + 4] + (uint64_t)random();

			driver_ring_set_tail(&ring, turn & 1 ? tail + lie : tail - lie);
			driver_poll(fd, POLLIN, 0);
			head = driver_ring_head(&ring);
			assert_true(head - tail <= RING);
		}
		driver_ring_set_tail(&ring, tail);
		driver_poll(fd, POLLIN, PATIENCE_MS);
		for (int i = 0; i < 200 && driver_ring_take(&ring, &record); i++)
			assert_record_is_packet(&record, page++);
	}
	assert_int_equal(driver_statistics(fd).events_lost, 0);
}

/* read() must return each record exactly once, whatever the tail is. */
static void read_between_lies_gives_each_record_once(void **state)
{
	int fd = full();
	struct driver_ring ring = driver_map_ring(fd);
	struct smile_record record;

	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	for (unsigned int page = 0; page < held(); page++) {
		/* Another drain may be running at this moment. */
		assert_int_equal(driver_poll(fd, POLLIN, PATIENCE_MS), POLLIN);
		assert_int_equal(read(fd, &record, sizeof(record)), sizeof(record));
		assert_record_is_packet(&record, page);
		driver_ring_set_tail(&ring, 1ULL << 63);
	}
}

/* If the tail is wrong, read() returns records of the ring, and corrects the tail. */
static void read_under_a_tail_that_lies_gives_records(void **state)
{
	int fd = full();
	struct driver_ring ring = driver_map_ring(fd);
	struct smile_record records[RING];

	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		uint64_t head;
		ssize_t got;

		driver_ring_set_tail(&ring, driver_ring_head(&ring) + lies[i]);
		/*
		 * If the head reaches the value of the wrong tail, the tail is valid, and all
		 * records count as read.
		 */
		do {
			assert_int_equal(driver_poll(fd, POLLIN, PATIENCE_MS), POLLIN);
			got = read(fd, records, sizeof(records));
		} while (got < 0 && errno == EAGAIN);
		assert_true(got > 0 && got % SMILE_RECORD_BYTES == 0);
		for (ssize_t at = 0; at < got / SMILE_RECORD_BYTES; at++)
			assert_int_equal(record_kind(&records[at]), SMILE_KIND_DYNAMIC);
		head = driver_ring_head(&ring);
		assert_true(head - driver_ring_tail(&ring) <= RING);
	}
	assert_int_equal(driver_statistics(fd).events_lost, 0);
}

int driver_full_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(ring_full_holds_back_and_drops_nothing),
		driver_test(event_with_full_rings_kept_once_then_eagain),
		cmocka_unit_test_teardown(poll_after_freeing_a_full_ring_serves_at_once,
					  drain_ms_restore),
		driver_test(mapping_consumer_without_poll_is_served_by_the_drain_period),
		driver_test(loss_is_reported_exactly),
		driver_test(suspend_with_a_loss_unreported_ebusy),
		driver_test(tail_that_lies_frees_nothing),
		driver_test(tail_that_lies_while_filling_overruns_nothing),
		driver_test(read_between_lies_gives_each_record_once),
		driver_test(drain_ms_out_of_range_refused),
		driver_test(read_under_a_tail_that_lies_gives_records),
	};
	/*
	 * With the other ring, only the counters in the array wait on the card. Group "host" tests
	 * this.
	 */
	const struct CMUnitTest ram_tests[] = {
		driver_test(swap_with_full_rings_eagain_until_consumed),
		driver_test(swap_with_more_than_the_ring_holds_succeeds_in_steps),
		driver_test(suspend_with_full_rings_ebusy),
	};
	int failed = cmocka_run_group_tests_name("full", tests, NULL, NULL);

	if (!driver_host())
		failed += cmocka_run_group_tests_name("full RAM", ram_tests, NULL, NULL);
	return failed;
}
