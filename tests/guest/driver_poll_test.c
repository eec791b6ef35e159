/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of poll() and epoll with level and edge triggering, with duplicated descriptors, and in
 * processes that do not own the stream.
 *
 * What lives here: tests of which events a waiting process receives, and how many.
 * driver_wake_test.c tests that the card wakes it at all. The tests run with either ring. In the
 * guest, see driver_fixture.h.
 */
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"

#define DRAIN_MS "/sys/module/smile_monitor/parameters/drain_ms"
#define DRAIN_MS_LONG "10000" /* the card wakes the waiting reader, not the drain's work */
#define DRAIN_MS_USUAL "20"
#define WATERMARK 8U
#define NEVER_US 3600000000U
#define EVERYTHING (EPOLLIN | EPOLLPRI | EPOLLERR | EPOLLHUP | EPOLLRDHUP | EPOLLRDNORM)

static int tracing(uint32_t watermark_records, uint32_t latency_us, const char *drain_ms)
{
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	struct smile_config config = driver_config(fd);

	config.entries = 1;
	config.watermark_records = watermark_records;
	config.latency_us = latency_us;
	driver_write_file(DRAIN_MS, drain_ms);
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	/*
	 * The call acknowledges the change of the link, so that the tests do not receive it as an
	 * event.
	 */
	driver_info(fd);
	return fd;
}

static int restore(void **state)
{
	driver_write_file(DRAIN_MS, DRAIN_MS_USUAL);
	return driver_teardown(state);
}

static int queue_of(int fd, uint32_t events)
{
	int queue = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event event = {.events = events};

	assert_errno(queue, 0);
	driver_keep(queue);
	assert_errno(epoll_ctl(queue, EPOLL_CTL_ADD, fd, &event), 0);
	return queue;
}

/* Return: the events that a queue reports; 0 if none happens within @timeout_ms. */
static uint32_t reported(int queue, int timeout_ms)
{
	struct epoll_event event = {0};

	assert_true(epoll_wait(queue, &event, 1, timeout_ms) >= 0);
	return event.events;
}

/* Read records from page @page on, until @error. Return: the next page. */
static unsigned int read_until(int fd, unsigned int page, int error)
{
	struct smile_record record;
	ssize_t got;

	while ((got = read(fd, &record, sizeof(record))) > 0)
		assert_record_is_packet(&record, page++);
	assert_errno(got, error);
	return page;
}

static void level_reports_as_long_as_records_wait(void **state)
{
	int fd = tracing(WATERMARK, NEVER_US, DRAIN_MS_LONG);
	int queue = queue_of(fd, EVERYTHING);
	struct smile_record record;

	for (unsigned int turn = 0; turn < 3; turn++) {
		unsigned int first = turn * WATERMARK;

		assert_int_equal(reported(queue, 0), 0);
		driver_send(CARD_DRAIN, first, WATERMARK);
		for (unsigned int page = first; page < first + WATERMARK; page++) {
			assert_int_equal(reported(queue, PATIENCE_MS), EPOLLIN | EPOLLRDNORM);
			assert_int_equal(reported(queue, 0), EPOLLIN | EPOLLRDNORM);
			assert_int_equal(read(fd, &record, sizeof(record)), sizeof(record));
			assert_record_is_packet(&record, page);
		}
		assert_errno(read(fd, &record, sizeof(record)), EAGAIN);
	}
}

/*
 * After one notification, the reader reads until the ring is empty. Only then is the card requested
 * to wake it.
 */
static void edge_reports_once_for_each_arrival(void **state)
{
	int fd = tracing(WATERMARK, NEVER_US, DRAIN_MS_LONG);
	int queue = queue_of(fd, EVERYTHING | EPOLLET);

	for (unsigned int turn = 0; turn < 5; turn++) {
		unsigned int first = turn * WATERMARK;

		assert_int_equal(reported(queue, 50), 0);
		driver_send(CARD_DRAIN, first, WATERMARK);
		assert_int_equal(reported(queue, PATIENCE_MS), EPOLLIN | EPOLLRDNORM);
		/* All records are unread, but there is no new event. */
		assert_int_equal(reported(queue, 50), 0);
		assert_int_equal(driver_poll(fd, POLLIN, 0), POLLIN);
		assert_int_equal(read_until(fd, first, EAGAIN), first + WATERMARK);
	}
}

/* The watermark is not reached, so the latency timer causes the event. */
static void edge_comes_with_the_latency_timer(void **state)
{
	int fd = tracing(1000000, 20000, DRAIN_MS_LONG);
	int queue = queue_of(fd, EPOLLIN | EPOLLET);

	for (unsigned int page = 0; page < 5; page++) {
		driver_send(CARD_DRAIN, page, 1);
		assert_int_equal(reported(queue, PATIENCE_MS), EPOLLIN);
		assert_int_equal(read_until(fd, page, EAGAIN), page + 1);
		assert_int_equal(reported(queue, 0), 0);
	}
}

/*
 * If the consumer moves the tail, the driver does not know that it waits. The driver finds out in
 * its next drain.
 */
static void edge_for_a_mapping_comes_within_the_drain_period(void **state)
{
	int fd = tracing(1, 0, DRAIN_MS_USUAL);
	struct driver_ring ring = driver_map_ring(fd);
	int queue = queue_of(fd, EPOLLIN | EPOLLET);
	struct smile_record record;

	for (unsigned int page = 0; page < 50; page++) {
		driver_send(CARD_DRAIN, page, 1);
		assert_int_equal(reported(queue, PATIENCE_MS), EPOLLIN);
		assert_true(driver_ring_take(&ring, &record));
		assert_record_is_packet(&record, page);
	}
}

static void one_shot_reports_once_until_it_is_armed_again(void **state)
{
	int fd = tracing(1, 0, DRAIN_MS_LONG), queue = queue_of(fd, EPOLLIN | EPOLLONESHOT);
	struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT};

	driver_send(CARD_DRAIN, 0, 1);
	assert_int_equal(reported(queue, PATIENCE_MS), EPOLLIN);
	driver_send(CARD_DRAIN, 1, 1);
	assert_soon(driver_statistics(fd).packets_seen == 2);
	assert_int_equal(reported(queue, 50), 0);
	assert_errno(epoll_ctl(queue, EPOLL_CTL_MOD, fd, &event), 0);
	assert_int_equal(reported(queue, PATIENCE_MS), EPOLLIN);
}

static void all_pollers_on_duplicates_are_woken(void **state)
{
	int fd = tracing(1, 0, DRAIN_MS_LONG), queues[2];
	struct driver_sleeper sleepers[4];
	struct smile_record record;

	for (int i = 0; i < 4; i++) {
		sleepers[i] = (struct driver_sleeper){.fd = dup(fd), .polls = true};
		driver_keep(sleepers[i].fd);
		driver_sleeper_start(&sleepers[i]);
	}
	queues[0] = queue_of(sleepers[0].fd, EPOLLIN);
	queues[1] = queue_of(sleepers[1].fd, EPOLLIN | EPOLLET);
	driver_send(CARD_DRAIN, 0, 1);
	for (int i = 0; i < 4; i++) {
		driver_sleeper_join(&sleepers[i]);
		assert_int_equal(sleepers[i].revents, POLLIN);
	}
	assert_int_equal(reported(queues[0], PATIENCE_MS), EPOLLIN);
	assert_int_equal(reported(queues[1], PATIENCE_MS), EPOLLIN);
	/* All descriptors share one stream, so a record can be read only once. */
	assert_int_equal(read(sleepers[3].fd, &record, sizeof(record)), sizeof(record));
	assert_errno(read(sleepers[2].fd, &record, sizeof(record)), EAGAIN);
	assert_int_equal(reported(queues[0], 0), 0);
	/* If one duplicate is closed, the stream continues for the others. */
	driver_close(fd);
	driver_send(CARD_DRAIN, 1, 1);
	assert_int_equal(reported(queues[1], PATIENCE_MS), EPOLLIN);
}

/* Only the owner can poll the stream. Each file is notified when the card is removed. */
static void stranger_is_reported_of_nothing_but_the_end(void **state)
{
	int fd = tracing(1, 0, DRAIN_MS_USUAL);
	struct driver_sleeper stranger = {.fd = driver_watch(CARD_DRAIN), .polls = true};
	int level = queue_of(stranger.fd, EVERYTHING);
	int edge = queue_of(stranger.fd, EVERYTHING | EPOLLET);
	int owner = queue_of(fd, EVERYTHING | EPOLLET);

	driver_sleeper_start(&stranger);
	driver_send(CARD_DRAIN, 0, 100);
	assert_soon(driver_statistics(fd).records_drained == 100);
	assert_true(driver_sleeper_asleep(&stranger));
	assert_int_equal(reported(level, 0), 0);
	assert_int_equal(reported(edge, 0), 0);
	assert_int_equal(reported(owner, PATIENCE_MS), EPOLLIN | EPOLLRDNORM);
	driver_bind(CARD_DRAIN, false);
	driver_sleeper_join(&stranger);
	assert_int_equal(stranger.revents, POLLHUP);
	assert_int_equal(reported(level, PATIENCE_MS), EPOLLHUP);
	assert_int_equal(reported(level, 0), EPOLLHUP);
	/* A card cannot close only one direction, so there is no EPOLLRDHUP. */
	assert_int_equal(reported(edge, PATIENCE_MS), EPOLLHUP);
	assert_int_equal(reported(edge, 0), 0);
	assert_int_equal(reported(owner, PATIENCE_MS), EPOLLIN | EPOLLRDNORM | EPOLLHUP);
	/* A later poller is notified as well. */
	assert_int_equal(reported(queue_of(stranger.fd, EPOLLIN | EPOLLET), 0), EPOLLHUP);
	assert_int_equal(read_until(fd, 0, ENODEV), 100);
}

static void swap_and_read_all(int fd)
{
	struct smile_record records[256];
	int ret;

	do {
		ret = ioctl(fd, SMILE_IOC_SWAP);
		if (ret)
			assert_errno(ret, EAGAIN);
		while (read(fd, records, sizeof(records)) > 0)
			continue;
	} while (ret);
}

/*
 * With level triggering, a loss is reported until the owner queries it. With edge triggering, each
 * loss is reported once.
 */
static void loss_is_reported_until_the_owner_asks(void **state)
{
	int fd = driver_open(CARD_REALTIME, O_NONBLOCK);
	int stranger = driver_watch(CARD_REALTIME), other, level, edge;
	uint64_t room = driver_info(fd).ring_records + 1024;
	uint64_t lost = 0, seen = 0;

	driver_configure_trace(fd);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_info(fd);
	other = queue_of(stranger, EVERYTHING);
	level = queue_of(fd, EPOLLPRI); /* each waiting process gets EPOLLERR */
	edge = queue_of(fd, EPOLLPRI | EPOLLET);
	for (int turn = 0; turn < 2; turn++) {
		seen += room + 3000;
		driver_send(CARD_REALTIME, 0, (unsigned int)room + 3000);
		/* A query by a file that is not the owner does not acknowledge the loss. */
		assert_soon(driver_statistics(stranger).packets_seen == seen);
		swap_and_read_all(fd);
		assert_int_equal(reported(level, PATIENCE_MS), EPOLLERR);
		assert_int_equal(reported(level, 0), EPOLLERR);
		assert_int_equal(reported(edge, PATIENCE_MS), EPOLLERR);
		assert_int_equal(reported(edge, 0), 0);
		assert_int_equal(reported(other, 0), 0);
		assert_true(driver_statistics(fd).events_lost > lost);
		lost = driver_statistics(fd).events_lost;
		assert_int_equal(reported(level, 0), 0);
		assert_int_equal(reported(edge, 0), 0);
	}
}

#define poll_test(name) cmocka_unit_test_teardown(name, restore)

int driver_poll_tests(void)
{
	const struct CMUnitTest tests[] = {
		poll_test(level_reports_as_long_as_records_wait),
		poll_test(edge_reports_once_for_each_arrival),
		poll_test(edge_comes_with_the_latency_timer),
		poll_test(edge_for_a_mapping_comes_within_the_drain_period),
		poll_test(one_shot_reports_once_until_it_is_armed_again),
		poll_test(all_pollers_on_duplicates_are_woken),
		poll_test(stranger_is_reported_of_nothing_but_the_end),
		poll_test(loss_is_reported_until_the_owner_asks),
	};

	return cmocka_run_group_tests_name("poll", tests, NULL, NULL);
}
