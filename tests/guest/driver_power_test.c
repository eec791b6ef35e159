/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the driver when its card is suspended, or no longer responds.
 *
 * What lives here: suspend and resume by the kernel's own test of suspend, runtime power
 * management, and a card whose bus does not decode its addresses, so that all its registers read as
 * zero here. In the guest, see driver_fixture.h.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <base/field.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"

static void suspend_without_owner_leaves_the_card_idle(void **state)
{
	int fd = driver_watch(CARD_DRAIN);

	assert_int_equal(driver_suspend(), 0);
	assert_int_equal(driver_info(fd).status & (SMILE_INFO_RUNNING | SMILE_INFO_OWNED), 0);
	fd = driver_open(CARD_DRAIN, 0);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, 3);
	assert_soon(driver_statistics(fd).events_accepted == 3);
}

static void assert_record_is_gap(const struct smile_record *record, unsigned int node)
{
	assert_int_equal(record_kind(record), SMILE_KIND_EVENT);
	assert_int_equal(record_count(record), SMILE_EVENT_ASLEEP);
	assert_int_equal(record_cause(record), SMILE_RAISED_SOFTWARE);
	assert_int_equal(record_source(record), node);
}

static void suspend_while_running_keeps_counts_and_configuration(void **state)
{
	struct smile_record records[32];
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	struct smile_config config = driver_config(fd), after;

	config.node = 21;
	config.max_range_bytes = 128;
	config.entries = 12;
	config.phase_events = 6;
	config.timer_us = 1000;
	config.timer_event = 2;
	config.time_us = 3000;
	config.watermark_records = 77;
	config.latency_us = 5000;
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
	assert_soon(driver_statistics(fd).packets_seen == 12);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	assert_int_equal(read(fd, records, sizeof(records)), 13 * SMILE_RECORD_BYTES);
	for (unsigned int page = 0; page < 12; page++) {
		/*
		 * The mark of the gap is between the records that were counted before the gap and
		 * those after it.
		 */
		const struct smile_record *record = &records[page < 7 ? page : page + 1];

		assert_int_equal(record_page(record), page);
		assert_int_equal(record_count(record), 1);
	}
	assert_record_is_gap(&records[7], 21);
}

/* An interrupt arrives when the card has just lost the positions of its ring. */
static void suspend_with_interrupts_under_way_breaks_no_stream(void **state)
{
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	struct smile_config config = driver_config(fd), after;
	uint64_t seen;

	config.entries = 1;
	config.watermark_records = 1;
	config.latency_us = 10;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	for (unsigned int turn = 0; turn < driver_less(15); turn++) {
		struct smile_record records[256];

		driver_send(CARD_DRAIN, 0, 20);
		driver_sleep_ms(turn % 5);
		assert_int_equal(driver_suspend(), 0);
		after = driver_info(fd).config;
		assert_memory_equal(&after, &config, sizeof(config));
		assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
		assert_true(read(fd, records, sizeof(records)) > 0);
	}
	seen = driver_statistics(fd).packets_seen;
	driver_send(CARD_DRAIN, 0, 7);
	assert_soon(driver_statistics(fd).packets_seen >= seen + 7);
}

/* Tables with one counter, for reads of page 5 of driver_send()'s target. */
static struct smile_static tables_of_page_5(void)
{
	struct smile_static tables = {.size = sizeof(tables)};

	tables.page[9] = SMILE_STATIC_PAGE_VALID | 5;
	tables.node[9] = 3;
	tables.event[2] = SMILE_STATIC_EVENT_VALID | SMILE_PUT(SMILE_STATIC_EVENT_PAGE, 9U) |
			  SMILE_STATIC_EVENT_READ | SMILE_STATIC_EVENT_REQUEST |
			  SMILE_PUT(SMILE_STATIC_EVENT_TOP, 7U);
	tables.counter[15] = SMILE_STATIC_COUNTER_COUNT_VALID | 2;
	return tables;
}

/* Static counters and their tables, with unread records before and after the suspend. */
static void suspend_keeps_static_counts_and_tables(void **state)
{
	struct smile_static tables = tables_of_page_5(), after = {.size = sizeof(after)};
	struct smile_record records[8];
	unsigned int sent = 0;
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	struct smile_config config = driver_config(fd);
	struct smile_statistics statistics;

	config.mode |= SMILE_MODE_STATIC | SMILE_MODE_NO_DYNAMIC;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	assert_errno(ioctl(fd, SMILE_IOC_STATIC, &tables), 0);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	for (unsigned int turn = 0; turn < 3; turn++) {
		driver_send_one_page(CARD_DRAIN, 5, 100 + turn);
		sent += 100 + turn;
		assert_soon(driver_statistics(fd).packets_seen == sent);
		/* The array is swapped out. The card loses its state. */
		assert_int_equal(driver_suspend(), 0);
		assert_errno(ioctl(fd, SMILE_IOC_STATIC_INFO, &after), 0);
		assert_memory_equal(&after, &tables, sizeof(tables));
		assert_int_equal(driver_statistics(fd).static_delivered, sent);
	}
	driver_send_one_page(CARD_DRAIN, 5, 103);
	sent += 103;
	assert_soon(driver_statistics(fd).packets_seen == sent);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	statistics = driver_statistics(fd);
	assert_int_equal(statistics.static_counted, sent);
	assert_int_equal(statistics.static_delivered, sent);
	assert_int_equal(read(fd, records, sizeof(records)), 7 * SMILE_RECORD_BYTES);
	for (unsigned int i = 0; i < 4; i++) {
		const struct smile_record *record = &records[2 * i];

		assert_int_equal(record_kind(record), SMILE_KIND_STATIC);
		assert_int_equal(record_count(record), 100 + i);
		assert_int_equal(record_page(record), 5);
		assert_int_equal(record_index(record), 15);
		if (i)
			assert_record_is_gap(record - 1, NODE_DRAIN);
	}
}

/*
 * As long as the stream lasts, the statistics include the counts that the card lost when it was
 * suspended.
 */
static void statistics_go_on_over_a_suspend(void **state)
{
	const unsigned int sent = 40;
	struct smile_static tables = tables_of_page_5();
	struct smile_record records[400];
	struct smile_statistics statistics;
	uint64_t counts = 0, static_counts = 0;
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	struct smile_config config = driver_config(fd);
	uint32_t mark = 3;
	ssize_t got;

	config.mode |= SMILE_MODE_STATIC;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	assert_errno(ioctl(fd, SMILE_IOC_STATIC, &tables), 0);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	for (unsigned int turn = 1; turn <= 4; turn++) {
		driver_send(CARD_DRAIN, 0, sent);
		assert_soon(driver_statistics(fd).packets_seen == turn * sent);
		assert_errno(ioctl(fd, SMILE_IOC_EVENT, &mark), 0);
		assert_int_equal(driver_suspend(), 0);
		/* The mark of the gap arrives like any other record. */
		assert_soon(driver_statistics(fd).records_drained == turn * (sent + 3));
		statistics = driver_statistics(fd);
		assert_int_equal(statistics.packets_seen, turn * sent);
		assert_int_equal(statistics.events_accepted, turn * sent);
		assert_int_equal(statistics.events_delivered + statistics.events_lost, turn * sent);
		assert_int_equal(statistics.static_counted, turn);
		assert_int_equal(statistics.static_delivered, turn);
		assert_int_equal(statistics.records_written, turn * (sent + 3));
		assert_int_equal(statistics.records_drained, turn * (sent + 3));
	}
	got = read(fd, records, sizeof(records));
	assert_int_equal(got, statistics.records_written * SMILE_RECORD_BYTES);
	for (ssize_t i = 0; i < got / SMILE_RECORD_BYTES; i++) {
		if (record_kind(&records[i]) == SMILE_KIND_DYNAMIC)
			counts += record_count(&records[i]);
		else if (record_kind(&records[i]) == SMILE_KIND_STATIC)
			static_counts += record_count(&records[i]);
	}
	assert_int_equal(counts, statistics.events_delivered);
	assert_int_equal(static_counts, statistics.static_delivered);
	/* Only the next stream clears the counts. */
	for (unsigned int turn = 0; turn < 2; turn++) {
		assert_int_equal(driver_counter(CARD_DRAIN, "events_accepted"), 4 * sent);
		assert_int_equal(driver_counter(CARD_DRAIN, "static_counted"), 4);
		assert_int_equal(driver_counter(CARD_DRAIN, "records_written"),
				 statistics.records_written);
		if (!turn)
			driver_close(fd);
		assert_int_equal(driver_suspend(), 0);
	}
	assert_int_equal(driver_statistics(driver_watch(CARD_DRAIN)).events_accepted, 4 * sent);
	fd = driver_open(CARD_DRAIN, 0);
	statistics = driver_statistics(fd);
	assert_int_equal(statistics.events_accepted, 0);
	assert_int_equal(statistics.static_counted, 0);
	assert_int_equal(statistics.records_written, 0);
}

static void suspend_while_stopped_stays_stopped(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);

	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	assert_int_equal(driver_suspend(), 0);
	assert_int_equal(driver_info(fd).status, SMILE_INFO_LINK | SMILE_INFO_OWNED);
	/* Nothing was counted during the suspend, so no mark is needed. */
	assert_int_equal(driver_statistics(fd).records_written, 0);
}

static void suspend_under_a_blocked_reader_and_interrupts_after(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);
	struct driver_sleeper reader = {.fd = fd};

	driver_configure_trace(fd);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_sleeper_start(&reader);
	assert_int_equal(driver_suspend(), 0);
	driver_sleeper_join(&reader);
	assert_int_equal(reader.result, SMILE_RECORD_BYTES);
	assert_record_is_gap(&reader.record, NODE_DRAIN);
	driver_sleeper_start(&reader);
	assert_true(driver_sleeper_asleep(&reader));
	driver_send(CARD_DRAIN, 4, 1);
	driver_sleeper_join(&reader);
	assert_int_equal(reader.result, SMILE_RECORD_BYTES);
	assert_record_is_packet(&reader.record, 4);
	/* A card whose ring is full must still be able to report a loss. */
	driver_send(CARD_DRAIN, 5, 20000);
	assert_soon(driver_statistics(fd).packets_seen == 20001);
	assert_true(driver_statistics(fd).interrupts > 0);
	assert_int_equal(driver_statistics(fd).events_lost, 0);
}

/* The calls must return and hold no lock, and the next stream must be correct. */
static void card_that_answers_no_more_is_survived(void **state)
{
	struct smile_record records[64];
	struct smile_info info = {.size = sizeof(info)};
	struct smile_statistics statistics = {.size = sizeof(statistics)};
	struct smile_config config;
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
		command = driver_pci_command(CARD_DRAIN, PCI_COMMAND_ALL, 0);
		/* The records that arrived earlier can be read. */
		got = read(fd, records, 5 * SMILE_RECORD_BYTES);
		if (got > 0)
			assert_record_is_packet(&records[0], 0);
		ioctl(fd, SMILE_IOC_INFO, &info);
		/*
		 * The pointers of the ring are invalid, so the stream is broken. The drain's work
		 * is the last that can detect it. Every file is notified.
		 */
		assert_soon(driver_poll(fd, 0, 0) == POLLERR);
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
		/*
		 * The card has not received the request to stop, so it is no bus master until it is
		 * bound anew.
		 */
		if (turn)
			command &= (uint16_t)~PCI_COMMAND_MASTER;
		driver_pci_command(CARD_DRAIN, 0, command);
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
}

static int wake_all(void **state)
{
	for (int card = 0; card < CARDS; card++)
		driver_power(card, "control", "on");
	return driver_teardown(state);
}

/* An unused card is suspended. A query wakes it, and finds the same state. */
static void idle_card_sleeps_and_answers(void **state)
{
	struct smile_config config;
	int owner, other;

	owner = driver_open(CARD_DRAIN, 0);
	driver_configure_trace(owner);
	config = driver_info(owner).config;
	driver_power(CARD_DRAIN, "autosuspend_delay_ms", "0");
	driver_power(CARD_DRAIN, "control", "auto");
	assert_errno(ioctl(owner, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, 9);
	assert_soon(driver_statistics(owner).records_drained == 9);
	/* As long as the card has an owner, it is not suspended, even if it is stopped. */
	assert_true(!driver_asleep(CARD_DRAIN));
	assert_errno(ioctl(owner, SMILE_IOC_STOP), 0);
	driver_sleep_ms(50);
	assert_true(!driver_asleep(CARD_DRAIN));
	driver_close(owner);
	assert_soon(driver_asleep(CARD_DRAIN));

	/* Open files that do not own the stream do not keep the card awake. */
	other = driver_watch(CARD_DRAIN);
	driver_sleep_ms(50);
	assert_true(driver_asleep(CARD_DRAIN));
	for (unsigned int turn = 0; turn < driver_less(10); turn++) {
		assert_int_equal(driver_statistics(other).events_accepted, 9);
		assert_int_equal(driver_counter(CARD_DRAIN, "events_accepted"), 9);
		assert_int_equal(driver_attribute(CARD_DRAIN, "link_up"), 1);
		assert_int_equal(driver_info(other).status, SMILE_INFO_LINK);
		assert_soon(driver_asleep(CARD_DRAIN));
	}

	/* The next owner finds a normal card. */
	owner = driver_open(CARD_DRAIN, 0);
	assert_errno(ioctl(owner, SMILE_IOC_CONFIGURE, &config), 0);
	assert_true(!driver_asleep(CARD_DRAIN));
	assert_errno(ioctl(owner, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, 2000);
	assert_soon(driver_statistics(owner).records_drained == 2000);
	driver_close(owner);
	assert_soon(driver_asleep(CARD_DRAIN));
}

/*
 * Unbind the card with and without power, and with an owner. Each bind must find the card in its
 * reset state.
 */
static void card_unbound_while_it_sleeps_comes_back(void **state)
{
	int fd;

	driver_power(CARD_DRAIN, "autosuspend_delay_ms", "0");
	driver_power(CARD_DRAIN, "control", "auto");
	for (unsigned int turn = 0; turn < 4; turn++) {
		assert_soon(driver_asleep(CARD_DRAIN));
		fd = driver_open(CARD_DRAIN, 0);
		if (turn & 1)
			driver_configure_trace(fd);
		driver_bind(CARD_DRAIN, false);
		assert_errno(ioctl(fd, SMILE_IOC_START), ENODEV);
		if (turn & 2)
			driver_close(fd);
		driver_bind(CARD_DRAIN, true);
		if (!(turn & 2))
			driver_close(fd);
		driver_power(CARD_DRAIN, "autosuspend_delay_ms", "0");
	}
	assert_soon(driver_asleep(CARD_DRAIN));
	fd = driver_open(CARD_DRAIN, 0);
	driver_configure_trace(fd);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, 3);
	assert_soon(driver_statistics(fd).records_drained == 3);
}

int driver_power_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(suspend_without_owner_leaves_the_card_idle),
		driver_test(suspend_while_running_keeps_counts_and_configuration),
		driver_test(suspend_with_interrupts_under_way_breaks_no_stream),
		driver_test(suspend_keeps_static_counts_and_tables),
		driver_test(statistics_go_on_over_a_suspend),
		driver_test(suspend_while_stopped_stays_stopped),
		driver_test(suspend_under_a_blocked_reader_and_interrupts_after),
		driver_test(card_that_answers_no_more_is_survived),
		cmocka_unit_test_teardown(idle_card_sleeps_and_answers, wake_all),
		cmocka_unit_test_teardown(card_unbound_while_it_sleeps_comes_back, wake_all),
	};

	return cmocka_run_group_tests_name("power", tests, NULL, NULL);
}
