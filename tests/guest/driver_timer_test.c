/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the card's timer through the driver: timer events and TIME records.
 *
 * What lives here: a card that uses the machine's clock; in the guest, see driver_fixture.h.
 */
#include <sys/ioctl.h>
#include <unistd.h>

#include <base/field.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"

#define EVENTS_US 20000U
#define TIMES_US 15000U
#define EVENT 7U

struct times {
	unsigned int events, times;
	uint64_t event_ns, time_ns; /* of the last one */
};

static void note(struct times *times, const struct smile_record *record)
{
	uint64_t ns = record_clock(record);

	if (record_kind(record) == SMILE_KIND_TIME) {
		if (times->times++)
			assert_int_equal(ns - times->time_ns, TIMES_US * 1000ULL);
		times->time_ns = ns;
		return;
	}
	assert_int_equal(record_kind(record), SMILE_KIND_EVENT);
	assert_int_equal(record_count(record), EVENT);
	assert_int_equal(record_cause(record), SMILE_RAISED_TIMER);
	assert_int_equal(record_source(record), NODE_REALTIME);
	if (times->events++)
		assert_int_equal(ns - times->event_ns, EVENTS_US * 1000ULL);
	times->event_ns = ns;
}

/* Each record must have the time at which it was due, however late it is read. */
static void timer_events_and_time_records_come_in_their_periods(void **state)
{
	int fd = driver_open(CARD_REALTIME, 0);
	struct smile_config config = driver_config(fd);
	struct times times = {0};
	struct smile_record records[32];

	config.timer_us = EVENTS_US;
	config.timer_event = EVENT;
	config.time_us = TIMES_US;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	while (times.events < 10 || times.times < 10) {
		ssize_t got = read(fd, records, sizeof(records));

		assert_true(got > 0);
		for (ssize_t i = 0; i < got / SMILE_RECORD_BYTES; i++)
			note(&times, &records[i]);
	}
	assert_int_equal(driver_statistics(fd).marks_lost, 0);
	assert_true(driver_statistics(fd).clock_ns >= times.time_ns);
	/* The timer of a stopped card does not run. */
	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	uint64_t written = driver_statistics(fd).records_written;

	driver_sleep_ms(100);
	assert_int_equal(driver_statistics(fd).records_written, written);
}

/*
 * The timer event is a phase mark, so it swaps the counters out. A static counter that counts timer
 * events measures time.
 */
static void timer_event_counts_and_marks_phases(void **state)
{
	int fd = driver_open(CARD_REALTIME, 0);
	struct smile_config config = driver_config(fd);
	struct smile_static tables = {.size = sizeof(tables)};
	struct smile_record record;

	tables.counter[3] = SMILE_STATIC_COUNTER_COUNT_VALID |
			    SMILE_PUT(SMILE_STATIC_COUNTER_COUNT, SMILE_STATIC_GLOBAL + EVENT);
	config.mode |= SMILE_MODE_STATIC;
	config.timer_us = EVENTS_US;
	config.timer_event = EVENT;
	config.phase_events = 1U << EVENT;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	assert_errno(ioctl(fd, SMILE_IOC_STATIC, &tables), 0);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	for (unsigned int turn = 0; turn < 5; turn++) {
		assert_int_equal(read(fd, &record, sizeof(record)), sizeof(record));
		assert_int_equal(record_kind(&record), SMILE_KIND_STATIC);
		assert_int_equal(record_type(&record), SMILE_TYPE_EVENT);
		assert_int_equal(record_count(&record), 1);
		assert_int_equal(read(fd, &record, sizeof(record)), sizeof(record));
		assert_int_equal(record_kind(&record), SMILE_KIND_EVENT);
		assert_int_equal(record_count(&record), EVENT);
		assert_int_equal(record_cause(&record), SMILE_RAISED_TIMER);
		assert_true(record.word[0] & SMILE_RECORD_PHASE);
	}
}

int driver_timer_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(timer_events_and_time_records_come_in_their_periods),
		driver_test(timer_event_counts_and_marks_phases),
	};

	return cmocka_run_group_tests_name("timer", tests, NULL, NULL);
}
