/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The driver when its card sleeps, or answers no more.
 *
 * What lives here: suspend and resume by the kernel's own test of it, and a card whose bus does not
 * decode its addresses, so that all its registers read as zero here. In the guest, see
 * driver_fixture.h.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"

static void suspend_without_owner_leaves_the_card_idle(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);

	assert_int_equal(driver_suspend(), 0);
	assert_int_equal(driver_info(fd).status & (SMILE_INFO_RUNNING | SMILE_INFO_OWNED), 0);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, 3);
	assert_soon(driver_statistics(fd).events_accepted == 3);
}

static void suspend_while_running_keeps_counts_and_configuration(void **state)
{
	struct smile_record records[32];
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	struct smile_config config = driver_info(fd).config, after;

	config.node = 21;
	config.max_range_bytes = 128;
	config.entries = 12;
	config.phase_events = 6;
	config.mode |= SMILE_MODE_ALIGNED;
	config.filter &= ~SMILE_FILTER_LOCK;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, 7);
	assert_soon(driver_statistics(fd).packets_seen == 7);

	assert_int_equal(driver_suspend(), 0);
	assert_int_equal(driver_info(fd).status,
			 SMILE_INFO_RUNNING | SMILE_INFO_LINK | SMILE_INFO_OWNED);
	after = driver_info(fd).config;
	assert_memory_equal(&after, &config, sizeof(config));
	driver_send(CARD_DRAIN, 7, 5);
	assert_soon(driver_statistics(fd).packets_seen == 5);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	assert_int_equal(read(fd, records, sizeof(records)), 12 * SMILE_RECORD_BYTES);
	for (unsigned int page = 0; page < 12; page++) {
		assert_int_equal(record_page(&records[page]), page);
		assert_int_equal(record_count(&records[page]), 1);
	}
}

static void suspend_while_stopped_stays_stopped(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);

	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	assert_int_equal(driver_suspend(), 0);
	assert_int_equal(driver_info(fd).status, SMILE_INFO_LINK | SMILE_INFO_OWNED);
}

static void *reader_main(void *argument)
{
	struct smile_record record;
	int fd = *(int *)argument;

	if (read(fd, &record, sizeof(record)) != sizeof(record))
		return NULL;
	return record_page(&record) == 4 ? argument : NULL;
}

static void suspend_under_a_blocked_reader_and_interrupts_after(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);
	struct timespec end;
	pthread_t reader;
	void *result;

	driver_configure_trace(fd);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	assert_int_equal(pthread_create(&reader, NULL, reader_main, &fd), 0);
	driver_sleep_ms(100);
	assert_int_equal(driver_suspend(), 0);
	assert_int_equal(pthread_tryjoin_np(reader, NULL), EBUSY);
	driver_send(CARD_DRAIN, 4, 1);
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += PATIENCE_MS / 1000;
	assert_int_equal(pthread_timedjoin_np(reader, &result, &end), 0);
	assert_ptr_equal(result, &fd);
	/* A full card must still be able to say so. */
	driver_send(CARD_DRAIN, 5, 20000);
	assert_soon(driver_statistics(fd).packets_seen == 20001);
	assert_true(driver_statistics(fd).interrupts > 0);
	assert_int_equal(driver_statistics(fd).events_lost, 0);
}

/* PCI COMMAND: does the card answer to its addresses? */
static uint16_t decode(uint16_t command)
{
	char address[16], path[64];
	uint16_t before;
	int fd;

	driver_pci(CARD_DRAIN, address);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/config", address);
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_errno(fd, 0);
	assert_int_equal(pread(fd, &before, sizeof(before), 4), sizeof(before));
	assert_int_equal(pwrite(fd, &command, sizeof(command), 4), sizeof(command));
	close(fd);
	return before;
}

/* The calls come back, hold no lock, and the next stream is a good one. */
static void card_that_answers_no_more_is_survived(void **state)
{
	struct smile_record records[64];
	struct smile_info info = {.size = sizeof(info)};
	struct smile_statistics statistics = {.size = sizeof(statistics)};
	struct smile_config config;
	uint64_t begin_ms = driver_now_ms();
	uint32_t event = 1;
	uint16_t command;
	ssize_t got;
	int fd;

	for (int turn = 0; turn < 2; turn++) {
		fd = driver_open(CARD_DRAIN, O_NONBLOCK);
		driver_configure_trace(fd);
		assert_errno(ioctl(fd, SMILE_IOC_START), 0);
		driver_send(CARD_DRAIN, 0, 10);
		assert_soon(driver_statistics(fd).records_drained == 10);
		config = driver_info(fd).config;
		command = decode(0);
		/* What had come before is there. */
		got = read(fd, records, 5 * SMILE_RECORD_BYTES);
		if (got > 0)
			assert_record_is_packet(&records[0], 0);
		driver_sleep_ms(100); /* let the drain's work find out, too */
		ioctl(fd, SMILE_IOC_INFO, &info);
		/* A ring that ends where no ring can: the stream is broken, and everybody is told. */
		assert_int_equal(driver_poll(fd, 0, 0), POLLERR);
		assert_errno(ioctl(fd, SMILE_IOC_STATISTICS, &statistics), EIO);
		assert_errno(ioctl(fd, SMILE_IOC_SWAP), EIO);
		assert_errno(ioctl(fd, SMILE_IOC_EVENT, &event), EIO);
		assert_errno(ioctl(fd, SMILE_IOC_START), EIO);
		assert_errno(ioctl(fd, SMILE_IOC_STOP), EIO);
		assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), EIO);
		while (read(fd, records, sizeof(records)) > 0)
			continue;
		assert_errno(read(fd, records, sizeof(records)), EIO);
		if (turn)
			driver_bind(CARD_DRAIN, false);
		decode(command);
		driver_close(fd);
		if (turn)
			driver_bind(CARD_DRAIN, true);
		fd = driver_open(CARD_DRAIN, O_NONBLOCK);
		driver_configure_trace(fd);
		assert_errno(ioctl(fd, SMILE_IOC_START), 0);
		driver_send(CARD_DRAIN, 0, 10);
		assert_soon(driver_statistics(fd).records_drained == 10);
		assert_int_equal(read(fd, records, sizeof(records)), 10 * SMILE_RECORD_BYTES);
		driver_close(fd);
	}
	assert_true(driver_now_ms() - begin_ms < PATIENCE_MS);
}

int driver_power_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(suspend_without_owner_leaves_the_card_idle),
		driver_test(suspend_while_running_keeps_counts_and_configuration),
		driver_test(suspend_while_stopped_stays_stopped),
		driver_test(suspend_under_a_blocked_reader_and_interrupts_after),
		driver_test(card_that_answers_no_more_is_survived),
	};

	return cmocka_run_group_tests_name("power", tests, NULL, NULL);
}
