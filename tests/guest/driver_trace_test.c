/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the driver's tracepoints in tracefs, which docs/ABI/tracefs-smile_monitor describes.
 *
 * What lives here: checks that each event is reported at the right time and has the right contents.
 * In the guest, see driver_fixture.h.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"

#define TRACING "/sys/kernel/tracing"

static void trace_begin(void)
{
	int fd = open(TRACING "/trace", O_WRONLY | O_TRUNC | O_CLOEXEC);

	assert_errno(fd, 0);
	close(fd);
	driver_write_file(TRACING "/events/smile_monitor/enable", "1");
}

static int trace_end(void **state)
{
	driver_write_file(TRACING "/events/smile_monitor/enable", "0");
	return driver_teardown(state);
}

/* Return: how many events of this name contain this text. */
static unsigned int trace_count(const char *event, const char *text)
{
	FILE *trace = fopen(TRACING "/trace", "re");
	unsigned int count = 0;
	char line[512];

	assert_non_null(trace);
	while (fgets(line, sizeof(line), trace)) {
		const char *at = strstr(line, event);

		if (line[0] != '#' && at && at[strlen(event)] == ':' && strstr(at, text))
			count++;
	}
	fclose(trace);
	return count;
}

/* Return: the sum of a field over all events of a name. */
static uint64_t trace_sum(const char *event, const char *field)
{
	FILE *trace = fopen(TRACING "/trace", "re");
	unsigned long long value;
	uint64_t sum = 0;
	char line[512];

	assert_non_null(trace);
	while (fgets(line, sizeof(line), trace)) {
		const char *at = line[0] == '#' ? NULL : strstr(line, event);

		at = at ? strstr(at, field) : NULL;
		if (at && sscanf(at + strlen(field), "=%llu", &value) == 1)
			sum += value;
	}
	fclose(trace);
	return sum;
}

static void drains_add_up_to_the_records(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);

	driver_configure_trace(fd);
	trace_begin();
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, 3000);
	assert_soon(driver_statistics(fd).records_drained == 3000);
	/*
	 * Records can be read before their drain ends. The event of the drain is written when it
	 * ends.
	 */
	assert_soon(trace_sum("smile_drain", "records") >= 3000);
	assert_int_equal(trace_sum("smile_drain", "records"), 3000);
	assert_true(trace_count("smile_drain", "head=3000 ") > 0);
}

/* The interrupts of the card are sufficient: the driver does not poll an idle card. */
static void idle_running_card_is_not_polled(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);
	struct smile_record record;

	driver_configure_trace(fd);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	/*
	 * One record is read. With the ring in host memory, the work passes the tail to the card
	 * once.
	 */
	driver_send(CARD_DRAIN, 0, 1);
	assert_int_equal(driver_poll(fd, POLLIN, PATIENCE_MS), POLLIN);
	assert_int_equal(read(fd, &record, sizeof(record)), sizeof(record));
	driver_poll(fd, POLLIN, 0);
	trace_begin();
	driver_sleep_ms(500);
	assert_true(trace_count("smile_drain", "") <= 1);
}

static void interrupts_are_traced_with_their_cause(void **state)
{
	int fd = driver_open(CARD_LINK, 0);

	driver_link(false);
	assert_soon(!(driver_info(fd).status & SMILE_INFO_LINK));
	driver_config(fd);
	trace_begin();
	driver_link(true);
	assert_soon(driver_poll(fd, POLLPRI, 0) & POLLPRI);
	assert_true(trace_count("smile_interrupt", "cause=link") > 0);
	assert_int_equal(trace_count("smile_interrupt", ""), driver_statistics(fd).interrupts);
	/* Restore the state that other tests expect. */
	driver_link(false);
	assert_soon(!(driver_info(fd).status & SMILE_INFO_LINK));
}

/* Make room for the records in which the card reports losses. */
static uint64_t losses_reported(struct driver_ring *ring)
{
	struct smile_record record;

	while (driver_ring_take(ring, &record))
		continue;
	return trace_sum("smile_loss", "events");
}

static void losses_are_traced_as_the_card_counts_them(void **state)
{
	int fd = driver_open(CARD_REALTIME, 0);
	struct driver_ring ring;

	driver_configure_trace(fd);
	ring = driver_map_ring(fd);
	trace_begin();
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	/* Send more records than the ring and the card can hold, without a reader. */
	driver_send(CARD_REALTIME, 0, ring.records + 10000);
	assert_soon(driver_statistics(fd).packets_seen == ring.records + 10000);
	assert_true(driver_statistics(fd).events_lost > 0);
	assert_soon(losses_reported(&ring) == driver_statistics(fd).events_lost);
}

int driver_trace_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(drains_add_up_to_the_records, trace_end),
		cmocka_unit_test_teardown(idle_running_card_is_not_polled, trace_end),
		cmocka_unit_test_teardown(interrupts_are_traced_with_their_cause, trace_end),
		cmocka_unit_test_teardown(losses_are_traced_as_the_card_counts_them, trace_end),
	};

	return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
