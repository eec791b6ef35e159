/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the static counters as a PMU when the bus has an error, or a card is removed from its
 * slot.
 *
 * What lives here: bus resets, and cards that are unplugged or pulled out while events of perf are
 * open. In a guest whose cards are in native slots, see driver_monitor.h.
 */
#include <string.h>
#include <sys/ioctl.h>

#include "tests/guest/driver_event.h"
#include "tests/guest/driver_monitor.h"
#include "tests/guest/driver_test.h"

#define PCI_COMMAND_SERR 0x0100

static int plug_and_teardown(void **state)
{
	if (!driver_present(CARD_DRAIN))
		driver_plug();
	return driver_teardown(state);
}

/* Inject a bus error. The kernel then resets the card. Open events must report the gap. */
static void inject_fatal(uint64_t gaps)
{
	const char *said;

	driver_pci_command(CARD_DRAIN, 0, PCI_COMMAND_SERR);
	said = driver_monitor("pcie_aer_inject_error card0 MALF_TLP");
	if (!strstr(said, "OK id: card0"))
		fail_msg("%s", said);
	assert_soon(event_gaps(CARD_DRAIN) > gaps);
	/* The call waits until the card may be used again. */
	driver_info(driver_watch(CARD_DRAIN));
}

/* Counts before and after the reset are added, and the gap is reported. */
static void bus_reset_under_events_goes_on(void **state)
{
	int fd = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS));
	int global = event_make(CARD_DRAIN, GLOBAL(2));
	struct driver_frames marks = event_frames_global(2, 33);
	uint64_t gaps = event_gaps(CARD_DRAIN);

	for (unsigned int turn = 1; turn <= 3; turn++) {
		event_send_reads(CARD_DRAIN, 5, 70000);
		event_send(CARD_DRAIN, &marks, 1);
		assert_int_equal(event_count(fd), turn * 70000);
		assert_int_equal(event_count(global), turn * 33);
		inject_fatal(gaps + turn - 1);
		assert_int_equal(event_gaps(CARD_DRAIN), gaps + turn);
		assert_int_equal(event_count(fd), turn * 70000);
		assert_int_equal(event_count(global), turn * 33);
	}
	/* New events are accepted as before. */
	event_make(CARD_DRAIN, event_words(6, 0, TOP, READS));
	event_send_reads(CARD_DRAIN, 5, 4);
	assert_int_equal(event_count(fd), 210004);
}

/* A count is at most the number of frames sent, and at least the previous count. */
static void bus_reset_while_events_are_counted(void **state)
{
	const unsigned int sent = 100000;
	struct driver_frames mark = event_frames_global(9, 1);

	for (unsigned int turn = 0; turn < 3; turn++) {
		int fd = event_make(CARD_DRAIN, event_words(0, 0, TOP, READS));
		int last = event_make(CARD_DRAIN, GLOBAL(9));
		uint64_t gaps = event_gaps(CARD_DRAIN), reported;

		driver_send_one_page(CARD_DRAIN, 0, sent);
		assert_soon(event_count(fd) > 0);
		reported = event_count(fd);
		inject_fatal(gaps);
		assert_true(event_count(fd) >= reported);
		driver_send_frames(CARD_DRAIN, &mark, 1);
		assert_soon(event_count(last) == 1);
		assert_true(event_count(fd) >= reported && event_count(fd) <= sent);
		driver_close(fd);
		driver_close(last);
	}
}

static void unplug_ends_its_events(void **state)
{
	int fd = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS)), fresh;
	struct perf_event_attr attr = event_attr(CARD_DRAIN, GLOBAL(1));

	event_send_reads(CARD_DRAIN, 5, 70000);
	assert_int_equal(event_count(fd), 70000);
	driver_unplug(false);
	assert_true(event_ended(fd));
	assert_event_refused(attr, ENODEV);
	driver_plug();
	assert_true(event_ended(fd));
	fresh = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS));
	event_send_reads(CARD_DRAIN, 5, 5);
	assert_int_equal(event_count(fresh), 5);
	assert_true(event_ended(fd));
}

/* All registers read as all ones. No counts may be invented, and the events end at the time-out. */
static void pulled_card_ends_its_events_after_the_time_out(void **state)
{
	int fd = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS));
	struct perf_event_attr attr = event_attr(CARD_DRAIN, GLOBAL(1));

	event_send_reads(CARD_DRAIN, 5, 70000);
	assert_int_equal(event_count(fd), 70000);
	driver_pull(true);
	assert_int_equal(event_count(fd), 70000);
	assert_int_equal(event_count(fd), 70000);
	assert_event_refused(attr, EAGAIN);
	/* The time-out of the earlier failure is still running. */
	driver_bind(CARD_DRAIN, false);
	assert_true(event_ended(fd));
	driver_pull(false);
	driver_bind(CARD_DRAIN, true);
	driver_write_file(RESET_WAIT, "1");
	fd = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS));
	driver_pull(true);
	assert_soon(event_ended(fd));
	assert_event_refused(attr, ENODEV);
	driver_pull(false);
	driver_bind(CARD_DRAIN, false);
	driver_bind(CARD_DRAIN, true);
	fd = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS));
	event_send_reads(CARD_DRAIN, 5, 6);
	assert_int_equal(event_count(fd), 6);
}

static int unpull_and_teardown(void **state)
{
	driver_pull(false);
	driver_write_file(RESET_WAIT, "90");
	return driver_teardown(state);
}

/*
 * The last event is closed while the card does not respond. The close must not access a register.
 */
static void last_close_during_a_reset(void **state)
{
	int fd = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS));

	driver_write_file(RESET_WAIT, "2");
	event_send_reads(CARD_DRAIN, 5, 7);
	assert_int_equal(event_count(fd), 7);
	driver_pull(true);
	assert_int_equal(event_count(fd), 7);
	driver_close(fd);
	driver_pull(false);
	/* A stream waits for the recovery. The card is then reset. */
	fd = driver_tracing(0);
	assert_int_equal(driver_statistics(fd).packets_seen, 0);
}

#define slot_test(name) cmocka_unit_test_teardown(name, plug_and_teardown)

int driver_pmu_slot_tests(void)
{
	const struct CMUnitTest tests[] = {
		slot_test(bus_reset_under_events_goes_on),
		slot_test(bus_reset_while_events_are_counted),
		slot_test(unplug_ends_its_events),
		cmocka_unit_test_teardown(pulled_card_ends_its_events_after_the_time_out,
					  unpull_and_teardown),
		cmocka_unit_test_teardown(last_close_during_a_reset, unpull_and_teardown),
	};

	return cmocka_run_group_tests_name("pmu_slot", tests, NULL, NULL);
}
